// Counting in bins as kernels: a block counts few bins in its shared memory.
#pragma once
#include <cstdint>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

inline constexpr std::int64_t kSharedBins = 2048;  // of 4 bytes

/// What tells each of `count` items its bin.
struct BinsCall {
  enum class By : std::uint8_t { Number, Width, Edges } by;
  ScalarType dtype;
  std::int64_t count, bins;
  const void* items;  ///< row-major; By::Number: int64, each its own bin
  double low, high;   ///< By::Width: the outer edges of bins of one width
  const void* edges;  ///< By::Edges: those of each dimension one behind another
  int dims;           ///< numbers of an item, each with edges of its own
  std::int64_t edges_of[kMostDims];
  const void* weights;  ///< of the dtype of the items, or of `weight_dtype`; null: 1 each
  ScalarType weight_dtype;
  void* sums;  ///< int64, or double where there are weights; they begin as zeros
};
/// False for a dtype that has no bins.
bool count_in_bins(const BinsCall& call, void* stream);

/// The bin of an item, or -1.
struct number_bin {
  TENON_HOST_DEVICE static std::int64_t of(const BinsCall& c, std::int64_t i) {
    return static_cast<const std::int64_t*>(c.items)[i];
  }
};
template <class T>
struct width_bin {
  /// Every step in T: bins of 16-bit floats are where their arithmetic puts them.
  TENON_HOST_DEVICE static std::int64_t of(const BinsCall& c, std::int64_t i) {
    using C = sum_t<T>;
    const C x = cast<C>(static_cast<const T*>(c.items)[i]), low = rounded<C>(static_cast<C>(c.low)),
            high = rounded<C>(static_cast<C>(c.high));
    if (!(x >= low && x <= high)) return -1;
    const C part = rounded(rounded(x - low) * rounded(static_cast<C>(c.bins)));
    const auto bin = static_cast<std::int64_t>(rounded(part / rounded(high - low)));
    return bin < 0 ? 0 : bin < c.bins ? bin : c.bins - 1;
  }

 private:
  template <class C>
  TENON_HOST_DEVICE static C rounded(C x) {
    return cast<C>(cast<T>(x));
  }
};
/// Items outside an edge are in no bin, the last edge belongs to the last bin.
template <class T>
struct edges_bin {
  TENON_HOST_DEVICE static std::int64_t of(const BinsCall& c, std::int64_t i) {
    const T *x = static_cast<const T*>(c.items) + i * c.dims, *edges = static_cast<const T*>(c.edges);
    std::int64_t cell = 0;
    for (int d = 0; d < c.dims; ++d) {
      const std::int64_t bins = c.edges_of[d] - 1;
      if (!(x[d] >= edges[0] && x[d] <= edges[bins])) return -1;
      std::int64_t low = 0, high = bins + 1;
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (x[d] < edges[middle])
          high = middle;
        else
          low = middle + 1;
      }
      // Edges that are not sorted are the caller's mistake, but no reason to write elsewhere.
      const std::int64_t bin = low - 1;
      cell = cell * bins + (bin < 0 ? 0 : bin < bins ? bin : bins - 1);
      edges += c.edges_of[d];
    }
    return cell;
  }
};

/// How many items each bin has.
template <class Bin>
struct count_bins {
  struct Memory {
    std::int32_t counts[kSharedBins];
  };
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BinsCall& c) const {
    std::int32_t* counts = lane.template shared<Memory>().counts;
    auto* sums = static_cast<std::int64_t*>(c.sums);
    const bool few = c.bins <= kSharedBins;
    if (few) {
      each_of_block(lane, c.bins, [&](std::int64_t b) { counts[b] = 0; });
      lane.sync();
    }
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      const std::int64_t bin = Bin::of(c, i);
      if (bin < 0) return;
      if (few)
        lane.atomic_add(counts + bin, std::int32_t{1});
      else
        lane.atomic_add(sums + bin, std::int64_t{1});
    });
    if (!few) return;
    lane.sync();
    each_of_block(lane, c.bins, [&](std::int64_t b) {
      if (counts[b] != 0) lane.atomic_add(sums + b, static_cast<std::int64_t>(counts[b]));
    });
  }
};
/// What the items of each bin weigh; the order of the additions, and so the last bits, may differ by run.
template <class Bin>
struct weigh_bins {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BinsCall& c) const {
    const auto item = static_cast<std::int64_t>(item_size(c.weight_dtype));
    each_of_grid(lane, c.count, [&](std::int64_t i) {
      const std::int64_t bin = Bin::of(c, i);
      if (bin < 0) return;
      lane.atomic_add(static_cast<double*>(c.sums) + bin,
                      load_as<double>(static_cast<const char*>(c.weights) + i * item, c.weight_dtype));
    });
  }
};

}  // namespace tenon::cuda
