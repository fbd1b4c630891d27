// Derivatives of copies, fills and conversions.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/memory.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

TENON_DERIVATIVE(clone_base, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(_pin_memory_base, TENON_WRT((self), (grad), grad));
TENON_DERIVATIVE(_to_copy_base,
                 TENON_WRT((self), (grad, self_geometry), to(grad, self_geometry.device, self_geometry.dtype)));
TENON_DERIVATIVE(copy_base_, TENON_WRT((self), (grad), zeros_like(grad)),
                 TENON_WRT((src), (grad, src_geometry), to(grad, src_geometry.device, src_geometry.dtype)));
TENON_DERIVATIVE(fill_Scalar_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(fill_Tensor_, TENON_WRT((self), (grad), zeros_like(grad)), TENON_WRT((value), (grad), sum(grad)));
TENON_DERIVATIVE(fill_Scalar, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(fill_Tensor, TENON_WRT((self), (grad), zeros_like(grad)), TENON_WRT((value), (grad), sum(grad)));
TENON_DERIVATIVE(zero_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(normal_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(uniform_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_base_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_from_, TENON_WRT((self), (grad), zeros_like(grad)));
TENON_DERIVATIVE(random_to_, TENON_WRT((self), (grad), zeros_like(grad)));

TENON_NOT_DIFFERENTIABLE(rand_like_base);
TENON_NOT_DIFFERENTIABLE(randn_like_base);
TENON_NOT_DIFFERENTIABLE(lift_fresh_base);
TENON_NOT_DIFFERENTIABLE(record_stream_base);
TENON_NOT_DIFFERENTIABLE(rand_like_generator);
TENON_NOT_DIFFERENTIABLE(randn_like_generator);
TENON_NOT_DIFFERENTIABLE(randint_like_base);
TENON_NOT_DIFFERENTIABLE(randint_like_low_dtype);

namespace derivatives {
inline Tensor& resize(Tensor& self, SymIntArrayRef size, std::optional<MemoryFormat> format) {
  TENON_CHECK(!self.requires_grad(), AutogradError, "cannot resize variables that require grad");
  AutoDispatchBelowAutograd guard;
  return resize_(self, size, format);
}
}  // namespace derivatives

// The results need no gradient. Out forms count one write, and record nothing even where `out` is a leaf that requires
// grad.
TENON_LIBRARY_IMPL(aten, Autograd, m) {
  Place place{__FILE__, __LINE__};
  auto made = [&]<class... Op>(Op...) { (autograd::register_unrecorded_write<typename Op::out>(m, place), ...); };
  auto made_like = [&]<class... Op>(Op... op) {
    (m.impl<Op{}>(fallthrough()), ...);
    made(op...);
  };
  made(zeros_base, ones_base, full_base, arange_base, arange_start_step);
  made_like(empty_like_base, zeros_like_base, ones_like_base, full_like_base, new_empty_base, new_zeros_base,
            new_ones_base, new_full_base);
  m.impl<empty_memory_format_out>(fallthrough());
  m.impl<resize_base_, &derivatives::resize>();
  autograd::register_inplace_or_view<std::remove_const_t<decltype(resize_base_)>>(m, place);
}

}  // namespace tenon::ops
