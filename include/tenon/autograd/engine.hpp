// Running the graph backwards: nodes in the order of their sequence numbers, on the calling thread.
#pragma once
#include <optional>
#include <vector>

#include <tenon/autograd/meta.hpp>

namespace tenon {

namespace autograd {

// A base without its header is an error whose note shows this line.
template <class F>
struct Function;  // include <tenon/autograd/graph/function.hpp>

namespace detail {
struct RunState;
TENON_THREAD_WORD(RunState*, current_run, nullptr);
}  // namespace detail

/// Adds to every leaf's grad() the gradient of the roots' weighted sum. With `inputs`, only to theirs, which need not
/// be leaves. Shapes: each gradient as its root; an undefined one stands for 1 and needs a root of one element. Errors:
/// AutogradError if a root or an input does not require grad, or the graph was freed by an earlier run. What a node
/// throws carries the node's name; leaves whose gradient was complete by then have it. Threads: runs on the calling
/// thread. Several threads may run graphs that share leaves, and with `retain_graph` graphs that share nodes. A node
/// may itself call backward().
void backward(TensorList roots, TensorList gradients = {}, std::optional<bool> retain_graph = std::nullopt,
              bool create_graph = false, TensorList inputs = {});

/// The gradients of the outputs' weighted sum with respect to `inputs`; leaves stay as they are.
/// Errors: AutogradError if an input does not require grad, or (unless `allow_unused`) was not used; with
/// `materialize_grads` the gradient of such an input is zeros.
std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                         std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                         bool allow_unused = false, bool materialize_grads = false);

/// Where the gradient of a tensor goes. It keeps the graph behind the tensor, not the tensor, and stands for it as it
/// was then, whatever is written into it later.
using GradientEdge = Edge;
/// Errors: AutogradError for a tensor that does not require grad.
/// Source: torch.autograd.graph.get_gradient_edge of PyTorch 2.15.
GradientEdge get_gradient_edge(const Tensor& t);
/// The same by places in the graph: what `get_gradient_edge(t)` gives stands for `t`.
void backward(const std::vector<GradientEdge>& roots, TensorList gradients = {},
              std::optional<bool> retain_graph = std::nullopt, bool create_graph = false, TensorList inputs = {});
std::vector<Tensor> grad(const std::vector<GradientEdge>& outputs, const std::vector<GradientEdge>& inputs,
                         TensorList grad_outputs = {}, std::optional<bool> retain_graph = std::nullopt,
                         bool create_graph = false, bool allow_unused = false);

}  // namespace autograd
}  // namespace tenon
