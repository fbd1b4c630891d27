// Derivatives of the functional forms of operators that overwrite a whole tensor.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/functional.hpp>

namespace tenon::ops {

TENON_DERIVATIVE(copy_base, TENON_WRT((self), (grad), zeros_like(grad)),
                 TENON_WRT((src), (grad, src_geometry), to(grad, src_geometry.device, src_geometry.dtype)));
TENON_DERIVATIVE(zero_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(normal_functional_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(uniform_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_base, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_from, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_to, TENON_WRT((self), (grad), zeros_like(grad)));

}  // namespace tenon::ops
