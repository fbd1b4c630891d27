// Anomaly mode: keeping call sites, looking for NaN, telling of a node.
#pragma once
#include <cstdlib>
#include <memory>
#include <string>

#include <tenon/autograd/graph/detail/run_state.hpp>
#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/graph/extras.hpp>
#include <tenon/base/body.hpp>
#include <tenon/dispatch/detail/caller.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::autograd::detail {

TENON_COLD_BODY std::int8_t anomaly_mode() {
  if (anomaly < 0) {
    const char* word = std::getenv("TENON_DETECT_ANOMALY");
    std::string_view text = word ? word : "";
    anomaly = text.empty() || text == "0" ? 0 : text == "2" ? 1 : 3;
  }
  return anomaly;
}

TENON_COLD_BODY void note_forward(Node& node) {
  if (anomaly_mode() == 0) return;
  NodeExtras& extras = node.need_extras();
  if (current_run && current_run->running) extras.parent = intrusive_ptr<Node>::share(current_run->running);
  extras.call_site = std::make_shared<tenon::detail::CallStack>();
}

TENON_COLD_BODY std::string forward_call(const Node& node) {
  std::string arguments, results;
  for (unsigned i = 0; i < node.n_edges(); ++i)
    if (const Edge& edge = node.edges()[i])
      arguments += concat(arguments.empty() ? ", arguments " : ", ", IntArrayRef(edge.node->result(edge.index).sizes));
  for (unsigned i = 0; i < node.n_inputs(); ++i)
    results += concat(i == 0 ? ", results " : ", ", IntArrayRef(node.result(i).sizes));
  std::string text = arguments + results;
  const NodeExtras* extras = node.extras();
  if (!extras) return text;
  if (extras->call_site)
    if (std::string line = extras->call_site->line(); !line.empty()) text += ", called at " + line;
  if (extras->parent)
    text += concat("\nmade in the backward pass of ", extras->parent->name(), forward_call(*extras->parent));
  return text;
}

TENON_COLD_BODY void check_numbers(const Node& node, const Tensor* out) {
  if (!(anomaly_mode() & 2)) return;
  NoGradGuard no_grad;
  for (unsigned i = 0; i < node.n_edges(); ++i) {
    if (!out[i].defined() || !is_differentiable_type(out[i].dtype())) continue;
    if (ops::any(ops::isnan(out[i])).item<bool>())
      fail<AutogradError>("Function '", node.name(), "' returned nan values in its ", i, "th output.");
  }
}

}  // namespace tenon::autograd::detail
