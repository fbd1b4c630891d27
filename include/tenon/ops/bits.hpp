// Elementwise operations on bits and truth values.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace bits_family {

TENON_OPERATORS(bitwise_not, (base, "aten::bitwise_not(Tensor self) -> Tensor", with_method, no_device_check, Tag::core,
                              Tag::pointwise));
TENON_OPERATORS(bitwise_and,
                (Tensor, "aten::bitwise_and.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise),
                (Scalar_Tensor, "aten::bitwise_and.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", no_inplace,
                 no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(bitwise_or,
                (Tensor, "aten::bitwise_or.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::bitwise_or.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise),
                (Scalar_Tensor, "aten::bitwise_or.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", no_inplace,
                 no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(bitwise_xor,
                (Tensor, "aten::bitwise_xor.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                 no_device_check, Tag::core, Tag::pointwise),
                (Scalar, "aten::bitwise_xor.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check,
                 Tag::core, Tag::pointwise),
                (Scalar_Tensor, "aten::bitwise_xor.Scalar_Tensor(Scalar self, Tensor other) -> Tensor", no_inplace,
                 no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(bitwise_left_shift,
                (Tensor, "aten::bitwise_left_shift.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out",
                 with_method, no_device_check, Tag::pointwise),
                (Tensor_Scalar, "aten::bitwise_left_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
                 with_method, no_device_check, Tag::pointwise),
                (Scalar_Tensor, "aten::bitwise_left_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                 no_inplace, no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(bitwise_right_shift,
                (Tensor, "aten::bitwise_right_shift.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out",
                 with_method, no_device_check, Tag::pointwise),
                (Tensor_Scalar, "aten::bitwise_right_shift.Tensor_Scalar(Tensor self, Scalar other) -> Tensor",
                 with_method, no_device_check, Tag::pointwise),
                (Scalar_Tensor, "aten::bitwise_right_shift.Scalar_Tensor(Scalar self, Tensor other) -> Tensor",
                 no_inplace, no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS(logical_not, (base, "aten::logical_not(Tensor self) -> Tensor", with_method, no_device_check, Tag::core,
                              Tag::pointwise));
TENON_OPERATORS(logical_and, (base, "aten::logical_and(Tensor self, Tensor other) -> Tensor", with_method,
                              no_device_check, Tag::core, Tag::pointwise));
TENON_OPERATORS(logical_or, (base, "aten::logical_or(Tensor self, Tensor other) -> Tensor", with_method,
                             no_device_check, Tag::core, Tag::pointwise));
TENON_OPERATORS(logical_xor, (base, "aten::logical_xor(Tensor self, Tensor other) -> Tensor", with_method,
                              no_device_check, Tag::core, Tag::pointwise));
TENON_OPERATORS_PLAIN(
    __and__, (Tensor, "aten::__and__.Tensor(Tensor self, Tensor other) -> Tensor", with_method, no_device_check),
    (Scalar, "aten::__and__.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check));
TENON_OPERATORS_PLAIN(
    __or__, (Tensor, "aten::__or__.Tensor(Tensor self, Tensor other) -> Tensor", with_method, no_device_check),
    (Scalar, "aten::__or__.Scalar(Tensor self, Scalar other) -> Tensor", with_method, no_device_check));
TENON_OPERATORS_PLAIN(__xor__,
                      (Tensor, "aten::__xor__.Tensor(Tensor self, Tensor other) -> Tensor", with_method,
                       no_device_check, Tag::pointwise),
                      (Scalar, "aten::__xor__.Scalar(Tensor self, Scalar other) -> Tensor", with_method,
                       no_device_check, Tag::pointwise));
TENON_OPERATORS_OUT(__lshift__,
                    (Tensor, "aten::__lshift__.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                     no_device_check, Tag::pointwise, out_tags({Tag::generated})),
                    (Scalar, "aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor", "Scalar_out", with_method,
                     no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(__rshift__,
                    (Tensor, "aten::__rshift__.Tensor(Tensor self, Tensor other) -> Tensor", "Tensor_out", with_method,
                     no_device_check, Tag::pointwise, out_tags({Tag::generated})),
                    (Scalar, "aten::__rshift__.Scalar(Tensor self, Scalar other) -> Tensor", "Scalar_out", with_method,
                     no_device_check, Tag::pointwise, out_tags({Tag::generated})));
TENON_OPERATORS_PLAIN(__iand__,
                      (Tensor, "aten::__iand__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", method_only,
                       no_device_check),
                      (Scalar, "aten::__iand__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", method_only,
                       no_device_check));
TENON_OPERATORS_PLAIN(__ior__,
                      (Tensor, "aten::__ior__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", method_only,
                       no_device_check),
                      (Scalar, "aten::__ior__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", method_only,
                       no_device_check));
TENON_OPERATORS_PLAIN(__ixor__,
                      (Tensor, "aten::__ixor__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", method_only,
                       no_device_check, Tag::pointwise),
                      (Scalar, "aten::__ixor__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", method_only,
                       no_device_check, Tag::pointwise));
TENON_OPERATORS_PLAIN(__ilshift__,
                      (Tensor, "aten::__ilshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", method_only,
                       no_device_check, Tag::pointwise),
                      (Scalar, "aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", method_only,
                       no_device_check, Tag::pointwise));
TENON_OPERATORS_PLAIN(__irshift__,
                      (Tensor, "aten::__irshift__.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)", method_only,
                       no_device_check),
                      (Scalar, "aten::__irshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)", method_only,
                       no_device_check));

}  // namespace bits_family
}  // namespace tenon::ops
