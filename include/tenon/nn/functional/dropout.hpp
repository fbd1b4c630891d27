// The functions behind the dropout layers, with PyTorch's names and defaults.
#pragma once
#include <tenon/nn/dropout.hpp>

namespace tenon::nn::functional {

// `p`: the probability with which an element (a channel) becomes 0; outside of training nothing does.
#define TENON_INTERNAL_DROPOUT(NAME, KIND, RANK, TRAINING)                                                            \
  inline Tensor NAME(const Tensor& input, double p = 0.5, bool training = TRAINING, bool inplace = false) {           \
    return nn::detail::drop(nn::detail::DropoutKind::KIND, RANK, input, nn::detail::checked_probability(p), training, \
                            inplace);                                                                                 \
  }
TENON_INTERNAL_DROPOUT(dropout, Elements, 0, true)
TENON_INTERNAL_DROPOUT(dropout1d, Features, 1, true)
TENON_INTERNAL_DROPOUT(dropout2d, Features, 2, true)
TENON_INTERNAL_DROPOUT(dropout3d, Features, 3, true)
TENON_INTERNAL_DROPOUT(alpha_dropout, Alpha, 0, false)
TENON_INTERNAL_DROPOUT(feature_alpha_dropout, FeatureAlpha, 0, false)
#undef TENON_INTERNAL_DROPOUT

}  // namespace tenon::nn::functional
