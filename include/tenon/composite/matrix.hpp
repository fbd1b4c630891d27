// Norms, condition numbers and powers of matrices.
#pragma once
#include <cmath>

#include <tenon/composite/linalg_checks.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/matrix.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/spectral.hpp>

namespace tenon::composite {

using OptionalType = std::optional<ScalarType>;

/// The two dimensions of the matrices in `self`.
inline std::pair<std::int64_t, std::int64_t> matrix_dims(const Tensor& self, IntArrayRef dim) {
  TENON_CHECK(self.dim() >= 2, ValueError, "linalg.matrix_norm: The input tensor A must have at least 2 dimensions.");
  TENON_CHECK(dim.size() == 2, ValueError, "linalg.matrix_norm: dim must be a 2-tuple. Got ", dim);
  std::int64_t a = wrap_dim(dim[0], self.dim()), b = wrap_dim(dim[1], self.dim());
  TENON_CHECK(a != b, ValueError, "linalg.matrix_norm: dims must be different. Got (", dim[0], ", ", dim[1], ")");
  return {a, b};
}
inline void check_norm_type(const char* name, const Tensor& self, OptionalType dtype) {
  TENON_CHECK(self.is_floating_point() || self.is_complex(), NotImplementedError, name,
              ": Expected a floating point or complex tensor as input. Got ", enumerator_name(self.dtype()));
  if (!dtype) return;
  TENON_CHECK(is_floating_type(*dtype) || is_complex_type(*dtype), TypeError, name,
              ": dtype should be floating point or complex. Got ", enumerator_name(*dtype));
  TENON_CHECK(is_complex_type(*dtype) == self.is_complex(), TypeError, name, ": dtype should be ",
              self.is_complex() ? "complex" : "real", " for ", self.is_complex() ? "complex" : "real",
              " inputs, but got ", *dtype);
}
/// The matrices of `self` in the last two dimensions, in the asked dtype.
inline Tensor with_matrices_last(const Tensor& self, std::int64_t a, std::int64_t b, OptionalType dtype) {
  DimVector order;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (d != a && d != b) order.push_back(d);
  order.push_back(a);
  order.push_back(b);
  Tensor moved = ops::permute(self, IntArrayRef(order));
  return dtype && *dtype != moved.dtype() ? Tensor(ops::to(moved, *dtype)) : moved;
}
/// Gives a result without the dimensions a and b these back, of size 1.
inline Tensor kept(Tensor t, std::int64_t a, std::int64_t b, bool keepdim) {
  if (!keepdim) return t;
  if (a > b) std::swap(a, b);
  return ops::unsqueeze(ops::unsqueeze(t, a), b);
}

inline Tensor matrix_norm(const Tensor& self, const Scalar& ord, IntArrayRef dim, bool keepdim, OptionalType dtype) {
  auto [a, b] = matrix_dims(self, dim);
  check_norm_type("linalg.matrix_norm", self, dtype);
  double p = ord.to_double(), size = std::abs(p);
  TENON_CHECK(size == 2 || size == 1 || std::isinf(size), ValueError, "linalg.matrix_norm: Order ", p,
              " not supported.");
  auto extreme = [&](const Tensor& t, std::int64_t along, bool keep) {
    // Of no rows or columns at all the largest sum is 0, the smallest is not there.
    if (p > 0 && t.sym_size(along) == 0) return Tensor(ops::sum(t, along, keep));
    return p > 0 ? Tensor(ops::amax(t, along, keep)) : Tensor(ops::amin(t, along, keep));
  };
  if (size == 2) {
    TENON_CHECK(is_floating_type(dtype.value_or(self.dtype())) || is_complex_type(dtype.value_or(self.dtype())),
                TypeError, "linalg.matrix_norm: expected a floating point or complex dtype");
    return kept(extreme(ops::linalg_svdvals(with_matrices_last(self, a, b, dtype)), -1, false), a, b, keepdim);
  }
  // Sums of magnitudes of columns, or of rows; then the extreme over the other dimension.
  std::int64_t along = a, over = b;
  if (std::isinf(size)) std::swap(along, over);
  if (!keepdim && over > along) --over;
  return extreme(ops::linalg_vector_norm(self, Scalar(1.0), IntArrayRef(along), keepdim, "dtype"_a = dtype), over,
                 keepdim);
}
inline Tensor matrix_norm_str(const Tensor& self, std::string_view ord, IntArrayRef dim, bool keepdim,
                              OptionalType dtype) {
  auto [a, b] = matrix_dims(self, dim);
  check_norm_type("linalg.matrix_norm", self, dtype);
  TENON_CHECK(ord == "fro" || ord == "nuc", ValueError, "linalg.matrix_norm: Order ", ord, " not supported.");
  std::int64_t both[] = {a, b};
  if (ord == "fro") return ops::linalg_vector_norm(self, Scalar(2.0), IntArrayRef(both, 2), keepdim, "dtype"_a = dtype);
  return kept(ops::sum(ops::linalg_svdvals(with_matrices_last(self, a, b, dtype)), -1), a, b, keepdim);
}

using OptionalDims = std::optional<IntArrayRef>;

inline Tensor linalg_norm(const Tensor& self, const std::optional<Scalar>& ord, OptionalDims dim, bool keepdim,
                          OptionalType dtype) {
  if (dim)
    TENON_CHECK(dim->size() == 1 || dim->size() == 2, ValueError,
                "linalg.norm: If dim is specified, it must be of length 1 or 2. Got ", *dim);
  else if (ord)
    TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError,
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  std::int64_t both[] = {0, 1};
  if (ord && ((dim && dim->size() == 2) || (!dim && self.dim() == 2)))
    return ops::linalg_matrix_norm(self, *ord, dim ? *dim : IntArrayRef(both, 2), keepdim, "dtype"_a = dtype);
  return ops::linalg_vector_norm(self, ord.value_or(Scalar(2.0)), dim, keepdim, "dtype"_a = dtype);
}
inline Tensor linalg_norm_str(const Tensor& self, std::string_view ord, OptionalDims dim, bool keepdim,
                              OptionalType dtype) {
  if (dim)
    TENON_CHECK(dim->size() == 1 || dim->size() == 2, ValueError,
                "linalg.norm: If dim is specified, it mut be of length 1 or 2. Got ", *dim);
  else
    TENON_CHECK(self.dim() == 1 || self.dim() == 2, ValueError,
                "linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got ", self.dim(), "D.");
  std::int64_t both[] = {0, 1};
  return ops::linalg_matrix_norm(self, ord, dim ? *dim : IntArrayRef(both, 2), keepdim, "dtype"_a = dtype);
}
/// The sum of powers of magnitudes, of which a norm is the root; 16-bit floats are summed as float.
inline Tensor powsum(const Tensor& self, const Scalar& ord, OptionalDims dim, bool keepdim, OptionalType dtype) {
  Tensor x = dtype && *dtype != self.dtype() ? Tensor(ops::to(self, *dtype)) : self;
  if (!is_floating_type(x.dtype()) && !is_complex_type(x.dtype())) not_implemented_for("powsum_cpu", x.dtype());
  ScalarType type = to_real_type(x.dtype());
  if (is_reduced_floating_type(type)) x = ops::to(x, kFloat);
  double p = ord.to_double();
  Tensor powers = p == 0   ? Tensor(ops::ne(x, 0).to(to_real_type(x.dtype())))
                  : p == 1 ? Tensor(ops::abs(x))
                           : Tensor(ops::pow(ops::abs(x), ord));
  Tensor sum = dim ? Tensor(ops::sum(powers, *dim, keepdim)) : Tensor(ops::sum(powers, IntArrayRef(), keepdim));
  return sum.dtype() == type ? sum : Tensor(ops::to(sum, type));
}
inline Tensor nuclear_norm(const Tensor& self, bool keepdim) {
  std::int64_t both[] = {-2, -1};
  return matrix_norm_str(self, "nuc", IntArrayRef(both, 2), keepdim, std::nullopt);
}
inline Tensor nuclear_norm_dim(const Tensor& self, IntArrayRef dim, bool keepdim) {
  return matrix_norm_str(self, "nuc", dim, keepdim, std::nullopt);
}
inline Tensor frobenius_norm(const Tensor& self, IntArrayRef dim, bool keepdim) {
  TENON_CHECK(dim.size() <= 2, ValueError, "Expected at most 2 dimensions, but got ", dim.size(),
              " dimensions instead.");
  return ops::linalg_vector_norm(self, Scalar(2.0), dim.empty() ? OptionalDims() : OptionalDims(dim), keepdim);
}

inline void check_condition(const Tensor& self, bool square) {
  TENON_CHECK(self.dim() >= 2, ValueError, "linalg.cond: The input tensor self must have at least 2 dimensions.");
  check_norm_type("linalg.cond", self, std::nullopt);
  TENON_CHECK(!square || self.sym_size(-2) == self.sym_size(-1), ValueError,
              "linalg.cond: A must be batches of square matrices, but they are ", self.sym_size(-2), " by ",
              self.sym_size(-1), " matrices");
}
/// The product of the norms of a matrix and of its inverse; infinite for a singular one.
template <class Norm>
Tensor condition_by_inverse(const Tensor& self, Norm norm) {
  auto [inverse, info] = ops::linalg_inv_ex(self);
  Tensor whole = ops::mul(norm(self), norm(inverse));
  return ops::masked_fill(whole, ops::gt(info, Scalar(0)), Scalar(std::numeric_limits<double>::infinity()));
}
inline Tensor cond(const Tensor& self, const std::optional<Scalar>& p) {
  double order = p ? p->to_double() : 2;
  bool spectral = std::abs(order) == 2;
  check_condition(self, !spectral);
  if (self.sym_numel() == 0) {
    SymDimVector batch(self.sym_sizes());
    batch.pop_back();
    batch.pop_back();
    return ops::zeros(SymIntArrayRef(batch), "dtype"_a = to_real_type(self.dtype()), "device"_a = self.device());
  }
  if (spectral) {
    Tensor s = ops::linalg_svdvals(self), first = ops::select(s, -1, 0), last = ops::select(s, -1, -1);
    return order > 0 ? ops::div(first, last) : ops::div(last, first);
  }
  return condition_by_inverse(self, [&](const Tensor& t) { return ops::linalg_matrix_norm(t, *p); });
}
inline Tensor cond_str(const Tensor& self, std::string_view p) {
  check_condition(self, true);
  if (self.sym_numel() == 0) return cond(self, std::nullopt);
  if (p == "nuc") {
    Tensor s = ops::linalg_svdvals(self);
    return ops::mul(ops::sum(s, -1), ops::sum(ops::reciprocal(s), -1));
  }
  return condition_by_inverse(self, [&](const Tensor& t) { return ops::linalg_matrix_norm(t, p); });
}

inline Tensor matrix_power(const Tensor& self, std::int64_t n) {
  TENON_CHECK(self.dim() >= 2, ValueError, "linalg.matrix_power: The input tensor A must have at least 2 dimensions.");
  TENON_CHECK(self.sym_size(-2) == self.sym_size(-1), ValueError,
              "linalg.matrix_power: A must be batches of square matrices, but they are ", self.sym_size(-2), " by ",
              self.sym_size(-1), " matrices");
  if (n == 0) {
    // Written over a copy, so that the result has a gradient: zeros.
    Tensor one = ops::clone(self);
    ops::zero_(one);
    ops::fill_(ops::diagonal(one, 0, -2, -1), Scalar(1));
    return one;
  }
  if (n < 0) return matrix_power(ops::linalg_inv(self), -n);
  if (n == 1) return ops::clone(self);
  // The powers whose exponents are powers of two, multiplied where n has a bit.
  Tensor square = self, out;
  for (; n > 0; n >>= 1) {
    if (n & 1) out = out.defined() ? Tensor(ops::matmul(out, square)) : square;
    if (n > 1) square = ops::matmul(square, square);
  }
  return out;
}
/// What an out tensor's dtype may be of a norm, and of a power: powers that are products take the result's alone.
struct norm_dtype {
  template <class... A>
  static void check(const Tensor& result, const Tensor& out, const A&...) {
    TENON_CHECK(out.dtype() == result.dtype(), TypeError, "linalg.norm expected out tensor dtype ",
                enumerator_name(result.dtype()), " but got: ", enumerator_name(out.dtype()));
  }
};
struct power_dtype {
  static void check(const Tensor& result, const Tensor& out, const Tensor& self, std::int64_t n) {
    TENON_CHECK(can_cast(result.dtype(), out.dtype()), TypeError,
                "matrix_power: Expected result to be safely castable from ", enumerator_name(self.dtype()),
                " dtype, but got result with dtype ", enumerator_name(out.dtype()));
    if (n != 0 && n != 1) same_dtype::check(result, out);
  }
};
inline Tensor matrix_exp(const Tensor& self) { return ops::linalg_matrix_exp(self); }

TENON_LIBRARY_FRAGMENT(aten, m) {
  auto define = [&](auto op) { define_with_out<false>(m, op); };
  define(ops::linalg_matrix_norm_base);
  define(ops::linalg_matrix_norm_str_ord);
  define_with_out<false, norm_dtype>(m, ops::linalg_norm_base);
  define_with_out<false, norm_dtype>(m, ops::linalg_norm_ord_str);
  define(ops::nuclear_norm_base);
  define(ops::nuclear_norm_dim);
  define(ops::frobenius_norm_dim);
  define(ops::linalg_cond_base);
  define(ops::linalg_cond_p_str);
  define_with_out<false, power_dtype>(m, ops::linalg_matrix_power_base);
  define_with_out<false, power_dtype>(m, ops::matrix_power_base);
  define(ops::matrix_exp_base);
  m.impl<ops::linalg_matrix_norm_base, &matrix_norm>().impl<ops::linalg_matrix_norm_str_ord, &matrix_norm_str>();
  m.impl<ops::linalg_norm_base, &linalg_norm>().impl<ops::linalg_norm_ord_str, &linalg_norm_str>();
  m.impl<ops::nuclear_norm_base, &nuclear_norm>().impl<ops::nuclear_norm_dim, &nuclear_norm_dim>();
  m.def<ops::linalg__powsum_base>();
  m.impl<ops::linalg__powsum_base, &powsum>();
  m.impl<ops::frobenius_norm_dim, &frobenius_norm>();
  m.impl<ops::linalg_cond_base, &cond>().impl<ops::linalg_cond_p_str, &cond_str>();
  m.impl<ops::linalg_matrix_power_base, &matrix_power>().impl<ops::matrix_power_base, &matrix_power>();
  m.impl<ops::matrix_exp_base, &matrix_exp>();
}

}  // namespace tenon::composite
