// Matrix products: shapes, dtypes, accumulation, folding of batches, errors, gradients.
#include <cmath>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
Tensor mixed(IntArrayRef sizes, double step = 0.7) {
  return counted(sizes, kDouble).mul(step).sin().contiguous().set_requires_grad(true);
}
/// The product element by element.
Numbers plain_product(const Tensor& a, const Tensor& b) {
  std::int64_t m = a.size(0), k = a.size(1), n = b.size(1);
  Numbers x = values(a), y = values(b), z(static_cast<std::size_t>(m * n));
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j)
      for (std::int64_t l = 0; l < k; ++l)
        z[static_cast<std::size_t>(i * n + j)] +=
            x[static_cast<std::size_t>(i * k + l)] * y[static_cast<std::size_t>(l * n + j)];
  return z;
}
/// Small whole numbers, whose products are exact in float, by rows, by columns, apart from each other, or in every
/// other place of a row.
Tensor whole_numbers(IntArrayRef sizes, int layout, ScalarType type) {
  const std::int64_t last = sizes.size() - 1, rows = sizes[last - 1], columns = sizes[last];
  std::vector<std::int64_t> there = sizes.vec();
  auto at = [&](std::int64_t from_last) -> std::int64_t& { return there[static_cast<std::size_t>(last - from_last)]; };
  if (layout == 1) at(1) = columns, at(0) = rows;
  if (layout == 2) at(0) = columns + 3;
  if (layout == 3) at(0) = 2 * columns;
  Tensor x = counted(there, kDouble).mul(0.7).sin().mul(3).round();
  if (is_complex_type(type)) x = ops::complex(x, counted(there, kDouble).mul(1.3).sin().mul(3).round());
  x = x.to(type);
  if (layout == 1) return x.transpose(-1, -2);
  return x.slice(-1, 0, layout == 3 ? 2 * columns : columns, layout == 3 ? 2 : 1);
}
/// Whether out = alpha a b + beta before, asked of the sums of the elements with whole factors, which are exact.
bool multiplied(const Tensor& out, const Tensor& a, const Tensor& b, const Tensor& before, double alpha, double beta) {
  const ScalarType wide = out.is_complex() ? kComplexDouble : kDouble;
  Tensor factors = counted({out.size(-1), 1}, kDouble).mul(0.3).cos().mul(50).round().to(wide);
  Tensor want = ops::matmul(a.to(wide), ops::matmul(b.to(wide), factors)).mul(alpha);
  if (beta != 0) want = want.add(ops::matmul(before.to(wide), factors).mul(beta));
  return ops::equal(ops::matmul(out.to(wide), factors), want);
}
}  // namespace

TEST_CASE("mm multiplies matrices of every dtype and layout", "[ops][linalg]") {
  for (ScalarType type : {kByte, kInt, kLong, kHalf, kBFloat16, kFloat, kDouble, kComplexFloat}) {
    Tensor a = counted({2, 3}, kFloat).to(type), b = counted({3, 2}, kFloat).to(type);
    Tensor c = ops::mm(a, b);
    CHECK(c.dtype() == type);
    CHECK(values(c) == Numbers{10, 13, 28, 40});
    CHECK(values(ops::mm(b.t(), a.t())) == Numbers{10, 28, 13, 40});
  }
  Tensor a = counted({37, 41}, kDouble), b = counted({41, 29}, kDouble);
  CHECK(values(ops::mm(a, b)) == plain_product(a, b));
  CHECK(values(ops::mm(ops::empty({2, 0}), ops::empty({0, 2}))) == Numbers{0, 0, 0, 0});
}

TEST_CASE("products of unequal shapes or dtypes are refused", "[ops][linalg]") {
  Tensor a = counted({2, 3}), b = counted({4, 5});
  CHECK_ERROR(ops::mm(a, b), ValueError, "mm: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)");
  CHECK_ERROR(ops::mm(a, counted({3})), ValueError, "mm: mat2 must be a matrix, got 1-D tensor");
  CHECK_ERROR(ops::mm(a, counted({3, 2}, kDouble)), TypeError,
              "mm: self and mat2 must have the same dtype, but got float32 and float64");
  CHECK_ERROR(ops::bmm(counted({1, 2, 3}), counted({1, 3, 2}, kDouble)), TypeError,
              "batch1 and batch2 must have the same dtype, but got float32 and float64");
  CHECK_ERROR(ops::mv(a, counted({3}, kDouble)), TypeError,
              "mat and vec must have the same dtype, but got float32 and float64");
  CHECK_ERROR(ops::mm(ops::gt(a, 0), ops::gt(counted({3, 2}), 0)), NotImplementedError,
              "\"addmm_impl_cpu_\" not implemented for 'Bool'");
  CHECK_ERROR(
      ops::addmm(counted({3}), a, counted({3, 2})), ValueError,
      "The expanded size of the tensor (2) must match the existing size (3) at non-singleton dimension 1.  Target sizes: [2, 2].  Tensor sizes: [3]");
  CHECK_ERROR(
      ops::dot(counted({2}), counted({3})), ValueError,
      "inconsistent tensor size, expected tensor [2] and src [3] to have the same number of elements, but got 2 and 3 elements respectively");
  CHECK_ERROR(ops::matmul(tensor(1.0), a), ValueError,
              "both arguments to matmul need to be at least 1D, but they are 0D and 2D");
}

TEST_CASE("addmm scales both parts, and a zero beta ignores what is there", "[ops][linalg]") {
  Tensor a = counted({2, 3}), b = counted({3, 2}), bias = tensor({1.0, 2.0}).to(kFloat);
  CHECK(values(ops::addmm(bias, a, b)) == Numbers{11, 15, 29, 42});
  CHECK(values(ops::addmm(bias, a, b, "beta"_a = 2, "alpha"_a = 0.5)) == Numbers{7, 10.5, 16, 24});
  Tensor nan = ops::full({2, 2}, std::nan(""));
  CHECK(values(ops::addmm(nan, a, b, "beta"_a = 0)) == Numbers{10, 13, 28, 40});
  Tensor sum = ops::ones({2, 2});
  sum.addmm_(a, b);
  CHECK(values(sum) == Numbers{11, 14, 29, 41});
  Tensor square = counted({2, 2});
  square.addmm_(square, square, "beta"_a = 0);
  CHECK(values(square) == Numbers{2, 3, 6, 11});
}

// On both sides of the sizes from which a CBLAS multiplies, where the library is built with one.
TEST_CASE("large products of floats and complex numbers are exact in every layout", "[ops][linalg]") {
  struct Size {
    ScalarType type;
    std::int64_t m, n, k;
  };
  for (auto [type, m, n, k] :
       {Size{kFloat, 463, 464, 465}, Size{kFloat, 465, 467, 466}, Size{kDouble, 200, 1000, 501},
        Size{kComplexFloat, 15, 16, 16}, Size{kComplexFloat, 21, 17, 33}, Size{kComplexDouble, 40, 33, 50}})
    for (int layout = 0; layout < 64; layout += is_complex_type(type) ? 1 : 3) {
      const int of_a = layout & 3, of_b = layout >> 2 & 3, of_out = layout >> 4;
      const double alpha = layout % 2 == 0 ? 1 : -2, beta = layout % 5 == 0 ? 0 : 3;
      CAPTURE(type, m, n, k, of_a, of_b, of_out, beta);
      Tensor a = whole_numbers({m, k}, of_a, type), b = whole_numbers({k, n}, of_b, type);
      Tensor out = whole_numbers({m, n}, of_out, type), before = out.clone();
      if (beta == 0) out.fill_(std::nan(""));
      out.addmm_(a, b, "beta"_a = beta, "alpha"_a = alpha);
      CHECK(multiplied(out, a, b, before, alpha, beta));
    }
}

TEST_CASE("batches of large products are those of each, also of one operand for all", "[ops][linalg]") {
  for (ScalarType type : {kDouble, kComplexFloat}) {
    const std::int64_t m = type == kDouble ? 465 : 21, n = m + 2, k = m + 1;
    for (int layout : {0, 1, 2}) {
      Tensor a = whole_numbers({3, m, k}, layout, type), b = whole_numbers({3, k, n}, 2 - layout, type);
      Tensor one = b.select(0, 1).unsqueeze(0).expand({3, k, n});
      CHECK(multiplied(ops::bmm(a, b), a, b, a, 1, 0));
      CHECK(multiplied(ops::bmm(a, one), a, one, a, 1, 0));
      Tensor sum = whole_numbers({3, m, n}, 0, type), before = sum.clone();
      sum.baddbmm_(a, b, "beta"_a = -1, "alpha"_a = 2);
      CHECK(multiplied(sum, a, b, before, 2, -1));
    }
  }
  // A sum of nothing is what was there, however large.
  Tensor sum = ops::ones({500, 500});
  sum.addmm_(ops::empty({500, 0}), ops::empty({0, 500}), "beta"_a = 2);
  CHECK(ops::equal(sum, ops::full({500, 500}, 2.0)));
}

TEST_CASE("matmul follows the ranks of its operands", "[ops][linalg]") {
  auto shape = [](IntArrayRef a, IntArrayRef b) { return list(ops::matmul(counted(a), counted(b)).sizes()); };
  CHECK(shape({3}, {3}) == Ints{});
  CHECK(shape({2, 3}, {3}) == Ints{2});
  CHECK(shape({3}, {3, 2}) == Ints{2});
  CHECK(shape({5, 2, 3}, {3}) == Ints{5, 2});
  CHECK(shape({5, 2, 3}, {3, 4}) == Ints{5, 2, 4});
  CHECK(shape({2, 3}, {5, 3, 4}) == Ints{5, 2, 4});
  CHECK(shape({3}, {5, 3, 4}) == Ints{5, 4});
  CHECK(shape({6, 1, 2, 3}, {5, 3, 4}) == Ints{6, 5, 2, 4});
  CHECK(shape({5, 0, 3}, {3, 4}) == Ints{5, 0, 4});
  Tensor a = counted({5, 2, 3}), b = counted({5, 3, 4}), c = ops::matmul(a, b);
  CHECK(values(c.select(0, 3)) == plain_product(a.select(0, 3), b.select(0, 3)));
}

TEST_CASE("a row times a matrix counts as written once", "[ops][linalg]") {
  CHECK(ops::matmul(ops::ones({2}), ops::ones({2, 3})).version() == 1);  // as PyTorch's, which squeezes in place
}

TEST_CASE("linear is a product with the transposed weight", "[ops][linalg]") {
  Tensor x = counted({2, 3}), w = counted({4, 3}), b = counted({4});
  CHECK(values(ops::linear(x, w)) == values(ops::mm(x, w.t())));
  CHECK(values(ops::linear(x, w, b)) == values(ops::mm(x, w.t()).add(b)));
  CHECK(list(ops::linear(counted({5, 2, 3}), w, b).sizes()) == Ints{5, 2, 4});
}

TEST_CASE("gradients of products agree with finite differences", "[ops][linalg][autograd]") {
  using List = std::vector<Tensor>;
  Tensor a = mixed({2, 3}), b = mixed({3, 2}, 0.3), c = mixed({2, 2}, 0.9), v = mixed({3}), batch = mixed({2, 2, 3}),
         other = mixed({2, 3, 2}, 0.2);
  autograd::gradcheck([](const List& x) { return ops::mm(x[0], x[1]); }, {a, b});
  autograd::gradcheck([](const List& x) { return ops::mm(x[0].t(), x[1].t()); }, {a, b});
  autograd::gradcheck([](const List& x) { return ops::addmm(x[0], x[1], x[2], "beta"_a = 0.5, "alpha"_a = 2); },
                      {c, a, b});
  autograd::gradcheck([](const List& x) { return ops::bmm(x[0], x[1]); }, {batch, other});
  autograd::gradcheck([](const List& x) { return ops::mv(x[0], x[1]); }, {a, v});
  autograd::gradcheck([](const List& x) { return ops::dot(x[0], x[0]); }, {v});
  autograd::gradcheck([](const List& x) { return ops::matmul(x[0], x[1]); }, {batch, b});
  autograd::gradcheck([](const List& x) { return ops::matmul(x[0], x[1]); }, {a, other});
  autograd::gradcheck([](const List& x) { return ops::linear(x[0], x[1], x[2]); }, {batch, mixed({4, 3}), mixed({4})});
  // The gradient of a gradient.
  Tensor y = ops::mm(a, b).sum();
  Tensor g = autograd::grad(TensorList(y), TensorList(a), {}, std::nullopt, true)[0];
  Tensor twice = autograd::grad(TensorList(g.mul(g).sum()), TensorList(b), {})[0];
  CHECK(list(twice.sizes()) == Ints{3, 2});
}

TEST_CASE("outer products, triangles and traces", "[ops][linalg]") {
  CHECK(values(ops::outer(counted({2}), counted({3}))) == Numbers{0, 0, 0, 0, 1, 2});
  Tensor x = counted({3, 3});
  CHECK(values(ops::tril(x)) == Numbers{0, 0, 0, 3, 4, 0, 6, 7, 8});
  CHECK(values(ops::triu(x, 1)) == Numbers{0, 1, 2, 0, 0, 5, 0, 0, 0});
  CHECK(values(ops::tril(x.t(), -1)) == Numbers{0, 0, 0, 1, 0, 0, 2, 5, 0});
  for (int far : {3, 7}) {
    CHECK(values(ops::tril(x, -far)) == Numbers(9));
    CHECK(values(ops::triu(x, far)) == Numbers(9));
    CHECK(ops::equal(ops::tril(x, far), x));
    CHECK(ops::equal(ops::triu(x, -far), x));
  }
  Tensor own = counted({3, 3});
  own.triu_(1);
  CHECK(values(own) == Numbers{0, 1, 2, 0, 0, 5, 0, 0, 0});
  CHECK(ops::trace(x).item<double>() == 12);
  Tensor z = tensor({1.0, 2.0}).to(kComplexDouble).mul(Scalar(Complex<double>(0, 1)));
  CHECK(ops::vdot(z, z).item().to<Complex<double>>() == Complex<double>(5, 0));
  using List = std::vector<Tensor>;
  autograd::gradcheck([](const List& a) { return ops::tril(a[0], 1); }, {mixed({3, 3})});
  autograd::gradcheck([](const List& a) { return ops::trace(a[0]); }, {mixed({3, 2})});
  autograd::gradcheck([](const List& a) { return ops::outer(a[0], a[1]); }, {mixed({3}), mixed({2})});
}

TEST_CASE("16-bit products with a summand round where PyTorch 2.15 does", "[ops][linalg]") {
  Tensor x = tensor({1.0, 0.00390625}).to(kBFloat16), ones = ops::ones({2, 2}).to(kBFloat16),
         bias = ops::full({2}, 0.001953125).to(kBFloat16), image = x.view({1, 1, 1, 2});
  // The product 1.00390625 is half a step above 1.
  CHECK(values(ops::linear(image, ones, bias)) == Numbers{1.0078125, 1.0078125});
  CHECK(values(ops::linear(x, ones, bias)) == Numbers{1.0078125, 1.0078125});
  CHECK(values(ops::linear(image, ones, bias.narrow(0, 0, 1).expand({2}))) == Numbers{1, 1});
  CHECK(values(ops::addmv(bias, ones, x)) == Numbers{1.0078125, 1.0078125});
  CHECK(values(ops::addmv(bias, ones.t(), x)) == Numbers{1, 1});
  // 0.3 is 0.30078125 in bfloat16.
  CHECK(values(ops::addmv(bias, ones, x, "beta"_a = 0, "alpha"_a = 0.3))[0] == 0.302734375);
  CHECK(values(ops::addmv(ones.select(0, 0), ones, ops::zeros({2}).to(kBFloat16), "beta"_a = 0.3))[0] == 0.30078125);
}

TEST_CASE("a bias changes neither the dtype nor the shape of a linear map", "[ops][linalg]") {
  Tensor x = ops::ones({2, 1, 2, 3}).to(kBFloat16).transpose(0, 2), w = ops::ones({2, 3}).to(kBFloat16);
  Tensor y = ops::linear(x, w, counted({2}));
  CHECK(y.dtype() == kBFloat16);
  CHECK(values(y) == Numbers{3, 4, 3, 4, 3, 4, 3, 4});
  Tensor rows = counted({2, 3, 4}), weight = counted({5, 4}), bias = counted({5}),
         flat = ops::addmm(bias, rows.view({6, 4}), weight.t());
  CHECK(list(ops::linear(rows, weight, bias).sizes()) == Ints{2, 3, 5});
  CHECK(values(ops::linear(rows, weight, bias)) == values(flat));
  CHECK(values(ops::linear(rows.view({2, 1, 3, 4}), weight, bias)) == values(flat));
  CHECK_ERROR(ops::linear(counted({3}), counted({3}), counted({1})), ValueError,
              "output with shape [] doesn't match the broadcast shape [1]");
}

TEST_CASE("factors of products that the dtype cannot hold are refused", "[ops][linalg]") {
  Tensor a = ops::ones({2, 2}), n = a.to(kByte), h = a.to(kHalf);
  CHECK_ERROR(ops::addmm(a, a, a, "alpha"_a = 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::addmm(a, a, a, "beta"_a = Complex<double>{0, 1}), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::addmm(h, h, h, "alpha"_a = 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::addmm(n, n, n, "alpha"_a = 300), ValueError,
              "value cannot be converted to type uint8 without overflow");
  CHECK(values(ops::addmm(h, h, h, "alpha"_a = 30)) == Numbers{61, 61, 61, 61});
  CHECK(values(ops::addmm(a, a.narrow(1, 0, 0), a.narrow(0, 0, 0), "alpha"_a = 1e300)) == Numbers{1, 1, 1, 1});
}

TEST_CASE("products of 8-bit integers are exact in 32 bits", "[ops][linalg]") {
  Tensor a = ops::remainder(ops::arange(21 * 70) * 37, 256).view({21, 70}) - 128,
         b = ops::remainder(ops::arange(70 * 19) * 91, 256).view({70, 19}) - 128;
  Tensor got = ops::_int_mm(a.to(kChar), b.to(kChar));
  CHECK(got.dtype() == kInt);
  CHECK(values(got) == values(ops::mm(a, b)));
  CHECK(values(ops::_int_mm((a + 128).to(kByte), b.to(kChar).t().contiguous().t())) == values(ops::mm(a + 128, b)));
  CHECK(values(ops::_int_mm(ops::zeros({2, 0}, "dtype"_a = kChar), ops::zeros({0, 1}, "dtype"_a = kChar))) ==
        Numbers{0, 0});
  // 512 terms and more, the largest that there are, into columns of a larger tensor.
  Tensor low = ops::full({3, 1300}, -128, "dtype"_a = kChar), high = ops::full({3, 1300}, 255, "dtype"_a = kByte);
  CHECK(values(ops::_int_mm(low, low.t())) == Numbers(9, 128.0 * 128 * 1300));
  Tensor wide = ops::zeros({3, 6}, "dtype"_a = kInt), part = wide.slice(1, 0, 6, 2);
  ops::_int_mm(high, low.t(), "out"_a = part);
  CHECK(values(wide[0]) == Numbers{-255.0 * 128 * 1300, 0, -255.0 * 128 * 1300, 0, -255.0 * 128 * 1300, 0});
  Tensor out = ops::empty({0}, "dtype"_a = kInt);
  CHECK(ops::_int_mm(a.to(kChar), b.to(kChar), "out"_a = out).is_same(out));
  CHECK(values(out) == values(got));
  CHECK_ERROR(ops::_int_mm(a, b.to(kChar)), TypeError,
              "_int_mm: Expected self dtype to be int8 or uint8 but got int64");
  CHECK_ERROR(ops::_int_mm(a.to(kChar), b.to(kByte)), TypeError,
              "_int_mm: Expected mat2 dtype to be of type int8 but got uint8");
  CHECK_ERROR(ops::_int_mm(a.to(kChar), a.to(kChar)), ValueError,
              "_int_mm: mat1 and mat2 shapes cannot be multiplied (21x70 and 21x70)");
}

TEST_CASE("products of 64-bit integers wrap exactly, for operands of any strides and more rows than a block has",
          "[ops][linalg]") {
  auto numbers = [](IntArrayRef sizes, std::int64_t by) {
    return ops::add(ops::mul(ops::arange(count_elements(sizes)), by), 0x123456789abcdef).view(sizes);
  };
  Tensor a = numbers({261, 600}, 0x9e3779b97f4a7c1), b = numbers({600, 21}, -0x61c8864680b583e),
         c = numbers({261, 21}, 77);
  auto by_definition = [&] {
    Tensor sum = ops::zeros({261, 21}, "dtype"_a = kLong);
    for (std::int64_t p = 0; p < 600; ++p) ops::add_(sum, a.select(1, p).unsqueeze(1) * b.select(0, p).unsqueeze(0));
    return sum;
  };
  const Tensor expected = by_definition();
  for (const Tensor& x : {a, Tensor(a.t().contiguous().t())})
    for (const Tensor& y : {b, Tensor(b.t().contiguous().t())}) {
      CHECK(ops::equal(ops::mm(x, y), expected));
      CHECK(ops::equal(ops::addmm(c, x, y, "beta"_a = 5, "alpha"_a = -3), c * 5 - expected * 3));
    }
}
