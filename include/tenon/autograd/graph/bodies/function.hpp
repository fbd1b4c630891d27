// Functions of one's own: their place in the graph, running their backward pass.
#pragma once
#include <cxxabi.h>

#include <cstdlib>

#include <tenon/autograd/detail/freed_graph.hpp>
#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::autograd {

TENON_BODY std::vector<Tensor> AutogradContext::saved_tensors() const {
  return restored_ ? *restored_ : node_->saved();
}

namespace detail {

/// Stands behind the gradients of a function that can be differentiated once.
class DifferentiatedTwice final : public VectorNode {
 public:
  explicit DifferentiatedTwice(std::vector<Edge> edges) { set_edges(std::move(edges)); }
  std::string name() const override { return "Error"; }
  void apply(Tensor*, Tensor*) override {
    fail<AutogradError>("trying to differentiate twice a function that was marked with once_differentiable");
  }
};

TENON_COLD_BODY std::string function_name(const std::type_info& type) {
  int status = 0;
  char* text = abi::__cxa_demangle(type.name(), nullptr, nullptr, &status);
  std::string name = text ? text : type.name();
  std::free(text);
  // Of a::(anonymous namespace)::B<c::d> or f()::B: B.
  name = name.substr(0, name.find('<'));
  if (auto at = name.rfind("::"); at != name.npos) name = name.substr(at + 2);
  return name + "Backward";
}

/// `Scale` of the node `ScaleBackward`.
inline std::string_view function_of_node(std::string_view name) {
  constexpr std::string_view suffix = "Backward";
  if (name.size() > suffix.size() && name.ends_with(suffix)) name.remove_suffix(suffix.size());
  return name;
}

inline bool is_among(const std::vector<Tensor>& list, const Tensor& t) {
  for (const Tensor& other : list)
    if (other.defined() && other.is_same(t)) return true;
  return false;
}

TENON_BODY void FunctionNode::begin(const std::vector<Tensor>& tensors, std::vector<int> counts) {
  counts_ = std::move(counts);
  std::size_t at = 0;
  for (int count : counts_) {
    bool needed = false;
    for (int i = 0; i < count; ++i)
      needed = needed || (tensors[at + static_cast<std::size_t>(i)].defined() &&
                          tensors[at + static_cast<std::size_t>(i)].requires_grad());
    if (count > 0) at += static_cast<std::size_t>(count);
    context.needs_.push_back(needed);
    records_ = records_ || needed;
  }
  records_ = records_ && is_grad_enabled();
  std::vector<Edge> edges(tensors.size());
  if (records_) {
    for (std::size_t i = 0; i < tensors.size(); ++i)
      if (tensors[i].defined()) edges[i] = gradient_edge(tensors[i]);
    if (anomaly != 0) [[unlikely]]
      note_forward(*this);
  }
  set_edges(std::move(edges));
}

TENON_BODY void FunctionNode::finish(const std::vector<Tensor>& arguments, const std::vector<Tensor*>& results) {
  for (const Tensor& t : context.dirty_) {
    bool returned = false;
    for (Tensor* result : results) returned = returned || result->is_same(t);
    if (!returned)
      fail<AutogradError>(
          "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified inplace must all be outputs of the Function.");
  }
  auto self = intrusive_ptr<Node>::share(this);
  std::uint32_t index = 0;
  std::vector<Tensor> outputs;
  for (Tensor* result : results) {
    Tensor& t = *result;
    if (!t.defined()) {
      skip_result();
      ++index;
      outputs.emplace_back();
      continue;
    }
    bool is_argument = is_among(arguments, t), dirty = is_among(context.dirty_, t);
    bool differentiable = is_differentiable_type(t.dtype()) && !is_among(context.non_differentiable_, t);
    // An argument that was not written keeps its own history.
    Tensor original = t;
    if (is_argument && (!dirty || !differentiable)) t = make_alias(t);
    if (records_) {
      add_result(t);
      if (differentiable && dirty && is_argument) {
        check_inplace(t, name_);
        rebase_history(t, self);
        need_meta(t).grad = Tensor();  // it was that of the value before
      } else if (differentiable) {
        set_gradient_edge(t, self, index);
      }
    }
    outputs.push_back(original);
    ++index;
  }
  if (!records_) return;
  for (const Tensor& t : context.to_save_) {
    std::uint32_t as_result = 0;
    while (as_result < outputs.size() &&
           !(t.defined() && outputs[as_result].defined() && outputs[as_result].is_same(t)))
      ++as_result;
    bool unwritten_argument = is_among(arguments, t) && !is_among(context.dirty_, t);
    saved_.push_back(as_result < outputs.size() && !unwritten_argument ? SavedTensor::output(t, as_result, *this)
                                                                       : SavedTensor::input(t, *this));
  }
  context.to_save_.clear();
  context.dirty_.clear();
  context.non_differentiable_.clear();
}

TENON_BODY std::vector<Tensor> FunctionNode::saved() const {
  if (released_) report_freed_graph();
  std::vector<Tensor> list;
  UnpackGuard guard(unpacked ? nullptr : extras());
  for (const SavedTensor& saved : saved_)
    list.push_back(saved.result ? saved.unpack_output(const_cast<FunctionNode&>(*this)) : saved.unpack(*this));
  return list;
}
TENON_COLD_BODY std::string FunctionNode::find_place(const SavedTensor& saved) const {
  return concat("saved_tensors()[", &saved - saved_.data(), "] of ", function_of_node(name_));
}
TENON_BODY void FunctionNode::drop() {
  if (saved_.empty()) return;
  released_ = true;
  saved_.clear();
  if (NodeExtras* known = extras()) known->packed.clear();
}
TENON_COLD_BODY void FunctionNode::visit_saved(void (*visit)(void*, const Tensor&), void* to) const {
  for (const SavedTensor& saved : saved_)
    if (!saved.packed && saved.tensor.defined()) visit(to, saved.tensor);
}

TENON_BODY std::vector<Tensor> FunctionNode::gradients(TensorList grads) {
  if (!once_) return backward_(context, grads);
  std::vector<Tensor> list = [&] {
    NoGradGuard no_grad;
    return backward_(context, grads);
  }();
  std::vector<Edge> edges;
  if (is_grad_enabled())
    for (const Tensor& g : grads)
      if (g.defined() && g.requires_grad()) edges.push_back(gradient_edge(g));
  if (edges.empty()) return list;
  auto error = make_intrusive<DifferentiatedTwice>(std::move(edges));
  for (Tensor& t : list)
    if (t.defined() && is_differentiable_type(t.dtype())) {
      t = make_alias(t);
      set_gradient_edge(t, error, error->add_result(t));
    }
  return list;
}

TENON_BODY void FunctionNode::run(Tensor* grads, Tensor* out) {
  if (released_) report_freed_graph();
  UnpackGuard guard(extras());
  std::vector<Tensor> given(grads, grads + n_inputs());
  if (context.materialize_)
    for (unsigned i = 0; i < n_inputs(); ++i)
      if (const ResultInfo& info = result(i); !given[i].defined() && info.dtype != ScalarType::Undefined)
        given[i] = ops::zeros(IntArrayRef(info.sizes), "dtype"_a = info.dtype, "device"_a = info.device);
  std::vector<Tensor> list = gradients(given);
  list = gradient_of_each(std::move(list), counts_, name_);
  for (unsigned i = 0; i < n_edges(); ++i)
    if (should_compute(i)) out[i] = std::move(list[i]);
}

TENON_BODY std::vector<Tensor> gradient_of_each(std::vector<Tensor> list, const std::vector<int>& counts,
                                                const std::string& name) {
  std::size_t by_argument = 0, n_tensors = 0;
  for (int count : counts) {
    by_argument += count < 0 ? 1 : static_cast<std::size_t>(count);
    n_tensors += count < 0 ? 0 : static_cast<std::size_t>(count);
  }
  // A gradient for each argument; those of what is no tensor are skipped. Undefined ones at the end count for nothing.
  bool each_argument = list.size() != n_tensors;
  std::size_t expected = each_argument ? by_argument : n_tensors;
  while (list.size() > expected && !list.back().defined()) list.pop_back();
  if (list.size() != expected)
    fail<AutogradError>("function ", name, " returned an incorrect number of gradients (expected ", n_tensors, ", got ",
                        list.size(), ")");
  if (!each_argument) return list;
  std::vector<Tensor> of_tensors;
  std::size_t from = 0;
  for (int count : counts) {
    if (count < 0 && list[from++].defined())
      fail<AutogradError>("function ", name, " returned a gradient different from None at position ", from,
                          ", but the corresponding forward input was not a Variable");
    for (int i = 0; i < count; ++i) of_tensors.push_back(std::move(list[from++]));
  }
  return of_tensors;
}

TENON_BODY std::vector<Tensor> PlainFunction::operator()(const std::vector<Tensor>& tensors) const {
  auto node = make_intrusive<FunctionNode>(name, backward, once);
  node->begin(tensors, counts);
  std::vector<Tensor> list = [&] {
    NoGradGuard no_grad;
    return forward(node->context, tensors);
  }();
  std::vector<Tensor*> results;
  for (Tensor& t : list) results.push_back(&t);
  node->finish(tensors, results);
  return list;
}
TENON_BODY RunTransformed& run_transformed() {
  static RunTransformed run = nullptr;
  return run;
}

}  // namespace detail
}  // namespace tenon::autograd
