// Differences between neighbours, and gradients estimated from samples: made of slices and arithmetic.
#pragma once
#include <tenon/base/promote_types.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/difference.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

/// Elements [start, end) along a dimension; null stands for the end.
inline Tensor samples(const Tensor& t, std::int64_t dim, std::int64_t start, std::optional<std::int64_t> end = {}) {
  return ops::slice(t, dim, std::optional<SymInt>(start), end ? std::optional<SymInt>(*end) : std::nullopt, SymInt(1));
}
inline void check_joins(const Tensor& self, std::int64_t dim, const std::optional<Tensor>& other) {
  if (!other || !other->defined()) return;
  TENON_CHECK(other->dim() == self.dim(), ValueError,
              "diff expects prepend or append to be the same dimension as input");
  for (std::int64_t d = 0; d < self.dim(); ++d)
    TENON_CHECK(
        d == dim || other->sym_size(d) == self.sym_size(d), ValueError,
        "diff expects the shape of tensor to prepend or append to match that of input except along the differencing dimension; input.size(",
        d, ") = ", self.sym_size(d), ", but got tensor.size(", d, ") = ", other->sym_size(d));
}
inline Tensor diff(const Tensor& self, std::int64_t n, std::int64_t dim, const std::optional<Tensor>& prepend,
                   const std::optional<Tensor>& append) {
  TENON_CHECK(self.dim() >= 1, ValueError, "diff expects input to be at least one-dimensional");
  TENON_CHECK(n >= 0, ValueError, "order must be non-negative but got ", n);
  dim = wrap_dim(dim, self.dim());
  check_joins(self, dim, prepend);
  check_joins(self, dim, append);
  if (n == 0) return ops::clone(self);
  std::vector<Tensor> parts;
  if (prepend && prepend->defined()) parts.push_back(*prepend);
  parts.push_back(self);
  if (append && append->defined()) parts.push_back(*append);
  Tensor out = parts.size() == 1 ? self : Tensor(ops::cat(TensorList(parts), dim));
  for (; n > 0; --n) {
    Tensor before = samples(out, dim, 0, -1), behind = samples(out, dim, 1);
    out = out.dtype() == kBool ? Tensor(ops::logical_xor(behind, before)) : Tensor(ops::sub(behind, before));
    if (out.sym_size(dim) == 0) break;
  }
  return out;
}

inline void check_gradient(const Tensor& self, std::optional<std::size_t> spacings, std::optional<IntArrayRef> dims,
                           std::int64_t edge_order) {
  TENON_CHECK(self.dtype() != kByte, NotImplementedError, "torch.gradient does not support uint8 input.");
  if (spacings && !dims)
    TENON_CHECK(
        *spacings == 1 || *spacings == static_cast<std::size_t>(self.dim()), ValueError,
        "torch.gradient expected spacing to be unspecified, a scalar, or a list of length equal to 'self.dim() = ",
        self.dim(), "', since dim argument was not given, but got a list of length ", *spacings);
  if (spacings && dims)
    TENON_CHECK(
        *spacings == dims->size(), ValueError,
        "torch.gradient expected spacing to be unspecified, a scalar or it's spacing and dim arguments to have the same length, but got a spacing argument of length ",
        *spacings, " and a dim argument of length ", dims->size(), ".");
  TENON_CHECK(edge_order == 1 || edge_order == 2, ValueError,
              "torch.gradient only supports edge_order=1 and edge_order=2.");
  std::uint64_t seen = 0;
  auto check = [&](std::int64_t dim) {
    TENON_CHECK(!(seen >> dim & 1), ValueError, "dim ", dim, " appears multiple times in the list of dims");
    seen |= std::uint64_t{1} << dim;
    TENON_CHECK(self.sym_size(dim) >= edge_order + 1, ValueError,
                "torch.gradient expected each dimension size to be at least edge_order+1");
  };
  if (dims)
    for (std::int64_t d : *dims) check(wrap_dim(d, self.dim()));
  else
    for (std::int64_t d = 0; d < self.dim(); ++d) check(d);
}

/// Slopes at even distances: second order inside, at the edges of the order asked for.
inline Tensor even_gradient(const Tensor& self, const Scalar& step, std::int64_t dim, std::int64_t edge_order) {
  auto at = [&](std::int64_t start, std::optional<std::int64_t> end = {}) { return samples(self, dim, start, end); };
  Tensor inside = ops::div(ops::div(ops::sub(at(2), at(0, -2)), step), Scalar(2)), first, last;
  if (edge_order == 1) {
    first = ops::div(ops::sub(at(1, 2), at(0, 1)), step);
    last = ops::div(ops::sub(at(-1), at(-2, -1)), step);
  } else {
    auto edge = [&](const Tensor& outer, const Tensor& middle, const Tensor& inner, double sign) {
      Tensor sum = ops::sub(ops::add(ops::mul(outer, Scalar(-1.5 * sign)), ops::mul(middle, Scalar(2 * sign))),
                            ops::mul(inner, Scalar(0.5 * sign)));
      return Tensor(ops::div(sum, step));
    };
    first = edge(at(0, 1), at(1, 2), at(2, 3), 1);
    last = edge(at(-1), at(-2, -1), at(-3, -2), -1);
  }
  return ops::cat({first, inside, last}, dim);
}
/// Slopes at the given coordinates: the derivative of the parabola through three neighbours.
inline Tensor uneven_gradient(const Tensor& self, const Tensor& coordinates, std::int64_t dim,
                              std::int64_t edge_order) {
  auto at = [&](std::int64_t start, std::optional<std::int64_t> end = {}) { return samples(self, dim, start, end); };
  Tensor gap = diff(coordinates, 1, 0, {}, {}), left = samples(gap, 0, 0, -1), right = samples(gap, 0, 1),
         both = ops::add(left, right);
  auto along = [&](const Tensor& t) {
    SymDimVector shape(static_cast<std::size_t>(self.dim()), SymInt(1));
    shape[static_cast<std::size_t>(dim)] = t.sym_numel();
    return Tensor(ops::reshape(t, SymIntArrayRef(shape)));
  };
  auto weighted = [&](const Tensor& a, const Tensor& x, const Tensor& b, const Tensor& y, const Tensor& c,
                      const Tensor& z) {
    return Tensor(ops::add(ops::add(ops::mul(a, x), ops::mul(b, y)), ops::mul(c, z)));
  };
  Tensor inside = weighted(along(ops::div(ops::neg(right), ops::mul(left, both))), at(0, -2),
                           along(ops::div(ops::sub(right, left), ops::mul(left, right))), at(1, -1),
                           along(ops::div(left, ops::mul(right, both))), at(2));
  Tensor first, last;
  if (edge_order == 1) {
    first = ops::div(ops::sub(at(1, 2), at(0, 1)), ops::select(gap, 0, 0));
    last = ops::div(ops::sub(at(-1), at(-2, -1)), ops::select(gap, 0, -1));
  } else {
    auto outer = [&](const Tensor& near, const Tensor& far) {  // of the edge point, from the gap beside it
      return Tensor(ops::div(ops::add(ops::mul(near, Scalar(2)), far), ops::mul(near, ops::add(near, far))));
    };
    auto middle = [&](const Tensor& near, const Tensor& far) {
      return Tensor(ops::div(ops::add(near, far), ops::mul(near, far)));
    };
    auto inner = [&](const Tensor& near, const Tensor& far) {
      return Tensor(ops::div(near, ops::mul(far, ops::add(near, far))));
    };
    Tensor a = ops::select(left, 0, 0), b = ops::select(right, 0, 0), y = ops::select(left, 0, -1),
           z = ops::select(right, 0, -1);
    first = weighted(ops::neg(outer(a, b)), at(0, 1), middle(a, b), at(1, 2), ops::neg(inner(a, b)), at(2, 3));
    last = weighted(inner(z, y), at(-3, -2), ops::neg(middle(z, y)), at(-2, -1), outer(z, y), at(-1));
  }
  return ops::cat({first, inside, last}, dim);
}
/// f(i, dimension) for each dimension asked for.
template <class F>
std::vector<Tensor> gradients(const Tensor& self, std::optional<IntArrayRef> dims, F f) {
  std::vector<Tensor> out;
  std::size_t n = dims ? dims->size() : static_cast<std::size_t>(self.dim());
  for (std::size_t i = 0; i < n; ++i)
    out.push_back(f(i, dims ? wrap_dim((*dims)[i], self.dim()) : static_cast<std::int64_t>(i)));
  return out;
}
inline std::vector<Tensor> gradient_even(const Tensor& self, const Scalar& spacing, std::optional<IntArrayRef> dims,
                                         std::int64_t edge_order) {
  check_gradient(self, {}, dims, edge_order);
  return gradients(self, dims,
                   [&](std::size_t, std::int64_t d) { return even_gradient(self, spacing, d, edge_order); });
}
inline std::vector<Tensor> gradient_each(const Tensor& self, ArrayRef<Scalar> spacing, std::optional<IntArrayRef> dims,
                                         std::int64_t edge_order) {
  check_gradient(self, spacing.size(), dims, edge_order);
  return gradients(self, dims, [&](std::size_t i, std::int64_t d) {
    return even_gradient(self, spacing[i < spacing.size() ? i : 0], d, edge_order);
  });
}
inline std::vector<Tensor> gradient_at(const Tensor& self, TensorList spacing, std::optional<IntArrayRef> dims,
                                       std::int64_t edge_order) {
  check_gradient(self, spacing.size(), dims, edge_order);
  for (const Tensor& t : spacing)
    TENON_CHECK(t.device() == self.device(), ValueError,
                "torch.gradient expected each tensor to be on the same device, but got devices ", self.device(),
                " and ", t.device(), "!");
  return gradients(self, dims, [&](std::size_t i, std::int64_t d) {
    return uneven_gradient(self, spacing[i < spacing.size() ? i : 0], d, edge_order);
  });
}
inline std::optional<IntArrayRef> one_dim(const std::optional<std::int64_t>& dim) {
  return dim ? std::optional<IntArrayRef>(IntArrayRef(*dim)) : std::nullopt;
}
inline std::vector<Tensor> gradient_scalarint(const Tensor& self, const std::optional<Scalar>& spacing,
                                              std::optional<std::int64_t> dim, std::int64_t edge_order) {
  return gradient_even(self, spacing.value_or(Scalar(1)), one_dim(dim), edge_order);
}
inline std::vector<Tensor> gradient_scalararray(const Tensor& self, const Scalar& spacing, IntArrayRef dim,
                                                std::int64_t edge_order) {
  return gradient_even(self, spacing, dim, edge_order);
}
inline std::vector<Tensor> gradient_array(const Tensor& self, IntArrayRef dim, std::int64_t edge_order) {
  return gradient_even(self, Scalar(1), dim, edge_order);
}
inline std::vector<Tensor> gradient_scalarrayint(const Tensor& self, ArrayRef<Scalar> spacing,
                                                 std::optional<std::int64_t> dim, std::int64_t edge_order) {
  return gradient_each(self, spacing, one_dim(dim), edge_order);
}
inline std::vector<Tensor> gradient_scalarrayarray(const Tensor& self, ArrayRef<Scalar> spacing, IntArrayRef dim,
                                                   std::int64_t edge_order) {
  return gradient_each(self, spacing, dim, edge_order);
}
inline std::vector<Tensor> gradient_tensorarrayint(const Tensor& self, TensorList spacing,
                                                   std::optional<std::int64_t> dim, std::int64_t edge_order) {
  return gradient_at(self, spacing, one_dim(dim), edge_order);
}
inline std::vector<Tensor> gradient_tensorarray(const Tensor& self, TensorList spacing, IntArrayRef dim,
                                                std::int64_t edge_order) {
  return gradient_at(self, spacing, dim, edge_order);
}

/// The last difference is taken into the out tensor, whose dtype may be any that takes it; none is a copy.
inline Tensor& diff_out(const Tensor& self, std::int64_t n, std::int64_t dim, const std::optional<Tensor>& prepend,
                        const std::optional<Tensor>& append, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor result = diff(self, n, dim, prepend, append);
  TENON_CHECK(n != 0 || out.dtype() == result.dtype(), TypeError, "expected scalar_type ",
              enumerator_name(result.dtype()), " but found ", enumerator_name(out.dtype()));
  check_can_cast(result.dtype(), out.dtype());
  TENON_CHECK(out.device() == result.device(), ValueError, "Expected out tensor to have device ", result.device(),
              ", but got ", out.device(), " instead");
  resize_out(out, result.sym_sizes());
  return ops::copy_(out, result);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::diff_base);
  m.impl<ops::diff_base, &diff>();
  m.impl<ops::diff_base_out, &diff_out>(DispatchKey::CompositeExplicitAutograd);
  m.def<ops::gradient_scalarint>().def<ops::gradient_scalararray>().def<ops::gradient_array>();
  m.def<ops::gradient_scalarrayint>().def<ops::gradient_scalarrayarray>();
  m.def<ops::gradient_tensorarrayint>().def<ops::gradient_tensorarray>();
  m.impl<ops::gradient_scalarint, &gradient_scalarint>().impl<ops::gradient_scalararray, &gradient_scalararray>();
  m.impl<ops::gradient_array, &gradient_array>().impl<ops::gradient_scalarrayint, &gradient_scalarrayint>();
  m.impl<ops::gradient_scalarrayarray, &gradient_scalarrayarray>();
  m.impl<ops::gradient_tensorarrayint, &gradient_tensorarrayint>();
  m.impl<ops::gradient_tensorarray, &gradient_tensorarray>();
}

}  // namespace tenon::composite
