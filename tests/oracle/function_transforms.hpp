// Replays recorded calls within vmap, forward mode, and compositions of transforms.
#pragma once
#include <functional>

#include <tenon/func.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/reduce.hpp>

#include "lines.hpp"

namespace oracle {

/// The tensors of one call, in the order in which the line names them.
class NumberedTensors : public TensorSource {
 public:
  explicit NumberedTensors(const SafetensorsFile& file) : file_(file) {}
  bool is(const json& v) const override { return is_tensor(v); }
  Tensor get(const json& v) override { return all.emplace_back(make(v, file_)); }
  std::vector<Tensor> all;

 private:
  const SafetensorsFile& file_;
};

/// The arguments with other tensors in the places of those of the call.
inline Stack with_tensors(const Stack& args, const std::vector<Tensor>& before, const std::vector<Tensor>& now) {
  std::function<Value(const Value&)> replace = [&](const Value& v) -> Value {
    if (v.is_list()) {
      std::vector<Value> items;
      for (const Value& item : v.to_list()) items.push_back(replace(item));
      return Value::list(std::move(items), v.element_kind());
    }
    if (v.is_tensor())
      for (std::size_t k = 0; k < before.size(); ++k)
        if (before[k].is_same(v.to_tensor())) return now[k];
    return v;
  };
  Stack out;
  for (const Value& v : args) out.push_back(replace(v));
  return out;
}

/// Runs a call within levels of vmap, outermost first; the results have the batches in front.
inline std::vector<Tensor> call_in_levels(const OperatorHandle& op, const Stack& args, const std::vector<Tensor>& given,
                                          std::vector<Tensor> now, const json& levels, std::size_t from) {
  std::vector<Tensor> results;
  if (from == levels.size()) {
    Stack stack = with_tensors(args, given, now);
    op.call_boxed(stack);
    for (const Value& v : stack) collect(v, results);
    return results;
  }
  const json& level = levels[from];
  func::LevelGuard guard(func::LevelKind::Batch, level.at("size").get<std::int64_t>());
  const json& dims = level.at("in_dims");
  if (dims.size() != now.size())
    mismatch("the case has ", dims.size(), " batch dimensions for ", now.size(), " tensors");
  for (std::size_t k = 0; k < now.size(); ++k)
    if (!dims[k].is_null())
      now[k] = func::make_batched(ops::movedim(now[k], dims[k].get<std::int64_t>(), 0), guard.level());
  for (const Tensor& t : call_in_levels(op, args, given, now, levels, from + 1))
    results.push_back(t.defined() ? func::detail::batch_of(t, guard.level()) : t);
  return results;
}

inline void check_vmap(const json& c, const std::string& path) {
  const SafetensorsFile& file = opened_beside(path);
  OperatorHandle op = find(c.at("op").get<std::string>());
  NumberedTensors tensors(file);
  Stack args = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors);
  func::warn_of_loops(false);
  auto run = [&] { return call_in_levels(op, args, tensors.all, tensors.all, c.at("levels"), 0); };
  if (c.contains("raises")) {
    try {
      run();
    } catch (const std::exception&) { return; }
    mismatch("expected an error: ", c.at("raises").get<std::string>());
  }
  std::vector<Tensor> got = run();
  if (c.contains("out")) {
    const json& out = c.at("out");
    if (got.size() < out.size()) mismatch("expected ", out.size(), " results, got ", got.size());
    for (std::size_t i = 0; i < out.size(); ++i)
      if (is_tensor(out[i])) compare(concat("result ", i), got[i], out[i], file);
  }
  if (c.contains("after"))
    for (const auto& [position, expected] : c.at("after").items())
      compare(concat("argument ", position), args.at(std::stoul(position)).to_tensor(), expected, file);
}

inline void check_jvp(const json& c, const std::string& path) {
  const SafetensorsFile& file = opened_beside(path);
  OperatorHandle op = find(c.at("op").get<std::string>());
  NumberedTensors tensors(file);
  Stack args = arguments(op.schema(), c.at("args"), c.at("kwargs"), tensors);
  func::LevelGuard guard(func::LevelKind::Tangent);
  std::vector<Tensor> duals = tensors.all;
  const json& tangents = c.at("tangents");
  bool writes = schema::is_mutable(op.schema());
  if (tangents.size() != duals.size())
    mismatch("the case has ", tangents.size(), " tangents for ", duals.size(), " tensors");
  for (std::size_t k = 0; k < duals.size(); ++k) {
    Tensor tangent;
    if (!tangents[k].is_null())
      tangent = make(tangents[k], file);
    else if (writes && k == 0 && is_differentiable_type(duals[k].dtype()))
      tangent = ops::zeros_like(duals[k]);
    if (tangent.defined()) duals[k] = func::make_dual(duals[k], tangent, guard.level());
  }
  Stack stack = with_tensors(args, tensors.all, duals);
  op.call_boxed(stack);
  std::vector<Tensor> got;
  for (const Value& v : stack) collect(v, got);
  const json &out = c.at("out"), &out_tangents = c.at("out_tangents");
  if (got.size() < out.size()) mismatch("expected ", out.size(), " results, got ", got.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (!is_tensor(out[i])) continue;
    compare(concat("result ", i), func::detail::primal_of(got[i], guard.level()), out[i], file);
    if (is_tensor(out_tangents[i]))
      compare(concat("tangent ", i), func::detail::tangent_of(got[i], guard.level()), out_tangents[i], file);
  }
}

using Tensors = std::vector<Tensor>;
using TensorsFunction = std::function<Tensors(const Tensors&)>;

/// Inline tensors, variables and indices of a composition.
class CompositionTensors : public TensorSource {
 public:
  explicit CompositionTensors(const std::vector<Tensor>& variables) : variables_(variables) {}
  bool is(const json& v) const override {
    return v.is_object() && (v.contains("v") || v.contains("index") || v.contains("data"));
  }
  Tensor get(const json& v) override {
    if (v.contains("v")) return variables_.at(v.at("v").get<std::size_t>());
    if (v.contains("index")) return index_tensor(v);
    return on_judged_device(written_tensor(v));
  }

 private:
  const std::vector<Tensor>& variables_;
};

inline Tensors run_function(const json& f, const Tensors& constants, const Tensors& inputs) {
  Tensors variables = inputs;
  variables.insert(variables.end(), constants.begin(), constants.end());
  for (const json& step : f.at("steps")) {
    CompositionTensors source(variables);
    OperatorHandle op = find(step.at("op").get<std::string>());
    Stack stack = arguments(op.schema(), step.at("args"), step.value("kwargs", json::object()), source);
    op.call_boxed(stack);
    std::vector<Tensor> results;
    for (const Value& v : stack) collect(v, results);
    const json& numbers = step.at("results");
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      auto number = numbers[i].get<std::size_t>();
      if (number >= variables.size()) variables.resize(number + 1);
      variables[number] = results.at(i);
    }
  }
  Tensors out;
  for (const json& k : f.at("returns")) out.push_back(variables.at(k.get<std::size_t>()));
  return out;
}

/// The function that a transform makes of another.
inline TensorsFunction transformed(const json& t, TensorsFunction f) {
  auto name = t.at("transform").get<std::string>();
  // One argument alone, the others as given.
  auto of_one = [f, t](const Tensors& xs, auto&& transform) {
    auto k = t.at("argnum").get<std::size_t>();
    auto alone = [f, xs, k](const Tensor& x) {
      Tensors all = xs;
      all[k] = x;
      return f(all);
    };
    return transform(alone)(xs.at(k));
  };
  if (name == "grad")
    return [f, t](const Tensors& xs) {
      auto numbers = t.at("argnums").get<std::vector<std::size_t>>();
      Tensors chosen;
      for (std::size_t k : numbers) chosen.push_back(xs.at(k));
      auto of_chosen = [&](const Tensors& ys) {
        Tensors all = xs;
        for (std::size_t i = 0; i < numbers.size(); ++i) all[numbers[i]] = ys[i];
        return f(all).at(0);
      };
      return func::grad(of_chosen)(chosen);
    };
  if (name == "vjp")
    return [f, t](const Tensors& all) {
      auto n = t.at("inputs").get<std::ptrdiff_t>();
      return func::vjp(f, Tensors(all.begin(), all.begin() + n))(Tensors(all.begin() + n, all.end()));
    };
  if (name == "jvp")
    return [f](const Tensors& all) {
      auto n = static_cast<std::ptrdiff_t>(all.size() / 2);
      auto [values, changes] = func::jvp(f, std::tuple(Tensors(all.begin(), all.begin() + n)),
                                         std::tuple(Tensors(all.begin() + n, all.end())));
      values.insert(values.end(), changes.begin(), changes.end());
      return values;
    };
  if (name == "jacrev")
    return [of_one](const Tensors& xs) { return of_one(xs, [](auto g) { return func::jacrev(g); }); };
  if (name == "jacfwd")
    return [of_one](const Tensors& xs) { return of_one(xs, [](auto g) { return func::jacfwd(g); }); };
  if (name == "hessian")
    return [of_one](const Tensors& xs) { return of_one(xs, [](auto g) { return func::hessian(g); }); };
  if (name == "vmap")
    return [f, t](const Tensors& xs) {
      func::VmapOptions options;
      options.in_dims.clear();
      for (const json& d : t.at("in_dims"))
        options.in_dims.push_back(d.is_null() ? std::optional<std::int64_t>() : d.get<std::int64_t>());
      options.out_dims.clear();
      for (const json& d : t.at("out_dims"))
        options.out_dims.push_back(d.is_null() ? std::optional<std::int64_t>() : d.get<std::int64_t>());
      return func::vmap(f, options)(xs);
    };
  if (name == "sum")
    return [f](const Tensors& xs) {
      Tensor total;
      for (const Tensor& y : f(xs)) total = total.defined() ? total + ops::sum(y) : ops::sum(y);
      return Tensors{total};
    };
  mismatch("the replay knows no transform ", name);
}

inline void check_composition(const json& c) {
  func::warn_of_loops(false);
  Tensors none, constants, args;
  CompositionTensors source(none);
  for (const json& v : c.at("constants")) constants.push_back(source.get(v));
  for (const json& v : c.at("args")) args.push_back(source.get(v));
  const json& program = c.at("function");
  TensorsFunction f = [&](const Tensors& xs) { return run_function(program, constants, xs); };
  for (const json& t : c.at("transforms")) f = transformed(t, f);
  Tensors got = f(args);
  const json& out = c.at("out");
  if (got.size() != out.size()) mismatch("expected ", out.size(), " results, got ", got.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    Tensor expected = written_tensor(out[i]);
    std::string what = concat("result ", i);
    if (!got[i].defined() || got[i].dtype() != kDouble) mismatch(what, ": expected numbers of float64");
    if (got[i].sizes() != expected.sizes())
      mismatch(what, ": expected size ", expected.sizes(), ", got ", got[i].sizes());
    compare_elements(what, on_host(got[i]), static_cast<const char*>(expected.data_ptr()), expected.strides(), kDouble,
                     tolerance_of(kDouble));
  }
}

}  // namespace oracle
