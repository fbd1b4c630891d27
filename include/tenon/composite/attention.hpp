// Scaled dot product attention by PyTorch's mathematical path.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include <tenon/autograd/transformed.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/attention.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

namespace attention {

using OptionalTensor = std::optional<Tensor>;
inline bool is_given(const OptionalTensor& t) { return t && t->defined(); }

inline void check(const Tensor& q, const Tensor& k, const Tensor& v, const OptionalTensor& mask, double dropout,
                  bool is_causal) {
  TENON_CHECK(q.dtype() == k.dtype() && q.dtype() == v.dtype(), TypeError,
              "Expected query, key, and value to have the same dtype, but got query.dtype: ", q.dtype(),
              " key.dtype: ", k.dtype(), " and value.dtype: ", v.dtype(), " instead.");
  TENON_CHECK(q.dim() >= 2 && k.dim() >= 2 && v.dim() >= 2, ValueError,
              "Expected query, key, and value to all be  at least 2 dimensional, but got query.dim: ", q.dim(),
              " key.dim: ", k.dim(), " and value.dim: ", v.dim(), " instead.");
  TENON_CHECK(q.is_floating_point() || q.is_complex(), TypeError,
              "Expected query, key, and value to be of a floating point dtype, but got ", q.dtype());
  TENON_CHECK(dropout >= 0 && dropout <= 1, ValueError, "dropout probability has to be between 0 and 1, but got ",
              dropout);
  if (!is_given(mask)) return;
  TENON_CHECK(!is_causal, ValueError, "Explicit attn_mask should not be set when is_causal=True");
  TENON_CHECK(mask->dtype() == kBool || mask->dtype() == q.dtype() || mask->dtype() == kFloat, TypeError,
              "Expected attn_mask dtype to be bool or float or to match query dtype, but got attn_mask.dtype: ",
              mask->dtype(), " and  query.dtype: ", q.dtype(), " instead.");
}
/// Each head of the keys for as many heads of the queries.
inline Tensor repeated_heads(const Tensor& t, const SymInt& heads) {
  SymInt have = t.sym_size(-3);
  if (have == heads) return t;
  TENON_CHECK(have > SymInt(0) && heads % have == SymInt(0), ValueError,
              "Number of heads in key and value must divide the number of heads in query, got ", have, " and ", heads);
  Tensor apart = ops::unsqueeze(t, -3);
  SymDimVector shape(apart.sym_sizes()), merged(t.sym_sizes());
  shape[shape.size() - 3] = heads / have;
  merged[merged.size() - 3] = heads;
  return ops::reshape(ops::expand(apart, SymIntArrayRef(shape)), SymIntArrayRef(merged));
}
/// 0 where a mask of truth values lets through, minus infinity elsewhere.
inline Tensor as_number_mask(const Tensor& mask, const Tensor& q) {
  if (mask.dtype() != kBool) return mask.dtype() == q.dtype() ? mask : Tensor(ops::to(mask, q.dtype()));
  Tensor numbers = ops::zeros_like(mask, "dtype"_a = q.dtype());
  return ops::masked_fill(numbers, ops::logical_not(mask), Scalar(-std::numeric_limits<double>::infinity()));
}
/// A mask of numbers that is added to scores, over which it may be spread, but not they over it. The scores of queries
/// of three dimensions are those of one batch.
inline Tensor mask_of_scores(Tensor mask, const Tensor& scores) {
  if (scores.dim() == 3 && mask.dim() == 4 && mask.sym_size(0) == SymInt(1)) mask = ops::squeeze(mask, 0);
  bool fits = mask.dim() <= scores.dim();
  for (std::int64_t d = 1; fits && d <= mask.dim(); ++d)
    fits = mask.sym_size(-d) == SymInt(1) || mask.sym_size(-d) == scores.sym_size(-d);
  TENON_CHECK(fits, ValueError, "attn_mask of shape ", mask.sym_sizes(), " doesn't match the scores' shape ",
              scores.sym_sizes());
  return mask;
}
inline double factor_of(const Tensor& query, std::optional<double> scale) {
  return scale ? *scale : 1 / std::sqrt(static_cast<double>(query.sym_size(-1).guard_int(__FILE__, __LINE__)));
}
/// Minus infinity where a query would see a key behind its place, else 0; of the queries' dtype.
inline Tensor later_mask(const Tensor& q, const Tensor& k) {
  SymInt shape[] = {q.sym_size(-2), k.sym_size(-2)};
  return ops::triu(ops::full(SymIntArrayRef(shape, 2), Scalar(-std::numeric_limits<double>::infinity()),
                             "dtype"_a = q.dtype(), "device"_a = q.device()),
                   1);
}
inline std::tuple<Tensor, Tensor> math(const Tensor& query, const Tensor& key, const Tensor& value,
                                       const OptionalTensor& mask, double dropout, bool is_causal,
                                       const OptionalTensor& dropout_mask, std::optional<double> scale,
                                       bool enable_gqa) {
  check(query, key, value, mask, dropout, is_causal);
  if (ScalarType dtype = query.dtype(); dtype == kHalf || dtype == kBFloat16) {
    // 16-bit floats are computed as float; a mask of theirs too.
    auto wide = [](const Tensor& t) { return Tensor(ops::to(t, kFloat)); };
    OptionalTensor wide_mask = is_given(mask) && mask->dtype() == dtype ? OptionalTensor(wide(*mask)) : mask;
    auto [out, weights] =
        math(wide(query), wide(key), wide(value), wide_mask, dropout, is_causal, dropout_mask, scale, enable_gqa);
    return {Tensor(ops::to(out, dtype)), Tensor(ops::to(weights, dtype))};
  }
  TENON_CHECK(!enable_gqa || (query.dim() >= 3 && key.dim() >= 3 && value.dim() >= 3), ValueError,
              "Expected query, key, and value of at least 3 dimensions with enable_gqa");
  Tensor k = enable_gqa ? repeated_heads(key, query.sym_size(-3)) : key,
         v = enable_gqa ? repeated_heads(value, query.sym_size(-3)) : value;
  Tensor scores = ops::matmul(ops::mul(query, Scalar(factor_of(query, scale))), ops::transpose(k, -2, -1));
  Tensor hidden;
  if (is_causal) {
    scores = ops::add(scores, later_mask(query, key));
  } else if (is_given(mask) && scores.sym_numel() != SymInt(0)) {
    scores = ops::add(scores, mask_of_scores(as_number_mask(*mask, query), scores));
    // A row that is masked as a whole attends to nothing; its scores of 0 keep NaNs out of the gradients.
    hidden = ops::all(ops::eq(scores.detach(), Scalar(-std::numeric_limits<double>::infinity())), -1, true);
    scores = ops::masked_fill(scores, hidden, Scalar(0));
  }
  Tensor weights = ops::softmax(scores, -1);
  if (hidden.defined()) weights = ops::masked_fill(weights, hidden, Scalar(0));
  if (dropout > 0 && is_given(dropout_mask))
    return {ops::matmul(ops::mul(ops::masked_fill(weights, ops::logical_not(*dropout_mask), Scalar(0)),
                                 Scalar(dropout < 1 ? 1 / (1 - dropout) : 0.0)),
                        v),
            weights};
  if (dropout > 0) weights = ops::dropout(weights, dropout, true);
  return {ops::matmul(weights, v), weights};
}
/// How many heads to compute at once so that their scores stay in a cache: 0 for all of them, and where something
/// records, watches or transforms what is computed.
inline std::int64_t heads_at_once(const Tensor& q, const Tensor& k, const Tensor& v, const OptionalTensor& mask,
                                  double dropout) {
  constexpr std::int64_t kScores = 1 << 19;
  auto plain = [](const Tensor& t) {
    return t.keys().has(DispatchKey::CPU) && !t.is_symbolic() && !autograd::may_need_gradient(t);
  };
  if (dropout > 0 || local_keys().included != key_sets::default_included || !plain(q) || !plain(k) || !plain(v) ||
      q.dim() < 3 || q.dim() != k.dim() || q.dim() != v.dim())
    return 0;
  if (is_given(mask) && (!plain(*mask) || mask->dim() != 2)) return 0;
  if (q.size(-1) != k.size(-1) || k.size(-2) != v.size(-2)) return 0;
  std::int64_t heads = 1;
  for (std::int64_t d = 0; d < q.dim() - 2; ++d) {
    if (q.size(d) != k.size(d) || q.size(d) != v.size(d)) return 0;
    heads *= q.size(d);
  }
  const std::int64_t scores = q.size(-2) * k.size(-2),
                     count = scores > 0 ? std::max<std::int64_t>(kScores / scores, 1) : 0;
  return count < heads && scores >= 1 << 14 ? count : 0;
}
/// `count` heads at a time, whose scores and weights overwrite those of the heads before.
inline Tensor by_heads(const Tensor& query, const Tensor& key, const Tensor& value, const OptionalTensor& mask,
                       bool is_causal, std::optional<double> scale, std::int64_t count) {
  auto flat = [](const Tensor& t) { return Tensor(ops::reshape(t, {-1, t.size(-2), t.size(-1)})); };
  const Tensor q = flat(query), k = flat(key), v = flat(value);
  // 16-bit floats are computed as float.
  const ScalarType dtype = q.dtype(), compute = is_reduced_floating_type(dtype) ? kFloat : dtype;
  const std::int64_t heads = q.size(0), rows = q.size(1), columns = k.size(1);
  Tensor scores = ops::empty({count, rows, columns}, "dtype"_a = compute), weights = ops::empty_like(scores),
         out = ops::empty({heads, rows, v.size(2)}, "dtype"_a = dtype), added;
  const Scalar hides(-std::numeric_limits<double>::infinity());
  if (is_causal)
    added = ops::to(later_mask(q, k), compute);
  else if (is_given(mask))
    added = as_number_mask(*mask, scores);
  const Scalar factor(factor_of(q, scale));
  for (std::int64_t i = 0; i < heads; i += count) {
    const std::int64_t n = std::min(count, heads - i);
    auto part = [&](const Tensor& t) { return Tensor(ops::to(ops::narrow(t, 0, i, n), compute)); };
    Tensor s = ops::narrow(scores, 0, 0, n), w = ops::narrow(weights, 0, 0, n), o = ops::narrow(out, 0, i, n), hidden;
    ops::bmm(ops::mul(part(q), factor), ops::transpose(part(k), -2, -1), "out"_a = s);
    if (added.defined()) ops::add_(s, added);
    if (is_given(mask)) {
      // A row that is masked as a whole attends to nothing.
      hidden = ops::all(ops::eq(s, hides), -1, true);
      ops::masked_fill_(s, hidden, Scalar(0));
    }
    ops::softmax(s, -1, "out"_a = w);
    if (hidden.defined()) ops::masked_fill_(w, hidden, Scalar(0));
    if (compute == dtype)
      ops::bmm(w, part(v), "out"_a = o);
    else
      ops::copy_(o, ops::bmm(w, part(v)));
  }
  DimVector shape(query.sizes());
  shape[shape.size() - 1] = value.size(-1);
  return ops::view(out, shape);
}
inline Tensor scaled_dot_product_attention(const Tensor& query, const Tensor& key, const Tensor& value,
                                           const OptionalTensor& mask, double dropout, bool is_causal,
                                           std::optional<double> scale, bool enable_gqa) {
  if (std::int64_t count = heads_at_once(query, key, value, mask, dropout)) {
    check(query, key, value, mask, dropout, is_causal);
    return by_heads(query, key, value, mask, is_causal, scale, count);
  }
  return std::get<0>(math(query, key, value, mask, dropout, is_causal, std::nullopt, scale, enable_gqa));
}

/// Whether the kernel of flash attention takes a call, by PyTorch's rules for the CPU: 1 if it does, else 0.
inline std::int64_t fused_choice(const Tensor& q, const Tensor& k, const Tensor& v, const OptionalTensor& mask,
                                 double dropout, bool, std::optional<double>, bool enable_gqa) {
  const std::int64_t n = q.dim();
  if (!q.is_cpu() || dropout > 0 || n < 3 || n > 4 || k.dim() != n || v.dim() != n) return 0;
  if (!is_floating_type(q.dtype()) || !has_arithmetic(q.dtype()) || k.dtype() != q.dtype() || v.dtype() != q.dtype())
    return 0;
  for (const Tensor* t : {&q, &k, &v})
    if (t->size(-1) != q.size(-1) || t->size(-2) == 0 || (t->size(-1) > 1 && t->stride(-1) != 1)) return 0;
  if (n == 4 && (k.size(0) != q.size(0) || v.size(0) != q.size(0))) return 0;
  if (k.size(-3) != v.size(-3)) return 0;
  if (q.size(-3) != k.size(-3) && (!enable_gqa || n != 4 || k.size(-3) == 0 || q.size(-3) % k.size(-3) != 0)) return 0;
  if (!is_given(mask)) return 1;
  if (mask->requires_grad() || (mask->dim() != 2 && mask->dim() != n)) return 0;
  auto fits = [&](std::int64_t d, std::int64_t size) { return mask->size(d) == 1 || mask->size(d) == size; };
  if (!fits(-2, q.size(-2)) || !fits(-1, k.size(-2))) return 0;
  for (std::int64_t d = 0; d < mask->dim() - 2; ++d)
    if (!fits(d, q.size(d))) return 0;
  return 1;
}

}  // namespace attention

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = attention;
  m.def<ops::scaled_dot_product_attention_base>().def<ops::_scaled_dot_product_attention_math_base>();
  m.impl<ops::scaled_dot_product_attention_base, &k::scaled_dot_product_attention>()
      .impl<ops::_scaled_dot_product_attention_math_base, &k::math>();
  m.def<ops::_fused_sdp_choice_base>();
  m.impl<ops::_fused_sdp_choice_base, &k::fused_choice>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::composite
