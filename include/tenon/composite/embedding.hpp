// Embeddings: rows of a table, and their gradients added up.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/unique.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace embeddings {

inline Tensor flat_indices(const Tensor& indices) {
  TENON_CHECK(
      indices.dtype() == kLong || indices.dtype() == kInt, TypeError,
      "Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but got ",
      indices.dtype(), " instead (while checking arguments for embedding)");
  SymInt n[] = {indices.sym_numel()};
  Tensor flat = ops::reshape(indices, SymIntArrayRef(n, 1));
  return flat.dtype() == kLong ? flat : Tensor(ops::to(flat, kLong));
}
inline Tensor embedding(const Tensor& weight, const Tensor& indices, SymInt, bool, bool) {
  AutoDispatchBelowADInplaceOrView guard;  // the result is a tensor of its own, which may be written in place
  TENON_CHECK(weight.dim() == 2, ValueError, "'weight' must be 2-D");
  SymDimVector shape(indices.sym_sizes());
  shape.push_back(weight.sym_size(1));
  return ops::view(ops::index_select(weight, 0, flat_indices(indices)), SymIntArrayRef(shape));
}
inline Tensor embedding_dense_backward(const Tensor& grad, const Tensor& indices, SymInt rows, SymInt padding_idx,
                                       bool scale_grad_by_freq) {
  Tensor flat = flat_indices(indices);
  TENON_CHECK(grad.dim() == indices.dim() + 1 &&
                  grad.sym_sizes().slice(0, static_cast<std::size_t>(indices.dim())) == indices.sym_sizes(),
              ValueError, "expected a gradient of shape ", indices.sym_sizes(), " and a last dimension, but got ",
              grad.sym_sizes());
  TENON_CHECK(rows >= SymInt(0), ValueError, "num_weights must not be negative, got ", rows);
  SymInt width = grad.sym_size(-1), shape[] = {flat.sym_numel(), width}, table[] = {rows, width}, line[] = {rows};
  Tensor g = ops::reshape(grad, SymIntArrayRef(shape, 2));
  if (padding_idx >= SymInt(0))
    g = ops::masked_fill(g, ops::unsqueeze(ops::eq(flat, Scalar(padding_idx.guard_int(__FILE__, __LINE__))), 1),
                         Scalar(0));
  if (scale_grad_by_freq) {
    Tensor ones = ops::ones_like(flat, "dtype"_a = grad.dtype());
    Tensor counts = ops::index_add(
        ops::zeros(SymIntArrayRef(line, 1), "dtype"_a = grad.dtype(), "device"_a = grad.device()), 0, flat, ones);
    g = ops::div(g, ops::unsqueeze(ops::index_select(counts, 0, flat), 1));
  }
  Tensor none = ops::zeros(SymIntArrayRef(table, 2), "dtype"_a = grad.dtype(), "device"_a = grad.device());
  // As in PyTorch, 16-bit floats are rounded after each row.
  const std::optional<Tensor> at[] = {flat};
  if (is_reduced_floating_type(grad.dtype()))
    return ops::index_put(none, ArrayRef<std::optional<Tensor>>(at, 1), g, true);
  return ops::index_add(none, 0, flat, g);
}
inline Tensor embedding_backward(const Tensor& grad, const Tensor& indices, SymInt rows, SymInt padding_idx,
                                 bool scale_grad_by_freq, bool sparse) {
  TENON_CHECK(!sparse, NotImplementedError,
              "embedding_backward: sparse gradients are not supported; pass sparse=False");
  return ops::embedding_dense_backward(grad, indices, rows, padding_idx, scale_grad_by_freq);
}
/// Rows whose norm is above `max_norm`, each once however often it is looked up.
inline Tensor& embedding_renorm_(Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  TENON_CHECK(self.dim() == 2, ValueError, "Expected 2-dimensional tensor, but got ", self.dim(),
              "-dimensional tensor for argument #1 'self' (while checking arguments for embedding_renorm_)");
  TENON_CHECK(
      indices.dtype() == kLong || indices.dtype() == kInt, TypeError,
      "Expected tensor for argument #2 'indices' to have one of the following scalar types: Long, Int; but got ",
      indices.dtype(), " instead (while checking arguments for embedding_renorm_)");
  if (self.is_meta()) return self;
  AutoDispatchBelowADInplaceOrView guard;
  if (indices.numel() == 0) return self;
  Tensor rows = std::get<0>(ops::_unique(flat_indices(indices))), found = ops::index_select(self, 0, rows);
  Tensor norms = ops::norm(found, Scalar(norm_type), {1}, true);
  // The tail keeps the quotient finite; it is PyTorch's.
  Tensor factors = ops::mul(ops::reciprocal(ops::add(norms, Scalar(1e-7))), Scalar(max_norm));
  ops::index_copy_(self, 0, rows, ops::where(ops::gt(norms, Scalar(max_norm)), ops::mul(found, factors), found));
  return self;
}
inline Tensor embedding_renorm(const Tensor& self, const Tensor& indices, double max_norm, double norm_type) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = ops::clone(self);
  return ops::embedding_renorm_(out, indices, max_norm, norm_type);
}

}  // namespace embeddings

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::embedding_base>().def<ops::embedding_base_out>().def<ops::embedding_backward_base>();
  m.def<ops::embedding_dense_backward_base>().def<ops::embedding_dense_backward_base_out>();
  m.impl<ops::embedding_backward_base, &embeddings::embedding_backward>();
  m.impl<ops::embedding_base, &embeddings::embedding>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::embedding_dense_backward_base, &embeddings::embedding_dense_backward>(
          DispatchKey::CompositeExplicitAutograd);
  define_forms(m, ops::embedding_renorm_base);
  m.impl<ops::embedding_renorm_base, &embeddings::embedding_renorm>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::embedding_renorm_base_, &embeddings::embedding_renorm_>(DispatchKey::CompositeExplicitAutograd);
  implement_out_by_copy<ops::embedding_renorm_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::embedding_base_op>(m, Place{__FILE__, __LINE__});
  implement_out_by_copy<ops::embedding_dense_backward_base_op>(m, Place{__FILE__, __LINE__});
}

}  // namespace tenon::composite
