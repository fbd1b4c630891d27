// Batching rules of products, factorizations, joins, indices, strides, windows and convolution.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/detail/rule_table.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/complex.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

// ---- products

inline bool product_rule(BatchedCall& c, Stack& results) {
  std::string_view name = c.schema().base_name();
  Tensor a = c.physical[0].to_tensor(), b = c.physical[1].to_tensor(), out;
  if (name == "mm" || name == "bmm") {
    out = ops::matmul(a, b);
  } else if (name == "mv") {
    out = c.batched(1) ? ops::squeeze(ops::matmul(a, ops::unsqueeze(b, -1)), -1) : ops::matmul(a, b);
  } else {
    if (name == "vdot") a = ops::conj(a);
    out = ops::squeeze(ops::squeeze(ops::matmul(ops::unsqueeze(a, -2), ops::unsqueeze(b, -1)), -1), -1);
  }
  results.emplace_back(std::move(out));
  return true;
}

// ---- lists of tensors

inline bool join_rule(BatchedCall& c, Stack& results) {
  bool stacks = c.schema().base_name() == "stack";
  std::vector<Value> items;
  std::int64_t rank = 0;
  for (const Value& v : c.given[0].to_list()) {
    const Tensor& t = v.to_tensor();
    // An empty row joins tensors of any shape.
    if (!stacks && t.dim() == 1 && t.size(0) == 0) continue;
    rank = t.dim();
    BatchedCall one{c.op, c.level, {v}, {belongs(t, c.level) ? Value(level_impl(t).value) : v}};
    items.emplace_back(one.expanded(0));
  }
  if (items.empty()) return false;
  std::int64_t d = static_cast<std::int64_t>(wrap_dim(c.given[1].to_int(), rank + stacks, false)) + 1;
  Stack call{Value::list(std::move(items), ValueKind::Tensor), Value(d)};
  return c.answer(std::move(call), results);
}

// ---- indices along one dimension

inline bool gather_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  Stack call = c.physical;
  std::int64_t rank = rank_of(c, 0);
  if (rank == 0) return false;
  for (std::size_t i = 0; i < call.size(); ++i) {
    if (s.arg_name(i) == "dim") call[i] = Value(static_cast<std::int64_t>(wrap_dim(c.given[i].to_int(), rank)) + 1);
    if (!call[i].is_tensor() || !call[i].to_tensor().defined()) continue;
    if (rank_of(c, i) != rank) return false;
    call[i] = c.expanded(i);
  }
  return c.answer(std::move(call), results);
}
/// The same indices for all examples; those of an example along a dimension by gather.
inline bool select_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  std::int64_t rank = rank_of(c, 0);
  if (rank == 0) return false;
  if (s.name() == "aten::index_select" && c.batched(2)) {
    std::int64_t dim = static_cast<std::int64_t>(wrap_dim(c.given[1].to_int(), rank)) + 1;
    Tensor self = c.expanded(0), index = c.physical[2].to_tensor();
    if (rank_of(c, 2) == 0) index = ops::unsqueeze(index, 1);
    DimVector sizes(self.sizes());
    sizes[static_cast<std::size_t>(dim)] = index.size(1);
    for (std::int64_t d = 1; d <= rank; ++d)
      if (d != dim) index = ops::unsqueeze(index, d);
    results = {Value(ops::gather(self, dim, ops::expand(index, IntArrayRef(sizes))))};
    return true;
  }
  if (!c.only_batched(0)) return false;
  int d = s.find_argument("dim");
  if (d < 0 || !c.given[static_cast<std::size_t>(d)].is_int()) return false;
  Stack call = c.physical;
  auto at = static_cast<std::size_t>(d);
  call[at] = Value(static_cast<std::int64_t>(wrap_dim(c.given[at].to_int(), rank)) + 1);
  return c.answer(std::move(call), results);
}

/// Elements of a whole tensor by their numbers.
inline bool take_rule(BatchedCall& c, Stack& results) {
  if (!c.batched(0)) return c.answer(std::move(c.physical), results);
  Tensor all = c.expanded(0), index = c.expanded(1);
  if (all.numel() == 0 || index.numel() == 0) return false;
  all = rows_of(all);
  Tensor from_start = ops::where(ops::lt(index, 0), ops::add(index, all.size(1)), index);
  results = {Value(ops::reshape(ops::gather(all, 1, rows_of(from_start)), index.sizes()))};
  return true;
}
// ---- images: the examples are a batch already

/// Operators on (.., C, spatial) and (.., N, C, spatial), and their gradients: all examples as one N.
inline bool images_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  std::string_view name = s.base_name();
  std::size_t digit = name.find("1d") != name.npos || name == "col2im"   ? 1
                      : name.find("2d") != name.npos || name == "im2col" ? 2
                      : name.find("3d") != name.npos                     ? 3
                                                                         : 0;
  if (digit == 0) return false;
  auto spatial = static_cast<std::int64_t>(digit);
  Stack call = c.physical;
  std::int64_t rank = rank_of(c, 0), n = 0;
  if (rank == spatial + 2) n = c.given[0].to_tensor().size(0);
  if (rank == spatial + 2 ? n == 0 : rank != spatial + 1) return false;
  for (std::size_t i = 0; i < call.size(); ++i)
    if (given_tensor(c, i)) {
      if (rank_of(c, i) != rank) return false;
      call[i] = n == 0 ? c.expanded(i) : flattened(c.expanded(i), 0, 1);
    } else if (s.arg_name(i) == "input_size") {
      if (n == 0) return false;
      std::vector<Value> sizes = c.given[i].to_list();
      sizes[0] = Value(n * c.size());
      call[i] = Value::list(std::move(sizes), ValueKind::Int);
    }
  c.op.call_boxed(call);
  if (n != 0)
    for (Value& v : call) v = map_tensors(v, [&](const Tensor& t) { return ops::unflatten(t, 0, {c.size(), n}); });
  results = std::move(call);
  return true;
}

/// Convolution: examples of images are images; examples of weights are groups.
inline bool convolution_rule(BatchedCall& c, Stack& results) {
  std::int64_t n = c.given[0].to_tensor().size(0), b = c.size();
  bool transposed = c.given[6].to_bool(), biased = c.given[2].is_tensor() && c.given[2].to_tensor().defined();
  if (rank_of(c, 0) != rank_of(c, 1) || n == 0) return false;
  Stack call = c.physical;
  if (c.only_batched(0)) {
    call[0] = flattened(call[0].to_tensor(), 0, 1);
    c.op.call_boxed(call);
    results = {Value(ops::unflatten(call[0].to_tensor(), 0, {b, n}))};
    return true;
  }
  std::int64_t groups = c.given[8].to_int();
  std::int64_t out = transposed ? c.given[1].to_tensor().size(1) * groups : c.given[1].to_tensor().size(0);
  call[0] = flattened(ops::transpose(c.expanded(0), 0, 1), 1, 2);
  call[1] = flattened(c.expanded(1), 0, 1);
  if (biased) call[2] = flattened(c.expanded(2), 0, 1);
  call[8] = Value(groups * b);
  c.op.call_boxed(call);
  results = {Value(ops::transpose(ops::unflatten(call[0].to_tensor(), 1, {b, out}), 0, 1))};
  return true;
}

/// Singular values and eigenvalues alone have no derivative, for which calls on tensors of a level do not ask.
inline bool spectrum_rule(BatchedCall& c, Stack& results) {
  bool vectors = c.given[2].to_bool();
  Stack call = c.physical;
  if (is_recorded(call[0].to_tensor())) call[2] = Value(true);
  c.op.call_boxed(call);
  if (!vectors)
    for (std::size_t i : vectors_of_spectrum(call)) call[i] = ops::new_empty(call[i].to_tensor(), {c.size(), 0});
  results = std::move(call);
  return true;
}
/// Operators on batches of matrices: batches of several arguments are aligned from the right.
inline bool matrices_rule(BatchedCall& c, Stack& results) {
  const SchemaView& s = c.schema();
  // What goes with the rows or columns of a matrix.
  auto of_rows = [&](std::size_t i) {
    std::string_view name = s.arg_name(i);
    return name == "pivots" || name == "LU_pivots" || name == "tau" || (name == "input2" && s.base_name() == "ormqr");
  };
  if (s.base_name() == "lu_unpack" && !(c.given[2].to_bool() && c.given[3].to_bool())) return false;
  std::int64_t rank = 0;
  Stack call = c.physical;
  bool vector = false;
  if (s.base_name() == "_linalg_solve_ex") {
    const Tensor &a = c.given[0].to_tensor(), &b = c.given[1].to_tensor();
    vector = b.dim() == 1 || (a.dim() - 1 == b.dim() && b.sizes() == a.sizes().slice(0, a.sizes().size() - 1));
  }
  auto rank_at = [&](std::size_t i) { return rank_of(c, i) + of_rows(i) + (vector && i == 1); };
  for (std::size_t i = 0; i < call.size(); ++i)
    if (given_tensor(c, i)) {
      if (rank_at(i) < 2) return false;
      rank = std::max(rank, rank_at(i));
    }
  for (std::size_t i = 0; i < call.size(); ++i)
    if (given_tensor(c, i)) {
      Tensor t = c.expanded(i);
      if (vector && i == 1) t = ops::unsqueeze(t, -1);
      for (std::int64_t k = rank_at(i); k < rank; ++k) t = ops::unsqueeze(t, 1);
      call[i] = t;
    }
  c.op.call_boxed(call);
  if (vector) call[0] = ops::squeeze(call[0].to_tensor(), -1);
  results = std::move(call);
  return true;
}
/// Tells of the first example that failed.
inline bool check_errors_rule(BatchedCall& c, Stack& results) {
  Stack call = c.physical;
  call[2] = Value(false);
  c.op.call_boxed(call);
  results.clear();
  return true;
}
/// Strides and offset speak of one example.
inline bool strides_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  const Tensor& all = c.physical[0].to_tensor();
  Stack call = c.physical;
  std::vector<Value> sizes = c.given[1].to_list(), strides = c.given[2].to_list();
  sizes.insert(sizes.begin(), Value(c.size()));
  strides.insert(strides.begin(), Value(all.stride(0)));
  call[1] = Value::list(std::move(sizes), ValueKind::Int);
  call[2] = Value::list(std::move(strides), ValueKind::Int);
  if (call.size() > 3) call[3] = Value(all.storage_offset() + (c.given[3].is_int() ? c.given[3].to_int() : 0));
  return c.answer(std::move(call), results);
}

/// New memory of the strides asked for, one after the other.
inline bool new_strided_rule(BatchedCall& c, Stack& results) {
  if (!c.only_batched(0)) return false;
  Stack call = c.physical;
  std::vector<Value> sizes = c.given[1].to_list(), strides = c.given[2].to_list();
  std::int64_t extent = 1;
  for (std::size_t d = 0; d < std::min(sizes.size(), strides.size()); ++d)
    extent = sizes[d].to_int() == 0 ? 0 : extent == 0 ? 0 : extent + (sizes[d].to_int() - 1) * strides[d].to_int();
  sizes.insert(sizes.begin(), Value(c.size()));
  strides.insert(strides.begin(), Value(extent));
  call[1] = Value::list(std::move(sizes), ValueKind::Int);
  call[2] = Value::list(std::move(strides), ValueKind::Int);
  return c.answer(std::move(call), results);
}

TENON_COLD_BODY void add_product_rules() {
  auto& rules = RuleTable<BatchingRule>::get();
  rules.add_all(&product_rule, "mm bmm mv dot vdot");
  rules.add_all(&join_rule, "cat stack");
  rules.add_all(&gather_rule,
                "gather scatter.src scatter.value scatter.reduce scatter.value_reduce scatter_add scatter_reduce.two "
                "scatter_.src scatter_.value scatter_.reduce scatter_.value_reduce scatter_add_ scatter_reduce_.two "
                "_softmax_backward_data _log_softmax_backward_data");
  rules.add_all(&take_rule, "take");
  rules.add_all(
      &select_rule,
      "index_select index_fill.int_Scalar index_fill_.int_Scalar index_fill.int_Tensor index_fill_.int_Tensor");
  rules.add_all(
      &images_rule,
      "max_pool2d_with_indices max_pool3d_with_indices avg_pool2d avg_pool3d _adaptive_avg_pool2d "
      "_adaptive_avg_pool3d adaptive_max_pool2d adaptive_max_pool3d upsample_nearest1d upsample_nearest2d "
      "upsample_nearest3d upsample_bilinear2d upsample_bicubic2d upsample_linear1d upsample_trilinear3d "
      "reflection_pad1d reflection_pad2d reflection_pad3d replication_pad1d replication_pad2d "
      "replication_pad3d max_pool2d_with_indices_backward max_pool3d_with_indices_backward avg_pool2d_backward "
      "avg_pool3d_backward _adaptive_avg_pool2d_backward _adaptive_avg_pool3d_backward "
      "adaptive_max_pool2d_backward adaptive_max_pool3d_backward max_unpool2d max_unpool3d im2col col2im "
      "reflection_pad1d_backward reflection_pad2d_backward reflection_pad3d_backward "
      "replication_pad1d_backward replication_pad2d_backward replication_pad3d_backward "
      "upsample_nearest1d_backward upsample_nearest2d_backward upsample_nearest3d_backward "
      "upsample_linear1d_backward upsample_bilinear2d_backward upsample_trilinear3d_backward "
      "upsample_bicubic2d_backward _upsample_nearest_exact1d _upsample_nearest_exact2d "
      "_upsample_nearest_exact3d _upsample_nearest_exact1d_backward _upsample_nearest_exact2d_backward "
      "_upsample_nearest_exact3d_backward _upsample_bilinear2d_aa _upsample_bilinear2d_aa_backward "
      "_upsample_bicubic2d_aa _upsample_bicubic2d_aa_backward _upsample_lanczos2d_aa _upsample_lanczos2d_aa_backward grid_sampler_2d grid_sampler_3d "
      "grid_sampler_2d_backward grid_sampler_3d_backward");
  rules.add_all(&matrices_rule,
                "_linalg_solve_ex linalg_solve_triangular linalg_lu_solve cholesky_solve triangular_solve "
                "linalg_householder_product lu_unpack ormqr linalg_ldl_solve _cdist_forward _cdist_backward");
  rules.add_all(&convolution_rule, "convolution");
  rules.add_all(&spectrum_rule, "_linalg_svd _linalg_eigh");
  rules.add_all(&check_errors_rule, "_linalg_check_errors");
  rules.add_all(&new_strided_rule, "new_empty_strided");
  rules.add_all(&strides_rule, "as_strided as_strided_ as_strided_copy _reshape_alias _reshape_alias_copy");
}

}  // namespace tenon::func::detail
