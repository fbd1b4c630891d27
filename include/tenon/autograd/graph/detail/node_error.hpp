// What a node throws, with the node's name and the place of its forward call.
#pragma once
#include <string>

#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/base/rethrow.hpp>

namespace tenon::autograd::detail {

/// Throws an error of the same type that names the node too; one of a type of a user's own as it is.
[[noreturn, gnu::cold]] inline void rethrow_from(const Error& e, const Node* node) {
  std::string text = e.what();
  if (node && text.find("; in the backward pass of ") == text.npos) {
    text += concat("; in the backward pass of ", node->name());
    text += forward_call(*node);
    tenon::detail::throw_same_type(e, text);
  }
  throw;
}

}  // namespace tenon::autograd::detail
