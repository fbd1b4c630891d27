// Running the graph backwards.
#pragma once
#include <unordered_set>

#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/detail/run.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::autograd {

namespace detail {

/// One gradient for each root, or none at all.
inline void check_count(std::size_t roots, TensorList gradients) {
  if (!gradients.empty() && gradients.size() != roots)
    fail<ValueError>("got ", roots, " tensors and ", gradients.size(), " gradients");
}

/// Throws unless a gradient fits its root.
inline void check_given(const Tensor& given, IntArrayRef sizes, ScalarType dtype, std::size_t i) {
  if (given.sizes() != sizes)
    fail<ValueError>("Mismatch in shape: grad_output[", i, "] has a shape of ", given.sizes(), " and output[", i,
                     "] has a shape of ", sizes, ".");
  if (given.is_complex() != is_complex_type(dtype))
    fail<TypeError>(
        "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: grad_output[",
        i, "] has a dtype of ", given.dtype(), " and output[", i, "] has a dtype of ", dtype, ".");
}
/// Throws unless a root may do without.
inline void check_implicit(std::int64_t numel, ScalarType dtype) {
  if (numel != 1) fail<ValueError>("grad can be implicitly created only for scalar outputs");
  if (is_complex_type(dtype))
    fail<ValueError>("grad can be implicitly created only for real scalar outputs but got ", dtype);
}
inline Tensor initial_gradient(const Tensor& root, const Tensor& given, std::size_t i) {
  if (given.defined()) {
    check_given(given, root.sizes(), root.dtype(), i);
    return given;
  }
  check_implicit(root.numel(), root.dtype());
  if (root.dim() == 0 && root.device() == kCPU) return scalar_tensor(1, root.dtype());
  return ops::ones_like(root);
}
inline Tensor initial_gradient(const Edge& root, const Tensor& given, std::size_t i) {
  const ResultInfo& info = root.node->result(root.index);
  if (given.defined()) {
    check_given(given, info.sizes, info.dtype, i);
    return given;
  }
  std::int64_t numel = 1;
  for (std::int64_t n : info.sizes) numel *= n;
  check_implicit(numel, info.dtype);
  return ops::ones(IntArrayRef(info.sizes), "dtype"_a = info.dtype, "device"_a = info.device);
}

inline Edge root_edge(const Tensor& root, std::size_t i) {
  Edge edge = gradient_edge(root);
  if (!edge) fail<AutogradError>("element ", i, " of tensors does not require grad and does not have a grad_fn");
  return edge;
}

inline Edge root_edge(const Edge& root, std::size_t i) {
  if (!root) fail<AutogradError>("element ", i, " of gradient edges leads nowhere");
  return root;
}

/// Adds to `needed` the nodes from which a wanted one can be reached. Wanted ones are in it from the start.
inline void find_needed(const Node* start, std::unordered_set<const Node*>& seen, Wanted& needed) {
  // Post-order without recursion: graphs are as deep as programs are long.
  std::vector<std::pair<const Node*, unsigned>> path;
  if (seen.insert(start).second) path.emplace_back(start, 0);
  while (!path.empty()) {
    const Node* node = path.back().first;
    unsigned next = path.back().second;
    if (next < node->n_edges()) {
      ++path.back().second;
      const Node* child = node->edges()[next].node.get();
      if (!child) continue;
      if (seen.insert(child).second)
        path.emplace_back(child, 0);
      else if (needed.count(child))
        needed[node] = true;
    } else {
      path.pop_back();
      if (!path.empty() && needed.count(node)) needed[path.back().first] = true;
    }
  }
}

template <class Roots>
void run_from(Run& run, const Roots& roots, TensorList gradients, Wanted* needed) {
  if (needed) {
    std::unordered_set<const Node*> seen;
    for (std::size_t i = 0; i < roots.size(); ++i) find_needed(root_edge(roots[i], i).node.get(), seen, *needed);
    run.only = needed;
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    Edge edge = root_edge(roots[i], i);
    run.start(std::move(edge), initial_gradient(roots[i], i < gradients.size() ? gradients[i] : Tensor(), i),
              roots.size() == 1);
  }
  run.execute();
}

/// The places of `inputs`, which keep their gradients from now on.
template <class Roots>
[[gnu::noinline]] Wanted marked_inputs(const Roots& roots, TensorList gradients, TensorList inputs) {
  // A call that is refused has marked no input.
  for (std::size_t i = 0; i < roots.size(); ++i) {
    (void)root_edge(roots[i], i);
    (void)initial_gradient(roots[i], i < gradients.size() ? gradients[i] : Tensor(), i);
  }
  Wanted needed;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      fail<AutogradError>("One of the differentiated Tensors does not require grad: number ", i, " of `inputs`");
    inputs[i].retain_grad();
    needed[gradient_edge(inputs[i]).node.get()] = true;
  }
  return needed;
}

template <class Roots>
void run_backward(const Roots& roots, TensorList gradients, std::optional<bool> retain_graph, bool create_graph,
                  TensorList inputs) {
  check_count(roots.size(), gradients);
  Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  std::optional<Wanted> needed;
  if (!inputs.empty()) needed = marked_inputs(roots, gradients, inputs);
  AutoGradMode mode(create_graph);
  run_from(run, roots, gradients, needed ? &*needed : nullptr);
}

[[noreturn, gnu::cold]] inline void report_unused(std::size_t i) {
  fail<AutogradError>(
      "The differentiated Tensor at index ", i,
      " appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.");
}

/// What arrives at each place; undefined where nothing does.
template <class Roots>
std::vector<Tensor> run_captured(const Roots& outputs, const std::vector<Edge>& places, TensorList grad_outputs,
                                 std::optional<bool> retain_graph, bool create_graph) {
  Run run;
  run.keep_graph = retain_graph.value_or(create_graph);
  std::vector<Tensor> result(places.size());
  Wanted needed;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (!places[i]) continue;
    needed.emplace(places[i].node.get(), false);
    run.captures.push_back({places[i].node.get(), places[i].index, &result[i]});
  }
  AutoGradMode mode(create_graph);
  run_from(run, outputs, grad_outputs, &needed);
  return result;
}

}  // namespace detail

TENON_BODY GradientEdge get_gradient_edge(const Tensor& t) {
  if (!t.requires_grad())
    fail<AutogradError>("It is not possible to get the gradient edge for a Tensor that does not require gradients");
  return gradient_edge(t);
}

TENON_BODY void backward(TensorList roots, TensorList gradients, std::optional<bool> retain_graph, bool create_graph,
                         TensorList inputs) {
  detail::run_backward(roots, gradients, retain_graph, create_graph, inputs);
}
TENON_BODY void backward(const std::vector<GradientEdge>& roots, TensorList gradients, std::optional<bool> retain_graph,
                         bool create_graph, TensorList inputs) {
  detail::run_backward(roots, gradients, retain_graph, create_graph, inputs);
}

TENON_BODY std::vector<Tensor> grad(TensorList outputs, TensorList inputs, TensorList grad_outputs,
                                    std::optional<bool> retain_graph, bool create_graph, bool allow_unused,
                                    bool materialize_grads) {
  if (inputs.empty()) fail<ValueError>("`inputs` argument to `grad()` cannot be empty.");
  detail::check_count(outputs.size(), grad_outputs);
  std::vector<Edge> places;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!inputs[i].requires_grad())
      fail<AutogradError>("The differentiated Tensor at index ", i, " does not require grad");
    places.push_back(gradient_edge(inputs[i]));
  }
  std::vector<Tensor> result = detail::run_captured(outputs, places, grad_outputs, retain_graph, create_graph);
  for (std::size_t i = 0; i < result.size(); ++i) {
    if (result[i].defined()) continue;
    if (materialize_grads) {
      AutoGradMode mode(create_graph);
      result[i] = ops::zeros_like(inputs[i]);
    } else if (!allow_unused) {
      detail::report_unused(i);
    }
  }
  return result;
}
TENON_BODY std::vector<Tensor> grad(const std::vector<GradientEdge>& outputs, const std::vector<GradientEdge>& inputs,
                                    TensorList grad_outputs, std::optional<bool> retain_graph, bool create_graph,
                                    bool allow_unused) {
  if (inputs.empty()) fail<ValueError>("`inputs` argument to `grad()` cannot be empty.");
  detail::check_count(outputs.size(), grad_outputs);
  std::vector<Tensor> result = detail::run_captured(outputs, inputs, grad_outputs, retain_graph, create_graph);
  for (std::size_t i = 0; i < result.size(); ++i)
    if (!result[i].defined() && !allow_unused) detail::report_unused(i);
  return result;
}

TENON_BODY void queue_callback(std::function<void()> f) {
  if (!detail::current_run) fail<AutogradError>("Final callbacks can only be installed during backward pass.");
  detail::current_run->callbacks.push_back(std::move(f));
}
TENON_BODY std::uint64_t current_run_number() {
  static Atomic<std::uint64_t> last{0};
  if (!detail::current_run) return 0;
  if (detail::current_run->number == 0) detail::current_run->number = last.fetch_add(1) + 1;
  return detail::current_run->number;
}
TENON_BODY bool run_comes_by(const Node& node) {
  if (!detail::current_run) fail<AutogradError>("run_comes_by(): expected to be called during a backward pass");
  return detail::current_run->run->comes_by(&node);
}
TENON_BODY std::any& kept_in_run(std::shared_ptr<const void> owner) {
  if (!detail::current_run) fail<AutogradError>("kept_in_run(): expected to be called during a backward pass");
  return detail::current_run->kept[std::move(owner)];
}
TENON_BODY bool run_asks_for_edge(unsigned i) {
  const Node* node = current_node();
  return !node || i >= node->n_edges() || detail::current_run->run->enters(node->edges()[i].node.get());
}
TENON_BODY const Node* current_node() { return detail::current_run ? detail::current_run->running : nullptr; }

}  // namespace tenon::autograd
