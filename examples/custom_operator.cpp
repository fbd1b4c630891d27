// Operators of your own, outside the library: one elementwise, from a lambda, and one with a shape rule, a kernel and a
// derivative.
#include <cstdio>

#include <tenon/cpu/pointwise_operator.hpp>
#include <tenon/tenon.hpp>

namespace my {

// Every form, dtype, broadcast and the derivative follow from the lambda.
TENON_POINTWISE(swish, "my::swish(Tensor self, *, Scalar beta=1) -> Tensor",
                [](auto x, auto beta) { return x / (1 + exp(-beta * x)); });

// The outer product of two vectors: the meta function says what the result is, the kernel fills it.
void outer_meta(tenon::Outputs& out, const tenon::Tensor& a, const tenon::Tensor& b) {
  TENON_CHECK(a.dim() == 1 && b.dim() == 1, tenon::ValueError, "outer(): expected two vectors, got shapes ", a.sizes(),
              " and ", b.sizes());
  out.set_output_strided(0, {a.numel(), b.numel()}, {}, tenon::result_type(a, b), a.device());
}
void outer_cpu(const tenon::Tensor& a, const tenon::Tensor& b, const tenon::Tensor& out) {
  using namespace tenon::literals;
  tenon::ops::mul(a.unsqueeze(1), b.unsqueeze(0), "out"_a = out);
}
TENON_STRUCTURED(outer, "my::outer(Tensor a, Tensor b) -> Tensor", outer_meta);
TENON_STRUCTURED_KERNEL(outer, CPU, outer_cpu);
TENON_DERIVATIVE(outer, TENON_WRT((a), (grad, b), grad.mul(b.unsqueeze(0)).sum({1})),
                 TENON_WRT((b), (grad, a), grad.mul(a.unsqueeze(1)).sum({0})));

}  // namespace my

int main() {
  using namespace tenon;
  Tensor x = tensor({-2.0, -1.0, 0.0, 1.0, 2.0});
  x.requires_grad_();
  Tensor y = my::swish(x, "beta"_a = 1.5);
  std::printf("swish     %s\n", to_string(y).c_str());
  y.sum().backward();
  std::printf("gradient  %s\n", to_string(x.grad()).c_str());

  Tensor a = tensor({1.0, 2.0, 3.0}), b = tensor({10.0, 20.0});
  a.requires_grad_();
  my::outer(a, b).sum().backward();
  std::printf("outer     %s\n", to_string(my::outer(a.detach(), b)).c_str());
  std::printf("gradient  %s\n", to_string(a.grad()).c_str());

  // In a test of it: is the schema true, does Meta compute the same, and is the derivative that of the values?
  SchemaCheckGuard checked;
  autograd::gradcheck([](const std::vector<Tensor>& in) { return my::outer(in[0], in[1]); },
                      {ops::rand({3}, "dtype"_a = kDouble).requires_grad_(), ops::rand({2}, "dtype"_a = kDouble)});
}

// Prints:
// swish     tensor([-0.0949, -0.1824,  0.0000,  0.8176,  1.9051], grad_fn=<SwishBackward0>)
// gradient  tensor([-0.0881, -0.0413,  0.5000,  1.0413,  1.0881])
// outer     tensor([[10., 20.],
//         [20., 40.],
//         [30., 60.]])
// gradient  tensor([30., 30., 30.])
