// Where something was registered, for messages.
#pragma once
#include <string>
#include <utility>

namespace tenon {

/// A line of a source file, or words in its place. Cheap to make and to copy: the text is made when somebody asks.
class Place {
 public:
  Place() = default;
  /// `file` is constant data, as of `__FILE__`; `keep()` before it goes.
  Place(const char* file, int line) : file_(file), line_(line) {}
  Place(std::string words) : words_(std::move(words)) {}
  Place(const char* words) : Place(std::string(words)) {}

  bool empty() const { return !file_ && words_.empty(); }
  const char* file() const { return file_; }
  int line() const { return line_; }
  /// `registered at FILE:LINE`, or the words.
  std::string text() const;
  /// Makes the text now: the file's name may go with the plugin that holds it.
  void keep() { *this = Place(text()); }

 private:
  const char* file_ = nullptr;
  int line_ = 0;
  std::string words_;
};
inline std::string to_string(const Place& place) { return place.text(); }

}  // namespace tenon
