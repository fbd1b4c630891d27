// Distances and similarity made of norms.
#pragma once
#include <tenon/composite/distance_shapes.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/distance.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::composite {

/// What brings each slice along `dim` to a norm of at most `maxnorm`.
inline Tensor renorm_factor(const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm) {
  TENON_CHECK(!p.is_complex(), ValueError, "renorm: p must be real-valued");
  TENON_CHECK(p.to_double() > 0, ValueError, "renorm: non-positive-norm not supported");
  TENON_CHECK(!maxnorm.is_complex(), ValueError, "renorm: maxnorm must be real-valued");
  TENON_CHECK(maxnorm.to_double() >= 0, ValueError, "renorm: expected maxnorm to be >= 0 but got ",
              maxnorm.to_double());
  std::int64_t n = self.dim();
  TENON_CHECK(n > 1, ValueError, "renorm: input needs at least 2 dimensions, got ", n, " dimensions");
  dim = wrap_dim(dim, n);
  DimVector dims;
  for (std::int64_t d = 0; d < n; ++d)
    if (d != dim) dims.push_back(d);
  std::optional<ScalarType> wide;
  if (is_reduced_floating_type(self.dtype())) wide = kFloat;
  Tensor norm = ops::linalg_vector_norm(self, p, IntArrayRef(dims), true, "dtype"_a = wide);
  Tensor shrunk = ops::mul(ops::reciprocal(ops::add(norm, Scalar(1e-7))), maxnorm);
  Tensor factor = ops::where(ops::gt(norm.detach(), maxnorm), shrunk, Scalar(1.0));
  return wide ? Tensor(factor.to(self.dtype())) : factor;
}
inline Tensor renorm(const Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm) {
  return ops::contiguous(ops::mul(self, renorm_factor(self, p, dim, maxnorm)));  // in row-major order, as PyTorch's
}
inline Tensor& renorm_(Tensor& self, const Scalar& p, std::int64_t dim, const Scalar& maxnorm) {
  // What autograd keeps must not be written.
  return ops::copy_(self, renorm(ops::clone(self), p, dim, maxnorm));
}
inline Tensor dist(const Tensor& self, const Tensor& other, const Scalar& p) {
  return ops::norm(ops::sub(self, other), p);
}
inline Tensor pairwise_distance(const Tensor& a, const Tensor& b, double p, double eps, bool keepdim) {
  Tensor off = ops::add(ops::sub(a, b), Scalar(eps));
  return ops::linalg_vector_norm(off, Scalar(p), IntArrayRef(std::int64_t{-1}), keepdim);
}
inline Tensor cosine_similarity(const Tensor& a, const Tensor& b, std::int64_t dim, double eps) {
  TENON_CHECK(eps >= 0, ValueError, "eps must be non-negative, got: ", eps);
  ScalarType common = result_type(a, b);
  TENON_CHECK(is_floating_type(common), TypeError, "expected common dtype to be floating point, yet common dtype is ",
              enumerator_name(common));
  SymDimVector sizes = broadcast_shapes(SymDimVector(a.sym_sizes()), b.sym_sizes());
  auto directed = [&](const Tensor& t) {
    Tensor x = ops::expand(t.to(common), SymIntArrayRef(sizes));
    Tensor norm = ops::linalg_vector_norm(x, Scalar(2), IntArrayRef(dim), true);
    // The gradient is that of the norm also where eps stands for it.
    Tensor held = ops::clamp(norm.detach(), Scalar(eps));
    return Tensor(ops::div(x, ops::add(norm, ops::sub(held, norm.detach()))));
  };
  return ops::sum(ops::mul(directed(a), directed(b)), dim);
}

inline Tensor pdist(const Tensor& self, double p) {
  TENON_CHECK(self.dim() == 2, ValueError, "pdist only supports 2D tensors, got: ", self.dim(), "D");
  TENON_CHECK(self.is_floating_point(), TypeError, "pdist only supports floating-point dtypes");
  TENON_CHECK(p >= 0, ValueError, "pdist only supports non-negative p values");
  return ops::_pdist_forward(ops::contiguous(self), p);
}
inline Tensor cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t> mode) {
  for (auto [x, name] : {std::pair(&x1, "X1"), std::pair(&x2, "X2")}) {
    TENON_CHECK(x->dim() >= 2, ValueError, "cdist only supports at least 2D tensors, ", name, " got: ", x->dim(), "D");
    TENON_CHECK(x->is_floating_point(), TypeError, "cdist only supports floating-point dtypes, ", name,
                " got: ", enumerator_name(x->dtype()));
  }
  TENON_CHECK(x1.sym_size(-1) == x2.sym_size(-1), ValueError,
              "X1 and X2 must have the same number of columns. X1: ", x1.sym_size(-1), " X2: ", x2.sym_size(-1));
  TENON_CHECK(!mode || (*mode >= 0 && *mode <= 2), ValueError, "possible modes: 0, 1, 2, but was: ", *mode);
  TENON_CHECK(p >= 0, ValueError, "cdist only supports non-negative p values");
  TENON_CHECK(x1.dtype() == x2.dtype(), TypeError, "expected scalar type ", enumerator_name(x1.dtype()), " but found ",
              enumerator_name(x2.dtype()));
  return ops::_cdist_forward(x1, x2, p, mode);
}
/// The distances of all pairs of rows, from their lengths and products.
inline Tensor euclidean_dist(const Tensor& x1, const Tensor& x2) {
  Tensor n1 = ops::sum(ops::pow(x1, 2), -1, true), n2 = ops::sum(ops::pow(x2, 2), -1, true);
  Tensor a = ops::cat({ops::mul(x1, -2), n1, ops::ones_like(n1, "memory_format"_a = MemoryFormat::Contiguous)}, -1),
         b = ops::cat({x2, ops::ones_like(n2, "memory_format"_a = MemoryFormat::Contiguous), n2}, -1);
  return ops::sqrt(ops::clamp_min(ops::matmul(a, ops::transpose(b, -2, -1)), 0));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::_euclidean_dist_base);
  m.impl<ops::_euclidean_dist_base, &euclidean_dist>(DispatchKey::CompositeExplicitAutograd);
  implement_out_by_copy<ops::_euclidean_dist_base_op>(m, CallSite::now());
  define_forms(m, ops::renorm_base);
  define_forms(m, ops::dist_base);
  m.def<ops::pdist_base>().def<ops::cdist_base>().def<ops::pairwise_distance_base>().def<ops::cosine_similarity_base>();
  m.impl<ops::renorm_base, &renorm>().impl<ops::renorm_base_, &renorm_>().impl<ops::dist_base, &dist>();
  m.impl<ops::pdist_base, &pdist>().impl<ops::cdist_base, &cdist>();
  m.impl<ops::pairwise_distance_base, &pairwise_distance>().impl<ops::cosine_similarity_base, &cosine_similarity>();
  implement_out_by_copy<ops::renorm_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::dist_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite
