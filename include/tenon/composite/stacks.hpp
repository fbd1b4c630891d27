// Joining tensors with dimensions added, in blocks or spread over grids: made of cat and views.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/axes.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::composite {

inline Tensor concat_tensors(TensorList tensors, std::int64_t dim) { return ops::cat(tensors, dim); }
inline Tensor& concat_out(TensorList tensors, std::int64_t dim, Tensor& out) {
  return ops::cat(tensors, dim, "out"_a = out);
}
inline std::vector<Tensor> columns(TensorList tensors) {
  std::vector<Tensor> out;
  for (const Tensor& t : tensors)
    out.push_back(t.dim() < 2 ? Tensor(ops::reshape(t, SymIntArrayRef(SymDimVector{t.sym_numel(), 1}))) : t);
  return out;
}
/// f(tensors with as many dimensions as the stack needs, dimension to join).
enum class StackAxis { Horizontal, Vertical, Depth, Column };
template <StackAxis How, class F>
decltype(auto) stacked(TensorList tensors, F f) {
  constexpr const char* name = How == StackAxis::Horizontal ? "hstack"
                               : How == StackAxis::Vertical ? "vstack"
                               : How == StackAxis::Depth    ? "dstack"
                                                            : "column_stack";
  TENON_CHECK(!tensors.empty(), ValueError, name, " expects a non-empty TensorList");
  if constexpr (How == StackAxis::Vertical) return f(atleast_each<2>(tensors), 0);
  if constexpr (How == StackAxis::Depth) return f(atleast_each<3>(tensors), 2);
  if constexpr (How == StackAxis::Column) return f(columns(tensors), 1);
  std::vector<Tensor> each = atleast_each<1>(tensors);
  return f(each, each[0].dim() == 1 ? 0 : 1);
}
template <StackAxis How>
Tensor stack_to(TensorList tensors) {
  return stacked<How>(tensors, [](const std::vector<Tensor>& each, std::int64_t dim) -> Tensor {
    return ops::cat(TensorList(each), dim);
  });
}
template <StackAxis How>
Tensor& stack_to_out(TensorList tensors, Tensor& out) {
  return stacked<How>(tensors, [&](const std::vector<Tensor>& each, std::int64_t dim) -> Tensor& {
    ops::cat(TensorList(each), dim, "out"_a = out);
    return out;
  });
}

inline std::vector<Tensor> broadcast_tensors(TensorList tensors) {
  SymDimVector sizes;
  for (const Tensor& t : tensors) sizes = broadcast_shapes(sizes, t.sym_sizes());
  std::vector<Tensor> out;
  for (const Tensor& t : tensors)
    out.push_back(t.sym_sizes() == SymIntArrayRef(sizes) ? t : Tensor(ops::expand(t, SymIntArrayRef(sizes))));
  return out;
}
inline std::vector<Tensor> meshgrid_by(TensorList tensors, std::string_view indexing) {
  TENON_CHECK(!tensors.empty(), ValueError, "meshgrid expects a non-empty TensorList");
  for (const Tensor& t : tensors) {
    TENON_CHECK(t.dim() < 2, ValueError, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got shape ",
                t.sym_sizes());
    TENON_CHECK(t.dtype() == tensors[0].dtype(), TypeError, "meshgrid expects all tensors to have the same dtype");
    TENON_CHECK(t.device() == tensors[0].device(), ValueError, "meshgrid expects all tensors to have the same device");
  }
  bool swap = indexing == "xy" && tensors.size() > 1;
  TENON_CHECK(indexing == "xy" || indexing == "ij", ValueError,
              "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: ", indexing);
  std::vector<Tensor> each(tensors.begin(), tensors.end());
  if (swap) std::swap(each[0], each[1]);
  SymDimVector sizes;
  for (const Tensor& t : each) sizes.push_back(t.sym_numel());
  for (std::size_t i = 0; i < each.size(); ++i) {
    SymDimVector shape(each.size(), SymInt(1));
    shape[i] = sizes[i];
    each[i] = ops::expand(ops::view(each[i], SymIntArrayRef(shape)), SymIntArrayRef(sizes));
  }
  if (swap) std::swap(each[0], each[1]);
  return each;
}
inline std::vector<Tensor> meshgrid(TensorList tensors) { return meshgrid_by(tensors, "ij"); }
inline Tensor cartesian_prod(TensorList tensors) {
  for (const Tensor& t : tensors)
    TENON_CHECK(t.dim() == 1, ValueError, "Expect a 1D vector, but got shape ", t.sym_sizes());
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> grids = meshgrid(tensors);
  for (Tensor& t : grids) t = ops::flatten(t);
  return ops::stack(TensorList(grids), 1);
}
/// The places of all choices of r of n, in order; each next place is above the one before, or not below it.
inline std::vector<std::int64_t> choices(std::int64_t n, std::int64_t r, bool repeated) {
  std::vector<std::int64_t> out, at(static_cast<std::size_t>(r));
  for (std::int64_t i = 0; i < r; ++i) at[static_cast<std::size_t>(i)] = repeated ? 0 : i;
  if (repeated ? n == 0 : r > n) return out;
  for (;;) {
    out.insert(out.end(), at.begin(), at.end());
    std::int64_t i = r - 1;
    while (i >= 0 && at[static_cast<std::size_t>(i)] == (repeated ? n - 1 : n - r + i)) --i;
    if (i < 0) return out;
    std::int64_t next = at[static_cast<std::size_t>(i)] + 1;
    for (; i < r; ++i) {
      at[static_cast<std::size_t>(i)] = next;
      if (!repeated) ++next;
    }
  }
}
inline Tensor combinations(const Tensor& self, std::int64_t r, bool repeated) {
  TENON_CHECK(self.dim() == 1, ValueError, "Expect a 1D vector, but got shape ", self.sym_sizes());
  TENON_CHECK(r >= 0, ValueError, "Expect a non-negative number, but got ", r);
  if (r == 0) return ops::new_empty(self, {0});
  std::vector<std::int64_t> places = choices(self.sym_numel().guard_int(), r, repeated);
  auto count = static_cast<std::int64_t>(places.size()) / r;
  Tensor index = make_tensor({static_cast<std::int64_t>(places.size())}, {}, kLong);
  std::copy(places.begin(), places.end(), static_cast<std::int64_t*>(index.data_ptr()));
  return ops::_unsafe_view(ops::index_select(self, 0, index.to(self.device())), {count, r});
}

inline Tensor block_diag(TensorList tensors) {
  if (tensors.empty()) return ops::empty({1, 0});
  AutoDispatchBelowADInplaceOrView guard;
  std::vector<Tensor> blocks;
  SymInt rows = 0, columns = 0;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TENON_CHECK(tensors[i].dim() < 3, ValueError,
                "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input ", i, " has ", tensors[i].dim(),
                " dimensions");
    TENON_CHECK(tensors[i].device() == tensors[0].device(), ValueError,
                "torch.block_diag: input tensors must all be on the same device. Input 0 is on device ",
                tensors[0].device(), " and input ", i, " is on device ", tensors[i].device(), ".");
    blocks.push_back(atleast<2>(tensors[i]));
    rows = rows + blocks.back().sym_sizes()[0];
    columns = columns + blocks.back().sym_sizes()[1];
  }
  Tensor out = ops::zeros(SymIntArrayRef(SymDimVector{rows, columns}), "dtype"_a = result_type(tensors),
                          "device"_a = tensors[0].device());
  SymInt row = 0, column = 0;
  for (const Tensor& block : blocks) {
    const SymInt &h = block.sym_sizes()[0], &w = block.sym_sizes()[1];
    Tensor at = ops::narrow(ops::narrow(out, 0, row, h), 1, column, w);
    ops::copy_(at, block);
    row = row + h;
    column = column + w;
  }
  return out;
}

/// Each tensor, filled up with zeros to a multiple of `num_chunks` along `dim`, as that many rows; rows are joined.
inline Tensor chunk_cat(TensorList tensors, std::int64_t dim, std::int64_t num_chunks) {
  TENON_CHECK(!tensors.empty(), ValueError, "_chunk_cat expects a non-empty input tensor list");
  TENON_CHECK(num_chunks >= 1, ValueError, "_chunk_cat expects positive num_chunks");
  AutoDispatchBelowADInplaceOrView guard;
  dim = wrap_dim(dim, tensors[0].dim());
  std::vector<Tensor> rows;
  for (const Tensor& t : tensors) {
    TENON_CHECK(t.sym_numel() > 0, ValueError, "_chunk_cat expects non-empty tensor");
    TENON_CHECK(t.dtype() == tensors[0].dtype(), TypeError, "_chunk_cat expects all input tensors with the same dtype");
    TENON_CHECK(dim < t.dim(), ValueError, "_chunk_cat expects dim < ndim for all input tensors");
    SymDimVector shape, rest(t.sym_sizes());
    for (std::int64_t d = 0; d < dim; ++d) {
      const SymInt& size = rest[static_cast<std::size_t>(d)];
      TENON_CHECK(size == tensors[0].sym_sizes()[static_cast<std::size_t>(d)], ValueError,
                  "_chunk_cat expects same sizes of 0,...,dim-1 dimensions for all tensors");
      shape.push_back(size);
    }
    auto at = static_cast<std::size_t>(dim);
    SymInt missing = (SymInt(num_chunks) - rest[at] % num_chunks) % num_chunks;
    Tensor whole = t;
    if (missing > 0) {
      rest[at] = missing;
      whole = ops::cat({t, Tensor(ops::new_zeros(t, SymIntArrayRef(rest)))}, dim);
    }
    shape.push_back(num_chunks);
    shape.push_back(-1);
    rows.push_back(ops::reshape(whole, SymIntArrayRef(shape)));
  }
  return ops::cat(TensorList(rows), dim + 1);
}
inline Tensor& chunk_cat_out(TensorList tensors, std::int64_t dim, std::int64_t num_chunks, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor result = chunk_cat(tensors, dim, num_chunks);
  TENON_CHECK(can_cast(result.dtype(), out.dtype()), TypeError,
              "torch.cat(): input types can't be cast to the desired output type ", enumerator_name(out.dtype()));
  resize_out(out, result.sym_sizes());
  return ops::copy_(out, result);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  using enum StackAxis;
  define_forms(m, ops::hstack_base);
  define_forms(m, ops::vstack_base);
  define_forms(m, ops::row_stack_base);
  define_forms(m, ops::dstack_base);
  define_forms(m, ops::column_stack_base);
  define_forms(m, ops::concat_base);
  define_forms(m, ops::concatenate_base);
  define_forms(m, ops::block_diag_base);
  define_forms(m, ops::_chunk_cat_base);
  m.impl<ops::hstack_base, &stack_to<Horizontal>>().impl<ops::hstack_base_out, &stack_to_out<Horizontal>>();
  m.impl<ops::vstack_base, &stack_to<Vertical>>().impl<ops::vstack_base_out, &stack_to_out<Vertical>>();
  m.impl<ops::row_stack_base, &stack_to<Vertical>>().impl<ops::row_stack_base_out, &stack_to_out<Vertical>>();
  m.impl<ops::dstack_base, &stack_to<Depth>>().impl<ops::dstack_base_out, &stack_to_out<Depth>>();
  m.impl<ops::column_stack_base, &stack_to<Column>>().impl<ops::column_stack_base_out, &stack_to_out<Column>>();
  m.impl<ops::concat_base, &concat_tensors>().impl<ops::concat_base_out, &concat_out>();
  m.impl<ops::concatenate_base, &concat_tensors>().impl<ops::concatenate_base_out, &concat_out>();
  m.impl<ops::block_diag_base, &block_diag>(all).impl<ops::_chunk_cat_base, &chunk_cat>(all);
  implement_out_by_copy<ops::block_diag_base_op>(m, CallSite::now());
  m.impl<ops::_chunk_cat_base_out, &chunk_cat_out>(all);
  m.def<ops::meshgrid_base>().def<ops::meshgrid_indexing>().def<ops::cartesian_prod_base>();
  m.def<ops::combinations_base>().def<ops::broadcast_tensors_base>();
  m.impl<ops::meshgrid_base, &meshgrid>().impl<ops::meshgrid_indexing, &meshgrid_by>();
  m.impl<ops::cartesian_prod_base, &cartesian_prod>().impl<ops::combinations_base, &combinations>();
  m.impl<ops::broadcast_tensors_base, &broadcast_tensors>();
}

}  // namespace tenon::composite

namespace tenon::ops {

namespace derivatives {
inline std::vector<Tensor> block_diag_gradient(const Tensor& grad, const std::vector<autograd::Geometry>& tensors) {
  std::vector<Tensor> blocks;
  std::int64_t row = 0, column = 0;
  for (const autograd::Geometry& g : tensors) {
    std::size_t n = g.sizes.size();
    std::int64_t h = n < 2 ? 1 : g.sizes[0], w = n == 0 ? 1 : g.sizes[n - 1];
    Tensor block = reshape(narrow(narrow(grad, 0, row, h), 1, column, w), IntArrayRef(g.sizes));
    blocks.push_back(block.dtype() == g.dtype ? block : Tensor(block.to(g.dtype)));
    row += h;
    column += w;
  }
  return blocks;
}
}  // namespace derivatives

TENON_DERIVATIVE(block_diag_base, TENON_WRT((tensors), (grad, tensors_geometries),
                                            derivatives::block_diag_gradient(grad, tensors_geometries)));

}  // namespace tenon::ops
