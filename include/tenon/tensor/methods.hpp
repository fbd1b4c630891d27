// The names of the operators that are also methods of Tensor. A method's body is the operator's overload set,
// whose header the caller includes; without it the compiler reports an incomplete `NAME_function`.
#pragma once

// clang-format off
#define TENON_FOR_EACH_METHOD(X)                                                                                                  \
  X(abs) X(abs_) X(absolute) X(acos) X(acos_) X(acosh) X(add) X(add_) X(addbmm) X(addcdiv) X(addcdiv_) X(addcmul) X(addcmul_)     \
  X(addmm) X(addmm_) X(addmv) X(addr) X(alias) X(all) X(allclose) X(amax) X(amin) X(aminmax) X(angle) X(any) X(argmax) X(argmin)  \
  X(argsort) X(as_strided) X(as_strided_) X(asin) X(asin_) X(asinh) X(atan) X(atan2) X(atan_) X(atanh) X(baddbmm) X(bernoulli_)   \
  X(bitwise_and) X(bitwise_not) X(bitwise_or) X(bitwise_xor) X(bmm) X(broadcast_to) X(ceil) X(ceil_) X(chunk) X(clamp) X(clamp_)  \
  X(clamp_max) X(clamp_max_) X(clamp_min) X(clamp_min_) X(clone) X(conj) X(copy_) X(copysign) X(cos) X(cos_)        \
  X(cosh) X(count_nonzero) X(cross) X(cummax) X(cummin) X(cumprod) X(cumsum) X(detach) X(detach_) X(diag) X(diag_embed)           \
  X(diagonal) X(diff) X(digamma) X(dist) X(div) X(div_) X(divide) X(dot) X(eq) X(eq_) X(equal) X(erf) X(erf_) X(erfc) X(erfinv)   \
  X(exp) X(exp2) X(exp_) X(expand) X(expand_as) X(expm1) X(fill_) X(flatten) X(flip) X(floor) X(floor_) X(floor_divide) X(fmax)   \
  X(fmin) X(fmod) X(frac) X(gather) X(ge) X(ge_) X(gt) X(gt_) X(hypot) X(imag) X(index_add) X(index_add_) X(index_copy)  \
  X(index_fill) X(index_select) X(inner) X(isclose) X(isfinite) X(isinf) X(isnan) X(kthvalue) X(le) X(le_) X(lerp)  \
  X(lerp_) X(lgamma) X(log) X(log10) X(log1p) X(log2) X(log_) X(log_softmax) X(logaddexp) X(logical_and) X(logical_not)           \
  X(logical_or) X(logical_xor) X(logit) X(logsumexp) X(lt) X(lt_) X(masked_fill) X(masked_fill_) X(masked_select) X(matmul)       \
  X(max) X(maximum) X(mean) X(median) X(min) X(minimum) X(mm) X(movedim) X(mul) X(mul_) X(multiply) X(mv) X(nan_to_num) X(nansum) \
  X(narrow) X(ne) X(ne_) X(neg) X(neg_) X(negative) X(new_empty) X(new_full) X(new_ones) X(new_zeros) X(nonzero) X(norm)          \
  X(normal_) X(outer) X(permute) X(pow) X(pow_) X(prod) X(quantile) X(random_) X(ravel) X(real) X(reciprocal) X(reciprocal_)      \
  X(relu) X(relu_) X(remainder) X(repeat) X(repeat_interleave) X(reshape) X(reshape_as) X(resize_) X(roll) X(round) X(round_)     \
  X(rsqrt) X(rsqrt_) X(scatter) X(scatter_) X(scatter_add) X(scatter_add_) X(select) X(sgn) X(sigmoid) X(sigmoid_) X(sign)        \
  X(sin) X(sin_) X(sinh) X(slice) X(softmax) X(sort) X(split) X(split_with_sizes) X(sqrt) X(sqrt_) X(square) X(squeeze)           \
  X(squeeze_) X(std) X(sub) X(sub_) X(subtract) X(sum) X(sum_to_size) X(t) X(t_) X(take) X(tan) X(tanh) X(tanh_) X(tensor_split)  \
  X(tile) X(to) X(topk) X(trace) X(transpose) X(transpose_) X(tril) X(triu) X(true_divide) X(trunc) X(type_as) X(unbind)          \
  X(unflatten) X(unfold) X(uniform_) X(unsqueeze) X(unsqueeze_) X(var) X(vdot) X(view) X(view_as) X(where) X(xlogy) X(zero_)
// clang-format on
