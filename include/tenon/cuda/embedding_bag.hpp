// Bags of rows of a table as a kernel.
#pragma once
#include <cstdint>
#include <type_traits>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>

namespace tenon::cuda {

enum class BagMode : std::uint8_t { Sum, Mean, Largest };
/// Row-major lists. Bag b has the indices from bounds[b] up to bounds[b + 1]; those of `padding` do not count.
struct BagCall {
  ScalarType dtype;
  BagMode mode;
  std::int64_t bags, width, rows, count, padding;
  const void *table, *scales;  ///< `scales`: of each index; may be null
  const std::int64_t *index, *bounds;
  void* out;
  std::int64_t* places;            ///< of the largest elements; may be null
  std::int64_t *bag_of, *size_of;  ///< of each index, of each bag; may be null
  std::int64_t* fault;             ///< 1 + the bag of a bad index or bound
};
bool sum_bags(const BagCall& call, void* stream);

/// A lane has a column of a bag, whose rows it goes through in order. C is the type that elements T are summed in.
template <class T, class C>
struct bag_column {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const BagCall& c) const {
    auto table = static_cast<const T*>(c.table), scales = static_cast<const T*>(c.scales);
    each_of_grid(lane, c.bags * c.width, [&](std::int64_t i) {
      std::int64_t bag = i / c.width, column = i % c.width, first = c.bounds[bag], last = c.bounds[bag + 1];
      if (first < 0 || last < first || last > c.count || (bag == 0 && first != 0)) {
        *c.fault = 1 + bag;  // any of them will do
        return;
      }
      C total = C(0);
      std::int64_t counted = 0, place = 0;
      for (std::int64_t k = first; k < last; ++k) {
        std::int64_t row = c.index[k];
        if (row < 0 || row >= c.rows) {
          *c.fault = 1 + bag;
          return;
        }
        if (c.bag_of && column == 0) c.bag_of[k] = bag;
        if (row == c.padding) continue;
        C x = cast<C>(table[row * c.width + column]);
        if (c.mode != BagMode::Largest) {
          total += scales ? x * cast<C>(scales[k]) : x;
        } else if (counted == 0 || x > total) {
          total = x;
          place = row;
        }
        ++counted;
      }
      if (c.mode == BagMode::Mean && counted > 0) total /= static_cast<C>(counted);
      static_cast<T*>(c.out)[i] = cast<T>(total);
      if (c.places) c.places[i] = place;
      if (c.size_of && column == 0) c.size_of[bag] = counted;
    });
  }
};

}  // namespace tenon::cuda
