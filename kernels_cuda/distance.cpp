// Registers distances between rows on CUDA, made of differences of all pairs.
#include <cmath>

#include <tenon/composite/distance_shapes.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/diagonal.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The length of each vector along the last dimension.
Tensor lengths(const Tensor& x, double p) {
  Tensor size = ops::abs(x);
  if (p == 0) return ops::sum(ops::ne(x, 0), {-1}, false, "dtype"_a = x.dtype());
  if (p == 1) return ops::sum(size, {-1});
  if (p == 2) return ops::sqrt(ops::sum(ops::mul(x, x), {-1}));
  if (std::isinf(p)) return x.sizes().back() ? Tensor(ops::amax(size, {-1})) : Tensor(ops::sum(size, {-1}));
  return ops::pow(ops::sum(ops::pow(size, p), {-1}), 1 / p);
}
/// What a change of each element of the vectors does to their lengths; nothing where the element or the length is zero.
Tensor slopes(const Tensor& x, const Tensor& length, double p) {
  if (p == 0) return ops::zeros_like(x);
  Tensor sign = ops::sign(x), size = ops::abs(x), whole = ops::unsqueeze(length, -1);
  if (p == 1) return sign;
  if (std::isinf(p)) return ops::mul(sign, ops::eq(size, whole));
  Tensor parts = p == 2 ? Tensor(ops::div(x, whole)) : Tensor(ops::mul(sign, ops::pow(ops::div(size, whole), p - 1)));
  return ops::masked_fill(ops::masked_fill(parts, ops::eq(x, 0), 0), ops::eq(whole, 0), 0);
}
void check_type(const char* name, const Tensor& t) {
  if (t.dtype() != kFloat && t.dtype() != kDouble) not_implemented_for(name, t.dtype());
}
Tensor pairs_of(const Tensor& x1, const Tensor& x2) { return ops::sub(ops::unsqueeze(x1, -2), ops::unsqueeze(x2, -3)); }
void cdist(const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t>, const Tensor& out) {
  check_type("cdist_cuda", x1);
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  copy_elements(out, lengths(pairs_of(x1, x2), p));
}
void cdist_backward(const Tensor& grad, const Tensor& x1, const Tensor& x2, double p, const Tensor& distances,
                    const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Tensor each = ops::mul(slopes(pairs_of(x1, x2), distances, p), ops::unsqueeze(grad, -1));
  copy_elements(out, ops::sum(each, {-2}));
}

/// The first and the second rows of all pairs of a matrix.
std::pair<Tensor, Tensor> places_of_pairs(const Tensor& self) {
  Tensor both = ops::triu_indices(self.sizes()[0], self.sizes()[0], 1, "device"_a = self.device());
  return {ops::select(both, 0, 0), ops::select(both, 0, 1)};
}
void pdist(const Tensor& self, double p, const Tensor& out) {
  check_type("pdist_cuda", self);
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  auto [first, second] = places_of_pairs(self);
  copy_elements(out, lengths(ops::sub(ops::index_select(self, 0, first), ops::index_select(self, 0, second)), p));
}
void pdist_backward(const Tensor& grad, const Tensor& self, double p, const Tensor& distances, const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  auto [first, second] = places_of_pairs(self);
  Tensor x = ops::sub(ops::index_select(self, 0, first), ops::index_select(self, 0, second));
  Tensor each = ops::mul(slopes(x, distances, p), ops::unsqueeze(grad, -1)), sums = ops::zeros_like(self);
  sums = ops::index_add(sums, 0, first, each);
  copy_elements(out, ops::index_add(sums, 0, second, each, -1));
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(_cdist_forward_base, CUDA, cuda::cdist);
TENON_STRUCTURED_KERNEL(_cdist_backward_base, CUDA, cuda::cdist_backward);
TENON_STRUCTURED_KERNEL(_pdist_forward_base, CUDA, cuda::pdist);
TENON_STRUCTURED_KERNEL(_pdist_backward_base, CUDA, cuda::pdist_backward);

}  // namespace tenon::ops
