// Which elements are pruned.
#pragma once
#include <cmath>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/prune.hpp>
#include <tenon/nn/parameter_vector.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

TENON_BODY PruneAmount::PruneAmount(double share, std::int64_t count) : share_(share), count_(count) {
  TENON_CHECK(share >= 0 && share <= 1, ValueError, "amount=", share,
              " should either be a float in the range [0, 1] or a non-negative integer");
}
TENON_BODY void PruneAmount::check_count() const {
  TENON_CHECK(count_ >= 0, ValueError, "amount=", count_,
              " should either be a float in the range [0, 1] or a non-negative integer");
}
TENON_BODY std::int64_t PruneAmount::of(std::int64_t size) const {
  // Python rounds halves to even numbers, and so does this.
  std::int64_t n = count_ >= 0 ? count_ : static_cast<std::int64_t>(std::nearbyint(share_ * static_cast<double>(size)));
  TENON_CHECK(n <= size, ValueError, "amount=", n, " should be smaller than the number of parameters to prune=", size);
  return n;
}

namespace detail {

TENON_BODY Tensor masked(const Tensor& orig, const Tensor& mask) { return ops::mul(mask.to(orig.dtype()), orig); }
TENON_BODY Tensor all_kept(const Tensor& t) { return ops::ones_like(ops::detach(t)); }
TENON_COLD_BODY void not_pruned(std::string_view name) {
  fail<ValueError>("Parameter '", name, "' has to be pruned before pruning can be removed");
}

inline Tensor places(const Tensor& where) { return ops::squeeze(ops::nonzero(where), 1); }
inline Tensor prune_elements(const PruningMethod& how, const Tensor& scores, const Tensor& before) {
  Tensor left = places(ops::eq(ops::flatten(before), 1));
  std::int64_t n = how.amount.of(left.numel());
  if (n == 0) return before;
  bool random = how.kind == PruningMethod::Kind::Random;
  Tensor values = ops::index_select(ops::flatten(scores), 0, left);
  Tensor order = random ? ops::rand_like(values) : ops::abs(values);
  Tensor chosen = std::get<1>(ops::topk(order, n, -1, random));
  Tensor mask = ops::flatten(before).clone();
  ops::index_fill_(mask, 0, ops::index_select(left, 0, chosen), 0);
  return ops::view_as(mask, before);
}
inline Tensor prune_slices(const PruningMethod& how, const Tensor& scores, const Tensor& before) {
  const std::int64_t rank = before.dim(), dim = how.dim < 0 ? how.dim + rank : how.dim;
  TENON_CHECK(rank > 1, ValueError,
              "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape ",
              before.sizes(), " with ", rank, " dims");
  TENON_CHECK(dim >= 0 && dim < rank, IndexError, "Invalid index ", how.dim, " for tensor of size ", before.sizes());
  DimVector others;
  for (std::int64_t d = 0; d < rank; ++d)
    if (d != dim) others.push_back(d);
  // Slices that have been pruned as a whole are not counted.
  Tensor left = places(ops::ne(ops::sum(before, IntArrayRef(others)), 0));
  std::int64_t count = left.numel(), n = how.amount.of(count);
  if (n == 0) return before;
  Tensor kept;
  if (how.kind == PruningMethod::Kind::RandomStructured) {
    Tensor drawn = ops::rand({count});
    kept = places(ops::gt(drawn, std::get<0>(ops::kthvalue(drawn, n))));
  } else {
    Tensor norms = ops::linalg_vector_norm(ops::index_select(scores, dim, left), how.n, IntArrayRef(others));
    kept = std::get<1>(ops::topk(norms, count - n));
  }
  Tensor chosen = ops::index_select(left, 0, kept), mask = ops::zeros_like(before);
  return ops::index_copy_(mask, dim, chosen, ops::index_select(before, dim, chosen));
}
TENON_BODY Tensor mask_by(const PruningMethod& how, const Tensor& scores, const Tensor& before) {
  NoGradGuard no_grad;
  using Kind = PruningMethod::Kind;
  const Tensor& given = how.kind == Kind::Custom ? how.mask : scores;
  TENON_CHECK(given.sizes() == before.sizes(), ValueError, how.kind == Kind::Custom ? "mask" : "importance_scores",
              " should have the same shape as the parameter, got ", given.sizes(), " vs ", before.sizes());
  switch (how.kind) {
    case Kind::Identity: return before;
    case Kind::Custom: return ops::mul(before, how.mask.to(before.dtype()));
    case Kind::Random:
    case Kind::L1: return prune_elements(how, scores, before);
    default: return prune_slices(how, scores, before);
  }
}

}  // namespace detail

namespace utils::prune {

TENON_BODY void global_unstructured(const std::vector<Target>& targets, Unstructured method, PruneAmount amount) {
  std::vector<Tensor> values, masks;
  for (const Target& t : targets) {
    values.push_back(ops::detach(t.value));
    masks.push_back(t.mask);
  }
  using Kind = nn::detail::PruningMethod::Kind;
  Tensor mask = nn::detail::mask_by({method == Unstructured::L1 ? Kind::L1 : Kind::Random, amount},
                                    parameters_to_vector(values), parameters_to_vector(masks));
  std::int64_t at = 0;
  for (const Target& t : targets) {
    t.set_mask(ops::view_as(ops::narrow(mask, 0, at, t.mask.numel()), t.mask));
    at += t.mask.numel();
  }
}

}  // namespace utils::prune
}  // namespace tenon::nn
