// From the values of a call, by position and by name, to the full list of an operator's arguments.
#pragma once
#include <string>
#include <vector>

#include <tenon/boxing/value_text.hpp>
#include <tenon/schema/match.hpp>

namespace tenon {

/// Which values may become others: none, or those of scripts and of Python's callers: a number or a tensor of one
/// element for another number, one number for a list of fixed length, a tuple for a list, a string for a device.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12 takes the enumerator for one that hides tenon::None
enum class Conversions : std::uint8_t { None, Implicit };
#pragma GCC diagnostic pop

struct NamedValue {
  std::string name;
  Value value;
};

/// Whether a value is of the type that schema words name: `int[]`, `Future(Tensor)`. Throws SchemaError for other
/// words.
bool is_of_type(const Value& v, std::string_view type);

/// The full list of arguments for a boxed call: by position, then by name, then the schema's defaults.
/// Errors: TypeError for a value of another type; ValueError for an argument missing, given twice or unknown.
/// Aliasing: lists, tuples and dictionaries are passed on as they are, or copied if an element is converted; the
/// caller's are never written.
/// Cost: arguments times keywords comparisons of names.
Stack match_arguments(const schema::SchemaView& schema, std::vector<Value> positional,
                      std::vector<NamedValue> keywords = {}, Conversions conversions = Conversions::None,
                      schema::KeywordOnly keyword_only = schema::KeywordOnly::TakesPosition);

/// The first of several schemas that takes the values as they are, else the first that takes them after conversions.
/// Throws TypeError with the reason of each.
std::pair<std::size_t, Stack> match_overloads(const std::vector<schema::SchemaView>& schemas,
                                              const std::vector<Value>& positional,
                                              const std::vector<NamedValue>& keywords = {});

}  // namespace tenon
