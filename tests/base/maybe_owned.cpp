#include <memory>
#include <string>
#include <vector>

#include <tenon/base/maybe_owned.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
struct Counted {
  static inline int living = 0, copies = 0;
  std::string text;
  explicit Counted(std::string t) : text(std::move(t)) { ++living; }
  Counted(const Counted& o) : text(o.text) { ++living, ++copies; }
  Counted(Counted&& o) noexcept : text(std::move(o.text)) { ++living; }
  Counted& operator=(const Counted&) = default;
  ~Counted() { --living; }
};
using Text = MaybeOwned<Counted>;
template <class T>
concept borrows_temporaries = requires {
  MaybeOwned<T>::borrowed(T("gone"));
};
}  // namespace

TEST_CASE("what is borrowed is the object itself, and what is owned is not", "[base][maybe_owned]") {
  Counted::copies = 0;
  {
    Counted there("there");
    Text borrowed = Text::borrowed(there), owned = Text::owned(Counted("own")),
         made = Text::owned(std::in_place, "made");
    CHECK((!borrowed.is_owned() && owned.is_owned() && made.is_owned()));
    CHECK((&*borrowed == &there && borrowed->text == "there" && owned->text == "own" && made->text == "made"));
    Text again = borrowed, copy = owned;
    CHECK((&*again == &there && &*copy != &*owned && copy->text == "own"));
    CHECK(Counted::copies == 1);
    again = std::move(copy);
    CHECK((again.is_owned() && again->text == "own"));
    again = borrowed;
    CHECK((!again.is_owned() && &*again == &there));
    again = *&again;
    CHECK(&*again == &there);
    Text& same = made;
    made = same;
    CHECK(made->text == "made");
    CHECK(Counted::copies == 2);
    // One that goes gives its object away, or a copy of the other's.
    CHECK((*std::move(made)).text == "made");
    CHECK(Counted::copies == 2);
    CHECK((*std::move(again)).text == "there");
    CHECK((Counted::copies == 3 && there.text == "there"));
    Text none;
    none = owned;
    CHECK(none->text == "own");
  }
  CHECK(Counted::living == 0);
}

TEST_CASE("what cannot be copied is owned and moved, and temporaries are not borrowed", "[base][maybe_owned]") {
  using Owner = MaybeOwned<std::unique_ptr<int>>;
  std::vector<Owner> all;
  for (int i = 0; i < 5; ++i) all.push_back(Owner::owned(std::make_unique<int>(i)));
  CHECK(**all[3] == 3);
  STATIC_REQUIRE_FALSE(borrows_temporaries<std::string>);
  STATIC_REQUIRE(std::is_nothrow_move_constructible_v<Owner>);
  STATIC_REQUIRE_FALSE(std::is_copy_constructible_v<Owner>);
}
