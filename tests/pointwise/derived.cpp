// Rows whose derivatives follow from their formulas.
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/derived.hpp>

#include "../ops/support.hpp"

namespace mine {

namespace over = tenon::over;

TENON_OPERATORS(swish, "mine_derived::swish(Tensor self, Scalar beta=1) -> Tensor");
TENON_COMPUTES(swish_base, over::fast_float, (self), (beta), (self * math::sigmoid(decltype(self)(beta) * self)),
               promote<IntToFloat>, derived);
// Each branch of a choice, an operand twice, a constant.
TENON_OPERATORS(hinge, "mine_derived::hinge(Tensor self, Tensor other) -> Tensor");
TENON_COMPUTES(hinge_base, over::floating, (self, other), (),
               (math::select(self > other, math::times(self, self) - other, decltype(self)(2) / (self + other))),
               derived);
TENON_OPERATORS(cubed, "mine_derived::cubed(Tensor self) -> Tensor");
TENON_COMPUTES(cubed_base, over::float_or_complex, (self), (), (self * self * self), derived);
// The second tensor of the signature comes first in the formula, and one counts twice.
TENON_OPERATORS(ratio, "mine_derived::ratio(Tensor self, Tensor other) -> Tensor");
TENON_FORMULA(ratio, over::floating, (a, b, c), (), (math::exp(a) / (b * b) + c));
TENON_COMPUTES_BY(ratio_base, TENON_ELSE(ratio_formula, (other, self, self), ()), derived);

tenon::Tensor apply_hinge(const std::vector<tenon::Tensor>& in) { return hinge(in[0], in[1]); }

}  // namespace mine

using namespace test;

TEST_CASE("a derived row has the slope of its formula, by every tensor", "[pointwise][derived]") {
  Tensor x = tensor({0.3, -1.2, 2.0}).to(kDouble).requires_grad_();
  Tensor y = tensor({{0.5}, {-0.25}}).to(kDouble).requires_grad_();
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::swish(in[0], 1.5); }, {x});
  autograd::gradcheck(&mine::apply_hinge, {x, y});
  autograd::gradcheck([](const std::vector<Tensor>& in) { return mine::ratio(in[0], in[1]); }, {x, y});
  mine::swish(x, 0).sum().backward();
  CHECK(values(x.grad()) == Numbers{0.5, 0.5, 0.5});
}

TEST_CASE("the slopes of a derived row can be differentiated again and again", "[pointwise][derived]") {
  Tensor x = tensor({0.3, -1.2, 2.0}).to(kDouble).requires_grad_();
  Tensor y = tensor({{0.5}, {-0.25}}).to(kDouble).requires_grad_();
  autograd::gradgradcheck([](const std::vector<Tensor>& in) { return mine::swish(in[0], 1.5); }, {x});
  autograd::gradgradcheck(&mine::apply_hinge, {x, y});
  autograd::gradgradcheck([](const std::vector<Tensor>& in) { return mine::ratio(in[0], in[1]); }, {x, y});
  Tensor d = mine::cubed(x);
  for (int i = 0; i < 3; ++i) d = autograd::grad({d.sum()}, {x}, {}, std::nullopt, true)[0];
  CHECK(values(d) == Numbers{6, 6, 6});
}

TEST_CASE("the slope of a complex derived row is conjugated", "[pointwise][derived]") {
  Tensor z = ops::full({1}, Scalar(Complex<double>(1.0, 2.0)), "dtype"_a = kComplexDouble).requires_grad_();
  mine::cubed(z).backward(ones({1}, "dtype"_a = kComplexDouble));
  // 3 z^2 = 3 (-3 + 4i)
  CHECK(z.grad().data_ptr<Complex<double>>()[0] == Complex<double>(-9.0, -12.0));
}

TEST_CASE("a derived row computes its gradients in its own dtype, and none for integers", "[pointwise][derived]") {
  Tensor x = tensor({0.5, -1.0}).to(kHalf).requires_grad_();
  mine::swish(x).sum().backward();
  CHECK(x.grad().dtype() == kHalf);
  CHECK_FALSE(mine::swish(tensor({1, 2})).requires_grad());
  Tensor out = ops::empty({0});
  CHECK(values(mine::swish(tensor({0, 0}), "out"_a = out)) == Numbers{0, 0});
}
