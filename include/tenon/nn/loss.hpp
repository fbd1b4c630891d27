// Losses as layers: what they are told stays in their fields.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional/loss.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

// Each is the function of its name in tenon::nn::functional, with PyTorch's options and defaults.
struct L1Loss {
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::l1_loss(x, y, reduction));
  }
};
struct MSELoss {
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::mse_loss(x, y, reduction));
  }
};
struct SmoothL1Loss {
  Reduction reduction = Reduction::Mean;
  double beta = 1;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::smooth_l1_loss(x, y, reduction, beta));
  }
};
struct HuberLoss {
  Reduction reduction = Reduction::Mean;
  double delta = 1;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::huber_loss(x, y, reduction, delta));
  }
};
struct NLLLoss {
  Buffer weight = {};
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::nll_loss(x, y, {weight.if_defined(), ignore_index, reduction}));
  }
  TENON_FIELDS(weight)
};
struct CrossEntropyLoss {
  Buffer weight = {};
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::Mean;
  double label_smoothing = 0;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(
        functional::cross_entropy(x, y, {weight.if_defined(), ignore_index, reduction, label_smoothing}));
  }
  TENON_FIELDS(weight)
};
/// CrossEntropyLoss of the scores that a linear layer of its own gives, `out_features` losses for each input.
struct LinearCrossEntropyLoss {
  Count in_features, num_classes;
  std::vector<std::int64_t> out_features = {};
  bool bias = false;
  Buffer weight = {};
  Reduction reduction = Reduction::Mean;
  std::optional<std::int64_t> ignore_index = {};
  double label_smoothing = 0;
  ScalarType dtype = get_default_dtype();
  Linear linear = start();

  Tensor operator()(const Tensor& x, const Tensor& y) const;
  Linear start() const;
  std::string extra_repr() const;
  TENON_FIELDS(weight, linear)
};
struct KLDivLoss {
  Reduction reduction = Reduction::Mean;
  bool log_target = false;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::kl_div(x, y, reduction, log_target));
  }
};
struct BCELoss {
  Buffer weight = {};
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::binary_cross_entropy(x, y, weight.if_defined(), reduction));
  }
  TENON_FIELDS(weight)
};
struct BCEWithLogitsLoss {
  Buffer weight = {};
  Reduction reduction = Reduction::Mean;
  Buffer pos_weight = {};
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(
        functional::binary_cross_entropy_with_logits(x, y, weight.if_defined(), reduction, pos_weight.if_defined()));
  }
  TENON_FIELDS(weight, pos_weight)
};
struct PoissonNLLLoss {
  bool log_input = true, full = false;
  double eps = 1e-8;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::poisson_nll_loss(x, y, log_input, full, eps, reduction));
  }
};
struct GaussianNLLLoss {
  bool full = false;
  double eps = 1e-6;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y, const Tensor& var) const {
    return Calling(this)(functional::gaussian_nll_loss(x, y, var, full, eps, reduction));
  }
  Tensor operator()(const Tensor& x, const Tensor& y, double var) const {
    return Calling(this)(functional::gaussian_nll_loss(x, y, var, full, eps, reduction));
  }
};
struct HingeEmbeddingLoss {
  double margin = 1;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::hinge_embedding_loss(x, y, margin, reduction));
  }
};
struct SoftMarginLoss {
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::soft_margin_loss(x, y, reduction));
  }
};
struct MultiLabelMarginLoss {
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::multilabel_margin_loss(x, y, reduction));
  }
};
struct MultiLabelSoftMarginLoss {
  Buffer weight = {};
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::multilabel_soft_margin_loss(x, y, weight.if_defined(), reduction));
  }
  TENON_FIELDS(weight)
};
struct MultiMarginLoss {
  std::int64_t p = 1;
  double margin = 1;
  Buffer weight = {};
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& x, const Tensor& y) const {
    return Calling(this)(functional::multi_margin_loss(x, y, {p, margin, weight.if_defined(), reduction}));
  }
  TENON_FIELDS(weight)
};
struct CosineEmbeddingLoss {
  double margin = 0;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& a, const Tensor& b, const Tensor& y) const {
    return Calling(this)(functional::cosine_embedding_loss(a, b, y, margin, reduction));
  }
};
struct MarginRankingLoss {
  double margin = 0;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& a, const Tensor& b, const Tensor& y) const {
    return Calling(this)(functional::margin_ranking_loss(a, b, y, margin, reduction));
  }
};
/// Distances and similarities of pairs of vectors.
struct PairwiseDistance {
  double p = 2, eps = 1e-6;
  bool keepdim = false;
  Tensor operator()(const Tensor& a, const Tensor& b) const {
    return Calling(this)(functional::pairwise_distance(a, b, p, eps, keepdim));
  }
};
struct CosineSimilarity {
  std::int64_t dim = 1;
  double eps = 1e-8;
  Tensor operator()(const Tensor& a, const Tensor& b) const {
    return Calling(this)(functional::cosine_similarity(a, b, dim, eps));
  }
};
struct TripletMarginLoss {
  double margin = 1, p = 2, eps = 1e-6;
  bool swap = false;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& anchor, const Tensor& positive, const Tensor& negative) const {
    return Calling(this)(
        functional::triplet_margin_loss(anchor, positive, negative, {margin, p, eps, swap, reduction}));
  }
};
/// The same with a distance of one's own, any callable of two tensors; `TripletMarginWithDistanceLoss<>{}` takes
/// PairwiseDistance.
template <class Distance = PairwiseDistance>
struct TripletMarginWithDistanceLoss {
  Distance distance_function = {};
  double margin = 1;
  bool swap = false;
  Reduction reduction = Reduction::Mean;
  Tensor operator()(const Tensor& anchor, const Tensor& positive, const Tensor& negative) const {
    return Calling(this)(functional::triplet_margin_with_distance_loss(anchor, positive, negative, distance_function,
                                                                       margin, swap, reduction));
  }
  TENON_FIELDS(distance_function)
};
/// Of sequences without a known alignment. Shapes: as functional::ctc_loss().
struct CTCLoss {
  std::int64_t blank = 0;
  Reduction reduction = Reduction::Mean;
  bool zero_infinity = false;
  Tensor operator()(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                    const Tensor& target_lengths) const {
    return Calling(this)(
        functional::ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity));
  }
  Tensor operator()(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                    IntArrayRef target_lengths) const {
    return Calling(this)(
        functional::ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity));
  }
};

}  // namespace tenon::nn
