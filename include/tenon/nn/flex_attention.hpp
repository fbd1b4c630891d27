// Attention whose scores and masks are functions of one's own: torch.nn.attention.flex_attention.
#pragma once
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>

#include <tenon/tensor/tensor.hpp>

namespace tenon::nn::attention {

struct FlexAttentionOptions {
  Tensor block_mask = {};            ///< of bool, as create_mask() makes it: what takes part
  std::optional<double> scale = {};  ///< one by the square root of the width if left out
  bool enable_gqa = false;           ///< fewer heads of keys and values, each for several of the queries
};
/// `lse`: the logarithm of the sum of each row's exponentials; `max_scores`: the greatest of each row.
/// Shapes: output (B, Hq, L, Ev), the others (B, Hq, L).
struct FlexAttentionResult {
  Tensor output, lse, max_scores;
};

/// A mask of which everything takes part.
Tensor noop_mask(const Tensor& b, const Tensor& h, const Tensor& q_idx, const Tensor& kv_idx);

namespace detail {

/// Numbers of examples, heads, queries and keys, of shapes that together are those of the scores.
struct Places {
  Tensor b, h, q, kv;
};
Places places(std::int64_t batch, std::int64_t heads, std::int64_t queries, std::int64_t keys, Device device);
Places places_of(const Tensor& scores);
Tensor whole_mask(const Tensor& mask, const Places& p);
/// What a function of scores hides of zeros.
Tensor zero_scores(const Places& p);
Tensor shown(const Tensor& scores);
Tensor both(const Tensor& a, const Tensor& b);
/// Where a mask is false.
Tensor hidden(const Tensor& mask);
/// Checks the arguments, and multiplies queries and keys.
Tensor scores_of(const Tensor& query, const Tensor& key, const Tensor& value, const FlexAttentionOptions& o);
FlexAttentionResult weigh(const Tensor& scores, const Tensor& query, const Tensor& value, const FlexAttentionOptions& o,
                          bool with_aux);

template <class F>
concept score_mod =
    std::is_invocable_r_v<Tensor, const F&, const Tensor&, const Tensor&, const Tensor&, const Tensor&, const Tensor&>;
template <class F>
concept mask_mod = std::is_invocable_r_v<Tensor, const F&, const Tensor&, const Tensor&, const Tensor&, const Tensor&>;
template <class F>
FlexAttentionResult flex(const Tensor& query, const Tensor& key, const Tensor& value, const F& mod,
                         const FlexAttentionOptions& o, bool with_aux) {
  Tensor scores = scores_of(query, key, value, o);
  Places p = places_of(scores);
  return weigh(mod(scores, p.b, p.h, p.q, p.kv), query, value, o, with_aux);
}

}  // namespace detail

/// softmax(score_mod(query @ key.T * scale, b, h, q_idx, kv_idx)) @ value, where `block_mask` lets it.
/// `score_mod` is called once for all scores: they have shape (B, Hq, L, S), the numbers of example, head, query and
/// key, of int64, (B, 1, 1, 1), (1, Hq, 1, 1), (1, 1, L, 1) and (1, 1, 1, S), so that arithmetic and indexing by them
/// read as of one score: `score - slope.index({h}) * (q_idx - kv_idx)`. Gradients go through tensors that it holds.
/// Shapes: query (B, Hq, L, E), key (B or 1, Hkv, S, E), value (B or 1, Hkv, S, Ev); the result (B, Hq, L, Ev); rows of
/// which nothing takes part are zeros. Dtypes: scores are float32, or float64 as the query.
/// Errors: ValueError for shapes that do not fit. Cost: all scores are computed and kept, no block is left out.
/// Source: torch.nn.attention.flex_attention.flex_attention of PyTorch 2.15, as it runs without compilation.
template <detail::score_mod F>
Tensor flex_attention(const Tensor& query, const Tensor& key, const Tensor& value, const F& score_mod,
                      const FlexAttentionOptions& o = {}) {
  return detail::flex(query, key, value, score_mod, o, false).output;
}
Tensor flex_attention(const Tensor& query, const Tensor& key, const Tensor& value, const FlexAttentionOptions& o = {});
/// The same with what PyTorch's `return_aux` gives.
template <detail::score_mod F>
FlexAttentionResult flex_attention_with_aux(const Tensor& query, const Tensor& key, const Tensor& value,
                                            const F& score_mod, const FlexAttentionOptions& o = {}) {
  return detail::flex(query, key, value, score_mod, o, true);
}

/// The mask of a function `mod(b, h, q_idx, kv_idx)` that tells of numbers, as flex_attention() gives them, which take
/// part; or of one as `score_mod`, what it does not make minus infinity. Without B or H it is that of all examples or
/// heads. Shape: (B or 1, H or 1, Q_LEN, KV_LEN).
/// Source: torch.nn.attention.flex_attention.create_mask of PyTorch 2.15.
template <class F>
  requires(detail::mask_mod<F> || detail::score_mod<F>)
Tensor create_mask(const F& mod, std::optional<std::int64_t> batch, std::optional<std::int64_t> heads,
                   std::int64_t q_len, std::int64_t kv_len, Device device = kCPU) {
  detail::Places p = detail::places(batch.value_or(1), heads.value_or(1), q_len, kv_len, device);
  if constexpr (detail::mask_mod<F>)
    return detail::whole_mask(mod(p.b, p.h, p.q, p.kv), p);
  else
    return detail::whole_mask(detail::shown(mod(detail::zero_scores(p), p.b, p.h, p.q, p.kv)), p);
}

/// A function for create_mask(): what all of these let take part, or any of them.
template <detail::mask_mod... F>
auto and_masks(F... mods) {
  return [... mods = std::move(mods)](const Tensor& b, const Tensor& h, const Tensor& q_idx, const Tensor& kv_idx) {
    Tensor all = noop_mask(b, h, q_idx, kv_idx);
    ((all = detail::both(all, mods(b, h, q_idx, kv_idx))), ...);
    return all;
  };
}
template <detail::mask_mod... F>
auto or_masks(F... mods) {
  return [... mods = std::move(mods)](const Tensor& b, const Tensor& h, const Tensor& q_idx, const Tensor& kv_idx) {
    Tensor none = noop_mask(b, h, q_idx, kv_idx);
    ((none = detail::both(none, detail::hidden(mods(b, h, q_idx, kv_idx)))), ...);
    return detail::hidden(none);
  };
}

}  // namespace tenon::nn::attention
