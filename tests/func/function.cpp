// Functions of one's own within transforms of functions.
#include <tenon/autograd/graph/function.hpp>

#include "support.hpp"

using namespace test;
using autograd::AutogradContext;

namespace {

/// The gradient is three times what it should be, so that one by its operators would be seen.
struct Cube : autograd::Function<Cube> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    ctx.save_for_backward({x});
    return x * x * x;
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) {
    Tensor x = ctx.saved_tensors()[0];
    return grads[0] * (9 * x * x);
  }
};
Tensor cube(const Tensor& x) { return ops::sum(Cube::apply(x)); }

/// Tensors in an optional and a list, what is none, two results and one that is no tensor.
struct Mixed : autograd::Function<Mixed> {
  static std::tuple<Tensor, std::string, Tensor> forward(AutogradContext& ctx, const std::string& word, const Tensor& x,
                                                         const std::optional<Tensor>& bias,
                                                         const std::vector<Tensor>& list, double by) {
    Tensor y = x * by;
    if (bias) y = y + *bias;
    ctx.saved_data["by"] = by;
    ctx.save_for_backward({list[0], list[1], y});
    return {y, word + "!", ops::sum(list[0] * list[1])};
  }
  static std::vector<Tensor> backward(AutogradContext& ctx, TensorList grads) {
    auto saved = ctx.saved_tensors();
    CHECK(saved[2].sizes() == grads[0].sizes());
    return {Tensor(), grads[0] * ctx.get<double>("by"), grads[0], grads[1] * saved[1], grads[1] * saved[0], Tensor()};
  }
};

struct WithRules : autograd::Function<WithRules> {
  static inline int batches = 0;
  static Tensor forward(AutogradContext& ctx, const Tensor& x, const Tensor& y) {
    ctx.save_for_forward({y});
    ctx.save_for_backward({x, y});
    return x * y;
  }
  static std::tuple<Tensor, Tensor> backward(AutogradContext& ctx, TensorList grads) {
    auto saved = ctx.saved_tensors();
    return {grads[0] * saved[1], grads[0] * saved[0]};
  }
  /// Half of the truth, so that another would be seen.
  static Tensor jvp(AutogradContext& ctx, TensorList tangents) {
    REQUIRE(ctx.saved_tensors().size() == 1);
    CHECK(tangents.size() == 2);
    return tangents[0] * ctx.saved_tensors()[0];
  }
  static std::pair<Tensor, std::vector<std::optional<std::int64_t>>> vmap(
      std::int64_t examples, const std::vector<std::optional<std::int64_t>>& in_dims, const Tensor& x,
      const Tensor& y) {
    batches += static_cast<int>(examples);
    CHECK((in_dims[0] && *in_dims[0] == 0));
    Tensor all = in_dims[1] ? y : ops::expand_as(y, x);
    return {ops::transpose(apply(x, all), 0, 1), {1}};
  }
};

struct Once : autograd::Function<Once> {
  static constexpr bool once_differentiable = true;
  static Tensor forward(AutogradContext&, const Tensor& x) { return x * 2; }
  static Tensor backward(AutogradContext&, TensorList grads) { return grads[0] * 2; }
};
struct Writes : autograd::Function<Writes> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    ctx.mark_dirty({x});
    return Tensor(x).mul_(2);
  }
  static Tensor backward(AutogradContext&, TensorList grads) { return grads[0] * 2; }
};
/// One result that needs no gradient, one that does not depend on the argument, and the argument itself.
struct Several : autograd::Function<Several> {
  static std::vector<Tensor> forward(AutogradContext& ctx, const Tensor& x) {
    Tensor largest = ops::argmax(x), level = ops::ones({2}, "dtype"_a = kDouble), twice = x * 2;
    ctx.mark_non_differentiable({largest});
    ctx.set_materialize_grads(false);
    return {largest, level, x, twice};
  }
  static Tensor backward(AutogradContext&, TensorList grads) {
    Tensor sum = grads[3] * 2;
    return grads[2].defined() ? sum + grads[2] : sum;
  }
};

}  // namespace

TEST_CASE("the gradient of a function of one's own is its own within every transform", "[func][function]") {
  Tensor x = drawn({4, 3}), w = drawn({3});
  Tensor expected = 9 * x * x;
  CHECK(is_grad_enabled());
  check_close(func::grad(&cube)(x), expected);
  check_close(func::vmap(func::grad(&cube))(x), expected);
  check_close(func::grad([](const Tensor& t) { return ops::sum(func::vmap(&cube)(t)); })(x), expected);
  auto per_row = [](const Tensor& t) { return func::vmap(func::vmap(func::grad(&cube)))(t); };
  check_close(per_row(x), expected);
  // What examples share has the gradient of all.
  auto shared = [&](const Tensor& s) {
    return ops::sum(func::vmap([&](const Tensor& row) { return row * Cube::apply(s); })(x));
  };
  check_close(func::grad(shared)(w), ops::sum(x, {0}) * 9 * w * w);
  Tensor rows = func::jacrev([](const Tensor& t) { return Cube::apply(t); })(w);
  check_close(rows, ops::diag(9 * w * w));
  Tensor recorded = Tensor(w.detach()).requires_grad_();
  func::vmap([](const Tensor& t) { return Cube::apply(t); })(recorded).sum().backward();
  check_close(recorded.grad(), 9 * w * w);
}

TEST_CASE("a function of one's own has tangents, by its gradient or its jvp", "[func][function]") {
  Tensor x = drawn({4, 3}), v = drawn({4, 3}), y = drawn({4, 3});
  auto f = [](const Tensor& t) { return Cube::apply(t); };
  auto [value, change] = func::jvp(f, x, v);
  check_close(value, x * x * x);
  check_close(change, 9 * x * x * v);
  check_close(func::jacfwd(f)(x[0]), ops::diag(9 * x[0] * x[0]));
  // The gradient of the gradient is that of `backward`.
  check_close(func::hessian(&cube)(x[0]), ops::diag(18 * x[0]));
  check_close(func::vmap([&](const Tensor& a, const Tensor& b) { return func::jvp(f, a, b).second; })(x, v), change);
  check_close(func::jvp([&](const Tensor& t) { return func::vmap(f)(t); }, x, v).second, change);

  auto g = [](const Tensor& a, const Tensor& b) { return WithRules::apply(a, b); };
  check_close(func::jvp(g, std::tuple(x, y), std::tuple(v, v)).second, v * y);
  check_close(func::jvp([&](const Tensor& b) { return g(x, b); }, y, v).second, ops::zeros_like(y));
  // Gradients of what it gives.
  auto along = [&](const Tensor& b) {
    return ops::sum(func::jvp([&](const Tensor& a) { return g(a, b); }, x, v).second);
  };
  check_close(func::grad(along)(y), v);
  CHECK_ERROR_CONTAINS(func::jvp([](const Tensor& t) { return Once::apply(t); }, x, v), NotImplementedError,
                       "jvp: function OnceBackward is differentiable once and has no jvp");
  check_close(func::vmap(func::grad([](const Tensor& t) { return ops::sum(Once::apply(t)); }))(x),
              ops::full_like(x, 2));
}

TEST_CASE("a function of one's own is batched by its vmap, if it has one", "[func][function]") {
  Tensor x = drawn({4, 3}), y = drawn({3}), v = drawn({4, 3});
  auto g = [&](const Tensor& a) { return WithRules::apply(a, y); };
  WithRules::batches = 0;
  check_close(func::vmap(g)(x), x * y);
  CHECK(WithRules::batches == 4);
  check_close(func::vmap(func::grad([&](const Tensor& a) { return ops::sum(g(a)); }))(x), ops::expand_as(y, x));
  // A tangent outside of the batch meets what vmap makes of it, a tangent within the jvp.
  check_close(func::jvp([&](const Tensor& t) { return func::vmap(g)(t); }, x, v).second, v * y);
  check_close(func::vmap([&](const Tensor& a, const Tensor& b) { return func::jvp(g, a, b).second; })(x, v), v * y);
}

TEST_CASE("arguments and results of any form go through transforms", "[func][function]") {
  Warnings silent;
  Tensor x = drawn({4, 3}), bias = drawn({3}), a = drawn({4, 2}), b = drawn({2});
  auto f = [&](const Tensor& row, const Tensor& shared, const Tensor& first, const Tensor& second) {
    auto [y, word, product] =
        Mixed::apply(std::string("hey"), row, std::optional<Tensor>(shared), std::vector<Tensor>{first, second}, 7.0);
    CHECK(word == "hey!");
    return ops::sum(y) + product;
  };
  func::VmapOptions options;
  options.in_dims = {0, std::nullopt, 0, std::nullopt};
  auto total = [&](const Tensor& p, const Tensor& q, const Tensor& r, const Tensor& s) {
    return ops::sum(func::vmap(f, options)(p, q, r, s));
  };
  auto [gx, gbias, ga, gb] = func::grad<0, 1, 2, 3>(total)(x, bias, a, b);
  check_close(gx, ops::full_like(x, 7));
  check_close(gbias, ops::full_like(bias, 4));
  check_close(ga, ops::expand_as(b, a));
  check_close(gb, ops::sum(a, {0}));

  auto several = [](const Tensor& t) {
    auto all = Several::apply(t);
    CHECK(all[0].dtype() == kLong);
    CHECK(all[1].numel() == 2);
    return ops::sum(all[2] * all[3]);
  };
  check_close(func::vmap(func::grad(several))(x), 4 * x);
  check_close(func::jvp([&](const Tensor& t) { return several(t); }, x, ops::ones_like(x)).second, ops::sum(4 * x));

  auto root = [](const Tensor& t) {
    return autograd::custom_gradient([](const Tensor& u) { return ops::exp(u); },
                                     [](const Tensor& g, const Tensor& r, const Tensor&) { return g * r * 2; }, t);
  };
  check_close(func::vmap(func::grad([&](const Tensor& t) { return ops::sum(root(t)); }))(x), 2 * ops::exp(x));
  CHECK_ERROR_CONTAINS(func::vmap([](const Tensor& t) { return Writes::apply(t); })(x), NotImplementedError,
                       "function WritesBackward writes to its arguments (mark_dirty)");
}
