// The node that derivative declarations make: its block of memory, its name, running it.
#pragma once
#include <bit>

#include <tenon/autograd/detail/freed_graph.hpp>
#include <tenon/autograd/graph/anomaly.hpp>
#include <tenon/autograd/graph/extras.hpp>
#include <tenon/autograd/graph/saved_hooks.hpp>
#include <tenon/autograd/derivative_node.hpp>
#include <tenon/base/body.hpp>
#include <tenon/dispatch/registry.hpp>

namespace tenon {

TENON_BODY std::uint32_t Node::add_further_result(const Tensor& x) {
  more_results_.emplace_back().set(x);
  return n_results_++;
}
TENON_BODY void Node::skip_result() {
  if (n_results_ != 0) more_results_.emplace_back();
  ++n_results_;
}

}  // namespace tenon

namespace tenon::autograd {

TENON_COLD_BODY void report_arguments_without_derivative(std::string_view op_name, std::uint32_t arguments) {
  auto i = static_cast<std::size_t>(std::countr_zero(arguments));
  const OperatorEntry* op = Registry::get().find(op_name);
  fail<AutogradError>(op_name, ": the derivative for argument ", i + 1, " '",
                      op && op->has_schema() ? op->schema().arg_name(i) : std::string_view("?"),
                      "' is not implemented; add a TENON_WRT for it to the operator's TENON_DERIVATIVE, or detach it");
}

namespace detail {

/// PyTorch counts the overloads of a name in the order of its derivatives.yaml: the names here stand by their number.
inline char overload_number(std::string_view op_name, std::string_view overload) {
  constexpr std::string_view numbered[] = {
      " eq_.Scalar fill.Scalar fmod.Scalar ge_.Scalar gt_.Scalar le_.Scalar lerp.Scalar lt_.Scalar masked_fill.Scalar max.dim min.dim ne_.Scalar pow_.Scalar remainder.Scalar ",
      " as_strided_ clamp clamp_max.Tensor clamp_min.Tensor conj_physical_ eq_.Tensor fill.Tensor fmod.Tensor ge_.Tensor gt_.Tensor le_.Tensor lerp.Tensor lt_.Tensor masked_fill.Tensor max min ne_.Tensor pow_.Tensor prod.dim_int random_.to remainder.Tensor round.decimals scatter.value sort.stable t_ transpose_ unsqueeze_ ",
      " div.Tensor_mode fill_.Scalar pow.Scalar random_ squeeze.dims ",
      " div.Scalar_mode fill_.Tensor squeeze_ ",
      " squeeze_.dim ",
      " squeeze_.dims ",
  };
  if (op_name.substr(0, 6) == "aten::") {
    std::string word = concat(" ", op_name.substr(6), " ");
    for (std::size_t n = 0; n < std::size(numbered); ++n)
      if (numbered[n].find(word) != std::string_view::npos) return static_cast<char>('0' + n);
  }
  bool second = overload == "Scalar" || overload == "dim" || overload == "dim_IntList" || overload == "Tensor_Tensor";
  return second ? '1' : '0';
}

}  // namespace detail

TENON_BODY std::string node_name(std::string_view op_name) {
  auto colon = op_name.find("::");
  std::string_view base = colon == op_name.npos ? op_name : op_name.substr(colon + 2), overload;
  if (auto dot = base.find('.'); dot != base.npos) {
    overload = base.substr(dot + 1);
    base = base.substr(0, dot);
  }
  if (op_name == "aten::copy_") return "CopyBackwards";
  // The copy of a view is named after the view.
  if (constexpr std::string_view copy = "_copy"; base.ends_with(copy))
    if (const OperatorEntry* op = Registry::get().find(op_name); op && op->has_tag(Tag::view_copy)) {
      std::string_view view = op_name.substr(0, op_name.find('.'));
      view.remove_suffix(copy.size());
      return concat(node_name(concat(view, overload.empty() ? "" : ".", overload)), copy);
    }
  if (base.size() > 8 && base.substr(base.size() - 8) == "_forward") base.remove_suffix(8);
  std::string name;
  bool up = true;  // the first letter, and each after one that is none
  for (char c : base) {
    bool letter = c >= 'a' && c <= 'z';
    if (c != '_') name += up && letter ? static_cast<char>(c - 'a' + 'A') : c;
    up = !letter && !(c >= 'A' && c <= 'Z');
  }
  return name + "Backward" + detail::overload_number(op_name, overload);
}

TENON_BODY DerivativeNode::Lists::~Lists() = default;
TENON_BODY DerivativeNode::Lists& DerivativeNode::lists() {
  if (!lists_) lists_.reset(new Lists());
  return *lists_;
}
TENON_BODY intrusive_ptr<DerivativeNode> DerivativeNode::make(const DerivativeTable& table, std::uint32_t needed,
                                                              unsigned n_edges, std::size_t plain_bytes,
                                                              void (*drop)(void*, std::uint32_t)) {
  DerivativeClause used;
  for (unsigned i = 0; i < table.n_clauses; ++i) {
    const DerivativeClause& c = table.clauses[i];
    if (!(c.targets & needed)) continue;
    used.inputs |= c.inputs;
    used.outputs |= c.outputs;
    used.geometries |= c.geometries;
    used.plain |= c.plain;
  }
  unsigned n_saved = detail::count_bits(used.inputs & table.tensor_args) + detail::count_bits(used.outputs);
  unsigned n_geometries = detail::count_bits(used.geometries & table.tensor_args);
  std::size_t saved_at = sizeof(DerivativeNode) + n_edges * sizeof(Edge),
              geometry_at = saved_at + n_saved * sizeof(SavedTensor);
  std::size_t plain_at = (geometry_at + n_geometries * sizeof(Geometry) + 15) & ~std::size_t{15};
  std::size_t bytes = plain_at + (used.plain ? plain_bytes : 0);
  auto* block = static_cast<char*>(tenon::detail::take_block(bytes));
  auto* node = new (block) DerivativeNode;
  node->table_ = &table;
  node->used_ = used;
  node->needed_ = needed;
  node->bytes_ = bytes;
  node->edges_ = reinterpret_cast<Edge*>(block + sizeof(DerivativeNode));
  node->n_edges_ = n_edges;
  node->saved_ = reinterpret_cast<SavedTensor*>(block + saved_at);
  node->geometries_ = reinterpret_cast<Geometry*>(block + geometry_at);
  node->n_saved_ = static_cast<std::uint16_t>(n_saved);
  node->n_geometries_ = static_cast<std::uint16_t>(n_geometries);
  node->plain_ = block + plain_at;
  node->drop_ = drop;
  if (detail::anomaly != 0) [[unlikely]]
    detail::note_forward(*node);
  for (unsigned i = 0; i < n_edges; ++i) new (node->edges_ + i) Edge;
  for (unsigned i = 0; i < n_saved; ++i) new (node->saved_ + i) SavedTensor;
  for (unsigned i = 0; i < n_geometries; ++i) new (node->geometries_ + i) Geometry;
  return intrusive_ptr<DerivativeNode>::adopt(node);
}

TENON_BODY void DerivativeNode::run(Tensor* grads, Tensor* out) {
  if (released_) [[unlikely]]
    detail::report_freed_graph();
  auto apply = [&] {
    if (is_grad_enabled()) return table_->apply(*this, grads, out);
    // Nothing is recorded: the formulas' calls need not pass the kernels that would.
    AutoDispatchBelowADInplaceOrView guard;
    table_->apply(*this, grads, out);
  };
  if (NodeExtras* known = extras()) [[unlikely]] {
    detail::UnpackGuard guard(known);
    return apply();
  }
  apply();
}
TENON_BODY std::vector<Tensor> DerivativeNode::list(unsigned arg) const {
  std::vector<Tensor> out;
  for (const SavedTensor& saved : lists_->tensors[list_place(arg)]) out.push_back(saved.unpack(*this));
  return out;
}
TENON_BODY void DerivativeNode::drop_saved() {
  if (n_saved_ == 0) {
    bool saved_list = false;
    if (lists_)
      for (auto& list : lists_->tensors) saved_list = saved_list || !list.empty();
    if (!saved_list) return;
  }
  released_ = true;
  if (extras() || lists_) [[unlikely]]
    drop_further();
  for (SavedTensor *s = saved_, *end = s + n_saved_; s != end; ++s) s->tensor.reset();
}
TENON_COLD_BODY void DerivativeNode::drop_further() {
  if (NodeExtras* known = extras()) known->packed.clear();
  if (lists_)
    for (auto& list : lists_->tensors) list.clear();
}

TENON_COLD_BODY void DerivativeNode::read_saved() {
  if (released_) detail::report_freed_graph();
  detail::UnpackGuard guard_unpacked(extras());
  auto one = [&](const SavedTensor& saved) {
    if (saved.packed || saved.tensor.defined()) (void)saved.unpack(*this);
  };
  for (unsigned i = 0; i < n_saved_; ++i) one(saved_[i]);
  if (lists_)
    for (const auto& list : lists_->tensors)
      for (const SavedTensor& saved : list) one(saved);
}

TENON_COLD_BODY void DerivativeNode::visit_saved(void (*visit)(void*, const Tensor&), void* context) const {
  auto one = [&](const SavedTensor& saved) {
    if (!saved.packed && saved.tensor.defined()) visit(context, saved.tensor);
  };
  for (unsigned i = 0; i < n_saved_; ++i) one(saved_[i]);
  if (lists_)
    for (const auto& list : lists_->tensors)
      for (const SavedTensor& saved : list) one(saved);
}
TENON_COLD_BODY std::string DerivativeNode::find_place(const SavedTensor& saved) const {
  if (saved.result) return concat("result ", saved.result - 1);
  const OperatorEntry* op = Registry::get().find(table_->op_name);
  auto text = [&](unsigned arg) {
    return op && op->has_schema() ? concat("argument '", op->schema().arg_name(arg), "'")
                                  : concat("argument ", arg + 1);
  };
  for (unsigned arg = 0; arg < 32; ++arg) {
    std::uint32_t bit = std::uint32_t{1} << arg;
    if (!(used_.inputs & bit)) continue;
    if (table_->tensor_args & bit) {
      if (saved_ + input_place(arg) == &saved) return text(arg);
    } else if (lists_ && table_->list_args & bit) {
      const auto& list = lists_->tensors[list_place(arg)];
      if (!list.empty() && &saved >= list.data() && &saved < list.data() + list.size()) return text(arg);
    }
  }
  return "an argument";
}

/// Ends a node and returns its memory, in one function without calls: each step of a chain comes here.
TENON_BODY void DerivativeNode::end() noexcept {
  std::size_t bytes = bytes_;
  this->~DerivativeNode();
  tenon::detail::give_block(static_cast<void*>(this), bytes);
}

}  // namespace tenon::autograd
