// The methods of Tensor that are operators, written by `./dev lists` from the declarations that say `with_method` or
// `method_only`. A method's body is the operator's overload set, whose header the caller includes; without it the
// compiler reports an incomplete `ops::HEADER_family::NAME_function`.
#pragma once

// clang-format off
#define TENON_INTERNAL_METHOD_0(X) \
  X(__and__) X(__iand__) X(__ilshift__) X(__ior__) X(__irshift__) X(__ixor__) X(__lshift__) X(__or__) X(__rshift__) X(__xor__) \
  X(_addmm_activation) X(_autocast_to_full_precision) X(_autocast_to_reduced_precision) X(_backward) X(_conj) \
  X(_conj_physical) X(_is_all_true) X(_is_any_true) X(_lazy_clone) X(_neg_view) X(_philox_normal_) X(_philox_randint_) \
  X(_philox_uniform_) X(_reshape_alias) X(_version) X(abs) X(abs_) X(absolute) X(absolute_) X(acos) X(acos_) X(acosh) \
  X(acosh_) X(add) X(add_) X(addbmm) X(addbmm_) X(addcdiv) X(addcdiv_) X(addcmul) X(addcmul_) X(addmm) X(addmm_) X(addmv) \
  X(addmv_) X(addr) X(addr_) X(adjoint) X(alias) X(all) X(allclose) X(amax) X(amin) X(aminmax) X(angle) X(any) X(arccos) \
  X(arccos_) X(arccosh) X(arccosh_) X(arcsin) X(arcsin_) X(arcsinh) X(arcsinh_) X(arctan) X(arctan2) X(arctan2_) X(arctan_) \
  X(arctanh) X(arctanh_) X(argmax) X(argmin) X(argsort) X(argwhere) X(as_strided) X(as_strided_) X(as_strided_scatter) X(asin) \
  X(asin_) X(asinh) X(asinh_) X(atan) X(atan2) X(atan2_) X(atan_) X(atanh) X(atanh_) X(baddbmm) X(baddbmm_) X(bernoulli) \
  X(bernoulli_) X(bincount) X(bitwise_and) X(bitwise_and_) X(bitwise_left_shift) X(bitwise_left_shift_) X(bitwise_not) \
  X(bitwise_not_) X(bitwise_or) X(bitwise_or_) X(bitwise_right_shift) X(bitwise_right_shift_) X(bitwise_xor) X(bitwise_xor_) \
  X(bmm) X(broadcast_to) X(cauchy_) X(ceil) X(ceil_) X(chalf) X(cholesky_inverse) X(cholesky_solve) X(chunk) X(clamp) \
  X(clamp_) X(clamp_max) X(clamp_max_) X(clamp_min) X(clamp_min_) X(clip) X(clip_) X(clone) X(conj) X(conj_physical) \
  X(conj_physical_) X(copy_) X(copysign) X(copysign_) X(corrcoef) X(cos) X(cos_) X(cosh) X(cosh_) X(count_nonzero) X(cov) \
  X(cross) X(cummax) X(cummin) X(cumprod) X(cumprod_) X(cumsum) X(cumsum_) X(deg2rad) X(deg2rad_) X(dense_dim) X(dequantize) \
  X(det) X(detach) X(detach_) X(diag) X(diag_embed) X(diagflat) X(diagonal) X(diagonal_scatter) X(diff) X(digamma) X(digamma_) \
  X(dist) X(div) X(div_) X(divide) X(divide_) X(dot) X(dsplit) X(eq) X(eq_) X(equal) X(erf) X(erf_) X(erfc) X(erfc_) X(erfinv) \
  X(erfinv_) X(exp) X(exp2) X(exp2_) X(exp_) X(expand) X(expand_as) X(expm1) X(expm1_) X(exponential_) X(fill_) \
  X(fill_diagonal_) X(fix) X(fix_) X(flatten) X(flip) X(fliplr) X(flipud) X(float_power) X(float_power_) X(floor) X(floor_) \
  X(floor_divide) X(floor_divide_) X(fmax) X(fmin) X(fmod) X(fmod_) X(frac) X(frac_) X(frexp) X(gather) X(gcd) X(gcd_) X(ge) \
  X(ge_) X(geometric_) X(geqrf) X(ger) X(greater) X(greater_) X(greater_equal) X(greater_equal_) X(gt) X(gt_) X(hardshrink) \
  X(hash_tensor) X(heaviside) X(heaviside_) X(histc) X(histogram) X(hsplit) X(hypot) X(hypot_) X(i0) X(i0_) X(igamma) \
  X(igamma_) X(igammac) X(igammac_) X(index_add) X(index_add_) X(index_copy) X(index_copy_) X(index_fill) X(index_fill_) \
  X(index_put) X(index_reduce) X(index_reduce_) X(index_select) X(inner) X(inverse) X(is_distributed) X(is_nonzero)
#define TENON_INTERNAL_METHOD_1(X) \
  X(is_pinned) X(is_same_size) X(is_set_to) X(is_signed) X(isclose) X(isfinite) X(isinf) X(isnan) X(isneginf) X(isposinf) \
  X(isreal) X(istft) X(kron) X(kthvalue) X(lcm) X(lcm_) X(ldexp) X(ldexp_) X(le) X(le_) X(lerp) X(lerp_) X(less) X(less_) \
  X(less_equal) X(less_equal_) X(lgamma) X(lgamma_) X(log) X(log10) X(log10_) X(log1p) X(log1p_) X(log2) X(log2_) X(log_) \
  X(log_normal_) X(log_softmax) X(logaddexp) X(logaddexp2) X(logcumsumexp) X(logdet) X(logical_and) X(logical_and_) \
  X(logical_not) X(logical_not_) X(logical_or) X(logical_or_) X(logical_xor) X(logical_xor_) X(logit) X(logit_) X(logsumexp) \
  X(lt) X(lt_) X(lu_solve) X(mH) X(mT) X(masked_fill) X(masked_fill_) X(masked_scatter) X(masked_scatter_) X(masked_select) \
  X(matmul) X(matrix_H) X(matrix_exp) X(matrix_power) X(max) X(maximum) X(mean) X(median) X(min) X(minimum) X(mm) X(mode) \
  X(moveaxis) X(movedim) X(msort) X(mul) X(mul_) X(multinomial) X(multiply) X(multiply_) X(mv) X(mvlgamma) X(mvlgamma_) \
  X(nan_to_num) X(nan_to_num_) X(nanmean) X(nanmedian) X(nanquantile) X(nansum) X(narrow) X(narrow_copy) X(ne) X(ne_) X(neg) \
  X(neg_) X(negative) X(negative_) X(new_empty) X(new_empty_strided) X(new_full) X(new_ones) X(new_zeros) X(nextafter) \
  X(nextafter_) X(nonzero) X(nonzero_numpy) X(nonzero_static) X(norm) X(normal_) X(not_equal) X(not_equal_) X(numpy_T) \
  X(orgqr) X(ormqr) X(outer) X(output_nr) X(permute) X(pin_memory) X(pinverse) X(polygamma_) X(positive) X(pow) X(pow_) \
  X(prelu) X(prod) X(put) X(put_) X(quantile) X(rad2deg) X(rad2deg_) X(random_) X(ravel) X(reciprocal) X(reciprocal_) \
  X(record_stream) X(relu) X(relu_) X(remainder) X(remainder_) X(renorm) X(renorm_) X(repeat) X(repeat_interleave) X(reshape) \
  X(reshape_as) X(resize_) X(resize_as_) X(resolve_conj) X(resolve_neg) X(roll) X(rot90) X(round) X(round_) X(rsqrt) X(rsqrt_) \
  X(scatter) X(scatter_) X(scatter_add) X(scatter_add_) X(scatter_reduce) X(scatter_reduce_) X(select) X(select_scatter) \
  X(set_) X(set_data) X(sgn) X(sgn_) X(sigmoid) X(sigmoid_) X(sign) X(sign_) X(signbit) X(sin) X(sin_) X(sinc) X(sinc_) \
  X(sinh) X(sinh_) X(slice) X(slice_inverse) X(slice_scatter) X(slogdet) X(softmax) X(sort) X(sparse_dim) X(split) \
  X(split_with_sizes) X(sqrt) X(sqrt_) X(square) X(square_) X(squeeze) X(squeeze_) X(std) X(stft) X(sub) X(sub_) X(subtract) \
  X(subtract_) X(sum) X(sum_to_size) X(svd) X(swapaxes) X(swapaxes_) X(swapdims) X(swapdims_) X(t) X(t_) X(take) \
  X(take_along_dim) X(tan) X(tan_) X(tanh) X(tanh_) X(tensor_split) X(tile) X(to) X(to_dense) X(topk) X(trace) X(transpose) \
  X(transpose_) X(triangular_solve) X(tril) X(tril_) X(triu) X(triu_) X(true_divide) X(true_divide_) X(trunc) X(trunc_) \
  X(type_as) X(unbind) X(unflatten) X(unfold) X(uniform_) X(unique) X(unique_consecutive) X(unsafe_chunk) X(unsafe_split) \
  X(unsafe_split_with_sizes) X(unsqueeze) X(unsqueeze_) X(var) X(vdot) X(view) X(view_as) X(vsplit) X(xlogy) X(xlogy_)
#define TENON_INTERNAL_METHOD_2(X) \
  X(zero_)
#define TENON_FOR_EACH_METHOD(X) TENON_INTERNAL_METHOD_0(X) TENON_INTERNAL_METHOD_1(X) TENON_INTERNAL_METHOD_2(X)
// Those that take a list of integers next, `x.sum({0, 1})`.
#define TENON_FOR_EACH_METHOD_OF_LIST(X) X(_reshape_alias) X(all) X(amax) X(amin) X(any) X(as_strided) X(as_strided_) \
  X(broadcast_to) X(count_nonzero) X(dsplit) X(expand) X(flip) X(hash_tensor) X(hsplit) X(logsumexp) X(mean) X(moveaxis) \
  X(movedim) X(nanmean) X(nansum) X(new_empty) X(new_empty_strided) X(new_full) X(new_ones) X(new_zeros) X(permute) X(repeat) \
  X(reshape) X(resize_) X(roll) X(split) X(split_with_sizes) X(squeeze) X(squeeze_) X(std) X(sum) X(sum_to_size) \
  X(tensor_split) X(tile) X(unsafe_split_with_sizes) X(var) X(view) X(vsplit)
// Of functions that take `self` behind their first argument: `x.where(condition, other)`.
#define TENON_FOR_EACH_METHOD_SELF_SECOND(X) X(hardshrink_backward) X(polygamma) X(where)
// What their bodies call.
namespace tenon::ops {
inline namespace activation_family { struct hardshrink_function; struct hardshrink_backward_function; struct prelu_function;
  struct relu_function; struct relu__function; struct sigmoid_function; struct sigmoid__function; }
inline namespace arithmetic_family { struct _conj_physical_function; struct abs_function; struct abs__function;
  struct add_function; struct add__function; struct addcdiv_function; struct addcdiv__function; struct addcmul_function;
  struct addcmul__function; struct ceil_function; struct ceil__function; struct conj_physical_function;
  struct conj_physical__function; struct copysign_function; struct copysign__function; struct div_function;
  struct div__function; struct divide_function; struct divide__function; struct floor_function; struct floor__function;
  struct floor_divide_function; struct floor_divide__function; struct fmod_function; struct fmod__function;
  struct frac_function; struct frac__function; struct gcd_function; struct gcd__function; struct heaviside_function;
  struct heaviside__function; struct lcm_function; struct lcm__function; struct lerp_function; struct lerp__function;
  struct mul_function; struct mul__function; struct multiply_function; struct multiply__function; struct neg_function;
  struct neg__function; struct nextafter_function; struct nextafter__function; struct positive_function; struct pow_function;
  struct pow__function; struct reciprocal_function; struct reciprocal__function; struct remainder_function;
  struct remainder__function; struct round_function; struct round__function; struct sgn_function; struct sgn__function;
  struct sign_function; struct sign__function; struct square_function; struct square__function; struct sub_function;
  struct sub__function; struct subtract_function; struct subtract__function; struct true_divide_function;
  struct true_divide__function; struct trunc_function; struct trunc__function; }
inline namespace arrange_family { struct flip_function; struct fliplr_function; struct flipud_function; struct roll_function;
  struct rot90_function; }
inline namespace autograd_family { struct _backward_function; struct _version_function; struct is_distributed_function;
  struct output_nr_function; }
inline namespace axes_family { struct broadcast_to_function; struct moveaxis_function; struct movedim_function;
  struct ravel_function; struct sum_to_size_function; struct swapaxes_function; struct swapaxes__function;
  struct swapdims_function; struct swapdims__function; struct unflatten_function; }
inline namespace bessel_family { struct i0_function; struct i0__function; }
inline namespace bits_family { struct __and___function; struct __iand___function; struct __ilshift___function;
  struct __ior___function; struct __irshift___function; struct __ixor___function; struct __lshift___function;
  struct __or___function; struct __rshift___function; struct __xor___function; struct bitwise_and_function;
  struct bitwise_and__function; struct bitwise_left_shift_function; struct bitwise_left_shift__function;
  struct bitwise_not_function; struct bitwise_not__function; struct bitwise_or_function; struct bitwise_or__function;
  struct bitwise_right_shift_function; struct bitwise_right_shift__function; struct bitwise_xor_function;
  struct bitwise_xor__function; struct logical_and_function; struct logical_and__function; struct logical_not_function;
  struct logical_not__function; struct logical_or_function; struct logical_or__function; struct logical_xor_function;
  struct logical_xor__function; }
inline namespace carried_family { struct _autocast_to_full_precision_function; struct _autocast_to_reduced_precision_function;
  struct _lazy_clone_function; struct dense_dim_function; struct dequantize_function; struct sparse_dim_function;
  struct to_dense_function; }
inline namespace closeness_family { struct allclose_function; struct equal_function; struct isclose_function; }
inline namespace compare_family { struct clamp_function; struct clamp__function; struct clamp_max_function;
  struct clamp_max__function; struct clamp_min_function; struct clamp_min__function; struct eq_function; struct eq__function;
  struct fmax_function; struct fmin_function; struct ge_function; struct ge__function; struct greater_function;
  struct greater__function; struct greater_equal_function; struct greater_equal__function; struct gt_function;
  struct gt__function; struct isfinite_function; struct isinf_function; struct isnan_function; struct isneginf_function;
  struct isposinf_function; struct isreal_function; struct le_function; struct le__function; struct less_function;
  struct less__function; struct less_equal_function; struct less_equal__function; struct lt_function; struct lt__function;
  struct maximum_function; struct minimum_function; struct nan_to_num_function; struct nan_to_num__function;
  struct ne_function; struct ne__function; struct not_equal_function; struct not_equal__function; struct signbit_function;
  struct where_function; }
inline namespace complex_family { struct _conj_function; struct _neg_view_function; struct angle_function;
  struct conj_function; struct resolve_conj_function; struct resolve_neg_function; }
inline namespace copy_family { struct chalf_function; struct clone_function; struct contiguous_function;
  struct copy__function; struct fill__function; struct resize__function; struct to_function; struct type_as_function;
  struct zero__function; }
inline namespace diagonal_family { struct diag_function; struct diag_embed_function; struct diagflat_function; }
inline namespace difference_family { struct diff_function; }
inline namespace distance_family { struct dist_function; struct renorm_function; struct renorm__function; }
inline namespace factorization_family { struct cholesky_inverse_function; struct geqrf_function; struct orgqr_function;
  struct ormqr_function; }
inline namespace factory_family { struct new_empty_function; struct new_full_function; struct new_ones_function;
  struct new_zeros_function; }
inline namespace histogram_family { struct bincount_function; struct histc_function; struct histogram_function; }
inline namespace index_family { struct gather_function; struct index_add_function; struct index_add__function;
  struct index_copy_function; struct index_copy__function; struct index_select_function; struct masked_fill_function;
  struct masked_fill__function; struct masked_scatter_function; struct masked_scatter__function; struct scatter_function;
  struct scatter__function; struct scatter_add_function; struct scatter_add__function; }
inline namespace indexing_family { struct index_function; struct index_fill_function; struct index_fill__function;
  struct index_put_function; struct index_put__function; struct put_function; struct put__function; struct take_function;
  struct take_along_dim_function; }
inline namespace linalg_family { struct addmm_function; struct addmm__function; struct addmv_function; struct addmv__function;
  struct baddbmm_function; struct baddbmm__function; struct bmm_function; struct dot_function; struct matmul_function;
  struct mm_function; struct mv_function; struct outer_function; struct trace_function; struct tril_function;
  struct tril__function; struct triu_function; struct triu__function; struct vdot_function; }
inline namespace loss_family { struct log_softmax_function; struct softmax_function; }
inline namespace matching_family { struct fill_diagonal__function; struct is_same_size_function; struct resize_as__function; }
inline namespace math_family { struct acos_function; struct acos__function; struct acosh_function; struct acosh__function;
  struct asin_function; struct asin__function; struct asinh_function; struct asinh__function; struct atan_function;
  struct atan2_function; struct atan2__function; struct atan__function; struct atanh_function; struct atanh__function;
  struct cos_function; struct cos__function; struct cosh_function; struct cosh__function; struct deg2rad_function;
  struct deg2rad__function; struct exp_function; struct exp2_function; struct exp2__function; struct exp__function;
  struct expm1_function; struct expm1__function; struct float_power_function; struct float_power__function;
  struct frexp_function; struct hypot_function; struct hypot__function; struct ldexp_function; struct ldexp__function;
  struct log_function; struct log10_function; struct log10__function; struct log1p_function; struct log1p__function;
  struct log2_function; struct log2__function; struct log__function; struct logaddexp_function; struct logaddexp2_function;
  struct rad2deg_function; struct rad2deg__function; struct rsqrt_function; struct rsqrt__function; struct sin_function;
  struct sin__function; struct sinh_function; struct sinh__function; struct sqrt_function; struct sqrt__function;
  struct tan_function; struct tan__function; struct tanh_function; struct tanh__function; }
inline namespace matrix_family { struct matrix_exp_function; struct matrix_power_function; }
inline namespace memory_family { struct is_pinned_function; struct pin_memory_function; struct record_stream_function; }
inline namespace nonzero_family { struct argwhere_function; struct masked_select_function; struct nonzero_function;
  struct nonzero_numpy_function; struct nonzero_static_function; }
inline namespace older_names_family { struct _addmm_activation_function; }
inline namespace philox_family { struct _philox_normal__function; struct _philox_randint__function;
  struct _philox_uniform__function; }
inline namespace random_family { struct bernoulli_function; struct bernoulli__function; struct cauchy__function;
  struct exponential__function; struct geometric__function; struct log_normal__function; struct multinomial_function;
  struct normal__function; struct random__function; struct uniform__function; }
inline namespace reduce_family { struct _is_all_true_function; struct _is_any_true_function; struct all_function;
  struct amax_function; struct amin_function; struct aminmax_function; struct any_function; struct argmax_function;
  struct argmin_function; struct count_nonzero_function; struct cumprod_function; struct cumprod__function;
  struct cumsum_function; struct cumsum__function; struct hash_tensor_function; struct logsumexp_function;
  struct max_function; struct mean_function; struct min_function; struct nansum_function; struct norm_function;
  struct prod_function; struct std_function; struct sum_function; struct var_function; }
inline namespace reduce_into_family { struct index_reduce_function; struct index_reduce__function;
  struct scatter_reduce_function; struct scatter_reduce__function; }
inline namespace repeat_family { struct repeat_function; struct repeat_interleave_function; struct tile_function; }
inline namespace scan_family { struct cummax_function; struct cummin_function; struct logcumsumexp_function; }
inline namespace second_names_family { struct absolute_function; struct absolute__function; struct adjoint_function;
  struct arccos_function; struct arccos__function; struct arccosh_function; struct arccosh__function; struct arcsin_function;
  struct arcsin__function; struct arcsinh_function; struct arcsinh__function; struct arctan_function; struct arctan2_function;
  struct arctan2__function; struct arctan__function; struct arctanh_function; struct arctanh__function; struct clip_function;
  struct clip__function; struct fix_function; struct fix__function; struct mH_function; struct mT_function;
  struct matrix_H_function; struct negative_function; struct negative__function; struct numpy_T_function; }
inline namespace set_family { struct set__function; struct set_data_function; }
inline namespace sharing_family { struct is_set_to_function; }
inline namespace signal_family { struct istft_function; struct stft_function; }
inline namespace solve_family { struct cholesky_solve_function; struct det_function; struct inverse_function;
  struct logdet_function; struct lu_solve_function; struct slogdet_function; struct triangular_solve_function; }
inline namespace sort_family { struct argsort_function; struct kthvalue_function; struct median_function;
  struct mode_function; struct msort_function; struct nanmedian_function; struct sort_function; struct topk_function; }
inline namespace special_family { struct digamma_function; struct digamma__function; struct erf_function;
  struct erf__function; struct erfc_function; struct erfc__function; struct erfinv_function; struct erfinv__function;
  struct igamma_function; struct igamma__function; struct igammac_function; struct igammac__function; struct lgamma_function;
  struct lgamma__function; struct logit_function; struct logit__function; struct mvlgamma_function; struct mvlgamma__function;
  struct polygamma_function; struct polygamma__function; struct sinc_function; struct sinc__function; struct xlogy_function;
  struct xlogy__function; }
inline namespace spectral_family { struct pinverse_function; struct svd_function; }
inline namespace split_family { struct dsplit_function; struct hsplit_function; struct tensor_split_function;
  struct unsafe_chunk_function; struct unsafe_split_function; struct unsafe_split_with_sizes_function; struct vsplit_function; }
inline namespace statistics_family { struct corrcoef_function; struct cov_function; struct nanmean_function;
  struct nanquantile_function; struct quantile_function; }
inline namespace strided_factory_family { struct new_empty_strided_function; }
inline namespace tensor_products_family { struct addbmm_function; struct addbmm__function; struct addr_function;
  struct addr__function; struct cross_function; struct ger_function; struct inner_function; struct kron_function; }
inline namespace truth_family { struct is_nonzero_function; }
inline namespace types_family { struct is_signed_function; }
inline namespace unique_family { struct unique_function; struct unique_consecutive_function; }
inline namespace view_copy_family { struct narrow_copy_function; }
inline namespace view_family { struct _reshape_alias_function; struct alias_function; struct as_strided_function;
  struct as_strided__function; struct chunk_function; struct detach_function; struct detach__function;
  struct diagonal_function; struct expand_function; struct expand_as_function; struct flatten_function;
  struct narrow_function; struct permute_function; struct reshape_function; struct reshape_as_function;
  struct select_function; struct slice_function; struct split_function; struct split_with_sizes_function;
  struct squeeze_function; struct squeeze__function; struct t_function; struct t__function; struct transpose_function;
  struct transpose__function; struct unbind_function; struct unfold_function; struct unsqueeze_function;
  struct unsqueeze__function; struct view_function; struct view_as_function; }
inline namespace view_scatter_family { struct as_strided_scatter_function; struct diagonal_scatter_function;
  struct select_scatter_function; struct slice_inverse_function; struct slice_scatter_function; }
}  // namespace tenon::ops
// clang-format on
