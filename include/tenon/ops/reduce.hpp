// Reductions and scans.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace reduce_family {

TENON_OPERATORS_OUT(
    sum,
    (base, "aten::sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", with_method, no_device_check, Tag::reduction,
     out_tags({Tag::generated})),
    (dim_IntList,
     "aten::sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     "IntList_out", with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(
    mean,
    (base, "aten::mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "dtype_out", with_method, no_device_check,
     Tag::core, Tag::reduction),
    (dim, "aten::mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor", "out",
     with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(amax, (base, "aten::amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", with_method,
                           Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(amin, (base, "aten::amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor", with_method,
                           Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(argmax, (base, "aten::argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                             with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(argmin, (base, "aten::argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                             with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS(cumsum, (base, "aten::cumsum(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", with_method,
                         no_device_check, Tag::core));
TENON_OPERATOR_TAGS(
    out, max, (base, "aten::max(Tensor self) -> Tensor", "unary_out", with_method, no_device_check, Tag::reduction),
    (dim, "aten::max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
     "aten::max.dim_max(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) max, Tensor(b!) max_values) -> (Tensor(a!) values, Tensor(b!) indices)",
     with_method, no_device_check, Tag::core, Tag::reduction),
    (other, "aten::max.other(Tensor self, Tensor other) -> Tensor", "out", with_method, no_device_check,
     Tag::pointwise));
// As TENON_OPERATORS_OUT makes it, and for symbolic integers, whose own function of this name it hides.
struct max_function
    : basic_overload_set<max_function, declared_operators<max_function, max_base_op, max_dim_op, max_other_op>> {
  using basic_overload_set::operator();
  template <class A, class B>
  requires sym_int_pair<A, B> SymInt operator()(A&& a, B&& b) const { return SymInt::greatest(SymInt(a), SymInt(b)); }
};
inline constexpr max_function max{};
TENON_OPERATOR_TAGS(
    out, min, (base, "aten::min(Tensor self) -> Tensor", "unary_out", with_method, no_device_check, Tag::reduction),
    (dim, "aten::min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
     "aten::min.dim_min(Tensor self, int dim, bool keepdim=False, *, Tensor(a!) min, Tensor(b!) min_indices) -> (Tensor(a!) values, Tensor(b!) indices)",
     with_method, no_device_check, Tag::core, Tag::reduction),
    (other, "aten::min.other(Tensor self, Tensor other) -> Tensor", "out", with_method, no_device_check,
     Tag::pointwise));
struct min_function
    : basic_overload_set<min_function, declared_operators<min_function, min_base_op, min_dim_op, min_other_op>> {
  using basic_overload_set::operator();
  template <class A, class B>
  requires sym_int_pair<A, B> SymInt operator()(A&& a, B&& b) const { return SymInt::least(SymInt(a), SymInt(b)); }
};
inline constexpr min_function min{};
TENON_OPERATORS_OUT(all,
                    (base, "aten::all(Tensor self) -> Tensor", "all_out", with_method, no_device_check, Tag::reduction),
                    (dim, "aten::all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "out", with_method,
                     no_device_check, Tag::reduction),
                    (dims, "aten::all.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", with_method,
                     no_device_check, Tag::reduction));
TENON_OPERATORS_OUT(any,
                    (base, "aten::any(Tensor self) -> Tensor", "all_out", with_method, no_device_check, Tag::core,
                     Tag::reduction),
                    (dim, "aten::any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor", "out", with_method,
                     no_device_check, Tag::core, Tag::reduction),
                    (dims, "aten::any.dims(Tensor self, int[]? dim=None, bool keepdim=False) -> Tensor", with_method,
                     no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(
    prod,
    (base, "aten::prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", with_method, no_device_check, Tag::core,
     Tag::reduction, out_tags({Tag::generated})),
    (dim_int, "aten::prod.dim_int(Tensor self, int dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     "int_out", with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(
    nansum,
    (base, "aten::nansum(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     with_method, Tag::reduction));
TENON_OPERATORS(cumprod, (base, "aten::cumprod(Tensor self, int dim, *, ScalarType? dtype=None) -> Tensor", with_method,
                          no_device_check));
TENON_OPERATORS_OUT(
    var,
    (base, "aten::var(Tensor self, bool unbiased=True) -> Tensor", no_out, with_method, no_device_check,
     Tag::reduction),
    (dim, "aten::var.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "out",
     with_method, no_device_check, Tag::core, Tag::reduction),
    (correction,
     "aten::var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
     with_method, no_device_check, Tag::core, Tag::reduction));
TENON_OPERATORS_OUT(
    std,
    (base, "aten::std(Tensor self, bool unbiased=True) -> Tensor", no_out, with_method, no_device_check,
     Tag::reduction),
    (dim, "aten::std.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> Tensor", "out",
     with_method, no_device_check, Tag::reduction),
    (correction,
     "aten::std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
     with_method, no_device_check, Tag::reduction));
TENON_OPERATORS_OUT(logsumexp, (base, "aten::logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
                                with_method, no_device_check, Tag::reduction));
TENON_OPERATORS_OUT(
    linalg_vector_norm,
    (base,
     "aten::linalg_vector_norm(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     Tag::reduction));
TENON_OPERATORS_OUT(
    norm,
    (Scalar, "aten::norm.Scalar(Tensor self, Scalar p=2) -> Tensor", with_method, no_device_check, Tag::reduction,
     out_tags({Tag::generated})),
    (ScalarOpt_dim, "aten::norm.ScalarOpt_dim(Tensor self, Scalar? p, int[1] dim, bool keepdim=False) -> Tensor", "out",
     with_method, no_device_check, Tag::reduction),
    (ScalarOpt_dtype, "aten::norm.ScalarOpt_dtype(Tensor self, Scalar? p, *, ScalarType dtype) -> Tensor", with_method,
     no_device_check, Tag::reduction, out_tags({Tag::generated})),
    (ScalarOpt_dim_dtype,
     "aten::norm.ScalarOpt_dim_dtype(Tensor self, Scalar? p, int[1] dim, bool keepdim, *, ScalarType dtype) -> Tensor",
     "dtype_out", with_method, no_device_check, Tag::reduction));
TENON_OPERATORS_OUT(hash_tensor,
                    (base, "aten::hash_tensor(Tensor self, int[1] dim=[], *, bool keepdim=False, int mode=0) -> Tensor",
                     with_method));
TENON_OPERATORS_OUT(count_nonzero,
                    (base, "aten::count_nonzero(Tensor self, int? dim=None) -> Tensor", with_method, Tag::reduction,
                     out_tags({Tag::generated})),
                    (dim_IntList, "aten::count_nonzero.dim_IntList(Tensor self, int[] dim) -> Tensor", with_method,
                     Tag::reduction, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    var_mean,
    (base, "aten::var_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", no_out, no_device_check,
     Tag::reduction),
    (dim, "aten::var_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
     no_out, no_device_check, Tag::reduction),
    (correction,
     "aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
     no_device_check, Tag::reduction, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    std_mean,
    (base, "aten::std_mean(Tensor self, bool unbiased=True) -> (Tensor, Tensor)", no_out, no_device_check,
     Tag::reduction),
    (dim, "aten::std_mean.dim(Tensor self, int[1]? dim, bool unbiased=True, bool keepdim=False) -> (Tensor, Tensor)",
     no_out, no_device_check, Tag::reduction),
    (correction,
     "aten::std_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)",
     no_device_check, Tag::reduction, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(aminmax,
                    (base,
                     "aten::aminmax(Tensor self, *, int? dim=None, bool keepdim=False) -> (Tensor min, Tensor max)",
                     with_method, no_device_check, Tag::reduction));
TENON_OPERATORS_PLAIN(_is_all_true, (base, "aten::_is_all_true(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_PLAIN(_is_any_true, (base, "aten::_is_any_true(Tensor self) -> Tensor", with_method));
TENON_OPERATORS_PLAIN(
    linalg__powsum,
    (base,
     "aten::linalg__powsum(Tensor self, Scalar ord=2, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
     Tag::reduction));
TENON_OPERATORS_PLAIN(cumprod_backward,
                      (base, "aten::cumprod_backward(Tensor grad, Tensor input, int dim, Tensor output) -> Tensor",
                       no_device_check, no_device_guard));

}  // namespace reduce_family
}  // namespace tenon::ops
