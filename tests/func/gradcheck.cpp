// The check of tangents and batched derivatives itself: what it accepts, and that it finds what is wrong.
#include <tenon/autograd/graph/function.hpp>
#include <tenon/autograd/graph/hooks.hpp>

#include "support.hpp"

using namespace test;
using autograd::AutogradContext;

namespace {

using List = std::vector<Tensor>;
using Dims = std::vector<std::optional<std::int64_t>>;

/// x², with tangents that are off by a factor and, where `fault` says so, wrong batches.
struct Square : autograd::Function<Square> {
  static inline double factor = 2;
  static inline bool fault = false;
  static Tensor forward(AutogradContext& ctx, const Tensor& x) {
    ctx.save_for_backward({x});
    return x * x;
  }
  static Tensor backward(AutogradContext& ctx, TensorList grads) {
    return Times::apply(grads[0], ctx.saved_tensors()[0]);
  }
  static Tensor jvp(AutogradContext& ctx, TensorList tangents) {
    return Times::apply(tangents[0], ctx.saved_tensors()[0]) * (factor / 2);
  }

 private:
  /// 2 g x.
  struct Times : autograd::Function<Times> {
    static Tensor forward(AutogradContext& ctx, const Tensor& g, const Tensor& x) {
      ctx.save_for_backward({g, x});
      return 2 * g * x;
    }
    static List backward(AutogradContext& ctx, TensorList grads) {
      auto saved = ctx.saved_tensors();
      return {2 * grads[0] * saved[1], 2 * grads[0] * saved[0]};
    }
    static std::pair<Tensor, Dims> vmap(std::int64_t, const Dims&, const Tensor& g, const Tensor& x) {
      return {(fault ? 3 : 2) * g * x, {0}};
    }
  };
};

Tensor leaf(IntArrayRef sizes) { return drawn(sizes).set_requires_grad(true); }

func::GradcheckOptions everything() {
  func::GradcheckOptions o;
  o.check_forward_ad = o.check_batched_grad = o.check_batched_forward_grad = o.check_fwd_over_rev = true;
  return o;
}

}  // namespace

TEST_CASE("right derivatives of every kind pass", "[func][gradcheck]") {
  Tensor z = ops::complex(drawn({2}), drawn({2})).set_requires_grad(true);
  for (bool fast : {false, true}) {
    func::GradcheckOptions options = everything();
    options.fast_mode = fast;
    auto two = [](const List& in) { return std::tuple(ops::sin(in[0]) * in[1], ops::sum(in[0], {0})); };
    CHECK(func::gradcheck(two, {leaf({3, 2}), leaf({2})}, options));
    CHECK(func::gradgradcheck(two, {leaf({3, 2}), leaf({2})}, {}, options));
    CHECK(func::gradcheck([](const List& in) { return ops::exp(in[0]) * ops::abs(in[0]); }, {z}, options));
    // A constant between them, and a result of whole numbers.
    auto mixed = [](const List& in) { return std::tuple(ops::argmax(in[0]), in[0] * in[1]); };
    CHECK(func::gradcheck(mixed, {leaf({3}), drawn({3})}, options));
  }
}

TEST_CASE("wrong tangents and batches are told", "[func][gradcheck]") {
  auto square = [](const List& in) { return Square::apply(in[0]); };
  func::GradcheckOptions options = everything(), quiet = options;
  quiet.raise_exception = false;
  CHECK(func::gradcheck(square, {leaf({3})}, options));
  CHECK(func::gradgradcheck(square, {leaf({3})}, {}, options));
  Square::factor = 3;
  CHECK_ERROR_CONTAINS(
      func::gradcheck(square, {leaf({3})}, options), AutogradError,
      "gradcheck(): Jacobian computed with forward mode mismatch for output 0 with respect to input 0");
  CHECK_FALSE(func::gradcheck(square, {leaf({3})}, quiet));
  options.check_forward_ad = options.check_batched_forward_grad = false;
  CHECK(func::gradcheck(square, {leaf({3})}, options));
  Square::factor = 2;
  Square::fault = true;
  CHECK_ERROR_CONTAINS(func::gradcheck(square, {leaf({3})}, options), AutogradError,
                       "gradcheck(): While computing batched gradients, got different results from vmap");
  options = everything();
  options.check_batched_grad = false;
  CHECK_ERROR_CONTAINS(func::gradcheck(square, {leaf({3})}, options), AutogradError,
                       "gradcheck(): While computing batched forward-mode derivatives, got different results");
  options.check_batched_forward_grad = false;
  CHECK(func::gradcheck(square, {leaf({3})}, options));
  Square::fault = false;
  options.check_backward_ad = options.check_forward_ad = false;
  CHECK_ERROR_CONTAINS(func::gradcheck(square, {leaf({3})}, options), ValueError,
                       "expected check_forward_ad or check_backward_ad to be true");
}

TEST_CASE("random weights of outputs are not contiguous where that is asked for", "[func][gradcheck]") {
  int apart = 0, calls = 0;
  auto product = [&](const List& in) { return in[0] * in[1]; };
  func::GradcheckOptions options;
  for (bool non_contiguous : {false, true}) {
    options.gen_non_contig_grad_outputs = non_contiguous;
    apart = calls = 0;
    auto seen = [&](const List& in) {
      Tensor y = product(in);
      if (y.requires_grad())
        y.register_hook([&](const Tensor& grad) {
          ++calls;
          apart += !grad.is_contiguous();
        });
      return y;
    };
    CHECK(func::gradgradcheck(seen, {leaf({3, 2}), leaf({3, 2})}, {}, options));
    CHECK(calls > 0);
    CHECK((apart > 0) == non_contiguous);
  }
}
