// Checking an operator, one of a user's own for example, by what its schema promises and by one call of it.
#pragma once
#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/boxing/each_tensor.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/cpu/threads.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/dispatch/registry.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/testing/assert_close.hpp>
#include <tenon/testing/loop_check.hpp>
#include <tenon/transform/schema_check.hpp>

namespace tenon::testing {

/// Which checks opcheck() makes beside those that every operator must pass.
struct OpcheckOptions {
  bool meta = true;       ///< there must be a kernel for Meta tensors, which gives the same shapes
  bool gradients = true;  ///< results must be differentiable in every floating argument, with the right derivative
  bool second_gradients = true;  ///< where gradients are differentiable, so must be theirs
  bool vmap = true;              ///< vmap must give what a loop over the examples gives
  CloseOptions close{};          ///< for results that are computed in two ways
  autograd::GradcheckOptions gradcheck{};
};

/// What one check found; `problem` is empty if it passed.
struct CheckResult {
  std::string check, problem;
};

namespace detail {

/// Calls of one operator on copies of the given arguments.
class Checked {
 public:
  Checked(OperatorHandle op, Stack arguments, const OpcheckOptions& options)
      : op_(op), arguments_(std::move(arguments)), options_(options) {}

  /// The arguments with each tensor replaced by what `change` makes of it.
  template <class F>
  Stack changed(F change) const {
    Stack copy;
    for (const Value& v : arguments_) {
      copy.push_back(v);
      ::tenon::detail::replace_tensors(copy.back(), [&](Tensor& t) { t = change(t); });
    }
    return copy;
  }
  Stack fresh() const {
    return changed([](const Tensor& t) { return ops::clone(t.detach()); });
  }
  static std::vector<Tensor> tensors_of(const Stack& values) {
    std::vector<Tensor> list;
    for (const Value& v : values) ::tenon::detail::each_tensor(v, [&](const Tensor& t) { list.push_back(t); });
    return list;
  }
  static std::vector<Tensor> call(OperatorHandle op, Stack stack) {
    op.call_boxed(stack);
    return tensors_of(stack);
  }
  std::vector<Tensor> call(Stack stack) const { return call(op_, std::move(stack)); }

  void schema() const {
    SchemaCheckGuard guard;
    call(fresh());
  }
  void repeated() const {
    if (op_.entry().has_tag(Tag::nondeterministic_seeded)) return;
    CloseOptions exact{.rtol = 0, .atol = 0, .equal_nan = true};
    assert_close(call(fresh()), call(fresh()), exact);
  }
  /// The same numbers with gaps between them, and in column order, are the same arguments.
  void strided() const {
    if (op_.entry().has_tag(Tag::nondeterministic_seeded)) return;
    std::vector<Tensor> expected = call(fresh());
    auto tried = [&](const char* with, std::int64_t gap, bool columns) {
      auto laid_out = [&](const Tensor& t) {
        DimVector sizes(t.sizes()), strides(t.sizes().size());
        std::int64_t step = gap;
        for (std::size_t k = 0; k < sizes.size(); ++k) {
          std::size_t d = columns ? k : sizes.size() - 1 - k;
          strides[d] = step;
          step *= sizes[d] > 0 ? sizes[d] : 1;
        }
        Tensor memory = ops::zeros(IntArrayRef({step + 1}), t.dtype());
        Tensor view = ops::as_strided(memory, sizes, strides, 1);
        view.copy_(t.detach());
        return view;
      };
      try {
        assert_close(call(changed(laid_out)), expected, options_.close);
      } catch (const AssertionError& e) { fail<AssertionError>("with ", with, " it gives other results: ", e.what()); }
    };
    tried("gaps between the elements", 2, false);
    tried("elements in column order", 1, true);
    tried("elements in column order with gaps", 2, true);
  }
  /// The same seed and arguments give the same bits on one thread and on several.
  void threads() const {
    struct Restored {
      int before = get_num_threads();
      ~Restored() { set_num_threads(before); }
    } restored;
    auto on = [&](int count) {
      set_num_threads(count);
      manual_seed(1);
      return call(fresh());
    };
    std::vector<Tensor> one = on(1);
    CloseOptions exact{.rtol = 0, .atol = 0, .equal_nan = true};
    for (int count : {2, 5}) try {
        assert_close(on(count), one, exact);
      } catch (const AssertionError& e) {
        fail<AssertionError>("on ", count, " threads it gives other bits than on one: ", e.what());
      }
  }
  void meta() const {
    Stack on_meta = changed([](const Tensor& t) { return ops::to(t.detach(), kMeta); });
    std::vector<Tensor> real = call(fresh()), shapes = call(std::move(on_meta));
    CloseOptions geometry{.check_device = false, .check_stride = true};
    assert_close(shapes, real, geometry);
  }
  /// A call with odd arguments returns or throws an error of the library.
  void hostile() const {
    auto tried = [&](const char* with, auto change) {
      try {
        call(changed(change));
      } catch (const Error&) {
      } catch (const std::exception& e) {
        fail<AssertionError>("with ", with, " it throws another error than the library's: ", e.what());
      }
    };
    tried("tensors without elements", [](const Tensor& t) {
      DimVector sizes(t.sizes());
      if (!sizes.empty()) sizes[0] = 0;
      return ops::zeros(sizes, t.dtype());
    });
    tried("tensors without dimensions", [](const Tensor& t) { return ops::zeros(IntArrayRef(), t.dtype()); });
    tried("tensors of six dimensions", [](const Tensor& t) {
      return ops::zeros(IntArrayRef({1, 2, 1, 2, 1, 2}), t.dtype());
    });
    for (ScalarType dtype : {kBool, kLong, kHalf, kComplexFloat})
      tried("tensors of another dtype", [&](const Tensor& t) { return ops::zeros(t.sizes(), dtype); });
  }
  /// The sibling NAME_, on a copy of the first argument, and an overload that writes into given tensors.
  bool in_place() const {
    OperatorHandle sibling = sibling_of("_", "");
    if (!sibling || sibling == op_) return false;
    std::vector<Tensor> expected = call(fresh());
    Stack stack = fresh();
    std::vector<Tensor> inputs = tensors_of(stack);
    if (inputs.empty() || expected.size() != 1 || inputs[0].sizes() != expected[0].sizes() ||
        inputs[0].dtype() != expected[0].dtype())
      return false;
    assert_close(call(sibling, std::move(stack)), expected, options_.close);
    assert_close(inputs[0], expected[0], options_.close);
    return true;
  }
  bool out() const {
    // PyTorch names it `Scalar_out`, or `out` beside the plainest overload.
    OperatorHandle sibling = sibling_of("", overload().empty() ? "out" : "_out");
    if (!sibling) sibling = Registry::get().find_schema(concat(op_.schema().name(), ".out"));
    if (!sibling || sibling == op_) return false;
    const schema::SchemaView &own = op_.schema(), &with_out = sibling.schema();
    for (std::size_t i = 0; i < own.n_args(); ++i)
      if (with_out.find_argument(own.arg_name(i)) < 0) return false;  // of another overload
    std::vector<Tensor> expected = call(fresh());
    Stack given = fresh(), stack;
    std::size_t next = 0;
    std::vector<Tensor> written;
    for (std::size_t i = 0; i < with_out.n_args(); ++i) {
      int from = own.find_argument(with_out.arg_name(i));
      if (from < 0 && with_out.is_out(i) && next < expected.size()) {
        written.push_back(ops::empty_like(expected[next++]));
        stack.push_back(written.back());
      } else if (from < 0) {
        return false;
      } else {
        stack.push_back(given[static_cast<std::size_t>(from)]);
      }
    }
    call(sibling, std::move(stack));
    assert_close(written, expected, options_.close);
    return true;
  }
  void gradients() const {
    with_results(true, [&](const auto& results, const std::vector<Tensor>& inputs) {
      autograd::gradcheck(results, inputs, options_.gradcheck);
      return true;
    });
  }
  /// Gradients of gradients; false where those of the first kind have none.
  bool second_gradients() const {
    return with_results(false, [&](const auto& results, const std::vector<Tensor>& inputs) {
      std::vector<Tensor> weights, first, of = inputs;
      std::vector<Tensor> outputs = results(inputs);
      for (const Tensor& y : outputs) weights.push_back(ops::ones_like(y.detach()).requires_grad_());
      of.insert(of.end(), weights.begin(), weights.end());
      try {
        for (const Tensor& g : autograd::grad(outputs, inputs, weights, std::nullopt, true, true))
          if (g.defined() && g.requires_grad()) first.push_back(g);
        if (first.empty()) return false;
        std::vector<Tensor> ones;
        for (const Tensor& g : first) ones.push_back(ops::ones_like(g.detach()));
        autograd::grad(first, of, ones, std::nullopt, false, true);
      } catch (const NotImplementedError&) {  // an operator within says that it has no derivative
        return false;
      } catch (const AutogradError&) {  // a function that is differentiable once
        return false;
      }
      autograd::gradgradcheck(results, inputs, options_.gradcheck);
      return true;
    });
  }
  /// vmap over examples that differ, of all tensors and of each alone; false where there is nothing to compare.
  bool vmap() const {
    for (Tag tag : {Tag::nondeterministic_seeded, Tag::dynamic_output_shape, Tag::data_dependent_output})
      if (op_.entry().has_tag(tag)) return false;
    if (schema::is_mutable(op_.schema())) return false;
    std::vector<std::string_view> names;
    for (std::size_t i = 0; i < arguments_.size(); ++i)
      ::tenon::detail::each_tensor(arguments_[i], [&](const Tensor&) { names.push_back(op_.schema().arg_name(i)); });
    auto of = [&](const std::vector<Tensor>& in) {
      std::size_t next = 0;
      return call(changed([&](const Tensor&) { return in[next++]; }));
    };
    std::vector<Tensor> given = tensors_of(fresh());
    bool any = !names.empty() && agrees_with_loop(of, given, std::nullopt, "of all tensors", options_.close);
    for (std::size_t i = 0; names.size() > 1 && i < names.size(); ++i)
      any = agrees_with_loop(of, given, i, concat("of '", names[i], "' alone"), options_.close) || any;
    return any;
  }

 private:
  std::string_view overload() const { return op_.schema().overload(); }
  /// The operator whose name and overload end in more than this one's.
  OperatorHandle sibling_of(std::string_view name, std::string_view more) const {
    std::string full(op_.schema().name());
    full += name;
    if (std::string own(overload()); !own.empty() || !more.empty()) full += "." + own + std::string(more);
    return Registry::get().find_schema(full);
  }
  /// Calls `check` with a function of the floating arguments, in float64, that gives the results which require grad,
  /// if there are any, which `must_have` asks for.
  template <class F>
  bool with_results(bool must_have, F check) const {
    std::vector<Tensor> inputs;
    Stack base = changed([&](const Tensor& t) {
      if (!is_differentiable_type(t.dtype())) return t;
      Tensor exact = ops::to(ops::clone(t.detach()), is_complex_type(t.dtype()) ? kComplexDouble : kDouble);
      exact.requires_grad_();
      inputs.push_back(exact);
      return exact;
    });
    if (inputs.empty()) return false;
    auto all_results = [&](const std::vector<Tensor>& in) {
      std::size_t next = 0;
      return call(Checked(op_, base, options_).changed([&](const Tensor& t) {
        return is_differentiable_type(t.dtype()) ? in[next++] : t;
      }));
    };
    std::vector<std::size_t> differentiable;
    std::vector<Tensor> once = all_results(inputs);
    for (std::size_t i = 0; i < once.size(); ++i)
      if (once[i].requires_grad()) differentiable.push_back(i);
    if (must_have && differentiable.empty() &&
        std::any_of(once.begin(), once.end(), [](const Tensor& t) { return is_differentiable_type(t.dtype()); }))
      fail<AssertionError>("no result requires grad although the arguments do: there is no derivative");
    if (differentiable.empty()) return false;
    auto results = [&](const std::vector<Tensor>& in) {
      std::vector<Tensor> all = all_results(in), some;
      for (std::size_t i : differentiable) some.push_back(all.at(i));
      return some;
    };
    return check(results, inputs);
  }

  OperatorHandle op_;
  Stack arguments_;
  const OpcheckOptions& options_;
};

}  // namespace detail

/// Checks an operator by a call with these arguments, all of the schema's, which stay as they are:
/// schema     nothing is written, shared or returned but what the schema says, and a Meta kernel agrees;
/// repeat     the same arguments give the same bits;
/// threads    so they do on any number of threads (see that the example is long enough for several);
/// strides    arguments with gaps between their elements, and in column order, give the same;
/// meta       Meta tensors give the shapes, dtypes and strides of the results;
/// hostile    arguments of other shapes and dtypes give a result or an error of the library;
/// in-place, out   the siblings NAME_ and NAME.out, if there are any, compute the same;
/// gradients  derivatives are those of the values, in float64;
/// second gradients  those of the gradients are, where these are right and have some;
/// vmap       over examples it gives what a loop over them gives, if numbers are not random or tell a size.
/// Returns what each found. Source: torch.library.opcheck and gradcheck of PyTorch 2.15.
inline std::vector<CheckResult> opcheck_results(std::string_view name, const Stack& arguments,
                                                const OpcheckOptions& options = {}) {
  OperatorHandle op = Registry::get().find_schema(name);
  TENON_CHECK(op, ValueError, "opcheck(): no operator is named '", name, "'");
  TENON_CHECK(arguments.size() == op.schema().n_args(), ValueError, "opcheck(): ", op.entry().description(), " takes ",
              op.schema().n_args(), " arguments, got ", arguments.size());
  detail::Checked checked(op, arguments, options);
  std::vector<CheckResult> results;
  auto run = [&](const char* check, auto f) {
    std::string problem;
    try {
      if constexpr (std::is_same_v<decltype(f()), bool>) {
        if (!f()) return;  // nothing of the kind is there
      } else {
        f();
      }
    } catch (const std::exception& e) { problem = *e.what() ? e.what() : "an error without a message"; }
    results.push_back({check, problem});
  };
  run("schema", [&] { checked.schema(); });
  run("repeat", [&] { checked.repeated(); });
  run("threads", [&] { checked.threads(); });
  run("strides", [&] { checked.strided(); });
  if (options.meta) run("meta", [&] { checked.meta(); });
  run("hostile", [&] { checked.hostile(); });
  run("in-place", [&] { return checked.in_place(); });
  run("out", [&] { return checked.out(); });
  if (options.gradients) run("gradients", [&] { checked.gradients(); });
  if (options.gradients && options.second_gradients && results.back().problem.empty())
    run("second gradients", [&] { return checked.second_gradients(); });
  if (options.vmap) run("vmap", [&] { return checked.vmap(); });
  return results;
}

/// The same; throws AssertionError that lists what failed.
inline void opcheck(std::string_view name, const Stack& arguments, const OpcheckOptions& options = {}) {
  std::string problems;
  for (const CheckResult& r : opcheck_results(name, arguments, options))
    if (!r.problem.empty()) problems += "\n" + r.check + ": " + r.problem;
  if (!problems.empty()) throw AssertionError(concat("opcheck(): ", name, problems));
}

}  // namespace tenon::testing
