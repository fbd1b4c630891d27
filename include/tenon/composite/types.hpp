// Questions about dtypes as operators: what the functions of these names say.
#pragma once
#include <tenon/base/promote_types.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::composite {

inline ScalarType type_of_tensors(const Tensor& tensor, const Tensor& other) { return result_type(tensor, other); }
inline ScalarType type_with_number(const Tensor& tensor, const Scalar& other) { return result_type(tensor, other); }
inline ScalarType type_of_number(const Scalar& scalar, const Tensor& tensor) { return result_type(scalar, tensor); }
inline ScalarType type_of_numbers(const Scalar& a, const Scalar& b) { return result_type(a, b); }
inline ScalarType promoted(ScalarType a, ScalarType b) { return promote_types(a, b); }
inline bool castable(ScalarType from, ScalarType to) { return can_cast(from, to); }
inline bool is_complex(const Tensor& self) { return self.is_complex(); }
inline bool is_floating_point(const Tensor& self) { return self.is_floating_point(); }
inline bool is_signed(const Tensor& self) { return is_signed_type(self.dtype()); }

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::result_type_Tensor>().def<ops::result_type_Scalar>();
  m.def<ops::result_type_Scalar_Tensor>().def<ops::result_type_Scalar_Scalar>();
  m.def<ops::promote_types_base>().def<ops::can_cast_base>();
  m.def<ops::is_complex_base>().def<ops::is_floating_point_base>().def<ops::is_signed_base>();
  m.impl<ops::is_complex_base, &is_complex>().impl<ops::is_floating_point_base, &is_floating_point>();
  m.impl<ops::is_signed_base, &is_signed>();
  m.impl<ops::result_type_Tensor, &type_of_tensors>().impl<ops::result_type_Scalar, &type_with_number>();
  m.impl<ops::result_type_Scalar_Tensor, &type_of_number>().impl<ops::result_type_Scalar_Scalar, &type_of_numbers>();
  m.impl<ops::promote_types_base, &promoted>().impl<ops::can_cast_base, &castable>();
}

}  // namespace tenon::composite
