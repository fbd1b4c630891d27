// Elements reduced into the places that an index names, as kernels.
#pragma once
#include <cstdint>
#include <type_traits>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/math/scalar.hpp>

namespace tenon::cuda {

enum class Into : std::uint8_t { Product, Largest, Smallest };
/// Lines along one dimension of `out` (0), of what is reduced (1) and of the index (2); the walk runs over the lines.
struct ReduceIntoCall {
  Walk lines;
  char* out;
  const char *in, *index;
  ScalarType dtype, index_dtype;
  Into what;
  std::int64_t count, size;  ///< elements of a line of the index, places of one of `out`
  std::int64_t step[3];      ///< bytes
  std::int64_t* fault;       ///< 1 + the line * count + the element of a bad index
};
/// False for a dtype that is not reduced so.
bool reduce_into_places(const ReduceIntoCall& call, void* stream);

/// A lane goes along a line from its first element, so that the bits are the same each run. C holds the elements.
template <class C>
struct reduce_line_into {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const ReduceIntoCall& c) const {
    each_of_grid(lane, c.lines.count, [&](std::int64_t i) {
      Offsets<3> line(c.lines, i);
      for (std::int64_t k = 0; k < c.count; ++k) {
        auto place = load_as<std::int64_t>(c.index + line.at[2] + k * c.step[2], c.index_dtype);
        if (place < 0 || place >= c.size) {
          *c.fault = 1 + i * c.count + k;  // any of them will do
          return;
        }
        char* to = c.out + line.at[0] + place * c.step[0];
        C a = load_as<C>(to, c.dtype), b = load_as<C>(c.in + line.at[1] + k * c.step[1], c.dtype);
        store_as(to, c.dtype, combined(c.what, a, b));
      }
    });
  }

 private:
  TENON_HOST_DEVICE static C combined(Into what, C a, C b) {
    if constexpr (is_complex_v<C>)
      return a * b;
    else
      return what == Into::Product ? a * b : what == Into::Largest ? math::maximum(a, b) : math::minimum(a, b);
  }
};

}  // namespace tenon::cuda
