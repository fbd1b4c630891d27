// Characters, blanks and words of a schema's text, and where it went wrong.
#pragma once
#include <tenon/schema/detail/text.hpp>
#include <tenon/schema/type.hpp>

namespace tenon::schema::detail {

struct Scanner {
  const char* text = nullptr;
  std::size_t size = 0;
  Head head{};
  std::size_t at = 0;
  int open = 0;  // parentheses and brackets; a line break is blank only inside them

  constexpr char peek() const { return at < size ? text[at] : '\0'; }
  constexpr char peek(std::size_t ahead) const { return at + ahead < size ? text[at + ahead] : '\0'; }

  constexpr void skip() {
    while (at < size && class_of(text[at]) == blank) {
      char c = text[at];
      if (c == '\n' && open == 0) return;
      if (c == '#') {
        while (at < size && text[at] != '\n') ++at;
        continue;
      }
      if (c == '\\') {
        if (peek(1) != '\n') return;
        ++at;
      }
      ++at;
    }
  }
  constexpr void skip_lines() {
    for (;;) {
      skip();
      if (peek() != '\n') return;
      ++at;
    }
  }
  constexpr bool eat(char c) {
    skip();
    if (peek() != c) return false;
    ++at;
    return true;
  }
  constexpr std::size_t word_length() const {
    if (at >= size || class_of(text[at]) != letter) return 0;
    std::size_t end = at + 1;
    while (end < size && is_word(text[end])) ++end;
    return end - at;
  }
  constexpr std::size_t token_end(std::size_t from) const {
    if (from >= size) return size;
    std::size_t end = from + 1;
    if (is_word(text[from])) {
      while (end < size && is_word(text[end])) ++end;
    } else if (text[from] == '.') {
      while (end < size && text[end] == '.' && end < from + 3) ++end;
    } else if (end < size && ((text[from] == '-' && text[end] == '>') || (text[from] == ':' && text[end] == ':'))) {
      ++end;
    }
    return end;
  }
  constexpr bool fail(reason why, std::size_t from, std::size_t to) {
    head.why = why;
    head.position = static_cast<std::uint32_t>(from);
    head.end = static_cast<std::uint32_t>(to);
    return false;
  }
  constexpr bool fail(reason why, std::size_t from) { return fail(why, from, token_end(from)); }
  constexpr bool fail(reason why) {
    skip();
    return fail(why, at);
  }
};

}  // namespace tenon::schema::detail
