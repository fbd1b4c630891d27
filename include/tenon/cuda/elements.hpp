// Elements in memory on a device: conversion between any two dtypes, and where the elements of several tensors lie.
#pragma once
#include <cstdint>
#include <type_traits>

#include <tenon/base/host_device.hpp>
#include <tenon/base/scalar_type.hpp>

namespace tenon::cuda {

/// One element as another type: complex to real drops the imaginary part, anything to bool is `!= 0`, floating to
/// integer truncates (values outside the integer's range give an unspecified one).
template <class D, class S>
TENON_HOST_DEVICE D cast(S s) {
  if constexpr (std::is_same_v<D, S>) {
    return s;
  } else if constexpr (std::is_same_v<D, bool>) {
    if constexpr (is_complex_v<S>)
      return cast<bool>(s.re) || cast<bool>(s.im);
    else
      return static_cast<bool>(s != S(0));
  } else if constexpr (is_complex_v<D>) {
    using R = typename D::value_type;
    if constexpr (is_complex_v<S>)
      return D(cast<R>(s.re), cast<R>(s.im));
    else
      return D(cast<R>(s), R(0.0f));
  } else if constexpr (is_complex_v<S>) {
    return cast<D>(s.re);
  } else if constexpr (small_float<S>) {
    return cast<D>(static_cast<float>(s));
  } else if constexpr (small_float<D>) {
    return D(static_cast<float>(s));
  } else if constexpr (std::is_floating_point_v<S> && std::is_integral_v<D> && sizeof(D) < 8) {
    return static_cast<D>(static_cast<std::int64_t>(s));
  } else {
    return static_cast<D>(s);
  }
}

/// The element at an address, of a dtype known when the kernel runs.
template <class T>
TENON_HOST_DEVICE T load_as(const void* from, ScalarType dtype) {
  switch (dtype) {
#define X(CPP, NAME, ...) \
  case ScalarType::NAME: return cast<T>(*static_cast<const CPP*>(from));
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return T{};
  }
}
template <class T>
TENON_HOST_DEVICE void store_as(void* to, ScalarType dtype, T value) {
  switch (dtype) {
#define X(CPP, NAME, ...) \
  case ScalarType::NAME: *static_cast<CPP*>(to) = cast<CPP>(value); return;
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
    default: return;
  }
}

/// The type that elements of T are summed in.
template <class T>
using sum_t = typename element_type<compute_type_of(scalar_type_v<T>)>::type;

inline constexpr int kMostDims = 12;     // of a walk, after neighbours that lie alike are joined
inline constexpr int kMostOperands = 5;  // a result and what it is computed from

/// The shape that some tensors are walked in, and their steps in bytes; the last dimension runs fastest.
struct Walk {
  std::int64_t count = 1;
  int dims = 0;
  std::int64_t size[kMostDims] = {};
  std::int64_t step[kMostOperands][kMostDims] = {};
};

TENON_HOST_DEVICE inline bool is_on_pack(const void* data) { return reinterpret_cast<std::uintptr_t>(data) % 16 == 0; }
/// Whether the places that a walk gives an operand, from `data` on, are all multiples of 16 bytes.
inline bool is_on_packs(const void* data, const Walk& walk, int operand) {
  bool all = is_on_pack(data);
  for (int d = 0; d < walk.dims; ++d) all = all && walk.step[operand][d] % 16 == 0;
  return all;
}
/// Whether a walk goes through the elements of an operand as they lie.
inline bool is_dense(const Walk& walk, int operand, ScalarType dtype) {
  return walk.dims == 0 || (walk.dims == 1 && walk.step[operand][0] == static_cast<std::int64_t>(item_size(dtype)));
}

/// Offsets in bytes of the element with a number in row-major order.
template <int N>
struct Offsets {
  std::int64_t at[N];
  TENON_HOST_DEVICE Offsets(const Walk& walk, std::int64_t i) {
    for (int k = 0; k < N; ++k) at[k] = 0;
    // A device divides 32 bits several times as fast as 64.
    bool narrow = walk.count <= INT32_MAX;
    for (int d = walk.dims; d-- > 1;) {
      std::int64_t rest = narrow ? static_cast<std::uint32_t>(i) / static_cast<std::uint32_t>(walk.size[d])
                                 : i / walk.size[d],
                   index = i - rest * walk.size[d];
      for (int k = 0; k < N; ++k) at[k] += index * walk.step[k][d];
      i = rest;
    }
    if (walk.dims > 0)
      for (int k = 0; k < N; ++k) at[k] += i * walk.step[k][0];
  }
};

}  // namespace tenon::cuda
