// Boxed kernels for operators without a derivative: writes and views by the schema, and the node that refuses.
#pragma once
#include <string>
#include <vector>

#include <tenon/autograd/not_implemented.hpp>
#include <tenon/autograd/view.hpp>
#include <tenon/base/body.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/schema/alias.hpp>

namespace tenon::autograd {

namespace detail {

/// Stands for an operator without a derivative: asking it for a gradient throws.
class MissingDerivative final : public tenon::detail::VectorNode {
 public:
  /// `arguments`: which require grad, in words.
  MissingDerivative(std::string op, std::string arguments, std::vector<Edge> edges)
      : op_(std::move(op)), arguments_(std::move(arguments)) {
    set_edges(std::move(edges));
  }
  std::string name() const override { return "NotImplemented"; }
  void apply(Tensor*, Tensor*) override {
    fail<NotImplementedError>(
        "derivative for ", op_, " is not implemented, and its ", arguments_,
        " grad; declare one with TENON_DERIVATIVE, or register a fallthrough at Autograd if its results need none");
  }

 private:
  std::string op_, arguments_;
};

using tenon::detail::each_tensor;

/// `argument 'a' requires`, or `arguments 'a', 'b' require`: those marked.
inline std::string requiring_arguments(const schema::SchemaView& s, const std::vector<bool>& requiring) {
  std::string names;
  std::size_t count = 0;
  for (std::size_t i = 0; i < s.n_args(); ++i)
    if (requiring[i]) names += concat(count++ == 0 ? "'" : ", '", s.arg_name(i), "'");
  return count == 1 ? concat("argument ", names, " requires") : concat("arguments ", names, " require");
}

/// The sets of a `Tensor(a)`, also inside an optional or a list; empty for what is written or has no annotation.
inline schema::AliasSet shared_sets(const schema::SchemaView& s, const schema::Argument& a) {
  const schema::TypeNode& node = s.type(a);
  if (a.write) return {};
  if (node.has_alias) return node.after;
  return node.child >= 0 && s.node(node.child).has_alias ? s.node(node.child).after : schema::AliasSet{};
}

/// What a call does to memory, by its operator's schema and its arguments.
struct Effects {
  std::vector<Tensor> written;
  Tensor viewed;         ///< whose memory a result shares
  std::size_t view = 0;  ///< that result
};

inline Effects effects_of(const OperatorHandle& op, Stack& stack) {
  constexpr const char* rest =
      " in the operator schema to have a non-write alias annotation (i.e., 'Tensor(a)'). Non-composite functions where several are aliased aren't supported; rewrite the function as a composite function.";
  const schema::SchemaView& s = op.schema();
  Effects out;
  std::size_t base = stack.size() - s.n_args(), viewed = 0;
  schema::AliasSet of_result = 0, of_argument = 0;
  for (std::size_t i = 0; i < s.n_returns(); ++i)
    if (auto sets = shared_sets(s, s.ret(i))) {
      TENON_CHECK(!of_result, NotImplementedError, op.name(), ": expected only a single output", rest);
      of_result = sets;
      out.view = i;
    }
  for (std::size_t i = 0; i < s.n_args(); ++i) {
    if (s.arg(i).write) each_tensor(stack[base + i], [&](Tensor& t) { out.written.push_back(t); });
    if (auto sets = shared_sets(s, s.arg(i))) {
      TENON_CHECK(!of_argument, NotImplementedError, op.name(), ": expected only a single input", rest);
      of_argument = sets;
      viewed = i;
    }
  }
  if ((of_result & of_argument) != 0 && stack[base + viewed].is_tensor()) out.viewed = stack[base + viewed].to_tensor();
  for (const Tensor& t : out.written) check_write(t, op.name());
  return out;
}
/// After the call: the writes are counted and the view is marked.
inline void apply(const Effects& effects, const OperatorHandle& op, Stack& stack) {
  for (const Tensor& t : effects.written)
    if (!t->is_inference()) t->storage()->bump_version(&op.entry());
  if (!effects.viewed.defined()) return;
  Value& result = stack[stack.size() - op.schema().n_returns() + effects.view];
  each_tensor(result, [&](Tensor& t) {
    if (!t.is_same(effects.viewed) && t->storage() && t->storage() == effects.viewed->storage())
      make_any_view(effects.viewed, t, result.is_list(), op.name());
  });
}

}  // namespace detail

TENON_BODY void not_implemented(const OperatorHandle& op, KeySet keys, Stack& stack) {
  const schema::SchemaView& s = op.schema();
  std::size_t n = s.n_args(), base = stack.size() - n;
  bool records = false;
  if (is_grad_enabled())
    for (std::size_t i = 0; i < n; ++i)
      tenon::detail::each_tensor(stack[base + i], [&](Tensor& t) { records = records || t.requires_grad(); });
  const bool annotated = schema::has_alias_info(s);
  if (!records && !annotated) [[likely]] {
    AutoDispatchBelowAutograd guard;
    return op.redispatch_boxed(keys & key_sets::after_autograd, stack);
  }
  detail::Effects effects = annotated ? detail::effects_of(op, stack) : detail::Effects();
  std::vector<Edge> edges;
  std::vector<Tensor> given;
  std::string requiring;
  if (records) {
    std::vector<bool> marked(n);
    for (const Tensor& t : effects.written) check_inplace(t, op.name());
    for (std::size_t i = 0; i < n; ++i)
      tenon::detail::each_tensor(stack[base + i], [&](Tensor& t) {
        given.push_back(t);
        if (!t.requires_grad()) return;
        marked[i] = true;
        edges.push_back(gradient_edge(t));
      });
    requiring = detail::requiring_arguments(s, marked);
  }
  bool has_own = false;  // a kernel at ADInplaceOrView; a fallthrough has no data
  if (annotated) {
    tenon::detail::CallSection section(Registry::get().readers());
    has_own = Registry::get().tables().of(op.entry()).at(KeySet(DispatchKey::ADInplaceOrView)).boxed_data != nullptr;
  }
  {
    // What the kernel's own calls write is part of the one write that is counted here.
    bool counts = !has_own && (!effects.written.empty() || effects.viewed.defined());
    ExcludeDispatchKeyGuard guard(counts ? key_sets::autograd_and_inplace_or_view : key_sets::autograd);
    op.redispatch_boxed(keys & key_sets::after_autograd, stack);
  }
  if (!has_own) detail::apply(effects, op, stack);
  if (!records) return;
  auto node = make_intrusive<detail::MissingDerivative>(std::string(op.name()), std::move(requiring), std::move(edges));
  auto is_in = [](const std::vector<Tensor>& list, const Tensor& t) {
    for (const Tensor& other : list)
      if (other.is_same(t)) return true;
    return false;
  };
  // Also what is written and not returned has a history now.
  for (const Tensor& t : effects.written)
    if (is_differentiable_type(t.dtype())) {
      node->add_result(t);
      rebase_history(t, node);
    }
  for (std::size_t i = stack.size() - op.schema().n_returns(); i < stack.size(); ++i)
    tenon::detail::each_tensor(stack[i], [&](Tensor& t) {
      if (!is_differentiable_type(t.dtype()) || is_in(effects.written, t)) return;
      if (is_in(given, t)) t = make_alias(t);  // an argument that is returned as it is keeps its own history
      set_gradient_edge(t, node, node->add_result(t));
    });
}

TENON_COLD_BODY void inplace_or_view(const OperatorHandle& op, KeySet keys, Stack& stack) {
  detail::Effects effects = detail::effects_of(op, stack);
  {
    AutoDispatchBelowADInplaceOrView guard;
    op.redispatch_boxed(keys & key_sets::after_inplace_or_view, stack);
  }
  detail::apply(effects, op, stack);
}

}  // namespace tenon::autograd
