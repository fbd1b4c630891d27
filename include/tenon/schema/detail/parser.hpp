// The whole grammar: name, arguments, returns.
#pragma once
#include <tenon/schema/detail/default_parser.hpp>

namespace tenon::schema::detail {

inline constexpr std::size_t max_text = 0xffff;

struct Parser : DefaultParser {
  Argument* args = nullptr;
  Argument* returns = nullptr;  // null: behind the arguments, in what is left of their room
  bool seen_default = false;

  constexpr bool same_name(const Argument& a, std::size_t n) const {
    return a.name_length == n && text[a.name_offset] == text[at] && equal(text + a.name_offset, text + at, n);
  }

  [[gnu::always_inline]] constexpr bool argument(bool kwarg_only) {
    if (head.n_args >= room.args) return fail(reason::text_too_long, at);
    Argument& a = args[head.n_args] = Argument{};
    a.kwarg_only = kwarg_only;
    int root = word_before_name(a.cpp_code);
    if (root < 0 && (root = type(0, a.cpp_code, true)) < 0) return false;
    a.type = static_cast<std::int16_t>(root);
    a.write = node(root).write;
    std::size_t n = word_length();
    if (n == 0) return fail(reason::argument_name_expected, at);
    for (unsigned i = 0; i < head.n_args; ++i)
      if (same_name(args[i], n)) return fail(reason::duplicate_argument_name, at);
    std::size_t name_at = at;
    a.name_offset = static_cast<std::uint16_t>(at);
    a.name_length = static_cast<std::uint16_t>(n);
    at += n;
    skip();
    if (take('=')) {
      if (!default_value(a)) return false;
      seen_default = true;
      skip();
    } else if (seen_default && !kwarg_only && node(root).kind != Kind::List) {
      return fail(reason::required_argument_after_default, name_at);
    }
    ++head.n_args;
    return true;
  }

  constexpr bool return_value() {
    if (head.n_returns >= room.returns) return fail(reason::text_too_long, at);
    Argument& a = returns[head.n_returns] = Argument{};
    int root = word_before_name(a.cpp_code);
    if (root < 0 && (root = type(0, a.cpp_code, true)) < 0) return false;
    a.type = static_cast<std::int16_t>(root);
    a.write = node(root).write;
    std::size_t n = word_length();
    if (n != 0) {
      for (unsigned i = 0; i < head.n_returns; ++i)
        if (same_name(returns[i], n)) return fail(reason::duplicate_return_name, at);
      a.name_offset = static_cast<std::uint16_t>(at);
      a.name_length = static_cast<std::uint16_t>(n);
      at += n;
    }
    ++head.n_returns;
    return true;
  }

  constexpr bool dots() {
    if (!(peek() == '.' && peek(1) == '.' && peek(2) == '.')) return false;
    at += 3;
    return true;
  }

  constexpr bool name() {
    skip_lines();
    std::size_t n = word_length();
    if (n == 0) return fail(reason::operator_name_expected, at);
    head.name_offset = static_cast<std::uint16_t>(at);
    at += n;
    if (peek() == ':' && peek(1) == ':') {
      head.namespace_length = static_cast<std::uint16_t>(n);
      at += 2;
      n = word_length();
      if (n == 0) return fail(reason::operator_name_expected, at);
      at += n;
      if (peek() == ':' && peek(1) == ':') return fail(reason::namespace_has_more_than_one_level, at);
    }
    head.name_length = static_cast<std::uint16_t>(at - head.name_offset);
    if (peek() == '.') {
      ++at;
      n = word_length();
      if (n == 0) return fail(reason::overload_name_expected, at);
      std::string_view overload(text + at, n);
      if (equal(overload, "default") || (n >= 2 && text[at] == '_' && text[at + 1] == '_'))
        return fail(reason::illegal_overload_name, at);
      head.overload_length = static_cast<std::uint16_t>(n);
      at += n;
    }
    return true;
  }

  constexpr bool argument_list() {
    if (!eat('(')) return fail(at >= size ? reason::argument_list_expected : reason::open_parenthesis_expected);
    ++open;
    bool kwarg_only = false;
    if (skip(); peek() != ')') {
      do {
        skip();
        if (head.is_vararg) return fail(reason::ellipsis_is_not_last_argument, at);
        if (peek() == '*') {
          ++at;
          if (!kwarg_only) head.kwarg_start = head.n_args;
          kwarg_only = true;
          skip();
        } else if (dots()) {
          head.is_vararg = true;
          skip();
        } else if (!argument(kwarg_only)) {
          return false;
        }
      } while (take(','));
    }
    if (!kwarg_only) head.kwarg_start = head.n_args;
    if (!eat(')')) return fail(reason::close_parenthesis_expected);
    --open;
    if (head.is_vararg)
      for (unsigned i = 0; i < head.n_args; ++i)
        if (args[i].has_default())
          return fail(reason::ellipsis_with_default_value, args[i].default_offset,
                      args[i].default_offset + args[i].default_length);
    return true;
  }

  constexpr bool return_list() {
    skip();
    if (!(peek() == '-' && peek(1) == '>')) return fail(reason::arrow_expected, at);
    at += 2;
    if (!returns) {
      returns = args + head.n_args;
      room.returns = room.args - head.n_args;
    }
    skip();
    if (dots()) {
      head.is_varret = true;
      return true;
    }
    if (peek() != '(') return return_value();
    ++at;
    ++open;
    if (skip(); peek() != ')') {
      do {
        skip();
        if (head.is_varret) return fail(reason::ellipsis_is_not_last_return, at);
        if (dots())
          head.is_varret = true;
        else if (!return_value())
          return false;
      } while (eat(','));
    }
    if (!eat(')')) return fail(reason::close_parenthesis_expected);
    --open;
    return true;
  }

  constexpr bool run(bool name_only) {
    if (size > max_text) return fail(reason::text_too_long, max_text);
    if (!name()) return false;
    if (!name_only && !(argument_list() && return_list())) return false;
    skip_lines();
    if (at < size) return fail(reason::text_after_schema, at);
    return true;
  }
};

}  // namespace tenon::schema::detail
