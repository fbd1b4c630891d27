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
  static constexpr int kEach = 4;  // elements that follow one another are a lane's
  /// With `totals` alone the block writes what its stretch comes to; else it begins with those of the stretches before.
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ScanCall& call, bool totals) const {
    auto& memory = lane.template shared<WarpValues<V>>();
    auto combine = [](V a, V b) { return Operation::combine(a, b); };
    const LinesCall& c = call.lines;
    std::int64_t line = lane.block() / call.parts, part = lane.block() % call.parts;
    std::int64_t stretch = ((c.size + call.parts - 1) / call.parts + kEach - 1) / kEach * kEach, first = part * stretch,
                 last = first + stretch < c.size ? first + stretch : c.size;
    Offsets<3> at(c.lines, line);
    V* scratch = static_cast<V*>(call.scratch);
    V carry = Operation::identity();
    if (!totals)
      for (std::int64_t p = 0; p < part; p += lane.threads()) {
        std::int64_t mine = p + lane.thread();
        scan_block(lane, mine < part ? scratch[line * call.parts + mine] : Operation::identity(), carry, memory,
                   combine, Operation::identity());
      }
    bool packs = has_packs(c, at);
    for (std::int64_t start = first; start < last; start += std::int64_t{kEach} * lane.threads()) {
      std::int64_t mine = start + std::int64_t{kEach} * lane.thread();
      V value[kEach];
      load(lane, c, at, mine, last, packs, value);
      TENON_UNROLLED
      for (int k = 1; k < kEach; ++k) value[k] = combine(value[k - 1], value[k]);
      V before = scan_block(lane, value[kEach - 1], carry, memory, combine, Operation::identity());
      if (totals) continue;
      TENON_UNROLLED
      for (int k = 0; k < kEach; ++k) value[k] = combine(before, value[k]);
      store(lane, c, at, mine, last, packs, value);
    }
    if (totals && lane.thread() == 0) scratch[lane.block()] = carry;
  }

 private:
  /// Whether elements and results are values side by side, from multiples of 16 bytes on.
  TENON_HOST_DEVICE static bool has_packs(const LinesCall& c, const Offsets<3>& at) {
    if constexpr (is_placed<V>)
      return false;
    else
      return c.dtype == scalar_type_v<V> && c.out_dtype == c.dtype && c.step[0] == c.step[2] &&
             c.step[2] == static_cast<std::int64_t>(sizeof(V)) && is_on_pack(c.in + at.at[2]) &&
             is_on_pack(c.out + at.at[0]);
  }
  template <class L>
  TENON_HOST_DEVICE static void load([[maybe_unused]] L& lane, const LinesCall& c, const Offsets<3>& at,
                                     std::int64_t first, std::int64_t last, [[maybe_unused]] bool packs, V* value) {
    const char* from = c.in + at.at[2] + first * c.step[2];
    if constexpr (!is_placed<V>)
      if (packs && first + kEach <= last) {
        auto pack = lane.template load<kEach>(reinterpret_cast<const V*>(from));
        TENON_UNROLLED
        for (int k = 0; k < kEach; ++k) value[k] = pack.at[k];
        return;
      }
    TENON_UNROLLED
    for (int k = 0; k < kEach; ++k)
      value[k] = first + k < last ? loaded(from + k * c.step[2], first + k, c.dtype) : Operation::identity();
  }
  template <class L>
  TENON_HOST_DEVICE static void store([[maybe_unused]] L& lane, const LinesCall& c, const Offsets<3>& at,
                                      std::int64_t first, std::int64_t last, [[maybe_unused]] bool packs,
                                      const V* value) {
    if constexpr (!is_placed<V>)
      if (packs && first + kEach <= last) {
        Pack<V, kEach> pack;
        TENON_UNROLLED
        for (int k = 0; k < kEach; ++k) pack.at[k] = value[k];
        return lane.store(reinterpret_cast<V*>(c.out + at.at[0]) + first, pack);
      }
    TENON_UNROLLED
    for (int k = 0; k < kEach; ++k)
      if (first + k < last) store(c, at, first + k, value[k]);
  }
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
