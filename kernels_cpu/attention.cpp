// Registers attention and bilinear forms.
#include <tenon/composite/attention.hpp>
#include <tenon/composite/flash_attention.hpp>
#include <tenon/composite/transformer.hpp>
