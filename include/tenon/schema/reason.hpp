// Why a schema does not parse: the words that compile errors and exceptions are made of.
#pragma once
#include <cstdint>

namespace tenon::schema {

/// `ok`, or the first thing that is wrong with a schema's text.
enum class reason : std::uint8_t {
  ok,
  operator_name_expected,
  overload_name_expected,
  namespace_has_more_than_one_level,
  namespace_expected,  // of declarations: a block of definitions has a namespace of its own
  illegal_overload_name,
  argument_list_expected,
  open_parenthesis_expected,
  open_bracket_expected,
  close_parenthesis_expected,
  close_bracket_expected,
  comma_expected,
  arrow_expected,
  type_name_expected,
  unknown_type_name,
  write_float_for_double,
  write_int_for_int64_t,
  classes_namespace_expected,
  class_name_expected,
  type_nested_too_deep,
  alias_set_expected,
  too_many_alias_names,
  argument_name_expected,
  duplicate_argument_name,
  duplicate_return_name,
  default_value_expected,
  default_value_malformed,
  default_number_out_of_range,
  default_does_not_fit_type,
  default_list_has_wrong_length,
  default_list_of_unsupported_type,
  required_argument_after_default,
  ellipsis_is_not_last_argument,
  ellipsis_is_not_last_return,
  ellipsis_with_default_value,
  text_after_schema,
  text_too_long,
};

}  // namespace tenon::schema
