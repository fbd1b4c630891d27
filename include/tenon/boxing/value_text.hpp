// Printing, comparing and copying boxed values.
#pragma once
#include <string>

#include <tenon/boxing/stack.hpp>

namespace tenon {

/// As in Python: `3`, `1.5`, `2.-3.j`, `True`, `"text"`, `[1, 2]`, `(3,)`, `{"a": 1}`, `None`; of a tensor its shape,
/// of what has no text in Python its type and state, `<Future(int): pending>`.
std::string to_string(const Value& v);

/// Equality by value for numbers, strings, containers, members of enumerations and quantizers; by identity for tensors,
/// objects and futures. Symbolic numbers are compared by a guard. A dictionary's order
/// does not count; values of different kinds differ.
bool operator==(const Value& a, const Value& b);
bool operator==(const Stack& a, const Stack& b);

/// A list, tuple or dictionary of its own with the same elements; any other value itself.
Value copy_of(const Value& v);

/// The schema words of a value's type: `int`, `Tensor[]`, `(int, str)`; of an empty list what it was made for.
std::string type_words(const Value& v);

}  // namespace tenon
