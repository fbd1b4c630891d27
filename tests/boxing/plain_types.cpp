// Values without symbolic integers from values with them.
#include <tenon/boxing/plain_types.hpp>

#include "../catch.hpp"

using namespace tenon;
using detail::to_plain;

namespace {

std::optional<std::int64_t> passed_on(int, int, int, int, int, std::optional<std::int64_t> x) { return x; }

}  // namespace

TEST_CASE("integers that may be missing stay what they are where they become plain", "[boxing]") {
  auto* behind_many = +passed_on;  // so that the argument lies in memory
  for (std::int64_t value : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-7}, INT64_MAX}) {
    std::optional<SymInt> given(value);
    CHECK(to_plain(given) == std::optional(value));
    CHECK(behind_many(1, 2, 3, 4, 5, to_plain(given)) == std::optional(value));
  }
  CHECK(!to_plain(std::optional<SymInt>()).has_value());
  CHECK(!behind_many(1, 2, 3, 4, 5, to_plain(std::optional<SymInt>())).has_value());
  std::optional<std::int64_t> copied = to_plain(std::optional<SymInt>(3));
  copied.reset();
  CHECK(copied == std::nullopt);
  copied = 4;
  CHECK(*copied == 4);
}
