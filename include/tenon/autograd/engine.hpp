// Running the graph backwards: nodes in the order of their sequence numbers, on the calling thread.
#pragma once
#include <optional>
#include <vector>

#include <tenon/autograd/meta.hpp>

namespace tenon::autograd {

/// Adds to every leaf's grad() the gradient of the roots' weighted sum.
/// Shapes: each gradient as its root; an undefined one stands for 1 and needs a root of one element.
/// Errors: AutogradError if a root does not require grad, or the graph was freed by an earlier run.
void backward(TensorList roots, TensorList gradients = {}, std::optional<bool> retain_graph = std::nullopt,
              bool create_graph = false);

/// The gradients of the outputs' weighted sum with respect to `inputs`; leaves stay as they are.
/// Errors: AutogradError if an input does not require grad, or (unless `allow_unused`) was not used.
std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs = {},
                         std::optional<bool> retain_graph = std::nullopt, bool create_graph = false,
                         bool allow_unused = false);

}  // namespace tenon::autograd
