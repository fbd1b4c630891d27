// What is printed of operators, and what is said when a call cannot be served.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <typeinfo>

#include <tenon/dispatch/operator_entry.hpp>

namespace tenon {

/// The operator's definition and every kernel by key, with their places.
std::string dump_state(const OperatorEntry& entry);
/// The kernel that serves each key, with its place and the rule that chose it.
std::string dump_table(const OperatorEntry& entry);

namespace detail {

/// Throws NotImplementedError for a call with these keys. `from_arguments` holds the key bits that each brought.
[[noreturn]] void report_missing(OperatorEntry& entry, KeySet keys, const std::uint64_t* from_arguments = nullptr,
                                 std::size_t n_arguments = 0);
/// What follows `Could not find schema for NAME`: what there is in that namespace, or what to link.
std::string not_found(std::string_view full_name, bool has_kernels);
/// Throws NotImplementedError if the handle's definition is gone.
[[noreturn]] void report_unregistered(const OperatorEntry& entry);
/// Throws TypeError with the full text of a mismatch between an operator and a C++ type.
[[noreturn]] void report_wrong_type(const OperatorEntry& entry, const std::type_info& asked, bool symbolic);

}  // namespace detail
}  // namespace tenon
