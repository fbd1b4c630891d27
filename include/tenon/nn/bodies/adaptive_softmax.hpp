// The head and the groups behind it.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/adaptive_softmax.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

namespace detail {

TENON_BODY Linear new_head(AdaptiveLogSoftmaxWithLoss& l) {
  TENON_CHECK(!l.cutoffs.empty(), ValueError, "cutoffs should be a sequence of length larger than 0");
  bool fit = l.cutoffs[0] > 0 && l.cutoffs.back() < l.n_classes;
  for (std::size_t i = 1; i < l.cutoffs.size(); ++i) fit = fit && l.cutoffs[i - 1] < l.cutoffs[i];
  TENON_CHECK(fit, ValueError,
              "cutoffs should be a sequence of unique, positive integers sorted in an increasing order, where each "
              "value is between 1 and n_classes-1");
  auto groups = static_cast<std::int64_t>(l.cutoffs.size());
  return {l.in_features, l.cutoffs[0] + groups, l.head_bias, l.dtype};
}
/// The classes of group i: from the first to before the second.
inline std::pair<std::int64_t, std::int64_t> group(const AdaptiveLogSoftmaxWithLoss& l, std::size_t i) {
  return {l.cutoffs[i], i + 1 < l.cutoffs.size() ? l.cutoffs[i + 1] : std::int64_t(l.n_classes)};
}
TENON_BODY std::vector<Sequential<Linear, Linear>> new_tail(const AdaptiveLogSoftmaxWithLoss& l) {
  std::vector<Sequential<Linear, Linear>> out;
  for (std::size_t i = 0; i < l.cutoffs.size(); ++i) {
    double share = static_cast<double>(std::int64_t(l.in_features)) / std::pow(l.div_value, static_cast<double>(i + 1));
    auto width = static_cast<std::int64_t>(std::floor(share));
    auto [first, last] = group(l, i);
    out.push_back(Sequential<Linear, Linear>{Linear{l.in_features, width, false, l.dtype},
                                             Linear{width, last - first, false, l.dtype}});
  }
  return out;
}

}  // namespace detail

TENON_BODY AdaptiveOutput AdaptiveLogSoftmaxWithLoss::operator()(const Tensor& x, const Tensor& target) const {
  Calling call(this);
  TENON_CHECK(target.dim() <= 1, ValueError, "0D or 1D target tensor expected, multi-target not supported");
  bool batched = target.dim() == 1;
  TENON_CHECK(x.dim() == target.dim() + 1, ValueError, target.dim(), "D target tensor expects ", target.dim() + 1,
              "D input tensors, but found inputs with size ", x.sizes());
  Tensor in = batched ? x : ops::unsqueeze(x, 0), classes = batched ? target : ops::unsqueeze(target, 0);
  std::int64_t n = classes.size(0), used = 0;
  TENON_CHECK(in.size(0) == n, ValueError, "Input and target should have the same size in the batch dimension.");
  auto rows_between = [&](std::int64_t first, std::int64_t last) {
    Tensor inside = ops::bitwise_and(ops::ge(classes, first), ops::lt(classes, last));
    Tensor rows = ops::reshape(ops::nonzero(inside), {-1});
    used += rows.numel();
    return rows;
  };
  auto of_class = [](const Tensor& scores, const Tensor& places) {
    return Tensor(ops::squeeze(ops::gather(ops::log_softmax(scores, 1), 1, ops::unsqueeze(places, 1)), 1));
  };
  rows_between(0, cutoffs[0]);
  Tensor places = classes, within = ops::zeros({n}, "dtype"_a = in.dtype(), "device"_a = in.device());
  for (std::size_t i = 0; i < tail.size(); ++i) {
    auto [first, last] = detail::group(*this, i);
    Tensor rows = rows_between(first, last);
    if (rows.numel() == 0) continue;
    places = ops::index_fill(places, 0, rows, Scalar(cutoffs[0] + static_cast<std::int64_t>(i)));
    Tensor own = ops::sub(ops::index_select(classes, 0, rows), Scalar(first));
    within = ops::index_copy(within, 0, rows, of_class(tail[i](ops::index_select(in, 0, rows)), own));
  }
  TENON_CHECK(used == n, ValueError, "Target values should be in [0, ", n_classes - 1, "], but values in range [",
              ops::min(classes).item<std::int64_t>(), ", ", ops::max(classes).item<std::int64_t>(), "] were found. ");
  Tensor output = within + of_class(head(in), places);
  Tensor loss = ops::mean(-output);
  return call(AdaptiveOutput{batched ? output : Tensor(ops::squeeze(output, 0)), loss});
}
TENON_BODY Tensor AdaptiveLogSoftmaxWithLoss::log_prob(const Tensor& x) const {
  Tensor scores = ops::log_softmax(head(x), 1);
  std::vector<Tensor> parts{ops::narrow(scores, 1, 0, cutoffs[0])};
  for (std::size_t i = 0; i < tail.size(); ++i)
    parts.push_back(ops::log_softmax(tail[i](x), 1) +
                    ops::narrow(scores, 1, cutoffs[0] + static_cast<std::int64_t>(i), 1));
  return ops::cat(parts, 1);
}
TENON_BODY Tensor AdaptiveLogSoftmaxWithLoss::predict(const Tensor& x) const {
  Tensor best = ops::argmax(head(x), 1);
  Tensor rows = ops::reshape(ops::nonzero(ops::ge(best, Scalar(cutoffs[0]))), {-1});
  if (rows.numel() == 0) return best;
  return ops::index_copy(best, 0, rows, ops::argmax(log_prob(ops::index_select(x, 0, rows)), 1));
}

}  // namespace tenon::nn
