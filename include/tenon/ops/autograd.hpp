// What autograd knows of a tensor, as operators.
#pragma once
#include <tenon/library/operators.hpp>

namespace tenon::ops {
inline namespace autograd_family {

TENON_OPERATORS_PLAIN(requires_grad_,
                      (base, "aten::requires_grad_(Tensor(a!) self, bool requires_grad=True) -> Tensor(a!)",
                       method_only));
TENON_OPERATORS_PLAIN(is_leaf, (base, "aten::is_leaf(Tensor self) -> bool", method_only));
TENON_OPERATORS_PLAIN(output_nr, (base, "aten::output_nr(Tensor self) -> int", method_only));
TENON_OPERATORS_PLAIN(_version, (base, "aten::_version(Tensor self) -> int", method_only));
TENON_OPERATORS_PLAIN(retain_grad, (base, "aten::retain_grad(Tensor(a!) self) -> ()", method_only));
TENON_OPERATORS_PLAIN(retains_grad, (base, "aten::retains_grad(Tensor self) -> bool", method_only));
TENON_OPERATORS_PLAIN(
    _backward,
    (base,
     "aten::_backward(Tensor self, Tensor[] inputs, Tensor? gradient=None, bool? retain_graph=None, bool create_graph=False) -> ()",
     method_only));
TENON_OPERATORS_PLAIN(data, (base, "aten::data(Tensor self) -> Tensor", method_only));
TENON_OPERATORS_PLAIN(is_inference,
                      (base, "aten::is_inference(Tensor self) -> bool", with_method, no_device_check, no_device_guard));
TENON_OPERATORS_PLAIN(is_distributed, (base, "aten::is_distributed(Tensor self) -> bool", with_method, no_device_check,
                                       no_device_guard));

}  // namespace autograd_family
}  // namespace tenon::ops
