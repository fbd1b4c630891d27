// Scaled dot product attention that keeps the logarithm of the sums of its weights in place of the weights.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/attention.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/flash_attention.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace attention {

inline void check_flash(const Tensor& q, const Tensor& k, const Tensor& v, double dropout, const OptionalTensor& mask) {
  constexpr const char* name = "scaled_dot_product_attention_flash_attention: ";
  TENON_CHECK(is_floating_type(q.dtype()) && has_arithmetic(q.dtype()), TypeError, name,
              "Expected data type in FP32, FP64, BF16, FP16, but got ", enumerator_name(q.dtype()), " instead.");
  TENON_CHECK(q.dtype() == k.dtype() && q.dtype() == v.dtype(), TypeError, name,
              "Expected query, key, and value to have the same dtype, but got ", q.dtype(), ", ", k.dtype(), " and ",
              v.dtype());
  TENON_CHECK(q.dim() == 4 && k.dim() == 4 && v.dim() == 4, ValueError, name,
              "Accept only 4 dims inputs shape of {B, H, T, K}");
  TENON_CHECK(dropout == 0, ValueError, name, "Currently do not support dropout > 0");
  TENON_CHECK(q.sym_size(3) == v.sym_size(3) && k.sym_size(3) == v.sym_size(3), ValueError, name,
              "Q/K/V should have the same head size");
  if (!is_given(mask)) return;
  TENON_CHECK(mask->dtype() == kFloat || mask->dtype() == q.dtype(), TypeError, name,
              "Attention mask is the same data type as query");
  TENON_CHECK(mask->dim() == 2 || mask->dim() == 4, ValueError, name, "Attention mask dim in {2, 4}");
}
/// 16-bit floats are computed as float.
inline Tensor widened(const Tensor& t) { return is_reduced_floating_type(t.dtype()) ? Tensor(ops::to(t, kFloat)) : t; }
inline Tensor scores_of(const Tensor& q, const Tensor& k, const OptionalTensor& mask, bool is_causal, double factor) {
  Tensor scores = ops::mul(ops::matmul(q, ops::transpose(k, -2, -1)), Scalar(factor));
  if (is_causal) scores = ops::add(scores, later_mask(q, k));
  return is_given(mask) ? Tensor(ops::add(scores, as_number_mask(*mask, q))) : scores;
}
/// The sum of the gradients of as many heads as use one head of the keys.
inline Tensor summed_heads(const Tensor& grad, const Tensor& like) {
  const SymInt &heads = grad.sym_size(1), &kept = like.sym_size(1);
  if (heads == kept) return grad;
  SymInt shape[] = {grad.sym_size(0), kept, heads / kept, grad.sym_size(2), grad.sym_size(3)};
  return ops::sum(ops::reshape(grad, SymIntArrayRef(shape, 5)), {2});
}
inline std::tuple<Tensor, Tensor> flash_forward(const Tensor& query, const Tensor& key, const Tensor& value,
                                                double dropout, bool is_causal, const OptionalTensor& mask,
                                                std::optional<double> scale) {
  check_flash(query, key, value, dropout, mask);
  const Tensor q = widened(query), k = repeated_heads(widened(key), query.sym_size(1)),
               v = repeated_heads(widened(value), query.sym_size(1));
  Tensor scores = scores_of(q, k, mask, is_causal, factor_of(query, scale));
  // A row that is masked as a whole attends to nothing; its sum is 1.
  Tensor hidden = ops::all(ops::eq(scores, Scalar(-std::numeric_limits<double>::infinity())), -1);
  Tensor sums = ops::masked_fill(ops::logsumexp(scores, {-1}), hidden, 0);
  Tensor weights = ops::exp(ops::sub(scores, ops::unsqueeze(sums, -1)));
  // In memory a step's heads lie side by side.
  return {Tensor(ops::to(ops::matmul(weights, v), query.dtype())),
          ops::transpose(ops::contiguous(ops::transpose(sums, 1, 2)), 1, 2)};
}
inline std::tuple<Tensor, Tensor, Tensor> flash_backward(const Tensor& grad_out, const Tensor& query, const Tensor& key,
                                                         const Tensor& value, const Tensor& out,
                                                         const Tensor& logsumexp, double dropout, bool is_causal,
                                                         const OptionalTensor& mask, std::optional<double> scale) {
  check_flash(query, key, value, dropout, mask);
  const double factor = factor_of(query, scale);
  const Tensor q = widened(query), k = repeated_heads(widened(key), query.sym_size(1)),
               v = repeated_heads(widened(value), query.sym_size(1)), d = widened(grad_out);
  Tensor weights = ops::exp(ops::sub(scores_of(q, k, mask, is_causal, factor), ops::unsqueeze(logsumexp, -1)));
  Tensor along = ops::sum(ops::mul(d, widened(out)), {-1}, true);
  Tensor inner =
      ops::mul(ops::mul(weights, ops::sub(ops::matmul(d, ops::transpose(v, -2, -1)), along)), Scalar(factor));
  // In memory a step's heads lie side by side.
  auto back = [&](const Tensor& t) {
    return ops::transpose(ops::contiguous(ops::transpose(ops::to(t, query.dtype()), 1, 2)), 1, 2);
  };
  return {back(ops::matmul(inner, k)), back(summed_heads(ops::matmul(ops::transpose(inner, -2, -1), q), key)),
          back(summed_heads(ops::matmul(ops::transpose(weights, -2, -1), d), value))};
}
/// Queries, keys and values of `heads` heads from rows that hold all three, with biases added and queries rescaled.
inline std::tuple<Tensor, Tensor, Tensor> queries_keys_values(const Tensor& qkv, const Tensor& bias,
                                                              std::int64_t heads) {
  TENON_CHECK(qkv.dim() == 3, ValueError, "expected 3D `qkv`, got ", qkv.dim(), "D tensor");
  TENON_CHECK(bias.dim() == 1, ValueError, "expected 1D `qkv_bias`, got ", bias.dim(), "D tensor");
  const SymInt &width = bias.sym_size(0), inner = width / 3;
  TENON_CHECK(width == qkv.sym_size(2) && width % 3 == 0, ValueError,
              "expected `qkv_bias` first dim and `qkv` last dim ", "to be equal, and a multiple of 3, got ", width,
              " and ", qkv.sym_size(2));
  TENON_CHECK(heads > 0 && inner % heads == 0, ValueError, "expected a number of heads that divides ", inner, ", got ",
              heads);
  SymInt shape[] = {qkv.sym_size(0), qkv.sym_size(1), SymInt(3), SymInt(heads), inner / heads};
  Tensor apart =
      ops::permute(ops::view(ops::contiguous(ops::add(qkv, bias)), SymIntArrayRef(shape, 5)), {2, 0, 3, 1, 4});
  auto part = [&](std::int64_t i) { return Tensor(ops::contiguous(ops::select(apart, 0, i))); };
  const double root = std::sqrt(static_cast<double>((inner / heads).guard_int(__FILE__, __LINE__)));
  return {ops::div(part(0), Scalar(root)), part(1), part(2)};
}

}  // namespace attention

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = attention;
  constexpr auto all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_scaled_dot_product_flash_attention_for_cpu_base>();
  m.def<ops::_scaled_dot_product_flash_attention_for_cpu_backward_base>();
  m.impl<ops::_scaled_dot_product_flash_attention_for_cpu_base, &k::flash_forward>(all);
  m.impl<ops::_scaled_dot_product_flash_attention_for_cpu_backward_base, &k::flash_backward>(all);
  define_forms(m, ops::_transform_bias_rescale_qkv_base);
  m.impl<ops::_transform_bias_rescale_qkv_base, &k::queries_keys_values>(all);
  implement_out_by_copy<ops::_transform_bias_rescale_qkv_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(_scaled_dot_product_flash_attention_for_cpu_base,
                 TENON_WRT((query, key, value),
                           (grad, query, key, value, output, logsumexp, dropout_p, is_causal, attn_mask, scale),
                           _scaled_dot_product_flash_attention_for_cpu_backward(grad, query, key, value, output,
                                                                                logsumexp, dropout_p, is_causal,
                                                                                attn_mask, scale)));

}  // namespace tenon::ops
