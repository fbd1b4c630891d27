// The kernel of places in sorted lines.
#include <tenon/cuda/search.hpp>

namespace tenon::cuda {

bool find_in_sorted(const SearchCall& c, void* stream) {
  auto run = [&]<class T>(type_tag<T>) {
    launch<bisect<T>>(shape_for(c.count), stream, c);
    return true;
  };
  switch (c.dtype) {
    case kFloat: return run(type_tag<float>{});
    case kDouble: return run(type_tag<double>{});
    case kLong: return run(type_tag<std::int64_t>{});
    case kUInt64: return run(type_tag<std::uint64_t>{});
    default: return false;
  }
}

}  // namespace tenon::cuda
