// Where something was registered, for messages.
#pragma once
#include <string>
#include <string_view>
#include <utility>

namespace tenon {

/// A line of a source file, or words in its place. Cheap to make and to copy: the text is made when somebody asks.
class Place {
 public:
  Place() = default;
  /// `file` is constant data, as of `__FILE__`; `keep()` before it goes.
  Place(const char* file, int line) : text_(file), line_(line) {}
  Place(const std::string& words) : Place(std::string_view(words)) {}
  Place(const char* words) : Place(std::string_view(words)) {}
  Place(const Place& o) : text_(o.text_), line_(o.line_) {
    if (o.owned_) *this = Place(std::string_view(o.text_));
  }
  Place(Place&& o) noexcept { swap(o); }
  Place& operator=(Place o) noexcept {
    swap(o);
    return *this;
  }
  ~Place() {
    if (owned_) delete[] text_;
  }

  bool empty() const { return !text_; }
  const char* file() const { return owned_ ? nullptr : text_; }
  int line() const { return line_; }
  /// `registered at FILE:LINE`, or the words.
  std::string text() const;
  /// Makes the text now: the file's name may go with the plugin that holds it.
  void keep() { *this = Place(text()); }

 private:
  explicit Place(std::string_view words);
  void swap(Place& o) noexcept {
    std::swap(text_, o.text_);
    std::swap(line_, o.line_);
    std::swap(owned_, o.owned_);
  }
  // Two words, for every operator and kernel has a place.
  const char* text_ = nullptr;
  int line_ = 0;
  bool owned_ = false;  // the text is words and ends with the place
};
/// Where a call stands: `f(CallSite here = CallSite::now())`. No braced list becomes one.
class CallSite {
 public:
  const char* file;
  int line;
  static constexpr CallSite now(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return CallSite(Given{}, file, line);
  }
  operator Place() const { return {file, line}; }

 private:
  struct Given {};
  constexpr CallSite(Given, const char* f, int l) : file(f), line(l) {}
};
inline std::string to_string(const Place& place) { return place.text(); }

}  // namespace tenon
