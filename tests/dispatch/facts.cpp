// Tags and the other facts about an operator.
#include <tenon/dispatch/facts.hpp>

#include <vector>

#include <catch.hpp>

namespace {
using namespace tenon;
}

TEST_CASE("a tag has PyTorch's name, and the name its tag", "[dispatch][facts]") {
  STATIC_REQUIRE(to_string(Tag::core) == "core");
  STATIC_REQUIRE(to_string(Tag::view_copy) == "view_copy");
  STATIC_REQUIRE(kTags == static_cast<std::size_t>(Tag::view_copy) + 1);
  for (std::string_view name : kTagNames) CHECK(to_string(tag_from_name(name).value()) == name);
  CHECK_FALSE(tag_from_name("pointwize"));
  CHECK_FALSE(tag_from_name(""));
}

TEST_CASE("a set of tags holds what was put into it", "[dispatch][facts]") {
  constexpr TagSet tags{Tag::pointwise, Tag::core};
  STATIC_REQUIRE((tags.has(Tag::core) && tags.has(Tag::pointwise) && !tags.has(Tag::out)));
  STATIC_REQUIRE(tags.without(Tag::core) == TagSet{Tag::pointwise});
  STATIC_REQUIRE((tags | TagSet{Tag::view_copy}) == tags.with(Tag::view_copy));
  STATIC_REQUIRE(TagSet{}.empty());
  std::vector<Tag> listed;
  tags.for_each([&](Tag t) { listed.push_back(t); });
  CHECK(listed == std::vector{Tag::core, Tag::pointwise});
}

TEST_CASE("variants say how a call is written", "[dispatch][facts]") {
  STATIC_REQUIRE((has_function(Variants::Function) && !has_method(Variants::Function)));
  STATIC_REQUIRE((!has_function(Variants::Method) && has_method(Variants::Method)));
  STATIC_REQUIRE((has_function(Variants::Both) && has_method(Variants::Both)));
}
