// One parser for compile time and run time, and the compile-time face of it.
#pragma once
#include <tenon/schema/detail/parser.hpp>
#include <tenon/schema/view.hpp>

namespace tenon::schema {

/// Upper bounds for the numbers of descriptors that a text can give; one pass over the characters.
constexpr Counts count(std::string_view text) {
  const char* p = text.data();
  std::size_t n = text.size(), commas = 0, opens = 0, suffixes = 0, returns = 1;
  for (std::size_t i = 0; i < n; ++i) {
    switch (p[i]) {
      case ',':
        ++commas;
        ++returns;
        break;
      case '(': ++opens; break;
      case '[':
      case '?': ++suffixes; break;
      case '>': returns = 1; break;
      default: break;
    }
  }
  return {commas - returns + 2, returns, commas + opens + suffixes + 1};
}

/// Where the parser writes; `room` says how many descriptors fit. Without a place of their own returns follow the
/// arguments, in the room of these.
struct Output {
  Argument* args;
  Argument* returns;
  TypeNode* types;
  Counts room;
};

/// Parses one schema into descriptors; the result says whether and where it failed.
/// The text need not end in NUL. Nothing beyond `room` is written: `count(text)` is always enough.
constexpr Head parse_into(std::string_view text, const Output& output,
                          TypeVariables type_variables = TypeVariables::ByNamespace) {
  detail::Parser parser;
  parser.text = text.data();
  parser.size = text.size();
  parser.args = output.args;
  parser.returns = output.returns;
  parser.types = output.types;
  parser.room = output.room;
  parser.type_variables = type_variables;
  parser.run(false);
  return parser.head;
}

/// Parses `[ns::]base[.overload]` alone.
constexpr Head parse_name(std::string_view text) {
  detail::Parser parser;
  parser.text = text.data();
  parser.size = text.size();
  parser.run(true);
  return parser.head;
}

/// A schema parsed at compile time: at most A arguments, R returns, T type nodes.
template <std::size_t A, std::size_t R, std::size_t T>
struct Parsed {
  Head head;
  Argument args[A];
  Argument returns[R];
  TypeNode types[T];
  /// The text must be the one that was parsed, or an equal one.
  constexpr SchemaView view(std::string_view text) const { return {text, &head, args, returns, types}; }
};

template <std::size_t A, std::size_t R, std::size_t T>
constexpr Parsed<A, R, T> parse(std::string_view text, TypeVariables type_variables = TypeVariables::ByNamespace) {
  Parsed<A, R, T> parsed{};
  parsed.head = parse_into(text, {parsed.args, parsed.returns, parsed.types, {A, R, T}}, type_variables);
  return parsed;
}

}  // namespace tenon::schema
