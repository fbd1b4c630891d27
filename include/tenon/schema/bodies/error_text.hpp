// Bodies of error texts.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/schema/error_text.hpp>

namespace tenon::schema {
namespace detail {

/// The token that a reason asks for; empty for mistakes that are no missing token.
inline std::string_view expected_token(reason why) {
  switch (why) {
    case reason::operator_name_expected:
    case reason::overload_name_expected:
    case reason::type_name_expected:
    case reason::argument_name_expected:
    case reason::class_name_expected:
    case reason::alias_set_expected: return "ident";
    case reason::argument_list_expected:
    case reason::open_parenthesis_expected: return "(";
    case reason::close_parenthesis_expected: return ")";
    case reason::open_bracket_expected: return "[";
    case reason::close_bracket_expected: return "]";
    case reason::comma_expected: return ",";
    case reason::arrow_expected: return "->";
    case reason::default_value_expected: return "number";
    case reason::text_after_schema: return "eof";
    default: return {};
  }
}

inline std::string_view token_kind(std::string_view token) {
  if (token.empty()) return "eof";
  char c = token[0];
  if (c == '\n') return "newline";
  if (c == '"' || c == '\'') return "string_literal";
  if (is_digit(c)) return "number";
  if (is_letter(c) && token != "None" && token != "True" && token != "False") return "ident";
  return token;
}

inline std::string semantic_message(reason why, std::string_view token) {
  switch (why) {
    case reason::namespace_has_more_than_one_level: return "an operator name has one namespace level only";
    case reason::namespace_expected:
      return "an operator that is declared for a whole program has a namespace, ns::name";
    case reason::illegal_overload_name: return std::string(token) + " is not a legal overload name for aten operators";
    case reason::unknown_type_name:
      return "unknown type specifier. Common valid schema types include Tensor, SymInt, int, float, bool, Scalar; "
             "for a full list, see tenon/schema/type.hpp";
    case reason::write_float_for_double:
      return "Use `float` instead of `double` in an operator's schema string. `float` in schema corresponds to the double "
             "type in C++";
    case reason::write_int_for_int64_t:
      return "Use `SymInt` or `int` instead of `int64_t` in an operator's schema string. `SymInt` corresponds to tenon::SymInt "
             "in C++ while `int` in schema corresponds to the int64_t type in C++.";
    case reason::classes_namespace_expected: return "Expected classes namespace but got " + std::string(token);
    case reason::type_nested_too_deep: return "the type is nested more than 32 levels deep";
    case reason::too_many_alias_names: return "more than 37 alias names besides the letters a to z";
    case reason::duplicate_argument_name: return "argument name '" + std::string(token) + "' is used twice";
    case reason::duplicate_return_name: return "return name '" + std::string(token) + "' is used twice";
    case reason::default_value_malformed: return "invalid numeric default value";
    case reason::default_number_out_of_range: return "the number is out of range";
    case reason::default_does_not_fit_type: return "the default value does not fit the argument's type";
    case reason::default_list_has_wrong_length:
      return "the default list does not have the length of the argument's type";
    case reason::default_list_of_unsupported_type: return "lists are only supported for float, int and complex types";
    case reason::required_argument_after_default:
      return "Non-default positional argument follows default argument. Parameter " + std::string(token);
    case reason::ellipsis_is_not_last_argument: return "... must be the last element of the argument list";
    case reason::ellipsis_is_not_last_return: return "... must be the last element of the return list";
    case reason::ellipsis_with_default_value: return "schemas with vararg (...) can't have default value args";
    case reason::text_too_long: return "the schema is longer than 65535 characters";
    default: return "the schema is malformed";
  }
}

}  // namespace detail

TENON_COLD_BODY std::string error_text(std::string_view text, const Head& head) {
  std::size_t at = std::min<std::size_t>(head.position, text.size());
  std::size_t end = std::clamp<std::size_t>(head.end, at, text.size());
  std::size_t line = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  std::size_t line_end = std::min(text.find('\n', at), text.size());
  std::string_view token = text.substr(at, end - at);
  std::string out;
  if (auto expected = detail::expected_token(head.why); !expected.empty()) {
    out = "expected " + std::string(expected) + " but found '" + std::string(detail::token_kind(token)) + "' here:\n";
  } else {
    out = "\n" + detail::semantic_message(head.why, token) + ":\n";
  }
  out += text.substr(line, line_end - line);
  out += '\n';
  out.append(at - line, ' ');
  out.append(std::max<std::size_t>(1, std::min(end, line_end) - std::min(at, line_end)), '~');
  return out += " <--- HERE";
}

}  // namespace tenon::schema
