// The graph behind a tensor, for people: as a drawing, and how much memory it holds.
#pragma once
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include <tenon/autograd/meta.hpp>

namespace tenon::autograd {

/// Calls `visit` once for each node behind the tensors, those nearer to them first. No recursion: a million nodes will
/// do.
void each_node(TensorList tensors, const std::function<void(Node&)>& visit);

/// The graph behind a tensor in the language DOT of Graphviz: a box per node with its name and the sizes of its
/// results, an arrow the way each gradient goes.
std::string to_dot(const Tensor& tensor);

/// The bytes of memory that the graphs behind the tensors keep: every saved tensor's storage once, without those of
/// `besides` (parameters and inputs, say, which exist anyway). Tensors that saved-tensor hooks packed count if the
/// hooks keep a tensor.
std::size_t saved_bytes(TensorList tensors, TensorList besides = {});

}  // namespace tenon::autograd
