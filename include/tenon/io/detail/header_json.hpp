// A strict reader of the JSON that file headers hold: objects, lists, strings and whole numbers; other values are
// skipped.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>

namespace tenon::detail {

/// The length in bytes of the UTF-8 sequence at the start of `text`, or 0 if it is not well formed (Unicode 15, table
/// 3-7).
constexpr std::size_t utf8_sequence(std::string_view text) {
  auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  auto follows = [&](std::size_t i) { return (byte(i) & 0xc0u) == 0x80u; };
  unsigned a = byte(0), b = byte(1);
  if (text.empty()) return 0;
  if (a < 0x80) return 1;
  if (a >= 0xc2 && a <= 0xdf) return follows(1) ? 2 : 0;
  if (a >= 0xe0 && a <= 0xef) {
    if (!follows(1) || !follows(2) || (a == 0xe0 && b < 0xa0) || (a == 0xed && b > 0x9f)) return 0;
    return 3;
  }
  if (a >= 0xf0 && a <= 0xf4) {
    if (!follows(1) || !follows(2) || !follows(3) || (a == 0xf0 && b < 0x90) || (a == 0xf4 && b > 0x8f)) return 0;
    return 4;
  }
  return 0;
}
constexpr bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    std::size_t n = utf8_sequence(text);
    if (n == 0) return false;
    text.remove_prefix(n);
  }
  return true;
}

/// Reads JSON from the front. Every mistake throws FileError `FILE: header byte N: expected .., got ..`.
class HeaderJson {
 public:
  static constexpr int kDeepest = 32;  // nested values; a bound, so that a hostile header cannot exhaust the stack

  HeaderJson(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  /// The next character that is not a blank; 0 at the end.
  char peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\r' || text_[at_] == '\t'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || at_ == text_.size()) return false;
    ++at_;
    return true;
  }
  void expect(char c) {
    if (!accept(c)) error(concat("'", c, "'"));
  }
  void expect_end() {
    peek();
    if (at_ != text_.size()) error("the end of the header");
  }

  /// Calls `member(name)` at the value of each member, which it must read.
  template <class F>
  void object(F&& member) {
    expect('{');
    if (accept('}')) return;
    do {
      if (peek() != '"') error("a name in quotes");
      std::string name = string();
      expect(':');
      member(std::move(name));
    } while (accept(','));
    if (!accept('}')) error("',' or '}'");
  }
  /// Calls `element()` at each element, which it must read.
  template <class F>
  void list(F&& element) {
    expect('[');
    if (accept(']')) return;
    do element();
    while (accept(','));
    if (!accept(']')) error("',' or ']'");
  }

  std::string string() {
    if (peek() != '"') error("a string");
    ++at_;
    std::string out;
    for (;;) {
      if (at_ >= text_.size()) error("'\"' at the end of a string");
      auto c = static_cast<unsigned char>(text_[at_]);
      if (c == '"') {
        ++at_;
        return out;
      }
      if (c < 0x20) error("no control character in a string");
      if (c == '\\') {
        ++at_;
        escape(out);
        continue;
      }
      std::size_t n = utf8_sequence(text_.substr(at_));
      if (n == 0) error("valid UTF-8");
      out.append(text_, at_, n);
      at_ += n;
    }
  }

  std::uint64_t whole_number() {
    peek();
    std::size_t start = at_;
    std::uint64_t value = 0;
    while (at_ < text_.size() && is_digit(text_[at_])) {
      if (__builtin_mul_overflow(value, std::uint64_t{10}, &value) ||
          __builtin_add_overflow(value, static_cast<std::uint64_t>(text_[at_] - '0'), &value)) {
        at_ = start;
        error("a number below 2^64");
      }
      ++at_;
    }
    bool leading_zero = at_ - start > 1 && text_[start] == '0';
    bool goes_on = at_ < text_.size() && (text_[at_] == '.' || text_[at_] == 'e' || text_[at_] == 'E');
    if (at_ == start || leading_zero || goes_on) {
      at_ = start;
      error("a whole number that is not negative");
    }
    return value;
  }

  /// Passes over one value of any kind.
  void skip(int depth = 0) {
    if (depth > kDeepest) error(concat("values nested at most ", kDeepest, " deep"));
    switch (peek()) {
      case '{': object([&](const std::string&) { skip(depth + 1); }); return;
      case '[': list([&] { skip(depth + 1); }); return;
      case '"': string(); return;
      case 't': word("true"); return;
      case 'f': word("false"); return;
      case 'n': word("null"); return;
      default: number();
    }
  }

  [[noreturn, gnu::cold, gnu::noinline]] void error(std::string_view expected) const {
    std::string got = "the end of the header";
    if (at_ < text_.size()) {
      auto c = static_cast<unsigned char>(text_[at_]);
      constexpr char digits[] = "0123456789abcdef";
      got = c >= 0x20 && c < 0x7f ? concat("'", text_[at_], "'") : concat("byte 0x", digits[c >> 4], digits[c & 15]);
    }
    fail<FileError>(file_, ": header byte ", at_, ": expected ", expected, ", got ", got);
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  void word(std::string_view w) {
    if (text_.substr(at_, w.size()) != w) error("a value");
    at_ += w.size();
  }
  bool digits() {
    std::size_t start = at_;
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
    return at_ != start;
  }
  void number() {
    if (at_ < text_.size() && text_[at_] == '-') ++at_;
    bool zero = at_ < text_.size() && text_[at_] == '0';
    std::size_t start = at_;
    if (!digits() || (zero && at_ - start > 1)) {
      at_ = start;
      error("a value");
    }
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      if (!digits()) error("a digit");
    }
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
      if (!digits()) error("a digit");
    }
  }
  std::uint32_t hex4() {
    std::uint32_t value = 0;
    for (int i = 0; i < 4; ++i, ++at_) {
      char c = at_ < text_.size() ? text_[at_] : '\0';
      if (is_digit(c))
        value = value * 16 + static_cast<std::uint32_t>(c - '0');
      else if (c >= 'a' && c <= 'f')
        value = value * 16 + static_cast<std::uint32_t>(c - 'a' + 10);
      else if (c >= 'A' && c <= 'F')
        value = value * 16 + static_cast<std::uint32_t>(c - 'A' + 10);
      else
        error("four hexadecimal digits");
    }
    return value;
  }
  void escape(std::string& out) {
    constexpr std::string_view letters = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    char c = at_ < text_.size() ? text_[at_] : '\0';
    if (c != 'u') {
      std::size_t i = letters.find(c);
      if (at_ >= text_.size() || i == letters.npos) error("an escape of JSON");
      out += meanings[i];
      ++at_;
      return;
    }
    ++at_;
    std::uint32_t point = hex4();
    if (point >= 0xd800 && point < 0xdc00) {
      if (text_.substr(at_, 2) != "\\u") error("the second half of a surrogate pair");
      at_ += 2;
      std::uint32_t low = hex4();
      if (low < 0xdc00 || low > 0xdfff) error("the second half of a surrogate pair");
      point = 0x10000 + ((point - 0xd800) << 10) + (low - 0xdc00);
    } else if (point >= 0xdc00 && point <= 0xdfff) {
      error("no second half of a surrogate pair alone");
    }
    auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (point < 0x80) {
      put(point);
    } else if (point < 0x800) {
      put(0xc0 | point >> 6), put(0x80 | (point & 0x3f));
    } else if (point < 0x10000) {
      put(0xe0 | point >> 12), put(0x80 | (point >> 6 & 0x3f)), put(0x80 | (point & 0x3f));
    } else {
      put(0xf0 | point >> 18), put(0x80 | (point >> 12 & 0x3f)), put(0x80 | (point >> 6 & 0x3f)),
          put(0x80 | (point & 0x3f));
    }
  }

  std::string_view text_, file_;
  std::size_t at_ = 0;
};

/// The text in quotes, with the escapes that JSON demands. The text must be UTF-8.
inline std::string json_string(std::string_view text) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      out += "\\u00";
      out += digits[c >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  return out + '"';
}

}  // namespace tenon::detail
