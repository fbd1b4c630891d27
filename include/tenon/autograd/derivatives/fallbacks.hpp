// What keys do for operators without a kernel there: pass on, or record that a derivative is missing. In one unit of a
// program.
#pragma once
#include <tenon/autograd/derivative.hpp>

namespace tenon::autograd {

namespace detail {

/// Stands for an operator without a derivative: asking it for a gradient throws.
class MissingDerivative final : public tenon::detail::VectorNode {
 public:
  MissingDerivative(std::string op, std::vector<Edge> edges) : op_(std::move(op)) { set_edges(std::move(edges)); }
  std::string name() const override { return "NotImplemented"; }
  void apply(Tensor*, Tensor*) override {
    fail<NotImplementedError>(
        "derivative for ", op_,
        " is not implemented; declare one with TENON_DERIVATIVE, or register a fallthrough at Autograd if its results need none");
  }

 private:
  std::string op_;
};

template <class F>
void each_tensor(Value& v, F&& f) {
  if (v.is_tensor())
    f(v.to_tensor());
  else if (v.is_list())
    for (Value& item : v.to_list())
      if (item.is_tensor()) f(item.to_tensor());
}

/// The Autograd kernel of operators that declare no derivative: runs them below, counts their writes, and gives results
/// a node that refuses if some argument requires grad.
inline void autograd_fallback(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const auto& schema = op.schema();
  std::size_t n = schema.n_args(), base = stack.size() - n;
  std::vector<Edge> edges;
  std::vector<Tensor> written;
  for (std::size_t i = 0; i < n; ++i)
    each_tensor(stack[base + i], [&](Tensor& t) {
      if (!t.defined()) return;
      if (is_grad_enabled() && t.requires_grad()) {
        if (schema.arg(i).write) check_inplace(t);
        edges.push_back(gradient_edge(t));
      }
      if (schema.arg(i).write) written.push_back(t);
    });
  {
    AutoDispatchBelowAutograd guard;
    op.redispatch_boxed(keys & key_sets::after_autograd, stack);
  }
  bool counts = !Registry::get().table(op.entry()).at(KeySet(DispatchKey::ADInplaceOrView)).unboxed;
  for (Tensor& t : written)
    if (counts && !t->is_inference()) t->storage()->bump_version();
  if (edges.empty()) return;
  auto node = make_intrusive<MissingDerivative>(op.name(), std::move(edges));
  for (std::size_t i = base; i < stack.size(); ++i)
    each_tensor(stack[i], [&](Tensor& t) {
      if (!t.defined() || !is_differentiable_type(t.dtype())) return;
      std::uint32_t index = node->add_result(t);
      bool in_place = false;
      for (const Tensor& w : written) in_place = in_place || w.is_same(t);
      if (in_place)
        rebase_history(t, node);
      else
        set_gradient_edge(t, node, index);
    });
}

}  // namespace detail

TENON_LIBRARY_IMPL(_, BackendSelect, m) { m.fallback(fallthrough()); }
TENON_LIBRARY_IMPL(_, ADInplaceOrView, m) { m.fallback(fallthrough()); }
TENON_LIBRARY_IMPL(_, Autograd, m) { m.fallback(&detail::autograd_fallback); }

}  // namespace tenon::autograd
