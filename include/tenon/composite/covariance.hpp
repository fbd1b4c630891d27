// Covariance and correlation of rows of observations: made of products and sums.
#pragma once
#include <tenon/base/warning.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/statistics.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline void check_weights(const char* name, const Tensor& w, const SymInt& count, bool integral) {
  TENON_CHECK(w.dim() <= 1, ValueError, "cov(): expected ", name, " to have one or fewer dimensions but got ", name,
              " with ", w.dim(), " dimensions");
  TENON_CHECK(integral ? is_integral_type(w.dtype(), false) : w.is_floating_point(), TypeError, "cov(): expected ",
              name, " to have ", integral ? "integral" : "floating point", " dtype but got ", name, " with ",
              enumerator_name(w.dtype()), " dtype");
  TENON_CHECK(w.sym_numel() == count, ValueError, "cov(): expected ", name,
              " to have the same numel as there are observations in the input but got ", w.sym_numel(), " != ", count);
  if (count == 0 || w.is_meta()) return;
  TENON_CHECK(ops::ge(ops::min(w.detach()), Scalar(0)).item<bool>(), ValueError, "cov(): ", name,
              " cannot be negative");
}
inline Tensor cov(const Tensor& self, std::int64_t correction, const std::optional<Tensor>& fweights,
                  const std::optional<Tensor>& aweights) {
  TENON_CHECK(self.dim() <= 2, ValueError,
              "cov(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
              " dimensions");
  TENON_CHECK(self.dtype() != kBool, NotImplementedError, "cov(): bool dtype is not supported for input");
  Tensor x = self.dim() < 2 ? Tensor(ops::reshape(self, {1, -1})) : self;
  const SymInt count = x.sym_size(1);
  Tensor weights;
  bool by_importance = aweights && aweights->defined();
  if (fweights && fweights->defined()) {
    check_weights("fweights", *fweights, count, true);
    weights = *fweights;
  }
  if (by_importance) {
    check_weights("aweights", *aweights, count, false);
    weights = weights.defined() ? Tensor(ops::mul(weights, *aweights)) : *aweights;
  }
  Tensor total = weights.defined()
                     ? Tensor(ops::sum(weights))
                     : Tensor(ops::full({}, Scalar(count.guard_int()), "dtype"_a = kLong, "device"_a = x.device()));
  TENON_CHECK(!weights.defined() || total.is_meta() || !ops::eq(total.detach(), Scalar(0)).item<bool>(), ValueError,
              "cov(): weights sum to zero, can't be normalized");
  auto weighted = [&](const Tensor& t) { return weights.defined() ? Tensor(ops::mul(t, weights)) : t; };
  Tensor mean = ops::div(ops::sum(weighted(x), 1), total), freedom;
  if (by_importance && correction != 0)
    freedom = ops::sub(total, ops::div(ops::mul(ops::sum(ops::mul(weights, *aweights)), Scalar(correction)), total));
  else
    freedom = ops::sub(total, Scalar(correction));
  Tensor none = ops::le(freedom.detach(), Scalar(0));
  if (!none.is_meta() && none.item<bool>())
    warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.");
  freedom = ops::masked_fill(freedom, none, Scalar(0));
  Tensor off = ops::sub(x, ops::unsqueeze(mean, 1)), other = ops::t(weighted(off));
  if (other.is_complex()) other = ops::conj_physical(other);
  return ops::squeeze(ops::div(ops::mm(off, other), freedom));
}
inline Tensor corrcoef(const Tensor& self) {
  TENON_CHECK(self.dim() <= 2, ValueError,
              "corrcoef(): expected input to have two or fewer dimensions but got an input with ", self.dim(),
              " dimensions");
  Tensor c = cov(self, 1, {}, {});
  if (c.dim() == 0) return ops::div(c, c);
  Tensor d = ops::diag(c);
  // The diagonal is real.
  Tensor deviation = ops::sqrt(d.is_complex() ? Tensor(ops::abs(d)) : d);
  c = ops::div(ops::div(c, ops::reshape(deviation, {-1, 1})), ops::reshape(deviation, {1, -1}));
  return c.is_complex() ? c : Tensor(ops::clamp(c, Scalar(-1), Scalar(1)));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::cov_base>().def<ops::corrcoef_base>();
  m.impl<ops::cov_base, &cov>().impl<ops::corrcoef_base, &corrcoef>();
}

}  // namespace tenon::composite
