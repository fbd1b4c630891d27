// A function for map() that does not take the samples.
// expect-error: the function of map\(\) takes a sample, or a sample and a data::Random&, and is const
#include <string>

#include <tenon/data/transform.hpp>

struct Numbers {
  std::int64_t size() const { return 3; }
  std::int64_t get(std::int64_t i) const { return i; }
};

#ifdef FIXED
inline auto change(std::int64_t number) { return number + 1; }
#else
inline auto change(const std::string& text) { return text + "1"; }
#endif

std::int64_t count() { return tenon::data::map(Numbers(), &change).size(); }
