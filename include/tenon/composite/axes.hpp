// Axes in another order, added, joined and cut in two: made of views.
#pragma once
#include <tenon/library/library.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/indexing.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::composite {

inline Tensor movedim(const Tensor& self, IntArrayRef source, IntArrayRef destination) {
  TENON_CHECK(source.size() == destination.size(), ValueError, "movedim: Invalid source or destination dims: source (",
              source, " dims) should contain the same number of dims as destination (", destination, " dims)");
  std::int64_t n = self.dim();
  DimVector order(static_cast<std::size_t>(n), -1);
  std::vector<bool> taken(static_cast<std::size_t>(n), false);
  for (std::size_t i = 0; i < source.size(); ++i) {
    auto from = static_cast<std::size_t>(wrap_dim(source[i], n)),
         to = static_cast<std::size_t>(wrap_dim(destination[i], n));
    if (n == 0) continue;
    TENON_CHECK(!taken[from], ValueError, "movedim: repeated dim in `source` (", source, ")");
    TENON_CHECK(order[to] < 0, ValueError, "movedim: repeated dim in `destination` (", destination, ")");
    taken[from] = true;
    order[to] = static_cast<std::int64_t>(from);
  }
  if (n == 0) return ops::alias(self);
  std::size_t next = 0;
  for (std::int64_t& d : order) {
    if (d >= 0) continue;
    while (taken[next]) ++next;
    d = static_cast<std::int64_t>(next++);
  }
  return ops::permute(self, IntArrayRef(order));
}
inline Tensor movedim_one(const Tensor& self, std::int64_t source, std::int64_t destination) {
  return movedim(self, IntArrayRef(source), IntArrayRef(destination));
}
inline Tensor swap(const Tensor& self, std::int64_t a, std::int64_t b) { return ops::transpose(self, a, b); }
inline Tensor& swap_(Tensor& self, std::int64_t a, std::int64_t b) { return ops::transpose_(self, a, b); }

template <int Dims>
Tensor atleast(const Tensor& self) {
  switch (self.dim()) {
    case 0: return ops::reshape(self, SymIntArrayRef(SymDimVector(Dims, SymInt(1))));
    case 1:
      if constexpr (Dims == 3) return ops::unsqueeze(ops::unsqueeze(self, 0), -1);
      if constexpr (Dims == 2) return ops::unsqueeze(self, 0);
      return self;
    case 2:
      if constexpr (Dims == 3) return ops::unsqueeze(self, -1);
      return self;
    default: return self;
  }
}
template <int Dims>
std::vector<Tensor> atleast_each(TensorList tensors) {
  std::vector<Tensor> out;
  for (const Tensor& t : tensors) out.push_back(atleast<Dims>(t));
  return out;
}

inline Tensor ravel(const Tensor& self) { return ops::view(ops::contiguous(self), {-1}); }
inline Tensor broadcast_to(const Tensor& self, SymIntArrayRef size) { return ops::expand(self, size); }
inline Tensor unflatten(const Tensor& self, std::int64_t dim, SymIntArrayRef sizes) {
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(!sizes.empty(), ValueError, "unflatten: sizes must be non-empty");
  TENON_CHECK(self.dim() > 0, IndexError, "unflatten: expected a tensor with dimensions, got one without");
  const SymInt whole = self.sym_sizes()[static_cast<std::size_t>(dim)];
  SymInt known = 1;
  std::optional<std::size_t> open;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] >= 0) {
      known = known * sizes[i];
      continue;
    }
    TENON_CHECK(sizes[i] == -1, ValueError, "unflatten: sizes ", sizes, " have a negative one other than -1");
    TENON_CHECK(!open, ValueError, "unflatten: only one of the sizes ", sizes, " can be left open by -1");
    open = i;
  }
  bool fits = open ? known > 0 && whole % known == 0 : known == whole;
  TENON_CHECK(fits, ValueError, "unflatten: Provided sizes ", sizes, " don't multiply up to the size of dim ", dim,
              " (", whole, ") in the input tensor");
  SymDimVector shape;
  for (std::int64_t d = 0; d < self.dim(); ++d) {
    if (d != dim) {
      shape.push_back(self.sym_sizes()[static_cast<std::size_t>(d)]);
      continue;
    }
    for (std::size_t i = 0; i < sizes.size(); ++i) shape.push_back(open == i ? whole / known : sizes[i]);
  }
  return ops::view(self, SymIntArrayRef(shape));
}

/// The sum over what broadcasting from `size` has repeated.
inline Tensor sum_to_size(const Tensor& self, SymIntArrayRef size) {
  SymIntArrayRef from = self.sym_sizes();
  bool fits = size.size() <= from.size();
  if (size.empty()) return ops::sum(self);
  std::size_t leading = fits ? from.size() - size.size() : 0;
  for (std::size_t i = 0; fits && i < size.size(); ++i) fits = size[i] == from[leading + i] || size[i] == 1;
  TENON_CHECK(fits, ValueError, "size {", size, "} is not expandable to size {", from, "}.");
  DimVector dims;
  for (std::size_t d = 0; d < from.size(); ++d)
    if (d < leading || (size[d - leading] == 1 && from[d] != 1)) dims.push_back(static_cast<std::int64_t>(d));
  if (dims.empty()) return self;
  Tensor sum = ops::sum(self, IntArrayRef(dims), true);
  return leading ? Tensor(ops::view(sum, size)) : sum;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::movedim_int>().def<ops::movedim_intlist>().def<ops::moveaxis_int>().def<ops::moveaxis_intlist>();
  m.def<ops::swapaxes_base>().def<ops::swapaxes_base_>().def<ops::swapdims_base>().def<ops::swapdims_base_>();
  m.impl<ops::movedim_int, &movedim_one>().impl<ops::movedim_intlist, &movedim>();
  m.impl<ops::moveaxis_int, &movedim_one>().impl<ops::moveaxis_intlist, &movedim>();
  m.impl<ops::swapaxes_base, &swap>().impl<ops::swapdims_base, &swap>();
  m.impl<ops::swapaxes_base_, &swap_>().impl<ops::swapdims_base_, &swap_>();
  // A tensor of enough dimensions is returned as it is.
  m.def<ops::atleast_1d_base>().def<ops::atleast_1d_Sequence>();
  m.def<ops::atleast_2d_base>().def<ops::atleast_2d_Sequence>();
  m.def<ops::atleast_3d_base>().def<ops::atleast_3d_Sequence>();
  m.impl<ops::atleast_1d_base, &atleast<1>>().impl<ops::atleast_1d_Sequence, &atleast_each<1>>();
  m.impl<ops::atleast_2d_base, &atleast<2>>().impl<ops::atleast_2d_Sequence, &atleast_each<2>>();
  m.impl<ops::atleast_3d_base, &atleast<3>>().impl<ops::atleast_3d_Sequence, &atleast_each<3>>();
  m.def<ops::ravel_base>().def<ops::broadcast_to_base>().def<ops::unflatten_int>().def<ops::sum_to_size_base>();
  m.impl<ops::ravel_base, &ravel>().impl<ops::broadcast_to_base, &broadcast_to>();
  m.impl<ops::unflatten_int, &unflatten>().impl<ops::sum_to_size_base, &sum_to_size>();
}

}  // namespace tenon::composite
