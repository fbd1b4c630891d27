// Reading and writing along an index as kernels.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// f(offsets, place) for every place of the walk with what its index says, counted from the front. A bad index is told
/// and left out.
template <class L, class F>
TENON_HOST_DEVICE void each_indexed(L& lane, const IndexCall& c, F f) {
  each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
    Offsets<3> offsets(c.walk, i);
    auto place = load_as<std::int64_t>(c.index + offsets.at[2], c.index_dtype);
    if (c.wraps && place < 0) place += c.size;
    if (place < 0 || place >= c.size)
      *c.fault = 1 + i * c.joined;  // any of them will do
    else
      f(offsets, place);
  });
}

/// For every place of the walk an element is moved between `out` and `in`, one of which lies at the place that the
/// index says. Elements are Bytes.
template <class Bytes>
struct move_by_index {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const IndexCall& c) const {
    each_indexed(lane, c, [&](const Offsets<3>& offsets, std::int64_t place) {
      char* out = c.out + offsets.at[0] + (c.writes ? place * c.step : 0);
      const char* in =
          c.in ? c.in + offsets.at[1] + (c.writes ? 0 : place * c.step) : reinterpret_cast<const char*>(c.element);
      *reinterpret_cast<Bytes*>(out) = *reinterpret_cast<const Bytes*>(in);
    });
  }
};
/// Adds where several places may be the same; the order of the additions, and so the last bits, may differ by run.
template <class T>
struct add_by_index {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const IndexCall& c) const {
    each_indexed(lane, c, [&](const Offsets<3>& offsets, std::int64_t place) {
      lane.atomic_add(reinterpret_cast<T*>(c.out + offsets.at[0] + place * c.step),
                      *reinterpret_cast<const T*>(c.in + offsets.at[1]));
    });
  }
};

struct add_index_offsets {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const OffsetsCall& c) const {
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      Offsets<2> offsets(c.walk, i);
      auto place = load_as<std::int64_t>(c.index + offsets.at[1], c.index_dtype);
      if (place < 0) place += c.size;
      if (place < 0 || place >= c.size)
        *c.fault = 1 + i;  // any of them will do
      else
        *reinterpret_cast<std::int64_t*>(c.out + offsets.at[0]) += place * c.step;
    });
  }
};
struct write_chosen_places {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const PlacesCall& c) const {
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      if (!c.chosen[i]) return;
      std::int64_t* to = c.out + (c.running[i] - 1) * c.row;
      for (int d = c.dims; d-- > 0;) {
        to[d * c.column] = i % c.size[d];
        i /= c.size[d];
      }
    });
  }
};

}  // namespace tenon::cuda
