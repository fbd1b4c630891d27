// Whether kernels fit their operator: their C++ types each other, the declaration and the schema.
#pragma once
#include <string>
#include <string_view>
#include <typeinfo>

#include <tenon/dispatch/operator_entry.hpp>

namespace tenon::detail {

/// The schema that a kernel's C++ type gives.
std::string inferred_schema_text(const SignatureInfo& type, std::string_view name = {});

// Under the registry's lock. The checks throw RegistrationError.

/// Of a kernel that is to be registered: its C++ type is that of the others and of the declaration.
void check_type(const OperatorEntry& entry, DispatchKey key, const Kernel::State& kernel);
void check_against_schema(const OperatorEntry& entry, const schema::SchemaView& schema, const Place& definition_place,
                          const Kernel::State& kernel);
/// The C++ types that an operator's kernels fix, from those that are left.
void fix_types(OperatorEntry& entry);
/// Whether calls of a C++ type may reach the operator.
bool serves_type(const OperatorEntry& entry, const std::type_info& type, const std::type_info& plain, bool symbolic);

}  // namespace tenon::detail
