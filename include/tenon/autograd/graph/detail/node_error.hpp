// What a node throws, with the node's name and the place of its forward call.
#pragma once
#include <exception>
#include <string>

#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/base/rethrow.hpp>
#include <tenon/base/warning.hpp>

namespace tenon::autograd::detail {

/// What a node is called in errors: its name and its forward call.
inline std::string told_of(const Node& node) { return node.name() + forward_call(node); }

/// Throws the exception that is handled now as one of the same type that names the node too. What takes no text, a
/// type of a user's own or std::bad_alloc, is thrown as it is: anomaly mode warns of the node then.
[[noreturn, gnu::cold]] inline void rethrow_from(const Node* node) {
  if (!node) throw;
  constexpr const char* between = "; in the backward pass of ";
  auto text_with_node = [&](const std::exception& e) {
    std::string text = e.what();
    return text.find(between) == text.npos ? text + between + told_of(*node) : std::string();
  };
  auto warn_of_node = [&] {
    if (anomaly_mode() != 0) warn("Error detected in ", told_of(*node));
  };
  try {
    throw;
  } catch (const Error& e) {
    std::string text = text_with_node(e);
    if (text.empty()) throw;
    tenon::detail::throw_same_type(e, text);
  } catch (const std::exception& e) {
    std::string text = text_with_node(e);
    if (text.empty()) throw;
    tenon::detail::throw_same_standard_type(e, text);
  } catch (...) {
    warn_of_node();
    throw;
  }
  warn_of_node();
  throw;
}

}  // namespace tenon::autograd::detail
