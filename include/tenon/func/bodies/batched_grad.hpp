// A run of the graph in which every gradient is one of a batch.
#pragma once
#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/func/batched_grad.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::func {

namespace detail {
/// How many weights there are.
inline std::int64_t count_weights(const std::vector<Tensor>& outputs, const std::vector<Tensor>& weights) {
  TENON_CHECK(weights.size() == outputs.size(), ValueError, "got ", outputs.size(), " tensors and ", weights.size(),
              " gradients");
  std::int64_t n = -1;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const Tensor& w = weights[i];
    if (!w.defined()) continue;
    IntArrayRef of = outputs[i].sizes();
    TENON_CHECK(w.sizes().size() == of.size() + 1 && w.sizes().slice(1, of.size()) == of, ValueError,
                "batched_grad: expected the sizes of gradient ", i, " behind the batch to be those of its output, ", of,
                ", got ", w.sizes());
    TENON_CHECK(n < 0 || w.size(0) == n, ValueError, "batched_grad: expected batches of one size, got ", n, " and ",
                w.size(0));
    n = w.size(0);
  }
  TENON_CHECK(n >= 0, ValueError, "batched_grad: expected a batch of gradients, got none");
  return n;
}
}  // namespace detail

TENON_COLD_BODY std::vector<Tensor> batched_grad(const std::vector<Tensor>& outputs, const std::vector<Tensor>& inputs,
                                                 const std::vector<Tensor>& grad_outputs,
                                                 const BatchedGradOptions& options) {
  LevelGuard rows(LevelKind::Batch, detail::count_weights(outputs, grad_outputs));
  std::vector<Tensor> weights;
  for (const Tensor& w : grad_outputs) weights.push_back(w.defined() ? make_batched(w, rows.level()) : w);
  std::vector<Tensor> found = autograd::grad(outputs, inputs, weights, options.retain_graph, options.create_graph,
                                             options.allow_unused || options.materialize_grads);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!found[i].defined() && options.materialize_grads) found[i] = ops::zeros_like(inputs[i]);
    if (found[i].defined()) found[i] = detail::batch_of(found[i], rows.level());
  }
  return found;
}

}  // namespace tenon::func
