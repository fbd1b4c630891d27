// The part of the parser that reads default values and checks that they fit their type.
#pragma once
#include <tenon/schema/detail/decimal.hpp>
#include <tenon/schema/detail/type_parser.hpp>
#include <tenon/schema/symbols.hpp>

namespace tenon::schema::detail {

/// Whether a constant written as `written` can be the value of a `kind`; words are checked by name.
constexpr bool constant_fits(DefaultKind written, Kind kind) {
  switch (written) {
    case DefaultKind::None_:
      return kind == Kind::Tensor || kind == Kind::Generator || kind == Kind::Quantizer || kind == Kind::None_;
    case DefaultKind::Boolean: return kind == Kind::Bool || kind == Kind::SymBool || kind == Kind::Scalar;
    case DefaultKind::Integer:
      if (kind == Kind::Layout || kind == Kind::ScalarType || kind == Kind::MemoryFormat || kind == Kind::DeviceIndex)
        return true;
      if (kind == Kind::Int || kind == Kind::SymInt) return true;
      [[fallthrough]];
    case DefaultKind::Float:
      if (kind == Kind::Float || kind == Kind::SymFloat) return true;
      [[fallthrough]];
    case DefaultKind::Imaginary: return kind == Kind::Complex || kind == Kind::Scalar;
    case DefaultKind::String: return kind == Kind::Str || kind == Kind::Device;
    default: return false;
  }
}

constexpr bool can_have_list_default(Kind element) {
  switch (matching_kind(element)) {
    case Kind::Int:
    case Kind::Float:
    case Kind::Bool:
    case Kind::Complex: return true;
    default: return false;
  }
}

struct DefaultParser : TypeParser {
  constexpr bool number(DefaultKind& written) {
    std::size_t begin = at;
    bool negative = peek() == '-';
    if (negative) ++at;
    std::uint64_t value = 0;
    bool large = false, any = false;
    written = DefaultKind::Integer;
    for (; is_digit(peek()); ++at, any = true) {
      auto next = static_cast<std::uint64_t>(text[at] - '0');
      large |= __builtin_mul_overflow(value, 10, &value) || __builtin_add_overflow(value, next, &value);
    }
    if (peek() == '.') {
      written = DefaultKind::Float;
      for (++at; is_digit(peek()); ++at) any = true;
    }
    if (!any) return fail(reason::default_value_malformed, begin, at > begin ? at : token_end(begin));
    if (peek() == 'e' || peek() == 'E') {
      written = DefaultKind::Float;
      ++at;
      if (peek() == '+' || peek() == '-') ++at;
      if (!is_digit(peek())) return fail(reason::default_value_malformed, begin, at);
      while (is_digit(peek())) ++at;
    }
    std::size_t end = at;
    if (peek() == 'j') {
      written = DefaultKind::Imaginary;
      ++at;
    }
    if (is_word(peek())) return fail(reason::default_value_malformed, begin, token_end(at));
    if (written == DefaultKind::Integer) {
      if (large || value > (std::uint64_t{1} << 63) - (negative ? 0 : 1))
        return fail(reason::default_number_out_of_range, begin, end);
    } else if (end - begin > 4 && !is_finite(read_double({text + begin, end - begin}))) {
      return fail(reason::default_number_out_of_range, begin, end);
    }
    return true;
  }

  constexpr bool string_literal() {
    std::size_t begin = at;
    char quote = text[at++];
    while (at < size && text[at] != quote && text[at] != '\n') at += text[at] == '\\' ? 2 : 1;
    if (peek() != quote) return fail(reason::default_value_malformed, begin, at < size ? at : size);
    ++at;
    return true;
  }

  // One constant; `word` is its text when it is a symbol.
  constexpr bool constant(DefaultKind& written) {
    char c = peek();
    if (c == '"' || c == '\'') {
      written = DefaultKind::String;
      return string_literal();
    }
    if (c == '-' || is_digit(c) || (c == '.' && is_digit(peek(1)))) return number(written);
    std::size_t n = word_length();
    if (n == 0) return fail(reason::default_value_expected, at);
    std::string_view word(text + at, n);
    written = equal(word, "None")                           ? DefaultKind::None_
              : equal(word, "True") || equal(word, "False") ? DefaultKind::Boolean
                                                            : DefaultKind::Symbol;
    at += n;
    return true;
  }

  constexpr bool constant_of(Kind kind, bool optional, DefaultKind& written) {
    std::size_t begin = at;
    if (!constant(written)) return false;
    std::string_view word(text + begin, at - begin);
    bool fits = written == DefaultKind::Symbol
                    ? symbol_value(kind, word) >= 0
                    : constant_fits(written, kind) || (optional && written == DefaultKind::None_);
    if (fits && written == DefaultKind::String && kind == Kind::Device)
      fits = is_device_text({word.data() + 1, word.size() - 2});
    return fits || fail(reason::default_does_not_fit_type, begin, at);
  }

  constexpr bool list_constant(Kind element, std::int32_t length) {
    std::size_t begin = at;
    if (!can_have_list_default(element)) return fail(reason::default_list_of_unsupported_type, begin);
    ++at;
    ++open;
    std::int32_t n = 0;
    if (skip(); peek() != ']') {
      do {
        skip();
        DefaultKind written{};
        if (!constant_of(element, false, written)) return false;
        ++n;
      } while (eat(','));
    }
    if (!eat(']')) return fail(reason::close_bracket_expected);
    --open;
    // aten writes "all dimensions" as an empty list, and any list for T[1], whose size only says that one number will
    // do.
    if (length > 1 && n != 0 && n != length) return fail(reason::default_list_has_wrong_length, begin, at);
    return true;
  }

  constexpr bool default_value(Argument& a) {
    skip();
    std::size_t begin = at;
    const TypeNode* type = &node(a.type);
    bool optional = type->kind == Kind::Optional;
    if (optional) type = &node(type->child);
    bool ok = true;
    DefaultKind written{};
    if (type->kind != Kind::List) {
      ok = constant_of(type->kind, optional, written);
    } else if (peek() == '[') {
      written = DefaultKind::List;
      ok = list_constant(node(type->child).kind, type->size);
    } else if (type->size < 0 && !optional) {
      ok = fail(reason::open_bracket_expected, at);
    } else {
      Kind element = type->size >= 0 ? node(type->child).kind : Kind::Capsule;
      if (!can_have_list_default(element)) element = Kind::Capsule;
      ok = constant_of(element, optional, written);
    }
    a.default_kind = written;
    a.default_offset = static_cast<std::uint16_t>(begin);
    a.default_length = static_cast<std::uint16_t>(at - begin);
    return ok;
  }
};

}  // namespace tenon::schema::detail
