// Bags of rows of a table: arguments, shapes of the kernels, and what chooses among them.
#pragma once
#include <tenon/autograd/transformed.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite::bags {

enum Mode : std::int64_t { kSum = 0, kMean = 1, kMax = 2 };

inline bool is_index_type(ScalarType type) { return type == kLong || type == kInt; }
inline void check_index_type(const char* name, const Tensor& t) {
  TENON_CHECK(is_index_type(t.dtype()), TypeError, "Expected tensor for argument #1 '", name,
              "' to have one of the following scalar types: Long, Int; but got ", t.dtype(),
              " instead (while checking arguments for embedding_bag)");
}
/// Throws unless dtypes, dimensions and sizes fit; what the elements are the kernels see.
template <class Int>
void check(const Tensor& weight, const Tensor& indices, const Tensor& offsets, std::int64_t mode,
           const std::optional<Tensor>& per_sample_weights, bool include_last_offset) {
  TENON_CHECK(mode >= kSum && mode <= kMax, ValueError, "`mode` must be sum, mean, or max.");
  TENON_CHECK(weight.dim() == 2, ValueError, "weight has to be a 2D Tensor, but got Tensor of dimension ",
              weight.dim());
  TENON_CHECK(indices.dim() == 1 || indices.dim() == 2, ValueError,
              "input has to be a 1D or 2D Tensor, but got Tensor of dimension ", indices.dim());
  TENON_CHECK(offsets.dim() == 1, ValueError, "offsets has to be a 1D Tensor, but got Tensor of dimension ",
              offsets.dim());
  check_index_type("indices", indices);
  check_index_type("offsets", offsets);
  TENON_CHECK(is_floating_type(weight.dtype()) && has_arithmetic(weight.dtype()), TypeError,
              "Expected tensor for argument #1 'weight' to have one of the following scalar types: Half, BFloat16, "
              "Float, Double; but got ",
              weight.dtype(), " instead (while checking arguments for embedding_bag)");
  if (include_last_offset)
    TENON_CHECK(sizes_of<Int>(offsets)[0] >= Int(1), ValueError,
                "include_last_offset: number of offset should be at least 1");
  if (!per_sample_weights || !per_sample_weights->defined()) return;
  TENON_CHECK(mode == kSum, ValueError, "embedding_bag: per_sample_weights only supported with mode='sum'");
  TENON_CHECK(per_sample_weights->dtype() == weight.dtype(), TypeError,
              "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
              "'per_sample_weights'; but type ",
              weight.dtype(), " does not equal ", per_sample_weights->dtype(),
              " (while checking arguments for embedding_bag)");
  TENON_CHECK(per_sample_weights->dim() == 1 && numel_of<Int>(*per_sample_weights) == numel_of<Int>(indices),
              ValueError, "embedding_bag: expected a weight for each of ", numel_of<Int>(indices),
              " indices, got shape ", per_sample_weights->sym_sizes());
}
/// PyTorch's quick way over sums of single precision leaves out the bag of each index.
inline bool leaves_out_bags(const Tensor& weight, std::int64_t mode, std::int64_t padding_idx) {
  return mode == kSum && padding_idx < 0 && weight.dtype() != kDouble;
}
/// Integers are those of the indices, the wider ones if offsets have others.
inline ScalarType index_type(const Tensor& indices, const Tensor& offsets) {
  return indices.dtype() == kInt && offsets.dtype() == kInt ? kInt : kLong;
}

using Results = std::tuple<Tensor, Tensor, Tensor, Tensor>;
/// Empty results of one kind of integers: output, bag of each index, size of each bag, places of its maxima.
template <bool ForGradients>
Results made(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool, std::int64_t mode, bool,
             const std::optional<Tensor>& per_sample_weights, bool include_last_offset, std::int64_t padding_idx) {
  check<SymInt>(weight, indices, offsets, mode, per_sample_weights, include_last_offset);
  SymInt given = offsets.sym_size(0), bags = include_last_offset ? given - 1 : given;
  SymInt output[] = {bags, weight.sym_size(1)};
  SymInt of_index[] = {leaves_out_bags(weight, mode, padding_idx) ? SymInt(0) : indices.sym_numel()};
  SymInt of_bag[] = {!ForGradients && mode == kSum ? given : bags};
  auto make = [&](SymIntArrayRef sizes, ScalarType dtype) {
    return make_tensor_symbolic(sizes, {}, dtype, weight.device());
  };
  ScalarType integers = index_type(indices, offsets);
  return {make(SymIntArrayRef(output, 2), weight.dtype()), make(SymIntArrayRef(of_index, 1), integers),
          make(SymIntArrayRef(of_bag, 1), integers),
          mode == kMax ? make(SymIntArrayRef(output, 2), integers) : make(SymIntArrayRef(of_bag, 1), integers)};
}
inline Tensor dense_backward_meta(const Tensor& grad, const Tensor& indices, const Tensor&, const Tensor&,
                                  const Tensor&, SymInt rows, bool, std::int64_t, const std::optional<Tensor>&,
                                  std::int64_t) {
  TENON_CHECK(grad.dim() == 2, ValueError, "_embedding_bag_dense_backward(): expected a matrix, got shape ",
              grad.sym_sizes());
  check_index_type("indices", indices);
  TENON_CHECK(rows >= SymInt(0), ValueError, "num_weights must not be negative, got ", rows);
  SymInt sizes[] = {rows, grad.sym_size(1)};
  return make_tensor_symbolic(SymIntArrayRef(sizes, 2), {}, grad.dtype(), grad.device());
}
inline Tensor weights_backward_meta(const Tensor& grad, const Tensor&, const Tensor& indices, const Tensor&,
                                    const Tensor&, std::int64_t mode, std::int64_t) {
  TENON_CHECK(mode == kSum, ValueError, "embedding_bag_backward: per_sample_weights only supported for mode='sum'");
  check_index_type("indices", indices);
  SymInt sizes[] = {indices.sym_numel()};
  return make_tensor_symbolic(SymIntArrayRef(sizes, 1), {}, grad.dtype(), grad.device());
}

/// The bag of each index from the first indices of the bags: how many of these come up to it.
inline Tensor bag_of_each(const Tensor& indices, const Tensor& offsets) {
  SymInt n = indices.sym_numel(), more[] = {n + 1};
  Tensor ends = ops::zeros(SymIntArrayRef(more, 1), "dtype"_a = offsets.dtype(), "device"_a = offsets.device());
  ends = ops::index_add(ends, 0, offsets, ops::ones_like(offsets));
  return ops::narrow(ops::sub(ops::cumsum(ends, 0, "dtype"_a = offsets.dtype()), Scalar(1)), 0, SymInt(0), n);
}
inline Tensor backward(const Tensor& grad, const Tensor& indices, const Tensor& offsets, const Tensor& bags,
                       const Tensor& bag_size, const Tensor& places, SymInt rows, bool scale_grad_by_freq,
                       std::int64_t mode, bool sparse, const std::optional<Tensor>& per_sample_weights,
                       std::int64_t padding_idx) {
  TENON_CHECK(!sparse, NotImplementedError, "embedding_bag: sparse gradients are not supported; pass sparse=False");
  check_index_type("indices", indices);
  check_index_type("offsets", offsets);
  bool left_out = bags.sym_numel() == SymInt(0) && !(indices.sym_numel() == SymInt(0));
  return ops::_embedding_bag_dense_backward(grad, indices, left_out ? bag_of_each(indices, offsets) : bags, bag_size,
                                            places, rows, scale_grad_by_freq, mode, per_sample_weights, padding_idx);
}
inline Results with_padding(const Tensor& weight, const Tensor& indices, const Tensor& offsets, bool scale_grad_by_freq,
                            std::int64_t mode, bool sparse, const std::optional<Tensor>& per_sample_weights,
                            bool include_last_offset, std::optional<std::int64_t> padding_idx) {
  std::int64_t padding = -1;
  if (padding_idx) {
    TENON_CHECK(weight.dim() == 2, ValueError, "weight has to be a 2D Tensor, but got Tensor of dimension ",
                weight.dim());
    SymInt rows = weight.sym_size(0), at = *padding_idx;
    TENON_CHECK(at >= SymInt(0) - rows && at < rows, ValueError,
                "padding_idx must be within the number of embeddings, -", rows, " through ", rows - 1, ", but got ",
                at);
    padding = *padding_idx >= 0 ? *padding_idx : (at + rows).guard_int(__FILE__, __LINE__);
  }
  auto may_be = [](const Tensor& t) { return t.defined() && (t.requires_grad() || autograd::is_transformed(t)); };
  bool recorded = may_be(weight) || (per_sample_weights && may_be(*per_sample_weights));
  return recorded ? ops::_embedding_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                                        include_last_offset, padding)
                  : ops::_embedding_bag_forward_only(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                                     per_sample_weights, include_last_offset, padding);
}
inline Results without_padding(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                               bool scale_grad_by_freq, std::int64_t mode, bool sparse,
                               const std::optional<Tensor>& per_sample_weights, bool include_last_offset) {
  return with_padding(weight, indices, offsets, scale_grad_by_freq, mode, sparse, per_sample_weights,
                      include_last_offset, std::nullopt);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::embedding_bag_base>().def<ops::embedding_bag_padding_idx>().def<ops::_embedding_bag_backward_base>();
  define_forms(m, ops::_embedding_bag_base);
  define_forms(m, ops::_embedding_bag_forward_only_base);
  define_forms(m, ops::_embedding_bag_dense_backward_base);
  define_forms(m, ops::_embedding_bag_per_sample_weights_backward_base);
  m.impl<ops::embedding_bag_base, &without_padding>().impl<ops::embedding_bag_padding_idx, &with_padding>();
  m.impl<ops::_embedding_bag_backward_base, &backward>();
  m.impl<ops::_embedding_bag_base, &made<true>>(DispatchKey::Meta)
      .impl<ops::_embedding_bag_forward_only_base, &made<false>>(DispatchKey::Meta)
      .impl<ops::_embedding_bag_dense_backward_base, &dense_backward_meta>(DispatchKey::Meta)
      .impl<ops::_embedding_bag_per_sample_weights_backward_base, &weights_backward_meta>(DispatchKey::Meta);
  implement_out_by_copy<ops::_embedding_bag_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_embedding_bag_forward_only_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_embedding_bag_dense_backward_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::_embedding_bag_per_sample_weights_backward_base_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite::bags
