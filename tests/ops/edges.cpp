// Calls at the edges of what operators take: dtypes that are rarely asked for, indices below 0. Values of PyTorch 2.15.
#include <tenon/tenon.hpp>

#include "support.hpp"

using namespace test;

namespace {
using L = std::vector<std::int64_t>;
Tensor halves(const Numbers& numbers, IntArrayRef sizes) {
  Tensor t = ops::zeros({static_cast<std::int64_t>(numbers.size())}, "dtype"_a = kHalf);
  for (std::size_t i = 0; i < numbers.size(); ++i) t.select(0, static_cast<std::int64_t>(i)).fill_(numbers[i]);
  return t.view(sizes);
}
Numbers as_doubles(const Tensor& t) { return values(t.to(kDouble)); }
}  // namespace

TEST_CASE("bounds of hardtanh that bytes cannot hold bound nothing", "[ops][edges]") {
  Tensor x = tensor({0, 1, 2, 5, 200}).to(kByte);
  CHECK(as_doubles(ops::hardtanh(x)) == Numbers{0, 1, 1, 1, 1});
  CHECK(as_doubles(ops::hardtanh(x, -0.5, 0.5)) == Numbers{0, 0, 0, 0, 0});
  CHECK(as_doubles(ops::hardtanh(x, 0, 300)) == Numbers{0, 1, 2, 5, 200});
  CHECK_THROWS_AS(ops::hardtanh(x, -2.5, -1), ValueError);
  CHECK(as_doubles(ops::hardtanh(tensor({-4, 0, 1, 5}).to(kChar), -1.5, 1.5)) == Numbers{-1, 0, 1, 1});
}
TEST_CASE("integers behind a dropout become floats", "[ops][edges]") {
  Tensor by = ops::native_dropout_backward(tensor({3, -2}), tensor({true, false}), 1.5);
  CHECK(by.dtype() == kFloat);
  CHECK(as_doubles(by) == Numbers{4.5, 0});
}
TEST_CASE("a 16-bit log-softmax rounds its sum in the last dimension alone", "[ops][edges]") {
  Tensor x = halves({-8.4765625, -1.765625, -4.32421875}, {1, 3, 1});
  CHECK(as_doubles(ops::log_softmax(x, 1)) == Numbers{-6.78515625, -0.07568359375, -2.634765625});
  CHECK(as_doubles(ops::log_softmax(x.view({1, 3}), 1)) == Numbers{-6.78515625, -0.07611083984375, -2.634765625});
}
TEST_CASE("16-bit attention is computed as float", "[ops][edges]") {
  Tensor q = halves({3.1, -2.7, 5.3, 1.3, 4.7, -3.9}, {2, 3}),
         k = halves({2.3, 1.7, -0.6, 4.1, -3.3, 2.2}, {2, 3}) * 0.5, v = halves({1.1, 2.3, -3.7, 8.9}, {2, 2});
  Tensor out = ops::scaled_dot_product_attention(q, k, v);
  CHECK(out.dtype() == kHalf);
  CHECK(as_doubles(out) == Numbers{-3.69921875, 8.8984375, 1.099609375, 2.30078125});
}
TEST_CASE("statistics of 16-bit batches have the dtype of the parameters, when evaluated too", "[ops][edges]") {
  Tensor x = ops::ones({2, 1, 3}, "dtype"_a = kHalf), p = ops::ones({1}, "dtype"_a = kHalf);
  CHECK(std::get<1>(ops::native_batch_norm(x, p, p, p, p, false, 0.1, 1e-5)).dtype() == kHalf);
  Tensor f = p.to(kFloat);
  CHECK(std::get<1>(ops::native_batch_norm(x, f, f, f, f, false, 0.1, 1e-5)).dtype() == kFloat);
}
TEST_CASE("gradients of pooling do not depend on what was pooled", "[ops][edges]") {
  Tensor x = counted({1, 1, 2, 2}).requires_grad_(), g = ops::ones({1, 1, 1, 1});
  ops::avg_pool2d_backward(g.requires_grad_(), x, L{2, 2}, L{2, 2}, L{0, 0}, false, true, std::nullopt)
      .sum()
      .backward();
  CHECK(values(x.grad()) == Numbers{0, 0, 0, 0});
  CHECK(values(g.grad()) == Numbers{1});
}
TEST_CASE("a sum over an index of one element is a sum of integers", "[ops][edges]") {
  std::vector<Tensor> one{tensor({7}).to(kByte)};
  Tensor out = ops::einsum("i->", TensorList(one));
  CHECK(out.dtype() == kLong);
  CHECK(values(out) == Numbers{7});
}
TEST_CASE("indices along a dimension are taken modulo its size", "[ops][edges]") {
  Tensor x = counted({2, 3}).requires_grad_();
  CHECK(values(ops::take_along_dim(x, tensor({{-1}, {0}}), 1)) == Numbers{2, 3});
  CHECK(values(ops::take_along_dim(x, tensor({{-4, 5}}), 1)) == Numbers{2, 2, 5, 5});
  ops::take_along_dim(x, tensor({{-1}, {0}}), 1).sum().backward();
  CHECK(values(x.grad()) == Numbers{0, 0, 1, 1, 0, 0});
  Tensor none = ops::zeros({2, 0}, "dtype"_a = kLong);
  CHECK(ops::take_along_dim(ops::zeros({2, 0}), none, 1).numel() == 0);
}
TEST_CASE("a 16-bit window of Kaiser is rounded once", "[ops][edges]") {
  CHECK(as_doubles(ops::kaiser_window(5, false, 12.0, "dtype"_a = kHalf)) ==
        Numbers{5.27501106262207e-05, 0.2156982421875, 1, 0.2156982421875, 5.27501106262207e-05});
}
TEST_CASE("images of bytes are resampled in whole numbers", "[ops][edges]") {
  Tensor x = tensor({0, 50, 100, 200, 255, 30}).to(kByte).view({1, 1, 2, 3});
  CHECK(as_doubles(ops::upsample_bilinear2d(x, L{3, 2}, false)) == Numbers{13, 88, 114, 87, 214, 86});
  CHECK(as_doubles(ops::upsample_bicubic2d(x, L{3, 5}, false)) ==
        Numbers{0, 0, 32, 81, 113, 98, 127, 153, 103, 57, 212, 255, 255, 124, 0});
  CHECK(as_doubles(ops::_upsample_bilinear2d_aa(x, L{1, 2}, false)) == Numbers{120, 98});
  CHECK(as_doubles(ops::_upsample_bicubic2d_aa(x, L{3, 2}, false)) == Numbers{1, 83, 122, 98, 242, 113});
  CHECK(as_doubles(ops::_upsample_lanczos2d_aa(x, L{3, 2}, false)) == Numbers{0, 83, 125, 99, 255, 115});
  CHECK_THROWS_AS(ops::upsample_bilinear2d(x.to(kInt), L{3, 2}, false), NotImplementedError);
}
TEST_CASE("sums of 16 bits are rounded where PyTorch rounds them", "[ops][edges]") {
  Tensor x = tensor({256, 1, 1, 1}).to(kBFloat16), none = ops::zeros({1}, "dtype"_a = kBFloat16),
         at = tensor({0, 0, 0, 0}).to(kLong);
  CHECK(as_doubles(ops::scatter_add(none, 0, at, x)) == Numbers{260});
  CHECK(as_doubles(ops::scatter(none, 0, at, x, "reduce"_a = "add")) == Numbers{260});
  CHECK(as_doubles(ops::segment_reduce(x, "sum", "lengths"_a = tensor({4}).to(kLong))) == Numbers{256});
  CHECK(as_doubles(ops::embedding_dense_backward(x.view({4, 1}), at, 1, -1, false)) == Numbers{256});
  Tensor windows = tensor({0, 0, 1, 0, 1, 0, 256, 0, 0}).to(kBFloat16).view({3, 3});
  CHECK(as_doubles(ops::unfold_backward(windows, L{5}, 0, 3, 1)) == Numbers{0, 0, 258, 0, 0});
}
TEST_CASE("bins of 16-bit floats are found by a product, then a quotient", "[ops][edges]") {
  CHECK(as_doubles(ops::histc(tensor({0.7}).to(kBFloat16), 100, 0, 10))[7] == 1);
}
TEST_CASE("ranges of 16 bits have steps of 32", "[ops][edges]") {
  CHECK(as_doubles(ops::linspace(-2, 50, 50, "dtype"_a = kBFloat16))[2] == 0.12255859375);
  CHECK(as_doubles(ops::logspace(4.3, 4, 2, 1.1, "dtype"_a = kHalf)) == Numbers{1.5068359375, 1.4638671875});
}
TEST_CASE("truth is written to a leaf that requires grad, and passes gradients on", "[ops][edges]") {
  Tensor leaf = tensor({1.0, 0.0}).requires_grad_(), other = tensor({1.0, 1.0});
  ops::logical_and_(leaf, other);
  CHECK(as_doubles(leaf.detach()) == Numbers{1, 0});
  Tensor w = tensor({1.0, 2.0}).requires_grad_(), y = w * 3;
  auto before = y.version();
  ops::logical_not_(y);
  CHECK(y.version() == before + 1);
  y.sum().backward();
  CHECK(as_doubles(w.grad()) == Numbers{3, 3});
}
TEST_CASE("results lie in memory as PyTorch lays them", "[ops][edges]") {
  Tensor turned = counted({3, 2}).t(), out = ops::empty({0});
  CHECK(list(ops::flip_base_out(turned, L{0}, out).strides()) == Ints{3, 1});
  CHECK(list(ops::addr(turned, ops::ones({2}), ops::ones({3})).strides()) == Ints{1, 2});
  CHECK(list(ops::nonzero(ops::zeros({2, 3})).strides()) == Ints{1, 0});
  Tensor some = tensor({{0.0, 1.0}, {1.0, 1.0}}), places = ops::empty({0}, "dtype"_a = kLong);
  CHECK(list(ops::nonzero(some).strides()) == Ints{1, 3});
  CHECK(list(ops::nonzero_base_out(some, places).strides()) == Ints{1, 3});
  Tensor at = tensor({{0, 1, 2}, {3, 2, 1}}).to(kLong).t(), found = ops::empty({0});
  std::vector<std::optional<Tensor>> index{at};
  ops::index_Tensor_out(counted({4}), index, found);
  CHECK(list(found.strides()) == Ints{1, 3});
  CHECK(values(found) == Numbers{0, 3, 1, 2, 2, 1});
  auto [mantissa, exponent] = ops::frexp(ops::empty_strided(L{1, 0, 5}, L{10, 10, 2}));
  CHECK(list(mantissa.strides()) == Ints{10, 10, 2});
  CHECK(list(exponent.strides()) == Ints{10, 10, 2});
  CHECK(list(ops::view_as_complex(ops::as_strided(counted({6}), L{1, 2}, L{3, 1})).strides()) == Ints{1});
}
TEST_CASE("the gradient of distances of which there are none has the shape of the points", "[ops][edges]") {
  Tensor none = ops::zeros({0, 4, 3});
  Tensor by = ops::_cdist_backward(none, ops::ones({1, 4, 5}), ops::zeros({0, 3, 5}), 2.0, none);
  CHECK(list(by.sizes()) == Ints{1, 4, 5});
  CHECK(by.sum().item<double>() == 0);
}
TEST_CASE("the conjugate of real elements in place writes nothing", "[ops][edges]") {
  Tensor wide = ops::ones({1}).expand({3});
  CHECK(ops::conj_physical_(wide).is_same(wide));
}
TEST_CASE("not-a-number and infinity where functions have limits", "[ops][edges]") {
  double nan = std::nan(""), inf = HUGE_VAL;
  CHECK(values(ops::heaviside(tensor({nan, 0.0}), tensor({1.0, 5.0}))) == Numbers{0, 5});
  CHECK(values(ops::igammac(tensor({inf, nan}), tensor({nan, 0.0}))) == Numbers{1, 1});
  CHECK(values(ops::igamma(tensor({inf, nan}), tensor({nan, 0.0}))) == Numbers{0, 0});
  CHECK(std::isnan(ops::igammac(tensor({nan}), tensor({1.0})).item<double>()));
}
TEST_CASE("fmin and fmax halve a gradient between equals", "[ops][edges]") {
  auto slopes = [](auto f, double nan) {
    Tensor a = tensor({1.0, 2.0, 3.0, nan, 1.0, nan}).requires_grad_(),
           b = tensor({1.0, 3.0, 2.0, 1.0, nan, nan}).requires_grad_();
    f(a, b).sum().backward();
    return std::pair(values(a.grad()), values(b.grad()));
  };
  auto [a, b] = slopes(ops::fmin, std::nan(""));
  CHECK(a == Numbers{0.5, 1, 0, 0, 1, 1});
  CHECK(b == Numbers{0.5, 0, 1, 1, 0, 0});
  std::tie(a, b) = slopes(ops::fmax, std::nan(""));
  CHECK(a == Numbers{0.5, 0, 1, 0, 1, 1});
  CHECK(b == Numbers{0.5, 1, 0, 1, 0, 0});
}
TEST_CASE("the gradient of a complex acosh is on its branch", "[ops][edges]") {
  Tensor z = ops::complex(tensor({-1.0, -2.0}).to(kDouble), tensor({1.0, -1.0}).to(kDouble)).requires_grad_();
  ops::acosh(z).backward(ops::ones_like(z));
  Tensor parts = ops::view_as_real(z.grad()).detach();
  Numbers expected{-0.35157758425414287, 0.568864481005783, -0.40224793209535514, -0.24860289393928917},
      got = values(parts);
  for (std::size_t i = 0; i < 4; ++i) CHECK(std::abs(got[i] - expected[i]) < 1e-12);
}
TEST_CASE("16-bit gradients round after each step of PyTorch's formulas", "[ops][edges]") {
  auto slope = [](auto f, const Numbers& at, const Numbers& grad) {
    Tensor x = halves(at, {3}).requires_grad_();
    f(x).backward(halves(grad, {3}));
    return as_doubles(x.grad());
  };
  CHECK(slope(ops::rsqrt, {1.5625, 2.90625, 1.34375}, {1, 1, 1}) ==
        Numbers{-0.255859375, -0.100830078125, -0.321044921875});
  CHECK(slope(ops::erfinv, {0.59375, -0.671875, 0.734375}, {0.7, 1.3, -2.1}) ==
        Numbers{0.8759765625, 1.8583984375, -3.45703125});
  CHECK(slope(ops::special_i1, {-0.140625, 0.78125, 0.953125}, {1, 1, 1}) ==
        Numbers{0.50390625, 0.619140625, 0.681640625});
  Tensor a = halves({-0.140625, 0.78125, 0.953125}, {3}).requires_grad_(),
         b = halves({-1.109375, 1.6875, -0.890625}, {3}).requires_grad_();
  ops::atan2(a, b).sum().backward();
  CHECK(as_doubles(a.grad()) == Numbers{-0.88720703125, 0.48828125, -0.5234375});
  CHECK(as_doubles(b.grad()) == Numbers{0.11248779296875, -0.22607421875, -0.560546875});
  Tensor v = tensor({-0.75, 1.0625}).to(kBFloat16).requires_grad_(),
         w = tensor({-0.125, 0.5625, 0.4375}).to(kBFloat16).requires_grad_(),
         g = tensor({{0.3125, 0.5625, 2.3125}, {2.125, 0.3125, 0.0}}).to(kBFloat16);
  ops::addr(ops::zeros({2, 3}, "dtype"_a = kBFloat16), v, w).backward(g);
  CHECK(as_doubles(v.grad()) == Numbers{1.2890625, -0.08984375});
  CHECK(as_doubles(w.grad()) == Numbers{2.03125, -0.08984375, -1.734375});
}

// As PyTorch 2.15.
TEST_CASE("layouts of results that follow no operand", "[ops][edges]") {
  auto strides = [](const Tensor& t) { return Ints(t.strides().begin(), t.strides().end()); };
  Tensor x = counted({5, 4}, kDouble).t(), g = tensor({1.0}).to(kDouble)[0];
  CHECK(strides(ops::mse_loss_backward(g, x, x, 1)) == Ints{5, 1});
  CHECK(strides(ops::smooth_l1_loss_backward(g, x, x, 1, 1)) == Ints{5, 1});
  Tensor given = ops::empty({0}, "dtype"_a = kDouble);
  CHECK(strides(ops::mse_loss_backward(g, x, x, 1, "grad_input"_a = given)) == Ints{1, 4});
  auto [y, buffer] = ops::log_sigmoid_forward(x);
  CHECK(strides(y) == Ints{5, 1});
  CHECK(strides(buffer) == Ints{5, 1});
  Tensor image = ops::permute(counted({2, 4, 4, 3}, kDouble), {0, 3, 1, 2});
  CHECK(strides(ops::upsample_bicubic2d_backward(image, {4, 4}, {2, 3, 2, 2}, true)) == Ints{12, 4, 2, 1});
  CHECK(strides(ops::upsample_bilinear2d_backward(image, {4, 4}, {2, 3, 2, 2}, true)) == Ints{12, 1, 6, 3});
  Tensor half = ops::permute(counted({2, 4, 4, 6}, kDouble), {0, 3, 1, 2});
  CHECK(strides(ops::glu_backward(image, half, 1)) == Ints{96, 16, 4, 1});
  Tensor one = counted({1, 2, 3}, kDouble), other = counted({1, 3, 4}, kDouble);
  CHECK(strides(ops::einsum("aij,ajk->aik", {one, other})) == Ints{8, 4, 1});
  // Nearest elements do not depend on the input's own gradient.
  Tensor of = counted({1, 1, 2, 2}, kDouble).requires_grad_(), input = counted({1, 1, 3, 3}, kDouble).requires_grad_(),
         grid = ops::zeros({1, 2, 2, 2}, "dtype"_a = kDouble).requires_grad_();
  auto [a, b] = ops::grid_sampler_2d_backward(of, input, grid, 1, 0, true, std::array<bool, 2>{true, true});
  std::vector<Tensor> grads = autograd::grad(TensorList(a.sum()), TensorList(std::vector<Tensor>{of, input, grid}), {},
                                             std::nullopt, false, true);
  CHECK(grads[0].defined());
  CHECK_FALSE(grads[1].defined());
  // grad * self overflows where 16 bits hold no more.
  Tensor large = tensor({3e38}).to(kBFloat16).requires_grad_(), unit = tensor({1.0}).to(kBFloat16);
  ops::hypot(large, unit).backward(tensor({2.0}).to(kBFloat16));
  CHECK(std::isinf(values(large.grad().to(kDouble))[0]));
}

TEST_CASE("words of 64 bits without sign are added, compared and chosen as such", "[ops][edges]") {
  // 0, 1, 2^63, 2^64 - 1 and 2^63, 1, 5, 2^64 - 2
  Tensor u = ops::empty({4}, kUInt64), v = ops::empty({4}, kUInt64);
  auto put = [](const Tensor& t, std::initializer_list<std::uint64_t> words) {
    std::copy(words.begin(), words.end(), t.data_ptr<std::uint64_t>());
  };
  constexpr std::uint64_t top = std::uint64_t{1} << 63, most = ~std::uint64_t{0};
  put(u, {0, 1, top, most});
  put(v, {top, 1, 5, most - 1});
  using Words = std::vector<std::uint64_t>;
  auto words = [](const Tensor& t) {
    REQUIRE(t.dtype() == kUInt64);
    Tensor dense = t.contiguous();
    return Words(dense.data_ptr<std::uint64_t>(), dense.data_ptr<std::uint64_t>() + dense.numel());
  };
  CHECK(words(u + v) == Words{top, 2, top + 5, most - 2});
  CHECK(words(u - v) == Words{top, 0, top - 5, 1});
  CHECK(words(u * v) == Words{0, 1, top, 2});
  CHECK(words(u * 3) == Words{0, 3, top, most - 2});
  CHECK(words(u & v) == Words{0, 1, 0, most - 1});
  CHECK(words(u | v) == Words{top, 1, top + 5, most});
  CHECK(words(u ^ v) == Words{top, 0, top + 5, 1});
  CHECK(words(~u) == Words{most, most - 1, top - 1, 0});
  CHECK(values(u.eq(v)) == Numbers{0, 1, 0, 0});
  CHECK(values(u.ne(v)) == Numbers{1, 0, 1, 1});
  CHECK(values(u.lt(v)) == Numbers{1, 0, 0, 0});
  CHECK(values(u.ge(v)) == Numbers{0, 1, 1, 1});
  CHECK(values(u.gt(1)) == Numbers{0, 0, 1, 1});
  CHECK(values(u.le(1)) == Numbers{1, 1, 0, 0});
  CHECK(words(ops::maximum(u, v)) == Words{top, 1, top, most});
  CHECK(words(ops::minimum(u, v)) == Words{0, 1, 5, most - 1});
  CHECK(words(ops::fmax(u.view({4, 1}), v)).size() == 16);
  CHECK(words(u.clamp(1, std::int64_t{1} << 62)) == Words{1, 1, top / 2, top / 2});
  CHECK(words(u.clamp_min(2)) == Words{2, 2, top, most});
  CHECK(words(ops::clamp(u, v, v)) == Words{top, 1, 5, most - 1});
  CHECK(words(ops::where(u.eq(v), u, v)) == words(v));
  CHECK(words(u.masked_fill(u.eq(1), 7)) == Words{0, 7, top, most});
  CHECK(values(u.isnan()) == Numbers{0, 0, 0, 0});
  CHECK(values(u.logical_not()) == Numbers{1, 0, 0, 0});
  CHECK(words(u.clone().add_(v)) == words(u + v));
  Tensor in_place = u.clone();
  ops::maximum(in_place, v, "out"_a = in_place);
  CHECK(words(in_place) == words(ops::maximum(u, v)));
  CHECK_ERROR_CONTAINS(ops::gcd(u, v), NotImplementedError, "\"gcd\" not implemented for 'UInt64'");
}
