// A plan's walk shared out to threads.
#pragma once
#include <cstdint>

#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu {

/// From here on, counted in elements, a call is split over threads.
inline constexpr std::int64_t kParallelElements = 32768;

namespace detail {

/// Calls f(part) for plans that make up `plan`, on several threads. They share the outermost dimension that has a few
/// steps for each of them, else the longest.
template <class Arch, int N, class F>
void for_parts(const Plan<Arch, N>& plan, F f) {
  const std::int64_t wanted = 4 * std::int64_t{get_num_threads()};
  int shared = plan.dims - 1;
  for (int d = plan.dims - 1; d >= 0 && plan.size[shared] < wanted; --d)
    if (plan.size[d] > plan.size[shared]) shared = d;
  const std::int64_t each = plan.count() / plan.size[shared], grain = (kParallelElements / 2 + each - 1) / each;
  parallel_for(0, plan.size[shared], grain,
               [&](std::int64_t first, std::int64_t last) { f(plan.narrowed(shared, first, last)); });
}

}  // namespace detail

}  // namespace tenon::cpu
