// Registers normalisation by batch, layer, group, instance and root mean square.
#include <tenon/composite/batch_norm_forms.hpp>
#include <tenon/composite/normalization.hpp>
#include <tenon/cpu/batch_norm.hpp>
#include <tenon/cpu/normalization.hpp>
