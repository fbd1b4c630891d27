// Fused expressions: against the operators that they stand for; sums, gradients, dtypes, strides.
#include <tenon/cpu/fuse.hpp>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace {
double apart(const Tensor& a, const Tensor& b) {
  REQUIRE(a.sizes() == b.sizes());
  return a.numel() == 0 ? 0 : ops::amax(ops::abs(ops::sub(a, b))).item<double>();
}
Tensor wavy(IntArrayRef sizes, double step, ScalarType type = kDouble) {
  return (ops::sin(counted(sizes, kDouble) * step)).to(type);
}
constexpr auto chain = [](auto a, auto b) {
  using math::relu;
  return relu(a * b + a);
};
Tensor by_hand(const Tensor& a, const Tensor& b) { return ops::relu(a * b + a); }
}  // namespace

TEST_CASE("a fused expression is one operator's worth of elements", "[cpu][fuse]") {
  Tensor x = wavy({5, 7}, 0.3), y = wavy({5, 7}, 0.7), row = wavy({7}, 0.9), column = wavy({5, 1}, 1.1);
  CHECK(apart(fuse(chain)(x, y), by_hand(x, y)) == 0);
  CHECK(apart(fuse(chain)(x, row), by_hand(x, row)) == 0);
  CHECK(apart(fuse(chain)(column, row), by_hand(column, row)) == 0);
  CHECK(apart(fuse(chain)(x.t(), y.t()), by_hand(x.t(), y.t())) == 0);
  CHECK(list(fuse(chain)(x.t(), y.t()).strides()) == Ints{1, 7});
  CHECK(apart(fuse(chain)(x.narrow(1, 1, 3), y.narrow(1, 2, 3)), by_hand(x.narrow(1, 1, 3), y.narrow(1, 2, 3))) == 0);
  double half = 0.5;
  CHECK(apart(TENON_FUSE([half](auto a) { return half * exp(a) + 1; })(x), ops::exp(x) * 0.5 + 1) < 1e-15);
  CHECK(apart(TENON_FUSE([](auto a, auto b, auto c, auto d) { return select(a < b, c, d); })(x, y, row, column),
              ops::where(x < y, row.expand({5, 7}), column.expand({5, 7}))) == 0);
  CHECK(apart(fuse([](auto) { return 2.0; })(x), ops::full_like(x, 2.0)) == 0);
  CHECK(fuse(chain)(ops::empty({0, 3}), ops::empty({3})).numel() == 0);
  Tensor large = wavy({300, 401}, 0.01, kFloat), other = wavy({401}, 0.02, kFloat);
  CHECK(apart(fuse(chain)(large, other), by_hand(large, other)) < 1e-6);
  CHECK(std::isnan(TENON_FUSE([](auto a) { return relu(a); })(tensor({std::nan("")})).item<double>()));
  CHECK_ERROR(fuse(chain)(x, wavy({4}, 1)), ValueError,
              "The size of tensor a (7) must match the size of tensor b (4) at non-singleton dimension 1");
  CHECK_ERROR(fuse(chain)(x, x.to(kComplexDouble)), TypeError, "fuse() computes real numbers, got complex128");
}

TEST_CASE("fused tensors of several dtypes compute in their common one", "[cpu][fuse]") {
  Tensor f = wavy({40}, 0.3, kFloat), h = wavy({40}, 0.4, kHalf), i = counted({40}, kLong), d = wavy({40}, 0.2);
  CHECK(fuse(chain)(f, h).dtype() == kFloat);
  CHECK(fuse(chain)(h, h).dtype() == kHalf);
  CHECK(fuse(chain)(i, i).dtype() == get_default_dtype());
  CHECK(fuse(chain)(f, d).dtype() == kDouble);
  CHECK(fuse(chain)(h, i).dtype() == kHalf);
  CHECK(apart(fuse(chain)(f, d), by_hand(f.to(kDouble), d)) < 1e-15);
  CHECK(apart(fuse(chain)(h, f), by_hand(h.to(kFloat), f)) < 1e-6);
  CHECK(fuse(chain)(h, h).equal(by_hand(h.to(kFloat), h.to(kFloat)).to(kHalf)));
}

TEST_CASE("a fused sum is over any dimensions and the same for any number of threads", "[cpu][fuse]") {
  Tensor x = wavy({6, 70, 33}, 0.3), y = wavy({70, 1}, 0.7);
  Tensor all = by_hand(x, y);
  CHECK(fuse(chain).sum()(x, y).item<double>() == Approx(all.sum().item<double>()));
  CHECK(fuse(chain).mean()(x, y).item<double>() == Approx(all.mean().item<double>()));
  for (DimVector dims : {DimVector{0}, {1}, {-1}, {1, 2}, {0, 2}, {0, 1, 2}})
    for (bool keep : {false, true}) {
      CHECK(apart(fuse(chain).sum(dims, keep)(x, y), all.sum(dims, keep)) < 1e-11);
      CHECK(apart(fuse(chain).mean(dims, keep)(x.transpose(0, 2), y), by_hand(x.transpose(0, 2), y).mean(dims, keep)) <
            1e-12);
    }
  CHECK(std::isnan(fuse(chain).mean()(ops::empty({0}), ops::empty({0})).item<double>()));
  CHECK(fuse(chain).sum()(ops::empty({0}), ops::empty({0})).item<double>() == 0);
  Tensor a = wavy({250000}, 0.1, kFloat), b = wavy({250000}, 0.3, kFloat);
  CHECK(fuse(chain).sum()(a, b).item<double>() == Approx(by_hand(a.to(kDouble), b.to(kDouble)).sum().item<double>()));
  int before = get_num_threads();
  set_num_threads(1);
  Tensor one = fuse(chain).sum()(a, b);
  set_num_threads(3);
  CHECK(one.equal(fuse(chain).sum()(a, b)));
  set_num_threads(before);
}

TEST_CASE("the gradient of a fused expression is one pass and has gradients itself", "[cpu][fuse]") {
  using List = std::vector<Tensor>;
  auto smooth = [](auto a, auto b) {
    using math::tanh, math::exp;
    return tanh(a * b) + exp(-a) * b;
  };
  List in{wavy({3, 4}, 0.3).requires_grad_(), wavy({4}, 0.7).requires_grad_()};
  autograd::gradcheck([&](const List& x) { return fuse(smooth)(x[0], x[1]); }, in);
  autograd::gradgradcheck([&](const List& x) { return fuse(smooth)(x[0], x[1]); }, in);
  autograd::gradcheck([&](const List& x) { return fuse(smooth).sum(DimVector{0})(x[0], x[1]); }, in);
  autograd::gradgradcheck([&](const List& x) { return fuse(smooth).mean(DimVector{1}, true)(x[0], x[1]); }, in);
  Tensor w = wavy({4}, 0.5, kFloat).requires_grad_(), x = wavy({3, 4}, 0.4);
  fuse(chain).sum()(x, w).backward();
  CHECK(w.grad().dtype() == kFloat);
  Tensor again = w.detach().clone().requires_grad_();
  by_hand(x, again).sum().backward();
  CHECK(apart(w.grad(), again.grad()) < 1e-6);
  NoGradGuard off;
  CHECK_FALSE(fuse(chain)(x, w).requires_grad());
}

TEST_CASE("a fused expression of tensors without memory gives shapes", "[cpu][fuse]") {
  Tensor m = ops::empty({2, 3}, "device"_a = kMeta), n = ops::empty({3}, "device"_a = kMeta);
  CHECK((fuse(chain)(m, n).is_meta() && list(fuse(chain)(m, n).sizes()) == Ints{2, 3}));
  CHECK(list(fuse(chain).sum(DimVector{0})(m, n).sizes()) == Ints{3});
}
