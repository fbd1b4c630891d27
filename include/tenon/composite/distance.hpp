// Distances and similarity made of norms; the shapes of distances between all pairs of rows.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/distance.hpp>
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
  return ops::mul(self, renorm_factor(self, p, dim, maxnorm));
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
struct pdist_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, double) const {
    TENON_CHECK(self.dim() == 2, ValueError, "pdist only supports 2D tensors, got: ", self.dim(), "D");
    Int n = sizes_of<Int>(self)[0];
    out.set_output_raw_strided(0, dims_t<Int>{n * (n - 1) / 2}, {}, self.dtype(), self.device());
  }
};
struct pdist_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, double, const Tensor& pdist) const {
    TENON_CHECK(self.dim() == 2, ValueError, "_pdist_backward(): expected a matrix, got shape ", self.sym_sizes());
    Int n = sizes_of<Int>(self)[0], pairs = n * (n - 1) / 2;
    TENON_CHECK(numel_of<Int>(grad) == pairs && numel_of<Int>(pdist) == pairs, ValueError,
                "_pdist_backward(): expected a gradient and a distance for each of ", pairs, " pairs, got shapes ",
                grad.sym_sizes(), " and ", pdist.sym_sizes());
    TENON_CHECK(grad.dtype() == self.dtype() && pdist.dtype() == self.dtype(), TypeError,
                "_pdist_backward(): expected ", self.dtype(), ", got ", grad.dtype(), " and ", pdist.dtype());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
/// The sizes of distances between the rows of two batches of matrices.
template <class Int>
dims_t<Int> cdist_sizes(const char* name, const Tensor& x1, const Tensor& x2) {
  TENON_CHECK(x1.dim() > 1 && x2.dim() > 1, ValueError, name, " only supports at least 2D tensors, got: ", x1.dim(),
              "D and ", x2.dim(), "D");
  ArrayRef<Int> a = sizes_of<Int>(x1), b = sizes_of<Int>(x2);
  TENON_CHECK(a.back() == b.back(), ValueError, "X1 and X2 must have the same number of columns. X1: ", a.back(),
              " X2: ", b.back());
  TENON_CHECK(x1.dtype() == x2.dtype(), TypeError, "expected scalar type ", enumerator_name(x1.dtype()), " but found ",
              enumerator_name(x2.dtype()));
  dims_t<Int> sizes = broadcast_shapes(dims_t<Int>(a.begin(), a.end() - 2), ArrayRef<Int>(b.begin(), b.size() - 2));
  sizes.push_back(a[a.size() - 2]);
  sizes.push_back(b[b.size() - 2]);
  return sizes;
}
struct cdist_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t>) const {
    TENON_CHECK(p >= 0, ValueError, "Cdist only supports non-negative p values");
    out.set_output_raw_strided(0, cdist_sizes<Int>("cdist", x1, x2), {}, x1.dtype(), x1.device());
  }
};
struct cdist_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& x1, const Tensor& x2, double,
                  const Tensor& cdist) const {
    dims_t<Int> sizes = cdist_sizes<Int>("_cdist_backward", x1, x2);
    for (const Tensor* t : {&grad, &cdist}) {
      TENON_CHECK(sizes_of<Int>(*t) == ArrayRef<Int>(sizes), ValueError, "_cdist_backward(): expected shape ", sizes,
                  ", got ", t->sym_sizes());
      TENON_CHECK(t->dtype() == x1.dtype(), TypeError, "_cdist_backward(): expected ", x1.dtype(), ", got ",
                  t->dtype());
    }
    sizes[sizes.size() - 1] = sizes_of<Int>(x1).back();
    out.set_output_raw_strided(0, sizes, {}, x1.dtype(), x1.device());
  }
};

TENON_LIBRARY_FRAGMENT(aten, m) {
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

namespace tenon::ops {

TENON_STRUCTURED_OF(_pdist_forward_base, composite::pdist_meta);
TENON_STRUCTURED_OF(_pdist_backward_base, composite::pdist_backward_meta);
TENON_STRUCTURED_OF(_cdist_forward_base, composite::cdist_meta);
TENON_STRUCTURED_OF(_cdist_backward_base, composite::cdist_backward_meta);

}  // namespace tenon::ops
