// Quantiles: made of sorting, selection by rank and interpolation.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/statistics.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline void check_quantile(const Tensor& self, const Tensor& q, std::string_view interpolation) {
  TENON_CHECK(self.sym_numel() > 0, ValueError, "quantile() input tensor must be non-empty");
  TENON_CHECK(q.dim() <= 1, ValueError, "quantile() q must be a scalar or 1D tensor");
  TENON_CHECK(self.dtype() == kFloat || self.dtype() == kDouble, TypeError,
              "quantile() input tensor must be either float or double dtype");
  TENON_CHECK(self.dtype() == q.dtype(), TypeError, "quantile() q tensor must be same dtype as the input tensor");
  TENON_CHECK(self.device() == q.device(), ValueError,
              "quantile() q tensor must be on the same device as the input tensor");
  bool known = false;
  for (std::string_view name : {"linear", "lower", "higher", "midpoint", "nearest"})
    known = known || interpolation == name;
  TENON_CHECK(known, ValueError,
              "quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got ",
              interpolation);
}
/// The quantiles stand in a dimension of their own, the first, unless `q` is a number.
template <bool IgnoreNan>
Tensor quantile(const Tensor& self, const Tensor& q, std::optional<std::int64_t> dim, bool keepdim,
                std::string_view interpolation) {
  check_quantile(self, q, interpolation);
  if (q.device().is_cpu()) {
    Tensor inside = ops::logical_and(ops::ge(q.detach(), Scalar(0)), ops::le(q.detach(), Scalar(1)));
    TENON_CHECK(ops::all(inside).item<bool>(), ValueError, "quantile() q values must be in the range [0, 1]");
  }
  std::int64_t n = self.dim(), d = wrap_dim(dim.value_or(0), n);
  Tensor lines = !dim || n == 0 ? Tensor(ops::reshape(self, {-1})) : Tensor(ops::movedim(self, d, -1));
  Tensor sorted = std::get<0>(ops::sort(lines));
  // A number in what follows; a symbolic one is asked for its value.
  const std::int64_t end = lines.sym_size(-1).guard_int() - 1;

  // Ranks of the quantiles in each line: (.., quantiles).
  Tensor ranks;
  if (IgnoreNan) {
    Tensor count = ops::sum(ops::logical_not(ops::isnan(lines.detach())), -1, true);
    ranks = ops::mul(ops::clamp(ops::sub(count, Scalar(1)), Scalar(0)).to(q.dtype()), q);
  } else {
    ranks = ops::mul(q, Scalar(end));
    SymDimVector sizes(lines.sym_sizes());
    sizes.back() = q.sym_numel();
    ranks = ops::expand(ops::reshape(ranks, {-1}), SymIntArrayRef(sizes));
    // A not-a-number is the last: every rank of its line points there.
    Tensor spoiled = ops::any(ops::isnan(lines.detach()), -1, true);
    ranks = ops::masked_fill(ranks, spoiled, Scalar(end));
  }
  if (interpolation == "lower") ranks = ops::floor(ranks);
  if (interpolation == "higher") ranks = ops::ceil(ranks);
  if (interpolation == "nearest") ranks = ops::round(ranks);
  Tensor below = ranks.to(kLong), out = ops::gather(sorted, -1, below);
  if (interpolation == "linear" || interpolation == "midpoint") {
    Tensor weight =
        interpolation == "linear" ? Tensor(ops::sub(ranks, below)) : Tensor(ops::full_like(ranks, Scalar(0.5)));
    Tensor above = ops::gather(sorted, -1, ops::ceil(ranks).to(kLong));
    out = ops::lerp(out, above, weight);
  }

  out = q.dim() == 0 ? Tensor(ops::squeeze(out, -1)) : Tensor(ops::movedim(out, -1, 0));
  if (!keepdim) return out;
  if (dim && n > 0) return ops::unsqueeze(out, d + (q.dim() == 0 ? 0 : 1));
  for (std::int64_t i = 0; i < n; ++i) out = ops::unsqueeze(out, -1);
  return out;
}
template <bool IgnoreNan>
Tensor quantile_scalar(const Tensor& self, double q, std::optional<std::int64_t> dim, bool keepdim,
                       std::string_view interpolation) {
  TENON_CHECK(q >= 0 && q <= 1, ValueError, "quantile() q must be in the range [0, 1] but got ", q);
  Tensor t = ops::full({}, Scalar(q), "dtype"_a = self.dtype(), "device"_a = self.device());
  return quantile<IgnoreNan>(self, t, dim, keepdim, interpolation);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::quantile_base);
  define_forms(m, ops::quantile_scalar);
  define_forms(m, ops::nanquantile_base);
  define_forms(m, ops::nanquantile_scalar);
  m.impl<ops::quantile_base, &quantile<false>>().impl<ops::quantile_scalar, &quantile_scalar<false>>();
  m.impl<ops::nanquantile_base, &quantile<true>>().impl<ops::nanquantile_scalar, &quantile_scalar<true>>();
  implement_out_by_copy<ops::quantile_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::quantile_scalar_op>(m, CallSite::now());
  implement_out_by_copy<ops::nanquantile_base_op>(m, CallSite::now());
  implement_out_by_copy<ops::nanquantile_scalar_op>(m, CallSite::now());
}

}  // namespace tenon::composite
