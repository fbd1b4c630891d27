// Fields of structs, found and named.
#include <array>
#include <functional>
#include <memory>

#include "support.hpp"

using namespace test;

namespace {

struct Empty {};
struct Plain {
  int count = 3;
  Tensor t;
  std::string text;
  std::optional<Tensor> maybe;
  std::vector<Tensor> list;
  std::unique_ptr<int> owned;
  std::function<void()> callback;
  std::array<Tensor, 2> pair;
};
struct Named {
  Tensor weight, bias;
  int ignored = 0;
  TENON_FIELDS(weight, bias)
};
struct Hidden {
  explicit Hidden(int) {}
  TENON_FIELDS(secret_)

 private:
  Tensor secret_;
};

template <class T>
std::vector<std::string> field_names(T& object) {
  std::vector<std::string> found;
  nn::for_each_field(object, [&](const std::string& name, auto&) { found.push_back(name); });
  return found;
}

}  // namespace

TEST_CASE("the fields of an aggregate are counted", "[nn][fields]") {
  STATIC_REQUIRE(nn::detail::count_fields<Empty>() == 0);
  STATIC_REQUIRE(nn::detail::count_fields<Plain>() == 8);
  STATIC_REQUIRE(nn::detail::count_fields<Named>() == 3);
  STATIC_REQUIRE(nn::named_fields<Named>);
  STATIC_REQUIRE(!nn::named_fields<Plain>);
}

TEST_CASE("fields without names are numbered, named ones are those of TENON_FIELDS", "[nn][fields]") {
  Plain plain;
  CHECK(field_names(plain) == std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7"});
  const Named named;
  CHECK(field_names(named) == std::vector<std::string>{"weight", "bias"});
  Hidden hidden(1);
  CHECK(field_names(hidden) == std::vector<std::string>{"secret_"});
  Empty empty;
  CHECK(field_names(empty).empty());
}

TEST_CASE("fields are references that can be written", "[nn][fields]") {
  Plain plain;
  nn::for_each_field(plain, [](const std::string&, auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, int>) field = 7;
  });
  CHECK(plain.count == 7);
}
