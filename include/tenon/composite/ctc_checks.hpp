// What the arguments of connectionist temporal classification must be.
#pragma once
#include <cstdint>
#include <limits>
#include <tuple>

#include <tenon/base/error.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite::ctc {

using Results = std::tuple<Tensor, Tensor>;

inline constexpr const char* kWhere = " (while checking arguments for ctc_loss_allocate_outputs)";

/// Throws unless the arguments fit each other; returns the length of the longest target.
template <class Int>
std::int64_t check(const Tensor& log_probs, const Tensor& targets, IntArrayRef input_lengths,
                   IntArrayRef target_lengths, std::int64_t blank) {
  TENON_CHECK(numel_of<Int>(log_probs) > Int(0), ValueError, "log_probs tensor must not be empty");
  TENON_CHECK(targets.dtype() == kLong || targets.dtype() == kInt, TypeError,
              "Expected tensor for argument #2 'targets' to have scalar type Int; but got ", targets.dtype(), kWhere);
  TENON_CHECK(log_probs.dim() == 3, ValueError, "Expected 3-dimensional tensor, but got ", log_probs.dim(),
              "-dimensional tensor for argument #1 'log_probs'", kWhere);
  TENON_CHECK(targets.dim() == 1 || targets.dim() == 2, ValueError, "Expected 1 to 2 dimensions, but got ",
              targets.dim(), "-dimensional tensor for argument #2 'targets'", kWhere);
  ArrayRef<Int> sizes = sizes_of<Int>(log_probs), labels = sizes_of<Int>(targets);
  TENON_CHECK(blank >= 0 && Int(blank) < sizes[2], ValueError, "blank must be in label range");
  auto count = static_cast<std::int64_t>(input_lengths.size());
  TENON_CHECK(Int(count) == sizes[1], ValueError, "input_lengths must be of size batch_size");
  TENON_CHECK(target_lengths.size() == input_lengths.size(), ValueError, "target_lengths must be of size batch_size");
  std::int64_t longest = 0, all = 0;
  for (std::int64_t n : target_lengths) {
    TENON_CHECK(n >= 0, ValueError, "Expected target_lengths to have value at least 0, but got value ", n, kWhere);
    if (n > longest) longest = n;
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    all = n > most - all ? most : all + n;
  }
  std::int64_t rows = targets.dim() == 1 ? all : count;
  TENON_CHECK(labels[0] == Int(rows), ValueError, "Expected tensor to have size ", rows,
              " at dimension 0, but got size ", labels[0], " for argument #2 'targets'", kWhere);
  if (targets.dim() == 2)
    TENON_CHECK(labels[1] >= Int(longest), ValueError, "Expected tensor to have size at least ", longest,
                " at dimension 1, but got size ", labels[1], " for argument #2 'targets'", kWhere);
  for (std::int64_t n : input_lengths) {
    TENON_CHECK(n >= 0, ValueError, "Expected input_lengths to have value at least 0, but got value ", n, kWhere);
    TENON_CHECK(Int(n) <= sizes[0], ValueError, "Expected input_lengths to have value at most ", sizes[0],
                ", but got value ", n, kWhere);
  }
  return longest;
}
/// Throws unless what the forward pass gave fits its arguments, as check() found them.
inline void check_backward(const Tensor& grad, const Tensor& log_probs, const Tensor& loss, const Tensor& log_alpha,
                           std::int64_t longest) {
  for (const Tensor* t : {&grad, &loss})
    TENON_CHECK(t->dim() == 1 && t->size(0) == log_probs.size(1), ValueError, "_ctc_loss_backward(): expected shape [",
                log_probs.size(1), "], got ", t->sizes());
  TENON_CHECK(log_alpha.dim() == 3 && log_alpha.size(0) == log_probs.size(1) &&
                  log_alpha.size(1) == log_probs.size(0) && log_alpha.size(2) == 2 * longest + 1,
              ValueError, "_ctc_loss_backward(): expected log_alpha of shape [", log_probs.size(1), ", ",
              log_probs.size(0), ", ", 2 * longest + 1, "], got ", log_alpha.sizes());
  for (const Tensor* t : {&grad, &loss, &log_alpha})
    TENON_CHECK(t->dtype() == log_probs.dtype(), TypeError, "_ctc_loss_backward(): expected ", log_probs.dtype(),
                ", got ", t->dtype());
}

}  // namespace tenon::composite::ctc
