// A transform of one's own: one boxed kernel at the key Tracer records the calls of a function as a graph, which boxed
// calls run again.
#pragma once
#include <cstddef>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include <tenon/tenon.hpp>

namespace graph {

using namespace tenon;

/// Stands for a tensor where the graph has an argument or a result: the number of a value.
struct Ref final : RefCounted {
  explicit Ref(std::size_t n) : number(n) {}
  std::size_t number;
};
inline const Ref* as_ref(const Value& v) {
  return v.kind() == ValueKind::Object ? dynamic_cast<const Ref*>(v.to_object<RefCounted>().get()) : nullptr;
}

/// A copy of `v` with `f` of what is no list; lists at any depth stay lists.
template <class F>
Value map(const Value& v, F&& f) {
  if (!v.is_list()) return f(v);
  std::vector<Value> items;
  for (const Value& item : v.to_list()) items.push_back(map(item, f));
  return Value::list(std::move(items), v.element_kind());
}

/// One call of an operator.
struct Node {
  OperatorHandle op;
  std::vector<Value> arguments, results;  ///< tensors are `Ref`s
};

/// The calls of one run of a function, in their order. What the function decided by sizes stays decided.
struct Graph {
  std::size_t inputs = 0, values = 0;
  std::vector<std::pair<std::size_t, Tensor>> constants;  ///< tensors that the function had from elsewhere: weights
  std::vector<Node> nodes;
  Value output;

  /// Runs the calls with other inputs: an interpreter, which knows operators by their handles alone.
  Tensor operator()(const std::vector<Tensor>& given) const {
    TENON_CHECK(given.size() == inputs, ValueError, "graph: expected ", inputs, " inputs, got ", given.size());
    std::vector<Tensor> at(values);
    for (std::size_t i = 0; i < inputs; ++i) at[i] = given[i];
    for (const auto& [n, tensor] : constants) at[n] = tensor;
    auto tensor_of = [&](const Value& v) { return as_ref(v) ? Value(at[as_ref(v)->number]) : v; };
    for (const Node& node : nodes) {
      Stack stack;
      for (const Value& v : node.arguments) stack.push_back(map(v, tensor_of));
      node.op.call_boxed(stack);
      for (std::size_t r = 0; r < node.results.size(); ++r) keep(node.results[r], stack[r], at);
    }
    return tensor_of(output).to_tensor();
  }

  /// Takes out calls whose results nobody reads and that write nothing.
  void remove_dead() {
    std::set<std::size_t> read;
    auto note = [&](const Value& v) {
      if (const Ref* ref = as_ref(v)) read.insert(ref->number);
      return v;
    };
    note(output);
    std::vector<Node> kept;
    for (; !nodes.empty(); nodes.pop_back()) {
      Node& node = nodes.back();
      bool needed = node.results.empty() || schema::is_mutable(node.op.schema());
      for (const Value& v : node.results)
        map(v, [&](const Value& one) {
          needed |= as_ref(one) && read.contains(as_ref(one)->number);
          return one;
        });
      if (!needed) continue;
      for (const Value& v : node.arguments) map(v, note);
      kept.push_back(std::move(node));
    }
    nodes.assign(std::move_iterator(kept.rbegin()), std::move_iterator(kept.rend()));
    std::erase_if(constants, [&](const auto& constant) { return !read.contains(constant.first); });
  }

 private:
  static void keep(const Value& names, const Value& made, std::vector<Tensor>& at) {
    if (const Ref* ref = as_ref(names)) at[ref->number] = made.to_tensor();
    if (names.is_list())
      for (std::size_t i = 0; i < names.to_list().size(); ++i) keep(names.to_list()[i], made.to_list()[i], at);
  }
};

inline std::string text(const Value& v) {
  if (const Ref* ref = as_ref(v)) return concat('%', ref->number);
  if (!v.is_list()) return to_string(v);
  std::string items;
  for (const Value& item : v.to_list()) items += (items.empty() ? "" : ", ") + text(item);
  return "[" + items + "]";
}
inline std::string text(const std::vector<Value>& list) {
  std::string items;
  for (const Value& item : list) items += (items.empty() ? "" : ", ") + text(item);
  return items;
}
/// A line for each constant and each call.
inline std::string to_string(const Graph& g) {
  std::string lines;
  for (const auto& [n, tensor] : g.constants) lines += concat('%', n, " = ", tensor.dtype(), ' ', tensor.sizes(), '\n');
  for (const Node& node : g.nodes)
    lines +=
        concat(text(node.results), node.results.empty() ? "" : " = ", node.op.name(), '(', text(node.arguments), ")\n");
  return lines + "return " + text(g.output);
}

class Recorder {
 public:
  explicit Recorder(const std::vector<Tensor>& inputs) : before_(current()) {
    for (const Tensor& input : inputs) {
      TENON_CHECK(!numbers_.contains(&input.impl()), ValueError, "graph: two inputs are one tensor; give clones");
      ours(input);
      ++graph_.inputs;
    }
    current() = this;
  }
  ~Recorder() { current() = before_; }
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  /// The kernel: whatever the operator, its arguments and results are values on a stack.
  static void record(const OperatorHandle& op, Stack& stack) {
    ExcludeDispatchKeyGuard below(DispatchKey::Tracer);  // what the operator calls in turn is its own matter
    if (Recorder* here = current())
      here->call(op, stack);
    else
      op.call_boxed(stack);
  }
  Graph finish(const Tensor& output) {
    graph_.output = read(output, "the function's result");
    graph_.values = kept_.size();
    return std::move(graph_);
  }

 private:
  static Recorder*& current() {
    static thread_local Recorder* recorder = nullptr;
    return recorder;
  }
  Value named(const Tensor& t) {
    kept_.push_back(t);  // an address is a name as long as its tensor lives
    numbers_[&t.impl()] = kept_.size() - 1;
    return Value(make_intrusive<Ref>(kept_.size() - 1));
  }
  Value ours(const Tensor& t) {
    if (memory(t) && !foreign_.contains(memory(t))) ours_.insert(memory(t));
    return named(t);
  }
  static const void* memory(const Tensor& t) { return t.impl().storage().get(); }

  template <class Where>
  Value read(const Value& v, const Where& where) {
    if (!v.is_tensor() || !v.to_tensor().defined()) return v;
    const Tensor& t = v.to_tensor();
    if (auto found = numbers_.find(&t.impl()); found != numbers_.end())
      return Value(make_intrusive<Ref>(found->second));
    // A tensor of unknown origin is a constant; one over memory of the trace would be stale numbers.
    TENON_CHECK(!ours_.contains(memory(t)), NotImplementedError, "graph: ", where,
                " is a tensor over memory of the trace that no recorded call made; run backward passes outside of it");
    foreign_.insert(memory(t));
    Value name = named(t);
    graph_.constants.emplace_back(kept_.size() - 1, t);
    return name;
  }

  void call(const OperatorHandle& op, Stack& stack) {
    // Numbers of tensor({..}) are constants, of which each run has its own copy: it may write to them.
    static const OperatorHandle copy = Registry::get().find_schema_or_throw("aten::lift_fresh_copy", "");
    const bool fresh = op.name() == "aten::lift_fresh";
    Node node{fresh ? copy : op, {}, {}};
    const std::size_t n = op.schema().n_args(), base = stack.size() - n;
    for (std::size_t i = 0; i < n; ++i)
      node.arguments.push_back(map(
          stack[base + i], [&](const Value& v) { return read(fresh ? Value(v.to_tensor().clone()) : v, op.name()); }));
    op.call_boxed(stack);
    for (std::size_t r = base; r < stack.size(); ++r)
      node.results.push_back(map(stack[r], [&](const Value& v) {
        TENON_CHECK(v.is_tensor() || v.is_none(), NotImplementedError, "graph: ", op.name(), " gives ", to_string(v),
                    ", which later runs would keep; compute with tensors instead");
        return v.is_tensor() && v.to_tensor().defined() ? ours(v.to_tensor()) : Value();
      }));
    graph_.nodes.push_back(std::move(node));
  }

  Graph graph_;
  std::unordered_map<const TensorImpl*, std::size_t> numbers_;
  std::vector<Tensor> kept_;
  std::set<const void*> ours_, foreign_;
  Recorder* before_;
};

/// The calls that `f` makes of operators, for tensors like these.
template <class F, class... T>
Graph trace(F&& f, const T&... inputs) {
  Recorder recorder({inputs...});
  Tensor result;
  {
    IncludeDispatchKeyGuard tracing(DispatchKey::Tracer);
    result = f(inputs...);
  }
  return recorder.finish(result);
}

}  // namespace graph

TENON_LIBRARY_IMPL(_, Tracer, m) { m.fallback(&graph::Recorder::record); }
