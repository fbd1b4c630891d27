// Streams of different samples one after the other.
// expect-error: chain\(\) joins streams of one sample type
#include <string>

#include <tenon/data/stream_transform.hpp>

template <class T>
struct Nothing {
  struct Reader {
    std::optional<T> next() { return {}; }
  };
  Reader begin(std::uint64_t, std::int64_t) const { return {}; }
};

#ifdef FIXED
using Other = int;
#else
using Other = std::string;
#endif

bool empty() { return !tenon::data::chain(Nothing<int>(), Nothing<Other>()).begin(0, 0).next(); }
