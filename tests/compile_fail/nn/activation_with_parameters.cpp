// expect-error: an activation with parameters or a mode would be lost in a transformer's layer
#include <tenon/nn/activation.hpp>
#include <tenon/nn/transformer.hpp>

using namespace tenon;

#ifdef FIXED
const nn::TransformerEncoderLayerOf<nn::PReLU> layer{.d_model = 4, .nhead = 2, .activation = nn::PReLU{}};
#else
const nn::TransformerEncoderLayer layer{.d_model = 4, .nhead = 2, .activation = nn::PReLU{}};
#endif
