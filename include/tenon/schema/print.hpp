// The canonical text of schemas, types and default values.
#pragma once
#include <string>

#include <tenon/schema/view.hpp>

namespace tenon::schema {

namespace detail {

void append_double(std::string& out, double value);

void append_quoted(std::string& out, std::string_view text);

void append_type(std::string& out, const SchemaView& schema, std::int16_t index, bool with_alias);

}  // namespace detail

/// The type of an argument or return as schemas write it, without alias annotations.
std::string type_text(const SchemaView& schema, const Argument& a);

/// One argument as in the schema: `Tensor(a!) self`, `int dim=-1`.
std::string to_string(const SchemaView& schema, const Argument& a);

/// The schema in PyTorch's canonical form; parsing the result gives an equal schema.
std::string to_string(const SchemaView& schema);

}  // namespace tenon::schema
