// Running sums, products and extremes along lines as kernels: a block for a line, or several for stretches of a long
// one.
#pragma once
#include <cstdint>
#include <limits>

#include <tenon/cuda/block.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/places.hpp>
#include <tenon/math/arithmetic.hpp>

namespace tenon::cuda {

// What a scan does with its elements: `load` from an address and a number, `combine` of an earlier and a later value,
// `store` to a line's place. Values are at most 32 bytes.
template <class T>
struct running_sum {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() { return T(0.0f); }
  TENON_HOST_DEVICE static T combine(T a, T b) { return math::plus(a, b); }
};
template <class T>
struct running_product {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() { return T(1.0f); }
  TENON_HOST_DEVICE static T combine(T a, T b) { return math::times(a, b); }
};
/// The logarithm of a sum of exponentials.
template <class T>
struct running_log_sum {
  using value_type = T;
  TENON_HOST_DEVICE static T identity() {
    if constexpr (is_complex_v<T>)
      return T(-std::numeric_limits<typename T::value_type>::infinity(), 0);
    else
      return -std::numeric_limits<T>::infinity();
  }
  TENON_HOST_DEVICE static T combine(T a, T b) { return math::logaddexp(b, a); }
};
/// The last of equal extremes; behind a not-a-number only another one counts.
template <class T, bool Largest>
struct running_extreme {
  using value_type = PlacedElement<T>;
  TENON_HOST_DEVICE static value_type identity() { return {T(0), -1}; }
  TENON_HOST_DEVICE static value_type combine(value_type a, value_type b) {
    if (a.place < 0 || b.place < 0) return a.place < 0 ? b : a;
    bool later = Largest ? b.value >= a.value : b.value <= a.value;
    return b.value != b.value || (later && a.value == a.value) ? b : a;
  }
};

template <class Operation>
struct scan_lines {
  using V = typename Operation::value_type;
  /// With `totals` alone the block writes what its stretch comes to; else it begins with those of the stretches before.
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ScanCall& call, bool totals) const {
    auto& memory = lane.template shared<WarpValues<V>>();
    const LinesCall& c = call.lines;
    std::int64_t line = lane.block() / call.parts, part = lane.block() % call.parts;
    std::int64_t stretch = (c.size + call.parts - 1) / call.parts, first = part * stretch,
                 last = first + stretch < c.size ? first + stretch : c.size;
    Offsets<3> at(c.lines, line);
    V* scratch = static_cast<V*>(call.scratch);
    V carry = Operation::identity();
    if (!totals)
      for (std::int64_t p = 0; p < part; ++p) carry = Operation::combine(carry, scratch[line * call.parts + p]);
    for (std::int64_t start = first; start < last; start += lane.threads()) {
      std::int64_t i = start + lane.thread();
      V value = Operation::identity();
      if (i < last) value = loaded(c.in + at.at[2] + i * c.step[2], i, c.dtype);
      value = scan_block(lane, value, carry, memory, [](V a, V b) { return Operation::combine(a, b); });
      if (i < last && !totals) store(c, at, i, value);
    }
    if (totals && lane.thread() == 0) scratch[lane.block()] = carry;
  }

 private:
  TENON_HOST_DEVICE static V loaded(const char* from, [[maybe_unused]] std::int64_t i, ScalarType dtype) {
    if constexpr (is_placed<V>)
      return {load_as<decltype(V::value)>(from, dtype), i};
    else
      return load_as<V>(from, dtype);
  }
  TENON_HOST_DEVICE static void store(const LinesCall& c, const Offsets<3>& at, std::int64_t i, V value) {
    char* out = c.out + at.at[0] + i * c.step[0];
    if constexpr (is_placed<V>) {
      store_as(out, c.out_dtype, value.value);
      *reinterpret_cast<std::int64_t*>(c.places + at.at[1] + i * c.step[1]) = value.place;
    } else {
      store_as(out, c.out_dtype, value);
    }
  }
};

}  // namespace tenon::cuda
