// Floating-point numbers taken apart, as a kernel.
#pragma once
#include <cmath>
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// Operands 0 and 1 of the walk are written, mantissas of the dtype and exponents of int; 2 is read.
struct FrexpCall {
  Walk walk;
  ScalarType dtype;
  char *mantissa, *exponent;
  const char* in;
};
void take_apart(const FrexpCall& call, void* stream);

/// A mantissa in [1/2, 1) and an exponent of two. Infinities and not-a-number have exponent 0.
template <class S>
struct split_numbers {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FrexpCall& c) const {
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      const Offsets<3> at(c.walk, i);
      const S x = load_as<S>(c.in + at.at[2], c.dtype);
      int exponent = 0;
      const S mantissa = x - x == S(0) ? std::frexp(x, &exponent) : x;
      store_as(c.mantissa + at.at[0], c.dtype, mantissa);
      *reinterpret_cast<std::int32_t*>(c.exponent + at.at[1]) = exponent;
    });
  }
};

}  // namespace tenon::cuda
