// Reductions and scans: values, dtypes, empty sets, errors, gradients, the same bits for every number of threads.
#include <cmath>
#include <cstring>
#include <limits>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

using namespace test;

namespace {
Tensor mixed(IntArrayRef sizes) {
  Tensor t = counted(sizes, kDouble);
  return t.mul(0.7).sin().contiguous().set_requires_grad(true);
}
}  // namespace

TEST_CASE("sums run over all, some or no dimensions", "[ops][reduce]") {
  Tensor x = counted({2, 3});
  CHECK(values(x.sum()) == Numbers{15});
  CHECK(x.sum().dim() == 0);
  CHECK(values(x.sum(0)) == Numbers{3, 5, 7});
  CHECK(values(x.sum(-1)) == Numbers{3, 12});
  CHECK(list(x.sum({0, 1}, true).sizes()) == Ints{1, 1});
  CHECK(values(ops::sum(x, IntArrayRef{})) == Numbers{15});
  CHECK(values(x.t().sum(0)) == Numbers{3, 12});
  CHECK_ERROR(x.sum({0, 0}), ValueError, "dim 0 appears multiple times in the list of dims");
  CHECK_ERROR(x.sum(2), IndexError, "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
}

TEST_CASE("sums of integers and bools are int64 unless another dtype is asked for", "[ops][reduce]") {
  CHECK(counted({3}, kInt).sum().dtype() == kLong);
  CHECK(ops::gt(counted({3}), 0).sum().item<std::int64_t>() == 2);
  CHECK(counted({3}, kByte).sum("dtype"_a = kFloat).dtype() == kFloat);
  CHECK(counted({3}, kHalf).sum().dtype() == kHalf);
  CHECK_ERROR(
      counted({3}, kLong).mean(), TypeError,
      "mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: int64");
  Tensor out = ops::empty({0}, "dtype"_a = kInt);
  CHECK(ops::cumsum(counted({3}, kInt), 0, "out"_a = out).dtype() == kInt);
}

TEST_CASE("elements are added in the dtype that is asked for", "[ops][reduce]") {
  Tensor far = tensor({1e30f, -1e30f});
  CHECK(std::isnan(far.sum("dtype"_a = kHalf).item<double>()));
  CHECK(std::isnan(far.to(kDouble).mean("dtype"_a = kBFloat16).item<double>()) == false);
  CHECK(tensor({2.5, 2.5}).sum("dtype"_a = kInt).item<std::int64_t>() == 4);
  CHECK(tensor({200, 100}).sum("dtype"_a = kByte).item<std::int64_t>() == 44);
}

TEST_CASE("sums and products into bools tell of any and of all elements", "[ops][reduce]") {
  Tensor x = tensor({{1.0, -1.0}, {0.0, 0.0}, {0.4, 0.0}});
  CHECK(ops::sum(x, {1}, "dtype"_a = kBool).equal(tensor({true, false, true})));
  CHECK(ops::prod(x, 1, "dtype"_a = kBool).equal(tensor({true, false, false})));
  CHECK(ops::sum(x, "dtype"_a = kBool).item<bool>());
  CHECK(ops::sum(tensor({128, 128}).to(kByte), "dtype"_a = kBool).item<bool>());
  Tensor out = ops::empty({3}, "dtype"_a = kBool), none = ops::empty({2, 0});
  CHECK(ops::sum(x, {1}, "out"_a = out).equal(tensor({true, false, true})));
  CHECK(ops::sum(none, {1}, "dtype"_a = kBool).equal(tensor({false, false})));
  CHECK(ops::prod(none, 1, "dtype"_a = kBool).equal(tensor({true, true})));
}

TEST_CASE("the mean of complex numbers is a complex quotient", "[ops][reduce]") {
  const float infinite = std::numeric_limits<float>::infinity();
  auto mean = ops::mean(tensor({Complex<float>(infinite, 1), Complex<float>(1, 1)})).item<Complex<float>>();
  CHECK(mean.re == infinite);
  CHECK(std::isnan(mean.im));
  CHECK(ops::mean(tensor({Complex<float>(1, 2), Complex<float>(3, -4)})).item<Complex<float>>() ==
        Complex<float>(2, -1));
}

TEST_CASE("extremes of no complex numbers are none", "[ops][reduce]") {
  Tensor none = ops::empty({2, 0, 3}, "dtype"_a = kComplexFloat);
  CHECK(list(ops::amax(none, {0}).sizes()) == Ints{0, 3});
  CHECK_ERROR(ops::amax(ops::empty({2}, "dtype"_a = kComplexFloat)), NotImplementedError,
              "\"amax\" not implemented for 'ComplexFloat'");
}

TEST_CASE("reductions of nothing give the neutral element or refuse", "[ops][reduce]") {
  Tensor none = ops::empty({0, 3});
  CHECK(values(none.sum(0)) == Numbers{0, 0, 0});
  CHECK(std::isnan(none.mean().item<double>()));
  CHECK(values(none.prod()) == Numbers{1});
  CHECK(none.all().item<bool>());
  CHECK_FALSE(none.any().item<bool>());
  CHECK(list(none.amax(1).sizes()) == Ints{0});
  CHECK_ERROR(none.amax(0), IndexError, "amax(): Expected reduction dim 0 to have non-zero size.");
  CHECK_ERROR(
      none.max(), IndexError,
      "max(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  CHECK_ERROR(
      none.argmax(), IndexError,
      "argmax(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
}

TEST_CASE("extremes tell where they are, and not-a-number wins", "[ops][reduce]") {
  Tensor x = tensor({{3, 1, 4}, {1, 5, 5}}).to(kFloat);
  CHECK(x.argmax().item<std::int64_t>() == 4);
  CHECK(values(x.argmax(1)) == Numbers{2, 1});
  CHECK(values(x.t().argmin(1)) == Numbers{1, 0, 0});
  auto [v, i] = ops::max(x, 0);
  CHECK(values(v) == Numbers{3, 5, 5});
  CHECK(values(i) == Numbers{0, 1, 1});
  auto [w, j] = ops::min(x, 1, true);
  CHECK(list(w.sizes()) == Ints{2, 1});
  CHECK(values(j) == Numbers{1, 0});
  x.select(0, 0).select(0, 1).fill_(std::nan(""));
  CHECK(x.argmax().item<std::int64_t>() == 1);
  CHECK(std::isnan(x.amax().item<double>()));
}

TEST_CASE("extremes along a negative dimension, and none along an empty one", "[ops][reduce]") {
  Tensor x = tensor({{3, 1, 4}, {1, 5, 5}}).to(kFloat);
  auto [v, i] = ops::max(x, -1);
  CHECK(values(v) == Numbers{4, 5});
  CHECK(values(i) == Numbers{2, 1});
  auto [w, j] = ops::min(x, -2, true);
  CHECK(list(w.sizes()) == Ints{1, 3});
  CHECK(values(w) == Numbers{1, 1, 4});
  CHECK(values(j) == Numbers{1, 0, 0});
  for (auto device : {kCPU, kMeta}) {
    Tensor none = ops::empty({2, 0}, "device"_a = device);
    CHECK_ERROR_CONTAINS(ops::max(none, 1), IndexError, "Expected reduction dim 1 to have non-zero size");
    CHECK_ERROR_CONTAINS(ops::min(none, -1), IndexError, "to have non-zero size");
    CHECK(list(std::get<1>(ops::max(none, 0)).sizes()) == Ints{0});
    CHECK_ERROR_CONTAINS(ops::max(none, 2), IndexError, "Dimension out of range");
  }
}

TEST_CASE("truth keeps uint8 and takes every dtype", "[ops][reduce]") {
  CHECK(tensor({0, 2}).to(kByte).any().dtype() == kByte);
  CHECK(values(tensor({{0, 2}, {1, 1}}).all(1)) == Numbers{0, 1});
  CHECK(values(ops::any(tensor({0.0, 0.5}), IntArrayRef{})) == Numbers{0, 1});
}

TEST_CASE("running sums follow the dimension", "[ops][reduce]") {
  Tensor x = counted({2, 3});
  CHECK(values(x.cumsum(0)) == Numbers{0, 1, 2, 3, 5, 7});
  CHECK(values(x.cumsum(1)) == Numbers{0, 1, 3, 3, 7, 12});
  Tensor ones = ops::ones({50000});
  Tensor running = ones.cumsum(0);
  CHECK(running.select(0, 49999).item<double>() == 50000);
  CHECK(running.select(0, 16384).item<double>() == 16385);
}

// PyTorch's CPU has neither.
TEST_CASE("running sums and products into bools tell of any and of all, nansum takes complex numbers",
          "[ops][reduce]") {
  Tensor x = tensor({{0.0, 2.0, 0.0}, {1.0, 0.0, 3.0}}), out = ops::empty({2, 3}, "dtype"_a = kBool);
  CHECK(ops::cumsum(x, 1, "out"_a = out).equal(tensor({{false, true, true}, {true, true, true}})));
  CHECK(ops::cumprod(x, 1, "dtype"_a = kBool).equal(tensor({{false, false, false}, {true, false, false}})));
  Tensor z = ops::complex(tensor({1.0, NAN, 2.0, 3.0}), tensor({0.5, 1.0, NAN, -1.0}));
  CHECK(ops::nansum(z).equal(tensor(Complex<float>(4, -0.5f))));
}

TEST_CASE("sums have the same bits for one thread and two", "[ops][reduce]") {
  Tensor x = counted({1 << 20}).mul(0.37).sin(), m = x.view({1024, 1024});
  int before = get_num_threads();
  set_num_threads(1);
  Tensor a = x.sum(), b = m.sum(0), c = x.cumsum(0);
  set_num_threads(2);
  Tensor d = x.sum(), e = m.sum(0), f = x.cumsum(0);
  set_num_threads(before);
  CHECK(std::memcmp(a.data_ptr(), d.data_ptr(), 4) == 0);
  CHECK(std::memcmp(b.data_ptr(), e.data_ptr(), b.nbytes()) == 0);
  CHECK(std::memcmp(c.data_ptr(), f.data_ptr(), c.nbytes()) == 0);
}

TEST_CASE("gradients of reductions agree with finite differences", "[ops][reduce][autograd]") {
  using List = std::vector<Tensor>;
  List x{mixed({3, 4})};
  autograd::gradcheck([](const List& a) { return a[0].sum(); }, x);
  autograd::gradcheck([](const List& a) { return a[0].sum(1, true); }, x);
  autograd::gradcheck([](const List& a) { return a[0].mean({0}); }, x);
  autograd::gradcheck([](const List& a) { return a[0].mean(); }, x);
  autograd::gradcheck([](const List& a) { return a[0].amax(1); }, x);
  autograd::gradcheck([](const List& a) { return a[0].min(); }, x);
  autograd::gradcheck([](const List& a) { return std::get<0>(ops::max(a[0], 0)); }, x);
  autograd::gradcheck([](const List& a) { return a[0].cumsum(1); }, x);
}

TEST_CASE("variances come with their means, least with most", "[ops][reduce]") {
  Tensor x = counted({2, 3});
  auto [variance, mean] = ops::var_mean(x, 1);
  CHECK(values(variance) == Numbers{1, 1});
  CHECK(values(mean) == Numbers{1, 4});
  auto [deviation, center] = ops::std_mean(x, 0, "correction"_a = 0, "keepdim"_a = true);
  CHECK(values(deviation) == Numbers{1.5, 1.5, 1.5});
  CHECK(list(center.sizes()) == Ints{1, 3});
  auto [least, most] = ops::aminmax(x.t(), "dim"_a = 0);
  CHECK(values(least) == Numbers{0, 3});
  CHECK(values(most) == Numbers{2, 5});
  CHECK_ERROR(ops::aminmax(ops::empty({0})), IndexError,
              "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
  using List = std::vector<Tensor>;
  List y{mixed({3, 4})};
  autograd::gradcheck([](const List& a) { return std::get<0>(ops::var_mean(a[0], 1)); }, y);
  autograd::gradcheck([](const List& a) { return std::get<1>(ops::std_mean(a[0], 0)); }, y);
  autograd::gradcheck(
      [](const List& a) {
        auto [low, high] = ops::aminmax(a[0], "dim"_a = 1);
        return high.sub(low);
      },
      y);
}

TEST_CASE("meta tensors get the shape and dtype of a reduction", "[ops][reduce]") {
  Tensor x = ops::empty({2, 3}, "device"_a = Device(DeviceType::Meta), "dtype"_a = kInt);
  Tensor s = x.sum(1);
  CHECK(s.is_meta());
  CHECK(s.dtype() == kLong);
  CHECK(list(s.sizes()) == Ints{2});
}

TEST_CASE("spread, norms and products follow their definitions", "[ops][reduce]") {
  Tensor x = tensor({{1.0, 2.0}, {4.0, 8.0}});
  CHECK(x.var().item<double>() == Approx(9.583333333333334));
  CHECK(values(ops::var(x, 1, false)) == Numbers{0.25, 4});
  CHECK(x.std().item<double>() == Approx(std::sqrt(9.583333333333334)));
  CHECK(ops::norm(x).item<double>() == Approx(std::sqrt(85.0)));
  CHECK(values(ops::linalg_vector_norm(x, 1, IntArrayRef{0})) == Numbers{5, 10});
  CHECK(values(ops::linalg_vector_norm(x, HUGE_VAL, IntArrayRef{1})) == Numbers{2, 8});
  CHECK(x.prod().item<double>() == 64);
  CHECK(values(x.cumprod(1)) == Numbers{1, 2, 4, 32});
  CHECK(ops::logsumexp(tensor({1000.0, 1000.0}), {0}).item<double>() == Approx(1000 + std::log(2)));
  // Steps before the sum round as the tensor's elements do.
  Tensor wide = ops::zeros({1});
  ops::logsumexp(tensor({{0.3, 1.2, -0.7, 0.9}}).to(kHalf), {1}, "out"_a = wide);
  CHECK(wide.item<double>() == Approx(2.031691551208496).epsilon(1e-7));
  CHECK(values(ops::count_nonzero(tensor({{0, 2}, {1, 1}}), 1)) == Numbers{1, 2});
  CHECK_ERROR(counted({2}, kLong).var(), TypeError, "std and var only support floating point and complex dtypes");
}

TEST_CASE("a norm is computed in the dtype that is asked for", "[ops][reduce]") {
  Tensor x = tensor({{3.0f, 4.0f}, {6.0f, 8.0f}});
  Tensor all = ops::norm(x, std::nullopt, "dtype"_a = kDouble);
  CHECK(all.dtype() == kDouble);
  CHECK(all.item<double>() == Approx(std::sqrt(125.0)));
  Tensor rows = ops::norm(x, 1, IntArrayRef{1}, true, "dtype"_a = kDouble);
  CHECK(values(rows) == Numbers{7, 14});
  CHECK(list(rows.sizes()) == Ints{2, 1});
  Tensor out = ops::empty({0}, "dtype"_a = kDouble);
  CHECK(values(ops::norm_ScalarOpt_dim_dtype_out(x, 2, 1, false, kDouble, out)) == Numbers{5, 10});
  CHECK(values(ops::norm_ScalarOpt_dtype_out(x, 1, kDouble, out.resize_({0}))) == Numbers{21});
  Tensor leaf = x.clone().requires_grad_();
  ops::norm(leaf, 2, IntArrayRef{1}, false, "dtype"_a = kDouble).sum().backward();
  CHECK(leaf.grad().dtype() == kFloat);
  CHECK(values(leaf.grad())[0] == Approx(0.6));
  CHECK_ERROR(
      ops::norm(x.to(kDouble), 2, "dtype"_a = kFloat), TypeError,
      "linalg.vector_norm: the dtype of the input (float64) should be convertible without narrowing to the specified dtype (float32)");
  CHECK_ERROR(ops::norm(x, 2, "dtype"_a = kComplexFloat), TypeError,
              "linalg.vector_norm: dtype should be real for real inputs, but got complex64");
  CHECK_ERROR(ops::norm(x, 2, "dtype"_a = kLong), TypeError,
              "linalg.vector_norm: dtype should be floating point or complex. Got int64");
}
TEST_CASE("gradients of spread, norms and products agree with finite differences", "[ops][reduce][autograd]") {
  using List = std::vector<Tensor>;
  List x{mixed({3, 4})};  // its first element is 0
  List y{ops::add(mixed({3, 2}).detach(), 0.3).contiguous().set_requires_grad(true)};
  autograd::gradcheck([](const List& a) { return a[0].prod(); }, List{mixed({4})});
  autograd::gradcheck([](const List& a) { return a[0].prod(1); }, x);
  autograd::gradcheck([](const List& a) { return a[0].cumprod(1); }, x);
  autograd::gradcheck([](const List& a) { return ops::var(a[0], 1, true); }, x);
  autograd::gradcheck([](const List& a) { return ops::std(a[0], 0, false, true); }, x);
  autograd::gradcheck([](const List& a) { return ops::logsumexp(a[0], {1}); }, x);
  // log(e^(1 + 2i) + e^(0.5 - i)), from PyTorch 2.15.
  Tensor pair = ops::zeros({2}, "dtype"_a = kComplexDouble);
  pair.data_ptr<Complex<double>>()[0] = {1, 2};
  pair.data_ptr<Complex<double>>()[1] = {0.5, -1};
  auto sum = ops::logsumexp(pair, {0}).item().to<Complex<double>>();
  CHECK(sum.re == Approx(0.10499301432446895));
  CHECK(sum.im == Approx(1.7889591478473275));
  pair.requires_grad_();
  Tensor y2 = ops::logsumexp(pair, {0}),
         slope = autograd::grad(TensorList(y2), TensorList(pair), TensorList(ops::ones_like(y2)))[0];
  CHECK(slope.data_ptr<Complex<double>>()[0].re == Approx(2.3930544684073864));
  CHECK(slope.data_ptr<Complex<double>>()[0].im == Approx(-0.5126660306146696));
  for (double p : {0.5, 1.0, 2.0, 3.0, static_cast<double>(HUGE_VAL)})
    autograd::gradcheck([p](const List& a) { return ops::linalg_vector_norm(a[0], p, IntArrayRef{1}); }, y);
}

TEST_CASE("second derivatives of norms are numbers where an element is zero", "[ops][reduce][autograd]") {
  // Of |x|^p at 0 the slope that is taken is 0, and stays it; elsewhere the values are PyTorch's.
  Tensor x = tensor({1.0, 2, 3, -0.1, 0.2, 0.3, 0, 4, -5}).to(kDouble).view({3, 3}).requires_grad_();
  Tensor y = ops::renorm(x, 1.5, 0, 1.0), weights = ops::arange(9, "dtype"_a = kDouble).view({3, 3});
  Tensor slope = autograd::grad({(y * weights).sum()}, {x}, {}, true, true)[0];
  Numbers second = values(autograd::grad({slope.pow(2).sum()}, {x})[0]),
          wanted = {0.022341458264236582, -0.013894236378610123, -0.036008403718684495, 0, 0, 0, 0,
                    -0.5809038212435965,  0.6856520076718773};
  CHECK(std::isfinite(second[6]));
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (i != 6) CHECK(second[i] == Approx(wanted[i]));
}

TEST_CASE("what renorm makes is in row-major order, as PyTorch's", "[ops][reduce]") {
  Tensor x = ops::ones({2, 3, 6}).transpose(1, 2);
  CHECK(ops::renorm(x, 2, 1, 1.0).strides() == IntArrayRef({18, 3, 1}));
}

TEST_CASE("spread and norms write into a given tensor", "[ops][reduce]") {
  Tensor x = tensor({{1.0, 2.0}, {4.0, 8.0}}), out = ops::empty({0});
  ops::var(x, 1, false, false, "out"_a = out);
  CHECK(values(out) == Numbers{0.25, 4});
  ops::norm_ScalarOpt_dim_out(tensor({{3.0, 4.0}}), std::nullopt, 1, false, out.resize_({0}));
  CHECK(values(out) == Numbers{5});
}

TEST_CASE("what has no mean and no largest element is refused", "[ops][reduce]") {
  Tensor x = tensor({{1.0, 2.0}, {4.0, 8.0}}), whole = ops::empty({2}, "dtype"_a = kLong);
  CHECK_ERROR(ops::mean(x, {1}, "out"_a = whole), TypeError,
              "result type float32 can't be cast to the desired output type int64");
  Tensor wide = ops::empty({2}, "dtype"_a = kDouble);
  CHECK(values(ops::mean(x, {1}, "out"_a = wide)) == Numbers{1.5, 6});
  CHECK_ERROR(ops::argmax(tensor({true, false})), NotImplementedError, "argmax(): does not support bool input");
  CHECK_ERROR(ops::argmin(tensor({true, false})), NotImplementedError, "argmin(): does not support bool input");
}

TEST_CASE("rounding errors of long sums grow with the number of blocks", "[ops][reduce]") {
  for (std::int64_t n : {1000, 10000, 100000, 1000001}) {
    double exact = static_cast<double>(0.1f) * static_cast<double>(n);
    CHECK(std::abs(ops::sum(ops::full({n}, 0.1, "dtype"_a = kFloat)).item<double>() / exact - 1) < 8e-7);
  }
}

TEST_CASE("results of another dtype are taken where PyTorch takes them", "[ops][reduce]") {
  Tensor x = tensor({1.0f, 2.0f, 4.5f}), z = x.to(kComplexFloat);
  Tensor wide = ops::empty({}, "dtype"_a = kDouble), half = wide.to(kHalf), real = wide.to(kFloat),
         byte = wide.to(kByte);
  CHECK(values(ops::max_base_out(x, wide)) == Numbers{4.5});
  CHECK(values(ops::min_base_out(x.to(kInt), half)) == Numbers{1});
  CHECK(values(ops::var_correction_out(x, IntArrayRef{0}, Scalar(1), false, wide))[0] == Approx(3.25));
  CHECK(values(ops::mse_loss_base_out(x, x * 2, 1, wide))[0] == Approx(25.25 / 3));
  CHECK(values(ops::mean(z, IntArrayRef{0}, "out"_a = real))[0] == Approx(2.5));
  CHECK_ERROR(ops::mean_base_out(z, kFloat, real), TypeError,
              "mean.dtype_out(): input types can't be cast to the desired output type float32");
  CHECK_ERROR(ops::sum_base_out(x, std::nullopt, byte), TypeError,
              "Expected out tensor to have dtype float32, but got uint8 instead");
}

TEST_CASE("a count passes no gradient", "[ops][reduce]") {
  Tensor x = counted({2, 2}).set_requires_grad(true), y = ops::norm(x, 0, {1});
  CHECK(!autograd::grad({y}, {x}, {ops::ones_like(y)}, std::nullopt, false, true)[0].defined());
}

// torch.hash_tensor of PyTorch 2.15.
TEST_CASE("a hash is the exclusive or of the bits", "[ops][reduce]") {
  using Words = std::vector<std::uint64_t>;
  auto words = [](const Tensor& t) {
    const auto* p = static_cast<const std::uint64_t*>(t.data_ptr());
    return Words(p, p + t.numel());
  };
  Tensor x = counted({2, 3});
  CHECK(words(ops::hash_tensor(x)) == Words{4610560118520545280u});
  CHECK(words(ops::hash_tensor(x.to(kBFloat16), {1})) == Words{9218868437227405312u, 4615063718147915776u});
  Tensor along = ops::hash_tensor(x.to(kChar), {0}, true);
  CHECK(along.sizes() == IntArrayRef({1, 3}));
  CHECK(along.dtype() == kUInt64);
  CHECK(words(along) == Words{3, 5, 7});
  CHECK(words(ops::hash_tensor(x.requires_grad_(), {1, 0})) == Words{4610560118520545280u});
  CHECK_FALSE(ops::hash_tensor(x).requires_grad());
  Tensor none = ops::ones({0, 3}), wrong = ops::empty({0}, "dtype"_a = kLong);
  CHECK(ops::hash_tensor(none, {1}).numel() == 0);
  CHECK_ERROR(ops::hash_tensor(none), IndexError,
              "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim "
              "with the 'dim' argument.");
  CHECK_ERROR(ops::hash_tensor(none, {0}), IndexError, "hash_tensor: Expected reduction dim 0 to have non-zero size.");
  CHECK_ERROR(ops::hash_tensor(x, "mode"_a = 1), ValueError, "Unknown hash_tensor mode: 1");
  CHECK_ERROR(ops::hash_tensor(x.detach(), "out"_a = wrong), TypeError,
              "Expected result to be of dtype uint64, but got Long");
  CHECK_THROWS_AS(ops::hash_tensor(x.to(kComplexFloat)), NotImplementedError);
}
