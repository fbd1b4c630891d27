// Registers what training in few bits needs: quantised values, scaled losses, products of groups.
#include <tenon/composite/fake_quantize.hpp>
#include <tenon/composite/grouped_mm.hpp>
#include <tenon/composite/loss_scale.hpp>
#include <tenon/composite/quantization_range.hpp>
