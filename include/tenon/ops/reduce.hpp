// Reductions and scans.
#pragma once
#include <tenon/library/forms.hpp>

namespace tenon::ops {

TENON_OPERATOR_OUT(sum_base, "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR_OUT(
    sum_dim_IntList,
    "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
    "IntList_out");
TENON_FUNCTION(sum, sum_base, sum_dim_IntList, sum_dim_IntList_out);
TENON_OPERATOR_OUT(mean_base, "aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "dtype_out");
TENON_OPERATOR_OUT(mean_dim,
                   "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                   "out");
TENON_FUNCTION(mean, mean_base, mean_dim, mean_dim_out);
TENON_OPERATOR_OUT(amax_base, "aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
TENON_FUNCTION(amax, amax_base, amax_base_out);
TENON_OPERATOR_OUT(amin_base, "aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor");
TENON_FUNCTION(amin, amin_base, amin_base_out);
TENON_OPERATOR_OUT(argmax_base, "aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
TENON_FUNCTION(argmax, argmax_base, argmax_base_out);
TENON_OPERATOR_OUT(argmin_base, "aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor");
TENON_FUNCTION(argmin, argmin_base, argmin_base_out);
TENON_OPERATOR_FORMS(cumsum_base, "aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(cumsum, cumsum_base, cumsum_base_out);
TENON_OPERATOR_OUT(max_base, "aten::max(Tensor self) -> Tensor", "unary_out");
TENON_OPERATOR_OUT(min_base, "aten::min(Tensor self) -> Tensor", "unary_out");
TENON_OPERATOR_OUT_AS(
    max_dim, "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    "aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)");
TENON_OPERATOR(max_other, "aten::max.other(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR(max_out, "aten::max.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
TENON_OPERATOR_OUT_AS(
    min_dim, "aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
    "aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)");
TENON_OPERATOR(min_other, "aten::min.other(Tensor self, Tensor other) -> Tensor");
TENON_OPERATOR(min_out, "aten::min.out(Tensor self, Tensor other, *, Tensor(a!) out) -> Tensor(a!)");
// As TENON_FUNCTION makes them, and for symbolic integers, whose own functions of these names they hide.
struct max_function : overload_set<max_function, max_base, max_dim, max_other> {
  using overload_set<max_function, max_base, max_dim, max_other>::operator();
  template <class A, class B>
  requires sym_int_pair<A, B> SymInt operator()(A&& a, B&& b) const { return max(SymInt(a), SymInt(b)); }
};
inline constexpr max_function max{};
struct min_function : overload_set<min_function, min_base, min_dim, min_other> {
  using overload_set<min_function, min_base, min_dim, min_other>::operator();
  template <class A, class B>
  requires sym_int_pair<A, B> SymInt operator()(A&& a, B&& b) const { return min(SymInt(a), SymInt(b)); }
};
inline constexpr min_function min{};
TENON_OPERATOR_OUT(all_base, "aten::all(Tensor self) -> Tensor", "all_out");
TENON_OPERATOR_OUT(all_dim, "aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "out");
TENON_OPERATOR_OUT(all_dims, "aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor");
TENON_OPERATOR_OUT(any_base, "aten::any(Tensor self) -> Tensor", "all_out");
TENON_OPERATOR_OUT(any_dim, "aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "out");
TENON_OPERATOR_OUT(any_dims, "aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor");
TENON_FUNCTION(all, all_base, all_dim, all_dims);
TENON_FUNCTION(any, any_base, any_dim, any_dims);
TENON_OPERATOR_OUT(prod_base, "aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor");
TENON_OPERATOR_OUT(prod_dim_int,
                   "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                   "int_out");
TENON_FUNCTION(prod, prod_base, prod_dim_int, prod_dim_int_out);
TENON_OPERATOR_OUT(
    nansum_base,
    "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(nansum, nansum_base, nansum_base_out);
TENON_OPERATOR_FORMS(cumprod_base, "aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(cumprod, cumprod_base, cumprod_base_out);
TENON_OPERATOR(var_base, "aten::var(Tensor self, bool unbiased=True) -> Tensor");
TENON_OPERATOR(var_dim, "aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor");
TENON_OPERATOR_OUT(
    var_correction,
    "aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor");
TENON_OPERATOR(
    var_out,
    "aten::var.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(var, var_base, var_dim, var_correction, var_correction_out, var_out);
TENON_OPERATOR(std_base, "aten::std(Tensor self, bool unbiased=True) -> Tensor");
TENON_OPERATOR(std_dim, "aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor");
TENON_OPERATOR_OUT(
    std_correction,
    "aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor");
TENON_OPERATOR(
    std_out,
    "aten::std.out(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(std, std_base, std_dim, std_correction, std_correction_out, std_out);
TENON_OPERATOR_OUT(logsumexp_base, "aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor");
TENON_FUNCTION(logsumexp, logsumexp_base, logsumexp_base_out);
TENON_OPERATOR_OUT(
    linalg_vector_norm_base,
    "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_FUNCTION(linalg_vector_norm, linalg_vector_norm_base, linalg_vector_norm_base_out);
TENON_OPERATOR(norm_Scalar, "aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor");
TENON_OPERATOR(norm_ScalarOpt_dim,
               "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor");
TENON_OPERATOR(norm_Scalar_out, "aten::norm.Scalar_out(Tensor self, Scalar p=2, *, Tensor(a!) out) -> Tensor(a!)");
TENON_OPERATOR(
    norm_out,
    "aten::norm.out(Tensor self, Scalar? p, int[1] dim, bool keepdim=False, *, Tensor(a!) out) -> Tensor(a!)");
TENON_FUNCTION(norm, norm_Scalar, norm_ScalarOpt_dim);
TENON_OPERATOR_OUT(count_nonzero_base, "aten::count_nonzero(Tensor self, int? dim=None) -> Tensor");
TENON_OPERATOR_OUT(count_nonzero_dim_IntList, "aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor");
TENON_FUNCTION(count_nonzero, count_nonzero_base, count_nonzero_dim_IntList);
TENON_OPERATOR(var_mean_base, "aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)");
TENON_OPERATOR(
    var_mean_dim,
    "aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)");
TENON_OPERATOR_OUT(
    var_mean_correction,
    "aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)");
TENON_FUNCTION(var_mean, var_mean_base, var_mean_dim, var_mean_correction);
TENON_OPERATOR(std_mean_base, "aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)");
TENON_OPERATOR(
    std_mean_dim,
    "aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)");
TENON_OPERATOR_OUT(
    std_mean_correction,
    "aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)");
TENON_FUNCTION(std_mean, std_mean_base, std_mean_dim, std_mean_correction);
TENON_OPERATOR_OUT(aminmax_base,
                   "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)");
TENON_FUNCTION(aminmax, aminmax_base, aminmax_base_out);

}  // namespace tenon::ops
