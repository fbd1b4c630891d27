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

  // Most calls find one space or none: the test is part of the caller.
  [[gnu::always_inline]] constexpr void skip() {
    if (at < size && class_of(text[at]) == blank) {
      if (text[at] == ' ') ++at;
      if (at < size && class_of(text[at]) == blank) skip_blanks();
    }
  }
  [[gnu::noinline]] constexpr void skip_blanks() {
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
  [[gnu::always_inline]] constexpr bool eat(char c) {
    skip();
    return take(c);
  }
  /// The same where blanks are passed already.
  [[gnu::always_inline]] constexpr bool take(char c) {
    if (at >= size || text[at] != c) return false;
    ++at;
    return true;
  }
  [[gnu::always_inline]] constexpr std::size_t word_length() const {
    return at < size && is_letter(text[at]) ? word_end(at + 1) - at : 0;
  }
  // Four characters for each test of the text's end.
  [[gnu::always_inline]] constexpr std::size_t word_end(std::size_t end) const {
    for (; size - end >= 4; end += 4) {
      if (!is_word(text[end])) return end;
      if (!is_word(text[end + 1])) return end + 1;
      if (!is_word(text[end + 2])) return end + 2;
      if (!is_word(text[end + 3])) return end + 3;
    }
    while (end < size && is_word(text[end])) ++end;
    return end;
  }
  [[gnu::noinline, gnu::cold]] constexpr std::size_t token_end(std::size_t from) const {
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
  [[gnu::noinline, gnu::cold]] constexpr bool fail(reason why, std::size_t from, std::size_t to) {
    head.why = why;
    head.position = static_cast<std::uint32_t>(from);
    head.end = static_cast<std::uint32_t>(to);
    return false;
  }
  [[gnu::noinline, gnu::cold]] constexpr bool fail(reason why, std::size_t from) {
    return fail(why, from, token_end(from));
  }
  [[gnu::noinline, gnu::cold]] constexpr bool fail(reason why) {
    skip();
    return fail(why, at);
  }
};

}  // namespace tenon::schema::detail
