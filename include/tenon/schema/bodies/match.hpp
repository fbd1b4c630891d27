// Bodies of the binding of arguments.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/schema/match.hpp>

namespace tenon::schema {

TENON_COLD_BODY std::string bind_message(const SchemaView& schema, const BindResult& result, std::size_t n_positional,
                                         const std::string_view* keywords, std::size_t n_keywords,
                                         std::string_view declaration) {
  std::string_view name = schema.name();
  switch (result.why) {
    case bind_error::too_many_arguments:
      return concat("Expected at most ", schema.n_args(), " argument(s) for operator '", name, "', but received ",
                    n_positional + n_keywords, " argument(s). Declaration: ", declaration);
    case bind_error::required_argument_missing:
      return concat(name, "() is missing value for argument '", schema.arg_name(result.which),
                    "'. Declaration: ", declaration);
    case bind_error::unknown_keyword:
      return concat("Unknown keyword argument '", keywords[result.which], "' for operator '", name,
                    "'. Schema: ", declaration);
    case bind_error::argument_given_twice:
      return concat("Argument '", keywords[result.which],
                    "' specified both as positional and keyword argument. Schema: ", declaration);
    case bind_error::keyword_only_given_by_position:
      return concat(name, "() takes ", schema.kwarg_start(), " positional argument(s) but ", n_positional,
                    n_positional == 1 ? " was" : " were", " given.  Declaration: ", declaration);
    default: return {};
  }
}

}  // namespace tenon::schema
