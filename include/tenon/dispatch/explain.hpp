// Why a call goes where it goes: the keys of each argument, what was masked, which kernel wins and by which rule.
#pragma once
#include <string>
#include <vector>

#include <tenon/dispatch/call.hpp>

namespace tenon {

/// The story of one call, as data and as text.
struct Explanation {
  struct Argument {
    std::string name;
    KeySet keys;
  };
  struct Skipped {
    DispatchKey key;
    std::string why;  ///< `excluded by the thread`, `falls through (registered at FILE:LINE)`
  };
  std::string op;                   ///< the schema, or the name of an operator without one
  std::vector<Argument> arguments;  ///< those that bring keys
  KeySet from_arguments, included, excluded;
  std::vector<Skipped> skipped;  ///< keys above the one that won, highest first
  DispatchKey key{};             ///< the one that won
  Provenance rule = Provenance::Missing;
  std::string kernel;  ///< where it was registered; empty if there is none
  bool boxed = false;
  std::vector<std::string> kernels;  ///< `CPU (registered at FILE:LINE)`, all that the operator has
  std::string fake_kernel_module;    ///< where its definition says that the kernel for Meta is

  std::string text() const;
};

namespace detail {

Explanation explain_keys(OperatorEntry& entry, std::vector<Explanation::Argument> arguments);

}  // namespace detail

/// Explains what a boxed call with these arguments on top of the stack would do; nothing is called.
Explanation explain(const OperatorHandle& op, const Stack& stack);

}  // namespace tenon
