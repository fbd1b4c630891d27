// Evenly spaced numbers and powers in the memory of the CPU.
#pragma once
#include <tenon/base/checked_element.hpp>
#include <tenon/composite/spaced.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/loops.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/math/elementary.hpp>

namespace tenon::cpu::detail {

/// The places of a range are computed in: double for integers, float for 16-bit floats.
template <class T>
using place_t = std::conditional_t<std::is_integral_v<T>, double, compute_t<T>>;

/// Writes value(x) for the places x of a range to a tensor of `steps` elements, each counted from its nearer end.
template <class F>
void space_into(const Tensor& out, const Scalar& start, const Scalar& end, std::int64_t steps, F value) {
  bool direct = out.is_contiguous();
  Tensor to = direct ? out : make_tensor(out.sizes(), {}, out.dtype());
  visit_scalar_type(to.dtype(), [&]<class T>(type_tag<T> tag) {
    if constexpr (!std::is_same_v<T, bool>) {
      using P = place_t<T>;
      // The ends are rounded as elements of the tensor are; the step is not.
      const P first = static_cast<P>(checked_element<T>(start)), last = static_cast<P>(checked_element<T>(end));
      const P step = (last - first) / static_cast<P>(static_cast<double>(steps > 1 ? steps - 1 : 1));
      T* p = static_cast<T*>(to.data_ptr());
      parallel_for(0, steps, kParallelElements, [&](std::int64_t from, std::int64_t until) {
        for (std::int64_t i = from; i < until; ++i) {
          P x = i < steps / 2 || steps == 1 ? first + step * static_cast<P>(static_cast<double>(i))
                                            : last - step * static_cast<P>(static_cast<double>(steps - 1 - i));
          p[i] = cast_element<T>(value(tag, x));
        }
      });
    }
  });
  Tensor written = out;
  if (!direct) ops::copy_(written, to);
}
inline Tensor& linspace_out(const Scalar& start, const Scalar& end, std::int64_t steps, Tensor& out) {
  composite::resize_for_steps("linspace_cpu", steps, out);
  AutoDispatchBelowADInplaceOrView guard;
  if (out.dtype() == kBool) return ops::fill_(out, start);
  space_into(out, start, end, steps, [](auto, auto x) { return x; });
  return out;
}
/// The power of a single place is a double's.
inline Tensor& logspace_out(const Scalar& start, const Scalar& end, std::int64_t steps, double base, Tensor& out) {
  composite::resize_for_steps("logspace_cpu", steps, out);
  AutoDispatchBelowADInplaceOrView guard;
  if (steps == 1) {
    Scalar power = is_complex_type(out.dtype()) ? Scalar(math::pow(Complex<double>(base), start.to<Complex<double>>()))
                                                : Scalar(math::pow(base, start.to_double()));
    ops::fill_(out, power);
    return out;
  }
  space_into(out, start, end, steps, [base](auto, auto x) { return math::pow(static_cast<decltype(x)>(base), x); });
  return out;
}

}  // namespace tenon::cpu::detail

TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  m.impl<ops::linspace_base_out, &cpu::detail::linspace_out>();
  m.impl<ops::logspace_base_out, &cpu::detail::logspace_out>();
}
