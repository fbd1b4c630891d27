// A stream of a function that wants more than a seed and an epoch.
// expect-error: the function of a FunctionStream takes nothing, or a seed and an epoch, and is const
#include <tenon/data/stream.hpp>

#ifdef FIXED
inline auto start(std::uint64_t, std::int64_t) {
#else
inline auto start(std::uint64_t, std::int64_t, int) {
#endif
  return [] { return std::optional<int>(); };
}

bool empty() { return !tenon::data::FunctionStream(&start).begin(0, 0).next(); }
