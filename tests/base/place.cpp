// Where something was registered.
#include <tenon/base/place.hpp>

#include "catch.hpp"

using namespace tenon;

static_assert(sizeof(Place) == 2 * sizeof(void*), "every operator and kernel has one");

TEST_CASE("a place is a line of a file or words", "[base][place]") {
  CHECK(Place().empty());
  CHECK(Place().text().empty());
  CHECK(Place("").empty());
  Place line("a.cpp", 7), words("by hand");
  CHECK(line.text() == "registered at a.cpp:7");
  CHECK(std::string(line.file()) == "a.cpp");
  CHECK(line.line() == 7);
  CHECK(words.text() == "by hand");
  CHECK(words.file() == nullptr);
  CHECK_FALSE(words.empty());
}
TEST_CASE("copies of words are independent", "[base][place]") {
  Place words(std::string("a text that is too long to lie inside of a string object"));
  std::string text = words.text();
  Place copy = words, line("a.cpp", 7);
  words = line;
  CHECK(words.text() == "registered at a.cpp:7");
  CHECK(copy.text() == text);
  Place moved = std::move(copy);
  CHECK(moved.text() == text);
  moved = *&moved;
  CHECK(moved.text() == text);
  std::swap(moved, line);
  CHECK(line.text() == text);
  CHECK(moved.line() == 7);
}
TEST_CASE("a kept place no longer needs the file's name", "[base][place]") {
  char file[] = "a.cpp";
  Place place(file, 7);
  place.keep();
  file[0] = 'b';
  CHECK(place.text() == "registered at a.cpp:7");
  CHECK(place.file() == nullptr);
}
