// Triangles of a mask.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/nn/dynamic/attention_bias.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/linalg.hpp>

namespace tenon::nn::attention {

namespace detail {
TENON_BODY Tensor causal_triangle(const char* name, std::int64_t queries, std::int64_t keys, std::int64_t diagonal,
                                  Device device) {
  TENON_CHECK(queries >= 0 && keys >= 0, ValueError, name, "(): expected lengths of at least 0, got ", queries, " and ",
              keys);
  return ops::tril(ops::ones({queries, keys}, "dtype"_a = kBool, "device"_a = device), diagonal);
}
}  // namespace detail

TENON_BODY Tensor causal_upper_left(std::int64_t seq_len_q, std::int64_t seq_len_kv, Device device) {
  return detail::causal_triangle("causal_upper_left", seq_len_q, seq_len_kv, 0, device);
}
TENON_BODY Tensor causal_lower_right(std::int64_t seq_len_q, std::int64_t seq_len_kv, Device device) {
  Tensor mask = detail::causal_triangle("causal_lower_right", seq_len_q, seq_len_kv, seq_len_kv - seq_len_q, device);
  if (seq_len_q > seq_len_kv)
    warn("causal_lower_right(): the first ", seq_len_q - seq_len_kv, " of ", seq_len_q,
         " queries see no key, and attention gives zeros for them");
  return mask;
}

}  // namespace tenon::nn::attention
