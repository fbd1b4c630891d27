// Which given value belongs to which parameter: by position, by keyword or by default.
#pragma once
#include <cstdint>
#include <string>

#include <tenon/schema/view.hpp>

namespace tenon::schema {

enum class bind_error : std::uint8_t {
  ok,
  too_many_arguments,
  required_argument_missing,
  unknown_keyword,
  argument_given_twice,
  keyword_only_given_by_position,
  positional_argument_after_keyword,
};

/// `ok`, or what is wrong and about what: the parameter that is missing, the keyword (by its place) that is at fault.
struct BindResult {
  bind_error why = bind_error::ok;
  std::size_t which = 0;
  constexpr bool ok() const { return why == bind_error::ok; }
};

/// Whether a keyword-only parameter takes a positional value, as in C++ calls, or refuses it, as in Python's.
enum class KeywordOnly : std::uint8_t { TakesPosition, RefusesPosition };

/// A source that is the parameter's default.
inline constexpr std::int16_t from_default = -1;

/// Decides the source of every parameter of a call with `n_positional` values followed by one value per keyword.
/// `source[i]` becomes the place of parameter i's value among the given ones, or `from_default`. Evaluates at compile
/// time too. Costs arguments times keywords comparisons of names. Calls should be qualified: where <functional> is
/// included, argument-dependent look-up also finds std::bind.
constexpr BindResult bind(const SchemaView& schema, std::size_t n_positional, const std::string_view* keywords,
                          std::size_t n_keywords, std::int16_t* source,
                          KeywordOnly keyword_only = KeywordOnly::TakesPosition) {
  std::size_t n = schema.n_args();
  if (n_positional > n && !schema.head->is_vararg) return {bind_error::too_many_arguments, n_positional};
  if (keyword_only == KeywordOnly::RefusesPosition && n_positional > schema.kwarg_start() && !schema.head->is_vararg)
    return {bind_error::keyword_only_given_by_position, schema.kwarg_start()};
  for (std::size_t i = 0; i < n; ++i) {
    source[i] = from_default;
    if (i < n_positional) {
      source[i] = static_cast<std::int16_t>(i);
      continue;
    }
    for (std::size_t k = 0; k < n_keywords && source[i] == from_default; ++k)
      if (detail::equal(keywords[k], schema.arg_name(i))) source[i] = static_cast<std::int16_t>(n_positional + k);
    if (source[i] == from_default && !schema.args[i].has_default()) {
      // A misspelt keyword is the likelier mistake than a forgotten argument.
      for (std::size_t k = 0; k < n_keywords; ++k)
        if (schema.find_argument(keywords[k]) < 0) return {bind_error::unknown_keyword, k};
      return {bind_error::required_argument_missing, i};
    }
  }
  for (std::size_t k = 0; k < n_keywords; ++k) {
    int parameter = schema.find_argument(keywords[k]);
    if (parameter < 0) return {bind_error::unknown_keyword, k};
    if (source[parameter] != static_cast<std::int16_t>(n_positional + k)) return {bind_error::argument_given_twice, k};
  }
  return {};
}

/// The sources of all parameters of a call, as a constant.
template <std::size_t Size>
struct Binding {
  BindResult result;
  std::int16_t source[Size == 0 ? 1 : Size]{};
};
/// `bind<n_args>(schema, n_positional, "keyword", ...)`.
template <std::size_t Size, class... Keywords>
constexpr Binding<Size> bind(const SchemaView& schema, std::size_t n_positional, const Keywords&... keywords) {
  Binding<Size> binding;
  const std::string_view names[] = {keywords..., std::string_view()};
  binding.result = schema::bind(schema, n_positional, names, sizeof...(Keywords), binding.source);
  return binding;
}

/// The text of a failed `bind`, in PyTorch's words; `declaration` is the printed schema.
std::string bind_message(const SchemaView& schema, const BindResult& result, std::size_t n_positional,
                         const std::string_view* keywords, std::size_t n_keywords, std::string_view declaration);

}  // namespace tenon::schema
