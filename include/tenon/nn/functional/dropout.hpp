// The functions behind the dropout layers, with PyTorch's names and defaults.
#pragma once
#include <tenon/nn/dropout.hpp>

namespace tenon::nn::functional {

// `p`: the probability with which an element (a channel) becomes 0; outside of training nothing does.
#define TENON_INTERNAL_DROPOUT(NAME, KIND, TRAINING)                                                            \
  inline Tensor NAME(const Tensor& input, double p = 0.5, bool training = TRAINING, bool inplace = false) {     \
    return nn::detail::drop(nn::detail::DropoutKind::KIND, input, nn::detail::checked_probability(p), training, \
                            inplace);                                                                           \
  }
TENON_INTERNAL_DROPOUT(dropout, Elements, true)
TENON_INTERNAL_DROPOUT(dropout1d, Features, true)
TENON_INTERNAL_DROPOUT(dropout2d, Features, true)
TENON_INTERNAL_DROPOUT(dropout3d, Features, true)
TENON_INTERNAL_DROPOUT(alpha_dropout, Alpha, false)
TENON_INTERNAL_DROPOUT(feature_alpha_dropout, FeatureAlpha, false)
#undef TENON_INTERNAL_DROPOUT

}  // namespace tenon::nn::functional
