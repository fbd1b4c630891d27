// Reading and writing along an index as kernels.
#pragma once
#include <cstdint>

#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

/// For every place of the walk an element is moved between `out` and `in`, one of which lies at the place that the
/// index says. A bad index moves nothing and is told. Elements are Bytes.
template <class Bytes>
struct move_by_index {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const IndexCall& c) const {
    std::int64_t step = lane.blocks() * lane.threads();
    for (std::int64_t i = lane.block() * lane.threads() + lane.thread(); i < c.walk.count; i += step) {
      Offsets<3> offsets(c.walk, i);
      auto place = load_as<std::int64_t>(c.index + offsets.at[2], c.index_dtype);
      if (c.wraps && place < 0) place += c.size;
      if (place < 0 || place >= c.size) {
        *c.fault = 1 + i;  // any of them will do
        continue;
      }
      char* out = c.out + offsets.at[0] + (c.writes ? place * c.step : 0);
      const char* in =
          c.in ? c.in + offsets.at[1] + (c.writes ? 0 : place * c.step) : reinterpret_cast<const char*>(c.element);
      *reinterpret_cast<Bytes*>(out) = *reinterpret_cast<const Bytes*>(in);
    }
  }
};
/// Adds where several places may be the same; the order of the additions, and so the last bits, may differ by run.
template <class T>
struct add_by_index {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const IndexCall& c) const {
    std::int64_t step = lane.blocks() * lane.threads();
    for (std::int64_t i = lane.block() * lane.threads() + lane.thread(); i < c.walk.count; i += step) {
      Offsets<3> offsets(c.walk, i);
      auto place = load_as<std::int64_t>(c.index + offsets.at[2], c.index_dtype);
      if (place < 0 || place >= c.size) {
        *c.fault = 1 + i;
        continue;
      }
      lane.atomic_add(reinterpret_cast<T*>(c.out + offsets.at[0] + place * c.step),
                      *reinterpret_cast<const T*>(c.in + offsets.at[1]));
    }
  }
};

}  // namespace tenon::cuda
