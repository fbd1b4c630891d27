// Gradients of recorded tensors for a batch of weights.
#pragma once
#include <optional>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::func {

/// How batched_grad() runs: by the names that autograd::grad() has.
struct BatchedGradOptions {
  std::optional<bool> retain_graph = std::nullopt;
  bool create_graph = false, allow_unused = false, materialize_grads = false;
};

/// As autograd::grad(), for all weights of a batch by one run of the graph: a Jacobian if these are the rows of an
/// identity. Shapes: each of `grad_outputs` (n, its output's size), each result (n, its input's size). An undefined one
/// stands for ones and needs an output of one element.
/// Errors: ValueError for weights of other shapes or of batches that differ in size, and if all are undefined; else
/// those of autograd::grad().
/// Source: torch.autograd.grad with `is_grads_batched` of PyTorch 2.15.
std::vector<Tensor> batched_grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                 const std::vector<Tensor>& grad_outputs, const BatchedGradOptions& options = {});

}  // namespace tenon::func
