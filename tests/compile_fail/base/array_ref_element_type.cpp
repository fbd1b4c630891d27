// A list of int where a schema's int[] (int64_t) is wanted.
// expect-error: IntArrayRef|ArrayRef<(long|std::int64_t|long int|int64_t)>
#include <vector>

#include <tenon/base/array_ref.hpp>

std::size_t rank(tenon::IntArrayRef sizes) { return sizes.size(); }

#ifdef FIXED
std::size_t result = rank(std::vector<std::int64_t>{2, 3});
#else
std::size_t result = rank(std::vector<int>{2, 3});
#endif
