// The check of derivatives itself: what it accepts, and that it finds what is wrong.
#include <tenon/autograd/graph/function.hpp>

#include "support.hpp"

using namespace tenon;
using autograd::AutogradContext;
using test::leaf;

namespace {

using List = std::vector<Tensor>;

/// x², whose backward pass is off by a factor.
struct Wrong : autograd::Function<Wrong> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x, double factor) {
    ctx.save_for_backward({x});
    ctx.saved_data["factor"] = factor;
    return mul(x, x);
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) {
    return mul(grads[0], mul(ctx.saved_tensors()[0], ctx.get<double>("factor")));
  }
};
/// Right for defined gradients, wrong for undefined ones.
struct OneMore : autograd::Function<OneMore> {
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    ctx.set_materialize_grads(false);
    return mul(x, 2);
  }
  static Tensor backward(AutogradContext&, TensorList grads) {
    return grads[0].defined() ? mul(grads[0], 2) : ones({2}, "dtype"_a = kDouble);
  }
};
/// Takes any one gradient to be undefined only where another is.
struct OneOfThree : autograd::Function<OneOfThree> {
  static std::vector<Tensor> forward(AutogradContext& ctx, const Tensor& x) {
    ctx.set_materialize_grads(false);
    return {mul(x, 2), mul(x, 3), mul(x, 4)};
  }
  static Tensor backward(AutogradContext&, TensorList grads) {
    std::ptrdiff_t there = std::count_if(grads.begin(), grads.end(), [](const Tensor& g) { return g.defined(); });
    Tensor sum;
    for (int i = 0; i < 3; ++i)
      if (const Tensor& g = grads[static_cast<std::size_t>(i)]; g.defined() || there == 2)
        sum = sum.defined() ? sum + mul(g, i + 2) : mul(g, i + 2);
    return sum;
  }
};
/// Another answer each time.
struct Restless : autograd::Function<Restless> {
  static Tensor forward(AutogradContext&, const Tensor& x) { return mul(x, 2); }
  static Tensor backward(AutogradContext&, TensorList grads) {
    static double more = 0;
    return mul(grads[0], 2 + (more += 1e-9));
  }
};

autograd::GradcheckOptions quiet(autograd::GradcheckOptions options) {
  options.raise_exception = false;
  return options;
}

}  // namespace

TEST_CASE("right derivatives pass in every mode, real and complex, also of several results", "[autograd][gradcheck]") {
  auto f = [](const List& in) { return std::tuple(mul(in[0], in[1]), tenon::exp(in[0])); };
  for (bool fast : {false, true}) {
    autograd::GradcheckOptions options;
    options.fast_mode = fast;
    options.check_grad_dtypes = true;
    CHECK(autograd::gradcheck(f, {leaf({0.5, -1}), leaf({2, 3})}, options));
    CHECK(autograd::gradgradcheck(f, {leaf({0.5, -1}), leaf({2, 3})}, {}, options));
    Tensor z = tensor({Complex<double>(0.5, 1), Complex<double>(-1, 2)}, "dtype"_a = kComplexDouble).requires_grad_();
    CHECK(autograd::gradcheck([](const List& in) { return mul(in[0], tenon::exp(in[0])); }, {z}, options));
    CHECK(autograd::gradgradcheck([](const List& in) { return mul(in[0], tenon::exp(in[0])); }, {z}, {}, options));
    CHECK(autograd::gradcheck([](const List& in) { return tenon::abs(in[0]); }, {z}, options));
    // Not contiguous.
    CHECK(autograd::gradcheck([](const List& in) { return tenon::exp(in[0]); },
                              {test::vector({1, 2, 3, 4}).reshape({2, 2}).t().detach().requires_grad_()}, options));
  }
}

TEST_CASE("a wrong derivative is told with its place, or by a false", "[autograd][gradcheck]") {
  auto wrong = [](const List& in) { return Wrong::apply(in[0], 3.0); };
  CHECK_ERROR_CONTAINS(autograd::gradcheck(wrong, {leaf({1, 2})}), AutogradError,
                       "gradcheck(): Jacobian mismatch for output 0 with respect to input 0, at element 0 of it and "
                       "element 0 of that: numerical ");
  autograd::GradcheckOptions options;
  options.raise_exception = false;
  CHECK_FALSE(autograd::gradcheck(wrong, {leaf({1, 2})}, options));
  CHECK(autograd::gradcheck([](const List& in) { return Wrong::apply(in[0], 2.0); }, {leaf({1, 2})}, options));
  options.fast_mode = true;
  CHECK_FALSE(autograd::gradcheck(wrong, {leaf({1, 2})}, options));
  // x² has the derivative 2x, but that of a factor 3 is not 2 either.
  CHECK_FALSE(autograd::gradgradcheck([](const List& in) { return mul(Wrong::apply(in[0], 3.0), in[0]); },
                                      {leaf({1, 2})}, {}, options));
}

TEST_CASE("what requires no grad must not change with the inputs", "[autograd][gradcheck]") {
  auto cut = [](const List& in) { return std::tuple(mul(in[0].detach(), 2), tenon::gt(in[0], 0)); };
  auto level = [](const List& in) { return std::tuple(tenon::sign(in[0].detach()), tenon::argmax(in[0])); };
  auto itself = [](const List& in) { return in[0].detach(); };
  for (bool fast : {false, true}) {
    autograd::GradcheckOptions options;
    options.fast_mode = fast;
    CHECK_ERROR_CONTAINS(autograd::gradcheck(cut, {leaf({1, 2})}, options), AutogradError,
                         "gradcheck(): Numerical gradient for function expected to be zero: no output requires grad, "
                         "and one changes with input 0");
    CHECK_FALSE(autograd::gradcheck(itself, {leaf({1})}, quiet(options)));
    CHECK(autograd::gradcheck(itself, {test::vector({3}), leaf({1})}, options));
    CHECK(autograd::gradcheck(level, {leaf({1, 2})}, options));
    // Beside one that does it is a constant of the function.
    CHECK(autograd::gradcheck([](const List& in) { return std::tuple(in[0] * 2, in[0].detach()); }, {leaf({1})},
                              options));
  }
}

TEST_CASE("gradients of some outputs may be undefined alone", "[autograd][gradcheck]") {
  auto three = [](const List& in) { return OneOfThree::apply(in[0]); };
  CHECK_ERROR_CONTAINS(autograd::gradcheck(three, {leaf({1, 2})}), AutogradError,
                       "gradcheck(): Expected backward function to handle undefined output grads: ");
  autograd::GradcheckOptions options;
  options.raise_exception = false;
  CHECK_FALSE(autograd::gradcheck(three, {leaf({1, 2})}, options));
  options.check_undefined_grad = false;
  CHECK(autograd::gradcheck(three, {leaf({1, 2})}, options));
}

TEST_CASE("undefined gradients, restless backward passes and unfit inputs are told", "[autograd][gradcheck]") {
  auto one_more = [](const List& in) { return OneMore::apply(in[0]); };
  CHECK_ERROR_CONTAINS(autograd::gradcheck(one_more, {leaf({1, 2})}), AutogradError,
                       "Expected backward function to handle undefined output grads");
  autograd::GradcheckOptions options;
  options.check_undefined_grad = false;
  CHECK(autograd::gradcheck(one_more, {leaf({1, 2})}, options));
  auto restless = [](const List& in) { return Restless::apply(in[0]); };
  CHECK_ERROR_CONTAINS(autograd::gradcheck(restless, {leaf({1, 2})}), AutogradError, "Backward is not reentrant");
  options.nondet_tol = 1e-6;
  CHECK(autograd::gradcheck(restless, {leaf({1, 2})}, options));
  auto f = [](const List& in) { return mul(in[0], 2); };
  CHECK_ERROR_CONTAINS(autograd::gradcheck(f, {test::vector({1})}), ValueError,
                       "gradcheck expects at least one input tensor to require gradient");
  CHECK_ERROR_CONTAINS(autograd::gradcheck(f, {ones({2}).requires_grad_()}), TypeError,
                       "input 0: expected float64 or complex128, got float32");
  CHECK_ERROR_CONTAINS(autograd::gradcheck(f, {test::vector({1}).expand({3}).detach().requires_grad_()}), ValueError,
                       "input 0 has elements that share memory");
}
