// Waiting for what another thread registers.
#pragma once
#include <string_view>

#include <tenon/keys/dispatch_key.hpp>

namespace tenon {

inline constexpr double kWaitForever = 1e9;  ///< seconds

/// Blocks until the operator of a full name (`aten::add.Tensor`) is defined. False where `seconds` passed before.
/// The thread must not hold a Registry::Lock, nor be within a static block: who registers could not go on.
bool wait_for_def(std::string_view full_name, double seconds = kWaitForever);
/// The same for a kernel that is registered at `key` itself; Undefined is CompositeImplicitAutograd.
bool wait_for_impl(std::string_view full_name, DispatchKey key, double seconds = kWaitForever);

}  // namespace tenon
