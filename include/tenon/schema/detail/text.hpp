// Character classes and comparisons that every supported compiler evaluates on constexpr-built text.
#pragma once
#include <cstddef>
#include <string_view>
#include <type_traits>

namespace tenon::schema::detail {

inline constexpr unsigned char letter = 1, digit = 2, blank = 4;

struct char_table {
  unsigned char classes[256]{};
  consteval char_table() {
    for (int c = 'a'; c <= 'z'; ++c) classes[c] = classes[c - 'a' + 'A'] = letter;
    classes[int{'_'}] = letter;
    for (int c = '0'; c <= '9'; ++c) classes[c] = digit;
    for (int c : {' ', '\t', '\r', '\n', '#', '\\'}) classes[c] = blank;
  }
};
inline constexpr char_table char_classes{};

constexpr unsigned char class_of(char c) { return char_classes.classes[static_cast<unsigned char>(c)]; }
constexpr bool is_letter(char c) { return class_of(c) == letter; }
constexpr bool is_digit(char c) { return class_of(c) == digit; }
constexpr bool is_word(char c) { return (class_of(c) & (letter | digit)) != 0; }

constexpr bool equal(const char* a, const char* b, std::size_t n) {
  if (!std::is_constant_evaluated()) return n == 0 || __builtin_memcmp(a, b, n) == 0;
  for (std::size_t i = 0; i < n; ++i)
    if (a[i] != b[i]) return false;
  return true;
}
// std::string_view compares by memcmp, which g++ 12 refuses on arrays that were built at compile time.
constexpr bool equal(std::string_view a, std::string_view b) {
  return a.size() == b.size() && equal(a.data(), b.data(), a.size());
}

/// The next of `name * | ! ->` in an alias annotation from `from` on, without blanks and comments; empty at its end.
constexpr std::string_view next_alias_token(std::string_view annotation, std::size_t& from) {
  const char* text = annotation.data();
  std::size_t size = annotation.size();
  while (from < size && class_of(text[from]) == blank) {
    if (text[from] == '#')
      while (from + 1 < size && text[from + 1] != '\n') ++from;
    ++from;
  }
  std::size_t begin = from;
  if (from >= size) return {};
  ++from;
  if (is_word(text[begin])) {
    while (from < size && is_word(text[from])) ++from;
  } else if (text[begin] == '-') {
    ++from;
  }
  return {text + begin, from - begin};
}

}  // namespace tenon::schema::detail
