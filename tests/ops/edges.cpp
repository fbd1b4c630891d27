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
