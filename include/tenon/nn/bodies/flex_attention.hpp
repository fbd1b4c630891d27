// The products and sums of attention with functions of one's own.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/base/body.hpp>
#include <tenon/nn/flex_attention.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::attention {

TENON_BODY Tensor noop_mask(const Tensor& b, const Tensor&, const Tensor&, const Tensor&) {
  return ops::ones({}, "dtype"_a = kBool, "device"_a = b.device());
}

namespace detail {

constexpr double kHidden = -std::numeric_limits<double>::infinity();

TENON_BODY Places places(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys,
                         Device device) {
  auto numbers = [&](std::int64_t count, IntArrayRef sizes) {
    return ops::reshape(ops::arange(count, "dtype"_a = kLong, "device"_a = device), sizes);
  };
  return {numbers(batch, {batch, 1, 1, 1}), numbers(heads, {1, heads, 1, 1}), numbers(queries, {1, 1, queries, 1}),
          numbers(keys, {1, 1, 1, keys})};
}
TENON_BODY Places places_of(const Tensor& scores) {
  return places(scores.size(0), scores.size(1), scores.size(2), scores.size(3), scores.device());
}
inline DimVector sizes_of(const Places& p) { return {p.b.size(0), p.h.size(1), p.q.size(2), p.kv.size(3)}; }
TENON_BODY Tensor whole_mask(const Tensor& mask, const Places& p) {
  return ops::expand(mask, IntArrayRef(sizes_of(p))).contiguous();
}
TENON_BODY Tensor zero_scores(const Places& p) {
  return ops::zeros(IntArrayRef(sizes_of(p)), "dtype"_a = kFloat, "device"_a = p.b.device());
}
TENON_BODY Tensor shown(const Tensor& scores) { return ops::ne(scores, kHidden); }
TENON_BODY Tensor both(const Tensor& a, const Tensor& b) { return ops::logical_and(a, b); }
TENON_BODY Tensor hidden(const Tensor& mask) { return ops::logical_not(mask); }

inline Tensor for_heads(const Tensor& t, std::int64_t heads) {
  return t.size(1) == heads ? t : ops::repeat_interleave(t, heads / t.size(1), 1);
}

TENON_BODY Tensor scores_of(const Tensor& query, const Tensor& key, const Tensor& value,
                            const FlexAttentionOptions& o) {
  TENON_CHECK(query.dim() == 4 && key.dim() == 4 && value.dim() == 4, ValueError,
              "flex_attention(): expected query, key and value of 4 dimensions, got shapes ", query.sizes(), ", ",
              key.sizes(), " and ", value.sizes());
  const std::int64_t batch = query.size(0), heads = query.size(1), of_keys = key.size(1);
  TENON_CHECK(query.size(3) == key.size(3), ValueError,
              "Expect query and key/value to have the same embedding dimension but got E=", query.size(3),
              " and E=", key.size(3), ".");
  TENON_CHECK(o.enable_gqa || heads == of_keys, ValueError,
              "Expect query and key/value to have the same number of heads but got Hq=", heads, " and Hkv=", of_keys,
              ". Try setting enable_gqa=True for GQA.");
  TENON_CHECK(of_keys > 0 && heads % of_keys == 0, ValueError,
              "Expect number of query heads to be a multiple of kv heads for GQA but got Hq=", heads,
              " and Hkv=", of_keys, ".");
  TENON_CHECK(value.size(0) == key.size(0) && value.size(1) == of_keys && value.size(2) == key.size(2), ValueError,
              "flex_attention(): expected a value of batch, heads and length as the key, ", key.sizes(), ", got ",
              value.sizes());
  TENON_CHECK(batch == key.size(0) || key.size(0) == 1, ValueError,
              "flex_attention(): expected keys and values for each of ", batch, " queries or for all, got ",
              key.size(0));
  if (const Tensor& m = o.block_mask; m.defined())
    TENON_CHECK(m.dtype() == kBool && m.dim() == 4 && (m.size(0) == 1 || m.size(0) == batch) &&
                    (m.size(1) == 1 || m.size(1) == heads) && m.size(2) == query.size(2) && m.size(3) == key.size(2),
                ValueError, "flex_attention(): block_mask: expected bool of shape [", batch, " or 1, ", heads,
                " or 1, ", query.size(2), ", ", key.size(2), "], got ", m.dtype(), " of shape ", m.sizes());
  ScalarType precision = query.dtype() == kDouble ? kDouble : kFloat;
  Tensor k = for_heads(ops::to(key, precision), heads);
  Tensor scores = ops::matmul(ops::to(query, precision), ops::transpose(k, -2, -1));
  return ops::mul(scores, o.scale.value_or(1 / std::sqrt(static_cast<double>(query.size(3)))));
}

TENON_BODY FlexAttentionResult weigh(const Tensor& scores, const Tensor& query, const Tensor& value,
                                     const FlexAttentionOptions& o, bool with_aux) {
  Tensor kept = scores;
  if (o.block_mask.defined()) kept = ops::masked_fill(kept, ops::logical_not(o.block_mask), kHidden);
  FlexAttentionResult result;
  Tensor v = for_heads(ops::to(value, query.dtype()), query.size(1));
  result.output = ops::matmul(ops::to(ops::_safe_softmax(kept, -1), query.dtype()), v);
  if (!with_aux) return result;
  Tensor nothing = ops::all(ops::eq(kept, kHidden), -1);
  result.lse = ops::masked_fill(ops::logsumexp(kept, {-1}), nothing, kHidden);
  result.max_scores = std::get<0>(ops::max(kept, -1));
  return result;
}

}  // namespace detail

TENON_BODY Tensor flex_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                 const FlexAttentionOptions& o) {
  return detail::weigh(detail::scores_of(query, key, value, o), query, value, o, false).output;
}

}  // namespace tenon::nn::attention
