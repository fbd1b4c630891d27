// The methods of Tensor that are operators, written by `./dev lists` from the declarations that say `with_method` or
// `method_only`. A method's body is the operator's overload set, whose header the caller includes; without it the
// compiler reports an incomplete `NAME_function`.
#pragma once

// clang-format off
#define TENON_FOR_EACH_METHOD(X) X(__and__) X(__iand__) X(__ilshift__) X(__ior__) X(__irshift__) X(__ixor__) X(__lshift__) \
  X(__or__) X(__rshift__) X(__xor__) X(_addmm_activation) X(_autocast_to_full_precision) X(_autocast_to_reduced_precision) \
  X(_backward) X(_conj) X(_conj_physical) X(_is_all_true) X(_is_any_true) X(_lazy_clone) X(_neg_view) X(_philox_normal_) \
  X(_philox_randint_) X(_philox_uniform_) X(_reshape_alias) X(_version) X(abs) X(abs_) X(absolute) X(absolute_) X(acos) \
  X(acos_) X(acosh) X(acosh_) X(add) X(add_) X(addbmm) X(addbmm_) X(addcdiv) X(addcdiv_) X(addcmul) X(addcmul_) X(addmm) \
  X(addmm_) X(addmv) X(addmv_) X(addr) X(addr_) X(adjoint) X(alias) X(all) X(allclose) X(amax) X(amin) X(aminmax) X(angle) \
  X(any) X(arccos) X(arccos_) X(arccosh) X(arccosh_) X(arcsin) X(arcsin_) X(arcsinh) X(arcsinh_) X(arctan) X(arctan2) \
  X(arctan2_) X(arctan_) X(arctanh) X(arctanh_) X(argmax) X(argmin) X(argsort) X(argwhere) X(as_strided) X(as_strided_) \
  X(as_strided_scatter) X(asin) X(asin_) X(asinh) X(asinh_) X(atan) X(atan2) X(atan2_) X(atan_) X(atanh) X(atanh_) X(baddbmm) \
  X(baddbmm_) X(bernoulli) X(bernoulli_) X(bincount) X(bitwise_and) X(bitwise_and_) X(bitwise_left_shift) \
  X(bitwise_left_shift_) X(bitwise_not) X(bitwise_not_) X(bitwise_or) X(bitwise_or_) X(bitwise_right_shift) \
  X(bitwise_right_shift_) X(bitwise_xor) X(bitwise_xor_) X(bmm) X(broadcast_to) X(cauchy_) X(ceil) X(ceil_) X(chalf) \
  X(cholesky_inverse) X(cholesky_solve) X(chunk) X(clamp) X(clamp_) X(clamp_max) X(clamp_max_) X(clamp_min) X(clamp_min_) \
  X(clip) X(clip_) X(clone) X(conj) X(conj_physical) X(conj_physical_) X(copy_) X(copysign) X(copysign_) X(corrcoef) X(cos) \
  X(cos_) X(cosh) X(cosh_) X(count_nonzero) X(cov) X(cross) X(cummax) X(cummin) X(cumprod) X(cumprod_) X(cumsum) X(cumsum_) \
  X(deg2rad) X(deg2rad_) X(dense_dim) X(dequantize) X(det) X(detach) X(detach_) X(diag) X(diag_embed) X(diagflat) X(diagonal) \
  X(diagonal_scatter) X(diff) X(digamma) X(digamma_) X(dist) X(div) X(div_) X(divide) X(divide_) X(dot) X(dsplit) X(eq) X(eq_) \
  X(equal) X(erf) X(erf_) X(erfc) X(erfc_) X(erfinv) X(erfinv_) X(exp) X(exp2) X(exp2_) X(exp_) X(expand) X(expand_as) \
  X(expm1) X(expm1_) X(exponential_) X(fill_) X(fill_diagonal_) X(fix) X(fix_) X(flatten) X(flip) X(fliplr) X(flipud) \
  X(float_power) X(float_power_) X(floor) X(floor_) X(floor_divide) X(floor_divide_) X(fmax) X(fmin) X(fmod) X(fmod_) X(frac) \
  X(frac_) X(frexp) X(gather) X(gcd) X(gcd_) X(ge) X(ge_) X(geometric_) X(geqrf) X(ger) X(greater) X(greater_) \
  X(greater_equal) X(greater_equal_) X(gt) X(gt_) X(hardshrink) X(hash_tensor) X(heaviside) X(heaviside_) X(histc) \
  X(histogram) X(hsplit) X(hypot) X(hypot_) X(i0) X(i0_) X(igamma) X(igamma_) X(igammac) X(igammac_) X(index_add) \
  X(index_add_) X(index_copy) X(index_copy_) X(index_fill) X(index_fill_) X(index_put) X(index_reduce) X(index_reduce_) \
  X(index_select) X(inner) X(inverse) X(is_distributed) X(is_nonzero) X(is_pinned) X(is_same_size) X(is_set_to) X(is_signed) \
  X(isclose) X(isfinite) X(isinf) X(isnan) X(isneginf) X(isposinf) X(isreal) X(istft) X(kron) X(kthvalue) X(lcm) X(lcm_) \
  X(ldexp) X(ldexp_) X(le) X(le_) X(lerp) X(lerp_) X(less) X(less_) X(less_equal) X(less_equal_) X(lgamma) X(lgamma_) X(log) \
  X(log10) X(log10_) X(log1p) X(log1p_) X(log2) X(log2_) X(log_) X(log_normal_) X(log_softmax) X(logaddexp) X(logaddexp2) \
  X(logcumsumexp) X(logdet) X(logical_and) X(logical_and_) X(logical_not) X(logical_not_) X(logical_or) X(logical_or_) \
  X(logical_xor) X(logical_xor_) X(logit) X(logit_) X(logsumexp) X(lt) X(lt_) X(lu_solve) X(mH) X(mT) X(masked_fill) \
  X(masked_fill_) X(masked_scatter) X(masked_scatter_) X(masked_select) X(matmul) X(matrix_H) X(matrix_exp) X(matrix_power) \
  X(max) X(maximum) X(mean) X(median) X(min) X(minimum) X(mm) X(mode) X(moveaxis) X(movedim) X(msort) X(mul) X(mul_) \
  X(multinomial) X(multiply) X(multiply_) X(mv) X(mvlgamma) X(mvlgamma_) X(nan_to_num) X(nan_to_num_) X(nanmean) X(nanmedian) \
  X(nanquantile) X(nansum) X(narrow) X(narrow_copy) X(ne) X(ne_) X(neg) X(neg_) X(negative) X(negative_) X(new_empty) \
  X(new_empty_strided) X(new_full) X(new_ones) X(new_zeros) X(nextafter) X(nextafter_) X(nonzero) X(nonzero_numpy) \
  X(nonzero_static) X(norm) X(normal_) X(not_equal) X(not_equal_) X(numpy_T) X(orgqr) X(ormqr) X(outer) X(output_nr) \
  X(permute) X(pin_memory) X(pinverse) X(polygamma_) X(positive) X(pow) X(pow_) X(prelu) X(prod) X(put) X(put_) X(quantile) \
  X(rad2deg) X(rad2deg_) X(random_) X(ravel) X(reciprocal) X(reciprocal_) X(record_stream) X(relu) X(relu_) X(remainder) \
  X(remainder_) X(renorm) X(renorm_) X(repeat) X(repeat_interleave) X(reshape) X(reshape_as) X(resize_) X(resize_as_) \
  X(resolve_conj) X(resolve_neg) X(roll) X(rot90) X(round) X(round_) X(rsqrt) X(rsqrt_) X(scatter) X(scatter_) X(scatter_add) \
  X(scatter_add_) X(scatter_reduce) X(scatter_reduce_) X(select) X(select_scatter) X(set_) X(set_data) X(sgn) X(sgn_) \
  X(sigmoid) X(sigmoid_) X(sign) X(sign_) X(signbit) X(sin) X(sin_) X(sinc) X(sinc_) X(sinh) X(sinh_) X(slice) \
  X(slice_inverse) X(slice_scatter) X(slogdet) X(softmax) X(sort) X(sparse_dim) X(split) X(split_with_sizes) X(sqrt) X(sqrt_) \
  X(square) X(square_) X(squeeze) X(squeeze_) X(std) X(stft) X(sub) X(sub_) X(subtract) X(subtract_) X(sum) X(sum_to_size) \
  X(svd) X(swapaxes) X(swapaxes_) X(swapdims) X(swapdims_) X(t) X(t_) X(take) X(take_along_dim) X(tan) X(tan_) X(tanh) \
  X(tanh_) X(tensor_split) X(tile) X(to) X(to_dense) X(topk) X(trace) X(transpose) X(transpose_) X(triangular_solve) X(tril) \
  X(tril_) X(triu) X(triu_) X(true_divide) X(true_divide_) X(trunc) X(trunc_) X(type_as) X(unbind) X(unflatten) X(unfold) \
  X(uniform_) X(unique) X(unique_consecutive) X(unsafe_chunk) X(unsafe_split) X(unsafe_split_with_sizes) X(unsqueeze) \
  X(unsqueeze_) X(var) X(vdot) X(view) X(view_as) X(vsplit) X(xlogy) X(xlogy_) X(zero_)
// Those that take a list of integers next, `x.sum({0, 1})`.
#define TENON_FOR_EACH_METHOD_OF_LIST(X) X(_reshape_alias) X(all) X(amax) X(amin) X(any) X(as_strided) X(as_strided_) \
  X(broadcast_to) X(count_nonzero) X(dsplit) X(expand) X(flip) X(hash_tensor) X(hsplit) X(logsumexp) X(mean) X(moveaxis) \
  X(movedim) X(nanmean) X(nansum) X(new_empty) X(new_empty_strided) X(new_full) X(new_ones) X(new_zeros) X(permute) X(repeat) \
  X(reshape) X(resize_) X(roll) X(split) X(split_with_sizes) X(squeeze) X(squeeze_) X(std) X(sum) X(sum_to_size) \
  X(tensor_split) X(tile) X(unsafe_split_with_sizes) X(var) X(view) X(vsplit)
// Of functions that take `self` behind their first argument: `x.where(condition, other)`.
#define TENON_FOR_EACH_METHOD_SELF_SECOND(X) X(hardshrink_backward) X(polygamma) X(where)
// clang-format on
