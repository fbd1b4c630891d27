// The functions behind the losses, with PyTorch's names and defaults.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

/// What becomes of a loss per element. The values are those of the operators' argument `reduction`; BatchMean, the sum
/// over the first size, is kl_div's alone.
enum class Reduction : std::int64_t { None = 0, Mean = 1, Sum = 2, BatchMean = 3 };

namespace functional {

struct CrossEntropyOptions {
  std::optional<Tensor> weight = {};
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::Mean;
  double label_smoothing = 0;
};
struct NLLLossOptions {
  std::optional<Tensor> weight = {};
  std::int64_t ignore_index = -100;
  Reduction reduction = Reduction::Mean;
};
struct MultiMarginLossOptions {
  std::int64_t p = 1;
  double margin = 1;
  std::optional<Tensor> weight = {};
  Reduction reduction = Reduction::Mean;
};
struct TripletMarginLossOptions {
  double margin = 1, p = 2, eps = 1e-6;
  bool swap = false;
  Reduction reduction = Reduction::Mean;
};

/// Softmax and negative log-likelihood in one.
/// Shapes: input (N, C, ..) scores; target (N, ..) classes of int64, or probabilities of the shape of `input`.
/// Dtypes: floating input; the result has its dtype. Errors: as the operator cross_entropy_loss.
Tensor cross_entropy(const Tensor& input, const Tensor& target, const CrossEntropyOptions& o = {});
struct LinearCrossEntropyOptions {
  Tensor linear_bias = {};
  std::optional<Tensor> weight = {};
  Reduction reduction = Reduction::Mean;
  std::optional<std::int64_t> ignore_index = {};
  double label_smoothing = 0;
};
/// cross_entropy() of the scores that a linear map gives. Shapes: input (N, in) or (in); linear_weight (C, .., in);
/// linear_bias (C, ..); target (N, ..) or () of classes, or probabilities (N, C, ..) or (C). A list of shapes between C
/// and `in` wants a batch. Errors: ValueError for other shapes, and for an ignore_index with probabilities.
Tensor linear_cross_entropy(const Tensor& input, const Tensor& linear_weight, const Tensor& target,
                            const LinearCrossEntropyOptions& o = {});
/// Shapes: input (N, C, ..) logarithms of probabilities, target (N, ..) classes of int64.
Tensor nll_loss(const Tensor& input, const Tensor& target, const NLLLossOptions& o = {});

// Element by element, then the mean, the sum or nothing. Shapes: input and target broadcast, with a warning if they
// differ. A `weight` has the input's shape and multiplies each loss, else a ValueError is thrown.
/// The squared difference. With a weight the mean is over the sum of the weights.
Tensor mse_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean,
                const std::optional<Tensor>& weight = {});
/// The absolute difference. With a weight the mean is over the sum of the weights.
Tensor l1_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean,
               const std::optional<Tensor>& weight = {});
/// Half the square below `beta`, over `beta`; linear from there on. Throws ValueError for a negative `beta`.
Tensor smooth_l1_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean,
                      double beta = 1);
/// Half the square up to `delta`, linear from there on. The mean is over the number of losses with a weight too, as in
/// PyTorch 2.15. Throws ValueError unless delta > 0.
Tensor huber_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean, double delta = 1,
                  const std::optional<Tensor>& weight = {});
/// Target times the difference of logarithms. `log_target`: the target is a logarithm too.
Tensor kl_div(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean,
              bool log_target = false);
/// Shapes: input and target are equal: probabilities. Throws ValueError for other shapes.
Tensor binary_cross_entropy(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight = {},
                            Reduction reduction = Reduction::Mean);
Tensor binary_cross_entropy_with_logits(const Tensor& input, const Tensor& target,
                                        const std::optional<Tensor>& weight = {}, Reduction reduction = Reduction::Mean,
                                        const std::optional<Tensor>& pos_weight = {});
Tensor poisson_nll_loss(const Tensor& input, const Tensor& target, bool log_input = true, bool full = false,
                        double eps = 1e-8, Reduction reduction = Reduction::Mean);
/// Half of log(var) and the squared difference over var, which counts as at least `eps`.
/// Shapes: var as the input, without its last dimension, or with one dimension of size 1 instead.
/// Throws ValueError for negative variances and those of a shape that fits not.
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, const Tensor& var, bool full = false,
                         double eps = 1e-6, Reduction reduction = Reduction::Mean);
/// The same with one variance for all.
Tensor gaussian_nll_loss(const Tensor& input, const Tensor& target, double var, bool full = false, double eps = 1e-6,
                         Reduction reduction = Reduction::Mean);
/// target holds 1 and -1.
Tensor hinge_embedding_loss(const Tensor& input, const Tensor& target, double margin = 1,
                            Reduction reduction = Reduction::Mean);
Tensor soft_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean);
/// Shapes: input (N, C) or (C), target alike: classes up to the first -1.
Tensor multilabel_margin_loss(const Tensor& input, const Tensor& target, Reduction reduction = Reduction::Mean);
Tensor multilabel_soft_margin_loss(const Tensor& input, const Tensor& target, const std::optional<Tensor>& weight = {},
                                   Reduction reduction = Reduction::Mean);
/// Shapes: input (N, C) or (C), target (N) or (): classes.
Tensor multi_margin_loss(const Tensor& input, const Tensor& target, const MultiMarginLossOptions& o = {});
/// Shapes: inputs (N, D) or (D), target (N) or () of 1 and -1.
Tensor cosine_embedding_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                             Reduction reduction = Reduction::Mean);
Tensor margin_ranking_loss(const Tensor& input1, const Tensor& input2, const Tensor& target, double margin = 0,
                           Reduction reduction = Reduction::Mean);
/// Shapes: (N, D) or (D).
Tensor triplet_margin_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                           const TripletMarginLossOptions& o = {});
/// Throws ValueError unless all three have as many dimensions.
void check_triplet(const Tensor& anchor, const Tensor& positive, const Tensor& negative);
/// The same of distances: to the positive, to the negative, and between these two unless that is undefined.
Tensor triplet_margin_by(const Tensor& near, const Tensor& far, const Tensor& between, double margin,
                         Reduction reduction = Reduction::Mean);
/// The norm of x1 - x2 + eps along the last dimension.
Tensor pairwise_distance(const Tensor& x1, const Tensor& x2, double p = 2, double eps = 1e-6, bool keepdim = false);
/// The same with a distance of one's own, a callable of two tensors.
template <class Distance>
Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative,
                                         const Distance& distance_function, double margin = 1, bool swap = false,
                                         Reduction reduction = Reduction::Mean) {
  check_triplet(anchor, positive, negative);
  return triplet_margin_by(distance_function(anchor, positive), distance_function(anchor, negative),
                           swap ? distance_function(positive, negative) : Tensor(), margin, reduction);
}
/// The same with pairwise_distance().
inline Tensor triplet_margin_with_distance_loss(const Tensor& anchor, const Tensor& positive, const Tensor& negative) {
  auto distance = [](const Tensor& a, const Tensor& b) { return pairwise_distance(a, b); };
  return triplet_margin_with_distance_loss(anchor, positive, negative, distance);
}
/// Connectionist temporal classification: minus the logarithm of the probability of all alignments of a target.
/// Shapes: log_probs (T, N, C) or (T, C); targets (N, S), or all in a row; lengths (N). The mean divides by the
/// targets' lengths first. `zero_infinity`: targets that do not fit into their input count as 0. The gradient is the
/// one behind a log_softmax, as PyTorch's. Errors: ValueError for lengths that do not fit, IndexError for labels.
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, const Tensor& input_lengths,
                const Tensor& target_lengths, std::int64_t blank = 0, Reduction reduction = Reduction::Mean,
                bool zero_infinity = false);
Tensor ctc_loss(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths, IntArrayRef target_lengths,
                std::int64_t blank = 0, Reduction reduction = Reduction::Mean, bool zero_infinity = false);
/// x1 . x2 over the product of their norms, each at least eps.
Tensor cosine_similarity(const Tensor& x1, const Tensor& x2, std::int64_t dim = 1, double eps = 1e-8);

}  // namespace functional
}  // namespace tenon::nn
