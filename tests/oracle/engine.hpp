// Replays recorded programs over hooks, functions of one's own, checkpoints and the options of backward passes.
#pragma once
#include <map>
#include <set>

#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/graph/hooks.hpp>

#include "lines.hpp"

namespace oracle {

inline void compare_inline(const std::string& what, const Tensor& got, const json& expected, Tolerance tolerance) {
  if (!got.defined()) mismatch(what, ": expected a tensor, got an undefined one");
  if (got.dtype() != kDouble) mismatch(what, ": expected float64, got ", got.dtype());
  Tensor e = written_tensor(expected);
  if (got.sizes() != e.sizes()) mismatch(what, ": expected size ", e.sizes(), ", got ", got.sizes());
  compare_elements(what, on_host(got), static_cast<const char*>(e.data_ptr()), e.strides(), kDouble, tolerance);
}

/// Variables by number.
class Variables : public TensorSource {
 public:
  bool is(const json& v) const override { return v.is_object() && (v.contains("v") || v.contains("index")); }
  Tensor get(const json& v) override {
    if (v.contains("v")) return at(v.at("v"));
    return index_tensor(v);
  }
  const Tensor& at(const json& number) const {
    auto i = number.get<std::size_t>();
    if (i >= list.size()) mismatch("the program uses variable ", i, " before it exists");
    return list[i];
  }
  std::vector<Tensor> call(const json& step) {
    OperatorHandle op = find(step.at("op").get<std::string>());
    Stack stack =
        arguments(op.schema(), step.at("args"), step.contains("kwargs") ? step.at("kwargs") : json::object(), *this);
    op.call_boxed(stack);
    std::vector<Tensor> got;
    for (const Value& v : stack) collect(v, got);
    return got;
  }
  std::vector<Tensor> list;
};

namespace functions {
using autograd::AutogradContext;

struct Scale : autograd::Function<Scale> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x, double a, double b) {
    ctx.saved_data["b"] = b;
    return ops::mul(x, a);
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) { return ops::mul(grads[0], ctx.get<double>("b")); }
};
struct ScaleDirty : autograd::Function<ScaleDirty> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x, double a, double b) {
    ctx.saved_data["b"] = b;
    Tensor written = x;
    ops::mul_(written, a);
    ctx.mark_dirty({x});
    return x;
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) { return ops::mul(grads[0], ctx.get<double>("b")); }
};
struct NonDifferentiable : autograd::Function<NonDifferentiable> {
  static std::tuple<Tensor, Tensor> forward(AutogradContext& ctx, const Tensor& x, double a, double b) {
    ctx.saved_data["b"] = b;
    Tensor sign = ops::sign(x);
    ctx.mark_non_differentiable({sign});
    return {ops::mul(x, a), sign};
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) { return ops::mul(grads[0], ctx.get<double>("b")); }
};
struct NoneGrad : autograd::Function<NoneGrad> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x, const Tensor& y, double a, double b) {
    ctx.saved_data["b"] = b;
    ctx.save_for_backward({y});
    return ops::mul(ops::mul(x, y), a);
  }
  static std::tuple<Tensor, Tensor> backward(AutogradContext& ctx, TensorList grads) {
    return {ops::mul(ops::mul(grads[0], ctx.saved_tensors()[0]), ctx.get<double>("b")), Tensor()};
  }
};
struct Two : autograd::Function<Two> {
  static std::vector<Tensor> forward(AutogradContext& ctx, const Tensor& x, double a, double b) {
    ctx.saved_data["a"] = a;
    ctx.saved_data["b"] = b;
    return {ops::mul(x, a), ops::mul(x, b)};
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) {
    return ops::add(ops::mul(grads[0], ctx.get<double>("a")), ops::mul(grads[1], ctx.get<double>("b")));
  }
};
}  // namespace functions

class EngineProgram {
 public:
  explicit EngineProgram(const json& p) : program_(p) {
    for (const json& leaf : p.at("leaves")) {
      Tensor t = on_judged_device(written_tensor(leaf));
      if (leaf.at("requires_grad").get<bool>()) t.set_requires_grad(true);
      variables_.list.push_back(t);
    }
  }

  void check() {
    std::size_t n = 0;
    for (const json& step : program_.at("steps")) {
      std::string name = step.contains("op") ? step.at("op").get<std::string>() : step.at("do").get<std::string>();
      run_step(concat("step ", n++, " (", name, ")"), step);
    }
    const json& expected = program_.at("variables");
    if (expected.size() != variables_.list.size())
      mismatch("expected ", expected.size(), " variables, got ", variables_.list.size());
    for (std::size_t i = 0; i < expected.size(); ++i) check_variable(i, expected[i]);
    if (runs_ != program_.at("checkpoint_runs").get<std::vector<int>>())
      mismatch("expected checkpoints to run ", program_.at("checkpoint_runs").dump(), " times, got ", runs_);
  }

 private:
  static constexpr Tolerance kTolerance{1e-9, 1e-9};

  void run_step(const std::string& what, const json& step) {
    bool raises = step.contains("raises");
    calls_.clear();
    std::vector<Tensor> got;
    try {
      got = step.contains("op") ? call(step) : act(step);
    } catch (const Error& e) {
      if (!raises) mismatch(what, ": unexpected error: ", e.what());
      compare_calls(what, step);
      return;
    }
    if (raises) mismatch(what, ": expected an error: ", step.at("raises").get<std::string>());
    compare_calls(what, step);
    if (!step.contains("results")) return;
    const json& results = step.at("results");
    if (got.size() != results.size()) mismatch(what, ": expected ", results.size(), " tensors, got ", got.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
      if (results[i].is_null()) {
        if (got[i].defined()) mismatch(what, ": expected result ", i, " to be undefined");
        continue;
      }
      if (!got[i].defined()) mismatch(what, ": result ", i, " is undefined");
      auto number = results[i].get<std::size_t>();
      std::size_t same = 0;
      while (same < variables_.list.size() && !variables_.list[same].is_same(got[i])) ++same;
      if (number < variables_.list.size() && same != number)
        mismatch(what, ": expected variable ", number, " itself to be returned");
      if (number >= variables_.list.size() && same < variables_.list.size())
        mismatch(what, ": expected a new tensor, got variable ", same, " itself");
      if (number > variables_.list.size()) mismatch("the program skips variable ", variables_.list.size());
      if (number == variables_.list.size()) variables_.list.push_back(got[i]);
    }
  }
  void compare_calls(const std::string& what, const json& step) {
    if (step.contains("calls") && step.at("calls").get<std::vector<int>>() != calls_)
      mismatch(what, ": expected calls of hooks ", step.at("calls").dump(), ", got ", calls_);
  }

  std::vector<Tensor> call(const json& step) {
    auto mode = step.value("mode", std::string()), saved = step.value("saved", std::string());
    std::optional<NoGradGuard> no_grad;
    std::optional<InferenceMode> inference;
    std::optional<autograd::SavedTensorHooks> hooks;
    if (mode == "no_grad") no_grad.emplace();
    if (mode == "inference") inference.emplace();
    auto same = [](const Tensor& t) { return t; };
    if (saved == "float32")
      hooks.emplace([](const Tensor& t) { return ops::to(t, kFloat); },
                    [](const Tensor& t) { return ops::to(t, kDouble); });
    if (saved == "twice") hooks.emplace(same, [](const Tensor& t) { return ops::mul(t, 2); });
    return variables_.call(step);
  }

  std::vector<Tensor> act(const json& step) {
    auto what = step.at("do").get<std::string>();
    auto tensor = [&](const char* key) { return variables_.at(step.at(key)); };
    auto list = [&](const char* key) {
      std::vector<Tensor> tensors;
      if (step.contains(key))
        for (const json& v : step.at(key)) tensors.push_back(variables_.at(v));
      return tensors;
    };
    if (what == "register_hook") {
      Tensor t = tensor("var");
      int id = step.at("hook").get<int>();
      auto kind = step.at("kind").get<std::string>();
      double by = step.value("by", 1.0);
      DimVector sizes(t.sizes());
      hooks_[id] = t.register_hook([this, id, kind, by, sizes](const Tensor& grad) -> Tensor {
        calls_.push_back(id);
        if (kind == "zeros") return ops::zeros(IntArrayRef(sizes), "dtype"_a = kDouble, "device"_a = judged_device);
        if (kind == "scale" && grad.defined()) return ops::mul(grad, by);
        return {};
      });
    } else if (what == "register_post_accumulate_grad_hook") {
      int id = step.at("hook").get<int>();
      hooks_[id] =
          tensor("var").register_post_accumulate_grad_hook([this, id](const Tensor&) { calls_.push_back(id); });
    } else if (what == "register_node_hook") {
      int id = step.at("hook").get<int>();
      intrusive_ptr<Node> node = tensor("var").grad_fn();
      if (!node) fail<AutogradError>("the variable has no gradient function");
      if (step.at("pre").get<bool>())
        hooks_[id] = autograd::register_prehook(*node, [this, id](TensorList) { calls_.push_back(id); });
      else
        hooks_[id] = autograd::register_hook(*node, [this, id](TensorList, TensorList) { calls_.push_back(id); });
    } else if (what == "remove_hook") {
      hooks_[step.at("hook").get<int>()].remove();
    } else if (what == "retain_grad") {
      tensor("var").retain_grad();
    } else if (what == "requires_grad_") {
      tensor("var").requires_grad_(step.at("value").get<bool>());
    } else if (what == "zero_grad") {
      Tensor& grad = tensor("var").grad();
      if (grad.defined() && step.at("set_to_none").get<bool>()) {
        grad = Tensor();
      } else if (grad.defined()) {
        if (grad.grad_fn())
          ops::detach_(grad);
        else
          grad.requires_grad_(false);
        ops::zero_(grad);
      }
    } else if (what == "grad_of") {
      return {tensor("var").grad()};
    } else if (what == "backward") {
      Tensor gradient = step.contains("gradient") ? on_judged_device(written_tensor(step.at("gradient"))) : Tensor();
      autograd::backward(TensorList(tensor("of")), TensorList(gradient), retain(step),
                         step.value("create_graph", false), list("inputs"));
    } else if (what == "grad") {
      std::vector<Tensor> gradients;
      if (step.contains("grad_outputs"))
        for (const json& v : step.at("grad_outputs"))
          gradients.push_back(v.is_null() ? Tensor() : on_judged_device(written_tensor(v)));
      return autograd::grad(list("of"), list("inputs"), gradients, retain(step), step.value("create_graph", false),
                            step.value("allow_unused", false));
    } else if (what == "function") {
      return call_function(step);
    } else if (what == "checkpoint") {
      return checkpoint(step);
    } else {
      mismatch("the replay knows no step '", what, "'");
    }
    return {};
  }
  static std::optional<bool> retain(const json& step) {
    return step.contains("retain_graph") ? std::optional(step.at("retain_graph").get<bool>()) : std::nullopt;
  }

  std::vector<Tensor> call_function(const json& step) {
    auto kind = step.at("kind").get<std::string>();
    double a = step.at("a").get<double>(), b = step.at("b").get<double>();
    Tensor x = variables_.get(step.at("args").at(0));
    if (kind == "scale") return {functions::Scale::apply(x, a, b)};
    if (kind == "scale_dirty") return {functions::ScaleDirty::apply(x, a, b)};
    if (kind == "none_grad") return {functions::NoneGrad::apply(x, variables_.get(step.at("args").at(1)), a, b)};
    if (kind == "two") return functions::Two::apply(x, a, b);
    if (kind != "non_differentiable") mismatch("the replay knows no function '", kind, "'");
    auto [y, sign] = functions::NonDifferentiable::apply(x, a, b);
    return {y, sign};
  }

  std::vector<Tensor> checkpoint(const json& step) {
    std::size_t number = runs_.size();
    runs_.push_back(0);
    std::vector<Tensor> inputs;
    for (const json& v : step.at("inputs")) inputs.push_back(variables_.at(v));
    return autograd::checkpoint(
        [this, number, &step](const std::vector<Tensor>& given) {
          ++runs_[number];
          Variables own;
          own.list = given;
          for (const json& s : step.at("steps")) own.list.push_back(own.call(s).at(0));
          std::vector<Tensor> returns;
          for (const json& v : step.at("returns")) returns.push_back(own.at(v));
          return returns;
        },
        inputs);
  }

  void check_variable(std::size_t i, const json& e) {
    const Tensor& t = variables_.list[i];
    std::string what = concat("variable ", i);
    compare_inline(what, t, e, kTolerance);
    auto same = [&](const char* name, auto got, auto expected) {
      if (got != expected) mismatch(what, ": expected ", name, " ", expected, ", got ", got);
    };
    same("requires_grad", t.requires_grad(), e.at("requires_grad").get<bool>());
    same("is_leaf", t.is_leaf(), e.at("is_leaf").get<bool>());
    const Tensor& grad = t.grad();
    if (e.at("grad").is_null()) {
      if (grad.defined()) mismatch(what, ": expected no gradient, got one");
      return;
    }
    compare_inline(what + "'s gradient", grad, e.at("grad"), kTolerance);
    same("a gradient with requires_grad", grad.requires_grad(), e.at("grad").at("requires_grad").get<bool>());
  }

  const json& program_;
  Variables variables_;
  std::map<int, RemovableHandle> hooks_;
  std::vector<int> calls_, runs_;
};

}  // namespace oracle
