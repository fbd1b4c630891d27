#include <tenon/dispatch/detail/name_index.hpp>

#include <catch.hpp>
#include <set>
#include <string>
#include <vector>

using tenon::detail::NameIndex;

TEST_CASE("names that differ in any byte have different hashes", "[dispatch][name_index]") {
  std::set<std::size_t> seen;
  std::size_t made = 0;
  for (std::size_t size : {1, 7, 8, 9, 15, 16, 27}) {
    std::string name(size, 'a');
    seen.insert(NameIndex::hash(name));
    ++made;
    for (std::size_t i = 0; i < size; ++i)
      for (char c : {'b', '_', 'Z'}) {
        std::string other = name;
        other[i] = c;
        seen.insert(NameIndex::hash(other));
        ++made;
      }
  }
  CHECK(seen.size() == made);
}

TEST_CASE("numbered names spread over the low bits of their hashes", "[dispatch][name_index]") {
  // 10,000 random numbers hit 16,384 places with 7,487 different ones on average.
  for (std::string stem : {"ns::op_", "a::", "tenon_bench_many::operator_of_a_long_name_"}) {
    std::vector<bool> hit(1 << 14);
    std::size_t places = 0;
    for (int i = 0; i < 10'000; ++i) {
      std::size_t at = NameIndex::hash(stem + std::to_string(i)) & (hit.size() - 1);
      places += !hit[at];
      hit[at] = true;
    }
    CHECK(places > 7'200);
  }
}
