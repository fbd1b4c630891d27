// Numbers that are counted from their places as kernels: steps, and evenly spaced numbers and powers.
#pragma once
#include <cstdint>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/math/elementary.hpp>

namespace tenon::cuda {

/// first, first + step, .. in row-major order. Whole numbers are counted in 64 bits, which may wrap, others in double.
struct CountedCall {
  ScalarType dtype;
  std::int64_t count;
  char* out;
  std::uint64_t whole_first, whole_step;
  double first, step;
};
void count_up(const CountedCall& call, void* stream);

/// `count` numbers from `first` to `last`, or powers of `base` with them, computed in P.
template <class P>
struct SpacedCall {
  ScalarType dtype;
  std::int64_t count;
  char* out;
  P first, last, step, base;
  bool powers;
};
void space_evenly(const SpacedCall<float>& call, void* stream);
void space_evenly(const SpacedCall<double>& call, void* stream);
void space_evenly(const SpacedCall<Complex<float>>& call, void* stream);
void space_evenly(const SpacedCall<Complex<double>>& call, void* stream);

struct write_counted {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const CountedCall& c) const {
    const auto item = static_cast<std::int64_t>(item_size(c.dtype));
    const bool whole = is_integral_type(c.dtype, true);
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      if (whole)
        store_as(c.out + i * item, c.dtype,
                 static_cast<std::int64_t>(c.whole_first + c.whole_step * static_cast<std::uint64_t>(i)));
      else
        store_as(c.out + i * item, c.dtype, c.first + c.step * static_cast<double>(i));
    });
  }
};
/// Each number is counted from its nearer end.
template <class P>
struct write_spaced {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const SpacedCall<P>& c) const {
    const auto item = static_cast<std::int64_t>(item_size(c.dtype));
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      P x = i < c.count / 2 || c.count == 1 ? c.first + c.step * cast<P>(static_cast<double>(i))
                                            : c.last - c.step * cast<P>(static_cast<double>(c.count - 1 - i));
      store_as(c.out + i * item, c.dtype, c.powers ? math::pow(c.base, x) : x);
    });
  }
};

}  // namespace tenon::cuda
