// Operators over lists of tensors: the i-th result is that of an operator of one tensor.
#pragma once
#include <tenon/library/operators.hpp>

// X(NAME) for each operator NAME whose form over lists is no more than its schema over lists. A line here is all that
// another one needs: its declaration is below, its kernels are in composite/foreach.hpp.
// clang-format off
#define TENON_INTERNAL_FOREACH_UNARY(X)                                                                           \
  X(abs) X(acos) X(asin) X(atan) X(ceil) X(cos) X(cosh) X(erf) X(erfc) X(exp) X(expm1) X(floor) X(frac) X(lgamma) \
  X(log) X(log10) X(log1p) X(log2) X(neg) X(reciprocal) X(round) X(rsqrt) X(sigmoid) X(sign) X(sin) X(sinh)       \
  X(sqrt) X(tan) X(tanh) X(trunc)
// clang-format on
/// With another list, a number, or a number for each tensor.
#define TENON_INTERNAL_FOREACH_BINARY(X) X(clamp_max) X(clamp_min) X(maximum) X(minimum)
/// The same, and a tensor of one element.
#define TENON_INTERNAL_FOREACH_FACTOR(X) X(div) X(mul)
/// With two other lists and a factor.
#define TENON_INTERNAL_FOREACH_TERNARY(X) X(addcdiv) X(addcmul)

namespace tenon::ops {
inline namespace foreach_family {

#define TENON_INTERNAL_FOREACH_FORMS no_device_check, out_tags({Tag::generated})
#define TENON_INTERNAL_FOREACH_LISTS(NAME)                                                                          \
  (List, "aten::_foreach_" #NAME ".List(Tensor[] self, Tensor[] other) -> Tensor[]", TENON_INTERNAL_FOREACH_FORMS), \
      (Scalar, "aten::_foreach_" #NAME ".Scalar(Tensor[] self, Scalar scalar) -> Tensor[]",                         \
       TENON_INTERNAL_FOREACH_FORMS),                                                                               \
      (ScalarList, "aten::_foreach_" #NAME ".ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",              \
       TENON_INTERNAL_FOREACH_FORMS)

#define X(NAME)                    \
  TENON_OPERATORS(_foreach_##NAME, \
                  (base, "aten::_foreach_" #NAME "(Tensor[] self) -> Tensor[]", TENON_INTERNAL_FOREACH_FORMS));
TENON_INTERNAL_FOREACH_UNARY(X)
#undef X
#define X(NAME) TENON_OPERATORS(_foreach_##NAME, TENON_INTERNAL_FOREACH_LISTS(NAME));
TENON_INTERNAL_FOREACH_BINARY(X)
#undef X
#define X(NAME)                                                                                                      \
  TENON_OPERATORS(_foreach_##NAME, TENON_INTERNAL_FOREACH_LISTS(NAME),                                               \
                  (Tensor, "aten::_foreach_" #NAME ".Tensor(Tensor[] self, Tensor other) -> Tensor[]", "Tensor_out", \
                   TENON_INTERNAL_FOREACH_FORMS));
TENON_INTERNAL_FOREACH_FACTOR(X)
#undef X
#define X(NAME)                                                                                                    \
  TENON_OPERATORS(_foreach_##NAME,                                                                                 \
                  (Scalar,                                                                                         \
                   "aten::_foreach_" #NAME                                                                         \
                   ".Scalar(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar value=1) -> Tensor[]",       \
                   TENON_INTERNAL_FOREACH_FORMS),                                                                  \
                  (ScalarList,                                                                                     \
                   "aten::_foreach_" #NAME                                                                         \
                   ".ScalarList(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Scalar[] scalars) -> Tensor[]", \
                   TENON_INTERNAL_FOREACH_FORMS),                                                                  \
                  (Tensor,                                                                                         \
                   "aten::_foreach_" #NAME                                                                         \
                   ".Tensor(Tensor[] self, Tensor[] tensor1, Tensor[] tensor2, Tensor scalars) -> Tensor[]",       \
                   "Tensor_out", TENON_INTERNAL_FOREACH_FORMS));
TENON_INTERNAL_FOREACH_TERNARY(X)
#undef X
#undef TENON_INTERNAL_FOREACH_LISTS
#undef TENON_INTERNAL_FOREACH_FORMS

// Those whose schemas are like no other's.
TENON_OPERATORS(_foreach_add,
                (List, "aten::_foreach_add.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (Scalar, "aten::_foreach_add.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", no_device_check,
                 out_tags({Tag::generated})),
                (ScalarList, "aten::_foreach_add.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (Tensor, "aten::_foreach_add.Tensor(Tensor[] self, Tensor other, *, Scalar alpha=1) -> Tensor[]",
                 "Tensor_out", no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS(_foreach_sub,
                (List, "aten::_foreach_sub.List(Tensor[] self, Tensor[] other, *, Scalar alpha=1) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (Scalar, "aten::_foreach_sub.Scalar(Tensor[] self, Scalar scalar) -> Tensor[]", no_device_check,
                 out_tags({Tag::generated})),
                (ScalarList, "aten::_foreach_sub.ScalarList(Tensor[] self, Scalar[] scalars) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS(_foreach_pow,
                (List, "aten::_foreach_pow.List(Tensor[] self, Tensor[] exponent) -> Tensor[]", no_device_check,
                 out_tags({Tag::generated})),
                (Scalar, "aten::_foreach_pow.Scalar(Tensor[] self, Scalar exponent) -> Tensor[]", no_device_check,
                 out_tags({Tag::generated})),
                (ScalarList, "aten::_foreach_pow.ScalarList(Tensor[] self, Scalar[] exponent) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (ScalarAndTensor, "aten::_foreach_pow.ScalarAndTensor(Scalar self, Tensor[] exponent) -> Tensor[]",
                 no_inplace, no_out, no_device_check));
TENON_OPERATORS(_foreach_lerp,
                (List, "aten::_foreach_lerp.List(Tensor[] self, Tensor[] tensors1, Tensor[] weights) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (Scalar, "aten::_foreach_lerp.Scalar(Tensor[] self, Tensor[] tensors1, Scalar weight) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})),
                (ScalarList,
                 "aten::_foreach_lerp.ScalarList(Tensor[] self, Tensor[] tensors1, Scalar[] weight) -> Tensor[]",
                 no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_foreach_norm,
                    (Scalar,
                     "aten::_foreach_norm.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]",
                     no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_foreach_powsum,
                    (Scalar,
                     "aten::_foreach_powsum.Scalar(Tensor[] self, Scalar ord=2, ScalarType? dtype=None) -> Tensor[]",
                     no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_foreach_max, (base, "aten::_foreach_max(Tensor[] self) -> Tensor[]", no_device_check,
                                   out_tags({Tag::generated})));
TENON_OPERATORS_OUT(_foreach_clone,
                    (base, "aten::_foreach_clone(Tensor[] self, *, MemoryFormat? memory_format=None) -> Tensor[]",
                     no_device_check, out_tags({Tag::generated})));
TENON_OPERATORS(_foreach_copy,
                (base, "aten::_foreach_copy(Tensor[] self, Tensor[] src, bool non_blocking=False) -> Tensor[] self_out",
                 no_device_check, out_tags({Tag::generated})));
// Of these two only one may take tensors of several devices.
TENON_OPERATORS_OUT(_foreach_zero, (base, "aten::_foreach_zero(Tensor[] self) -> Tensor[] self_out", Tag::generated));
TENON_OPERATORS_INPLACE(_foreach_zero, (base, "aten::_foreach_zero_(Tensor(a!)[] self) -> ()", no_device_check));
TENON_OPERATORS_PLAIN(_foreach_mm,
                      (base, "aten::_foreach_mm(Tensor[] self, Tensor[] mat2) -> Tensor[]", no_device_check));

}  // namespace foreach_family
}  // namespace tenon::ops
