// Complex elements and their parts.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace complex_family {

TENON_OPERATORS_OUT(complex, "aten::complex(Tensor real, Tensor imag) -> Tensor");
TENON_OPERATORS_OUT(polar, "aten::polar(Tensor abs, Tensor angle) -> Tensor");
TENON_OPERATORS_OUT(angle, (base, "aten::angle(Tensor self) -> Tensor", with_method, no_device_check, Tag::pointwise));
TENON_OPERATORS_PLAIN(real, (base, "aten::real(Tensor(a) self) -> Tensor(a)", no_device_check));
TENON_OPERATORS_PLAIN(imag, (base, "aten::imag(Tensor(a) self) -> Tensor(a)", no_device_check));
TENON_OPERATORS_PLAIN(conj, (base, "aten::conj(Tensor(a) self) -> Tensor(a)", with_method));
// Views that show each element conjugated or negated: they toggle the keys Conjugate and Negative.
TENON_OPERATORS_PLAIN(_conj, (base, "aten::_conj(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(_neg_view, (base, "aten::_neg_view(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_OUT(_conj_copy, (base, "aten::_conj_copy(Tensor self) -> Tensor", Tag::view_copy,
                                 out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(_neg_view_copy, (base, "aten::_neg_view_copy(Tensor self) -> Tensor", Tag::view_copy,
                                     out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_PLAIN(is_conj, (base, "aten::is_conj(Tensor self) -> bool", with_method, no_device_guard));
TENON_OPERATORS_PLAIN(is_neg, (base, "aten::is_neg(Tensor self) -> bool", with_method, no_device_guard));
TENON_OPERATORS_PLAIN(resolve_conj, (base, "aten::resolve_conj(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(resolve_neg, (base, "aten::resolve_neg(Tensor(a) self) -> Tensor(a)", with_method));
TENON_OPERATORS_PLAIN(view_as_real, "aten::view_as_real(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_PLAIN(view_as_complex, "aten::view_as_complex(Tensor(a) self) -> Tensor(a)");
TENON_OPERATORS_OUT(view_as_real_copy, (base, "aten::view_as_real_copy(Tensor self) -> Tensor", Tag::view_copy,
                                        out_tags({Tag::generated, Tag::view_copy})));
TENON_OPERATORS_OUT(view_as_complex_copy, (base, "aten::view_as_complex_copy(Tensor self) -> Tensor", Tag::view_copy,
                                           out_tags({Tag::generated, Tag::view_copy})));

}  // namespace complex_family
}  // namespace tenon::ops
