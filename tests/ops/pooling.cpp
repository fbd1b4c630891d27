// Pooling: windows at the edges, places of maxima, memory formats.
#include <cmath>
#include <limits>

#include <tenon/tenon.hpp>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;
using L = DimVector;

TEST_CASE("means of windows count padding or do not", "[ops][pooling]") {
  Tensor x = counted({1, 2, 2}) + 1;  // 1 2 / 3 4
  CHECK(values(ops::avg_pool2d(x, L{2, 2})) == Numbers{2.5});
  CHECK(values(ops::avg_pool2d(x, L{2, 2}, L{2, 2}, L{1, 1})) == Numbers{0.25, 0.5, 0.75, 1});
  CHECK(values(ops::avg_pool2d(x, L{2, 2}, L{2, 2}, L{1, 1}, false, false)) == Numbers{1, 2, 3, 4});
  CHECK(values(ops::avg_pool2d(x, L{2, 2}, L{2, 2}, L{0, 0}, false, true, 5)) == Numbers{2});
  CHECK(values(ops::avg_pool1d(counted({1, 5}), L{2}, L{2}, L{0}, true)) == Numbers{0.5, 2.5, 4});
  CHECK_THROWS_AS(ops::avg_pool2d(x, L{2, 2}, L{2, 2}, L{2, 2}), ValueError);
  CHECK_THROWS_AS(ops::avg_pool2d(x, L{3, 3}), ValueError);
}
TEST_CASE("maxima know their places and pass gradients back to them", "[ops][pooling]") {
  Tensor x = counted({1, 1, 4, 4});
  auto [y, places] = ops::max_pool2d_with_indices(x, L{2, 2});
  CHECK(values(y) == Numbers{5, 7, 13, 15});
  CHECK(values(places) == Numbers{5, 7, 13, 15});
  CHECK(values(ops::max_unpool2d(y, places, L{4, 4})) == Numbers{0, 0, 0, 0, 0, 5, 0, 7, 0, 0, 0, 0, 0, 13, 0, 15});
  x.requires_grad_();
  ops::max_pool2d(x, L{3, 3}, L{1, 1}).sum().backward();
  CHECK(values(x.grad()) == Numbers{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1});
  CHECK(values(std::get<0>(ops::adaptive_max_pool2d(x, L{1, 2}))) == Numbers{13, 15});
  CHECK_THROWS_AS(ops::max_unpool2d(y, places + 9, L{4, 4}), ValueError);
}
TEST_CASE("a not-a-number is the maximum of its windows", "[ops][pooling]") {
  Tensor x = counted({1, 4});
  x.select(1, 1).fill_(std::numeric_limits<double>::quiet_NaN());
  Numbers got = values(ops::max_pool1d(x, L{2}));
  CHECK(std::isnan(got[0]));
  CHECK(got[1] == 3);
}
TEST_CASE("squares of float, four at a time, have the maxima and places of double", "[ops][pooling]") {
  for (std::int64_t width : {2, 8, 9, 16, 22}) {
    Tensor x = (counted({2, 3, 6, width}, kDouble) * 1.7).sin().mul(8).round();  // with ties
    for (bool with_nan : {false, true}) {
      if (with_nan) x.select(3, width / 2).fill_(NAN);
      auto [y, places] = ops::max_pool2d_with_indices(x, L{2, 2});
      auto [z, same] = ops::max_pool2d_with_indices(x.to(kFloat), L{2, 2});
      CHECK(ops::equal(places, same));
      CHECK(ops::equal(ops::nan_to_num(y, 99.0), ops::nan_to_num(z, 99.0).to(kDouble)));
    }
  }
}

TEST_CASE("channels last stays channels last through pooling", "[ops][pooling]") {
  Tensor x = counted({2, 3, 4, 6}), last = x.contiguous(MemoryFormat::ChannelsLast);
  Tensor mean = ops::avg_pool2d(last, L{2, 2}), best = ops::max_pool2d(last, L{2, 2}),
         adaptive = ops::adaptive_avg_pool2d(last, L{2, 3});
  for (const Tensor& t : {mean, best, adaptive}) CHECK(t.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(values(mean) == values(ops::avg_pool2d(x, L{2, 2})));
  CHECK(values(best) == values(ops::max_pool2d(x, L{2, 2})));
  CHECK(values(adaptive) == values(mean));
}
// Values of PyTorch 2.15, whose loops over elements of the type round after each step.
TEST_CASE("16-bit means over volumes and all gradients of windows add up in their type", "[ops][pooling]") {
  auto ramp = [](std::int64_t n) { return (ops::arange(n) * 0.371 + 1.7).to(kBFloat16).view({1, 1, 1, n}); };
  Tensor x = ramp(5), g = tensor({1.1, 0.7, -0.3}).to(kBFloat16).view({1, 1, 1, 3});
  CHECK(values(ops::_adaptive_avg_pool3d(ramp(7).unsqueeze(0), L{1, 1, 2})) == Numbers{2.25, 3.375});
  CHECK(values(ops::_adaptive_avg_pool2d_backward(g, x)) ==
        Numbers{0.55078125, 0.78515625, 0.2333984375, 0.0830078125, -0.150390625});
  CHECK(values(ops::avg_pool2d_backward(g, x, L{1, 3}, L{1, 1}, L{0, 0}, false, true, std::nullopt)) ==
        Numbers{0.3671875, 0.6015625, 0.5, 0.1328125, -0.10009765625});
  Tensor places = tensor({2, 2, 2}).view({1, 1, 1, 3});
  CHECK(values(ops::max_pool2d_with_indices_backward(g, x, L{1, 3}, L{1, 1}, L{0, 0}, L{1, 1}, false, places)) ==
        Numbers{0, 0, 1.5, 0, 0});
}
TEST_CASE("fractional pooling of volumes wants one place more than that of planes", "[ops][pooling]") {
  using L = IntArrayRef;
  Tensor plane = ops::zeros({1, 1, 5, 5}), samples = ops::zeros({1, 1, 3});
  CHECK(std::get<0>(ops::fractional_max_pool2d(plane, L{3, 3}, L{3, 3}, samples.narrow(2, 0, 2))).size(3) == 3);
  CHECK_ERROR(ops::fractional_max_pool3d(ops::zeros({1, 1, 5, 7, 7}), L{3, 3, 3}, L{3, 3, 3}, samples), ValueError,
              "fractional_max_pool3d_out(): pool time 3 too large relative to input time 5");
  CHECK_ERROR(ops::fractional_max_pool3d(ops::zeros({1, 1, 7, 5, 7}), L{3, 3, 3}, L{3, 3, 3}, samples), ValueError,
              "fractional_max_pool3d_out(): pool height 3 too large relative to input height 5");
}

TEST_CASE("numbers outside of the unit interval move windows of fractional pooling too", "[ops][pooling]") {
  Tensor x = counted({1, 1, 16, 1}), samples = tensor({0.5, -7.229501265043396}).view({1, 1, 2});
  auto [y, places] = ops::fractional_max_pool2d(x, L{1, 1}, L{8, 1}, samples);
  CHECK(values(places) == Numbers{0, 2, 4, 6, 9, 11, 13, 15});
  Tensor huge = tensor({0.5, 1e30}).view({1, 1, 2}), zero = tensor({0.5, 0.0}).view({1, 1, 2});
  CHECK(values(std::get<1>(ops::fractional_max_pool2d(x, L{1, 1}, L{8, 1}, huge))) ==
        values(std::get<1>(ops::fractional_max_pool2d(x, L{1, 1}, L{8, 1}, zero))));
}

TEST_CASE("results of pooling and padding lie as PyTorch 2.15's", "[ops][pooling]") {
  auto lies = [](const Tensor& t) { return list(t.strides()); };
  Tensor x = ops::clone(counted({2, 3, 4, 4, 4}), "memory_format"_a = MemoryFormat::ChannelsLast3d),
         y = ops::clone(counted({2, 3, 2, 2, 2}), "memory_format"_a = MemoryFormat::ChannelsLast3d);
  const Ints rows{24, 8, 4, 2, 1}, large{192, 64, 16, 4, 1}, last{24, 1, 12, 6, 3};
  CHECK(lies(ops::avg_pool3d(x, L{2, 2, 2})) == rows);
  CHECK(lies(ops::_adaptive_avg_pool3d(x, {2, 2, 2})) == rows);
  CHECK(lies(std::get<0>(ops::adaptive_max_pool3d(x, L{2, 2, 2}))) == rows);
  CHECK(lies(ops::_adaptive_avg_pool3d_backward(y, x)) == large);
  CHECK(lies(ops::upsample_nearest3d_backward(x, {4, 4, 4}, {2, 3, 2, 2, 2})) == rows);
  CHECK(lies(ops::upsample_trilinear3d_backward(x, {4, 4, 4}, {2, 3, 2, 2, 2}, false)) == last);
  auto [z, places] = ops::max_pool3d_with_indices(x, L{2, 2, 2});
  CHECK(lies(z) == last);
  CHECK(lies(ops::max_unpool3d(z, places, {4, 4, 4}, L{2, 2, 2}, L{0, 0, 0})) == large);

  // Given tensors are laid out anew by some, and keep their strides in others.
  Tensor out = ops::empty({2, 3, 2, 2, 4}).slice(4, 0, 4, 2),
         at = ops::empty({2, 3, 2, 2, 2}, "dtype"_a = kLong).permute({0, 1, 4, 3, 2});
  ops::max_pool3d_with_indices(x, L{2, 2, 2}, "out"_a = out, "indices"_a = at);
  CHECK(lies(out) == last);
  CHECK(lies(at) == last);
  CHECK(values(out) == values(z));
  out = ops::empty({2, 3, 2, 2, 4}).slice(4, 0, 4, 2);
  ops::avg_pool3d(x, L{2, 2, 2}, "out"_a = out);
  CHECK(lies(out) == Ints{48, 16, 8, 4, 2});
  Tensor image = counted({3, 4, 5}), grown = ops::empty({3, 7, 16}).slice(2, 0, 16, 2), kept = grown.slice(0, 0, 3);
  ops::replication_pad2d(image, {1, 2, 1, 2}, "out"_a = grown);
  CHECK(lies(grown) == Ints{56, 8, 1});
  CHECK(values(grown) == values(ops::replication_pad2d(image, {1, 2, 1, 2})));
  ops::reflection_pad2d(image, {1, 2, 1, 2}, "out"_a = kept);
  CHECK(lies(kept) == Ints{112, 16, 2});
}

TEST_CASE("a mean over volumes needs an input as large as its window, whatever is padded", "[ops][pooling]") {
  using L = IntArrayRef;
  auto mean = [](const Tensor& x) { return ops::avg_pool3d(x, L{2, 2, 3}, L{1, 1, 1}, L{1, 1, 1}); };
  CHECK(list(mean(counted({1, 2, 2, 3})).sizes()) == Ints{1, 3, 3, 3});
  CHECK_ERROR(mean(counted({1, 1, 2, 3})), ValueError,
              "input image (T: 1 H: 2 W: 3) smaller than kernel size (kT: 2 kH: 2 kW: 3)");
}

TEST_CASE("maxima are padded by at most half of the kernel, however far apart its taps are", "[ops][pooling]") {
  auto best = [](std::int64_t batch, std::int64_t padding) {
    return ops::max_pool2d(counted({batch, 1, 5, 5}), L{3, 3}, L{1, 1}, L{1, padding}, L{2, 2});
  };
  CHECK(list(best(0, 1).sizes()) == Ints{0, 1, 3, 3});
  for (std::int64_t batch : {0, 1})
    CHECK_ERROR(best(batch, 2), ValueError,
                "pad should be smaller than or equal to half of kernel size, but got padding [1, 2] and kernel_size "
                "[3, 3], whatever the dilation");
  CHECK_ERROR_CONTAINS(ops::max_pool3d(counted({1, 6, 6, 6}), L{3, 3, 3}, L{}, L{2, 2, 2}, L{2, 2, 2}), ValueError,
                       "half of kernel size");
  CHECK_ERROR_CONTAINS(ops::max_pool1d(counted({1, 9}), L{4}, L{1}, L{3}, L{2}), ValueError, "half of kernel size");
}

TEST_CASE("means of volumes take 16-bit floats; those of integers are refused, also if there is none",
          "[ops][pooling]") {
  CHECK(values(ops::avg_pool3d(counted({1, 2, 2, 2}, kBFloat16), L{2, 2, 2})) == Numbers{3.5});
  for (std::int64_t batch : {0, 1})
    CHECK_ERROR(ops::adaptive_avg_pool1d(counted({batch, 2, 4}, kByte), L{2}), NotImplementedError,
                "\"adaptive_avg_pool2d\" not implemented for 'Byte'");
}

// Values and strides of PyTorch 2.15.
TEST_CASE("one adaptive mean of everything is a mean, in the format of the input", "[ops][pooling]") {
  Tensor x = (counted({1, 1, 7, 8, 8}) * 0.1).sin().to(kBFloat16);
  CHECK(values(ops::adaptive_avg_pool3d(x, {1, 1, 1})) == Numbers{0.006256103515625});
  CHECK(values(ops::adaptive_avg_pool1d(counted({1, 2, 4}), L{1})) == Numbers{1.5, 5.5});
  Tensor plane = counted({2, 3, 4, 4}), volume = counted({2, 3, 2, 2, 4});
  Tensor last = ops::adaptive_avg_pool2d(plane.contiguous(MemoryFormat::ChannelsLast), {1, 1});
  CHECK(list(last.sizes()) == Ints{2, 3, 1, 1});
  CHECK(list(last.strides()) == Ints{3, 1, 3, 3});
  CHECK(values(last) == values(ops::adaptive_avg_pool2d(plane, {1, 1})));
  CHECK(list(ops::adaptive_avg_pool2d(plane, {1, 1}).strides()) == Ints{3, 1, 1, 1});
  last = ops::adaptive_avg_pool3d(volume.contiguous(MemoryFormat::ChannelsLast3d), {1, 1, 1});
  CHECK(list(last.strides()) == Ints{3, 1, 3, 3, 3});
  CHECK(values(last) == Numbers{7.5, 23.5, 39.5, 55.5, 71.5, 87.5});
  autograd::gradcheck(
      [](const std::vector<Tensor>& a) {
        return ops::adaptive_avg_pool2d(a[0], {1, 1});
      },
      {ops::randn({2, 2, 3, 2}, kDouble).contiguous(MemoryFormat::ChannelsLast).requires_grad_()});
  CHECK(ops::adaptive_avg_pool2d(plane.to(kComplexFloat), {1, 1}).dtype() == kComplexFloat);
  // Of any number of dimensions, and of no channels.
  CHECK(values(ops::adaptive_avg_pool2d(counted({2, 2}), {1, 1})) == Numbers{1.5});
  CHECK(list(ops::adaptive_avg_pool3d(counted({2, 1, 2, 2, 2, 2}), {1, 1, 1}).sizes()) == Ints{2, 1, 2, 1, 1, 1});
  CHECK(list(ops::adaptive_avg_pool3d(ops::zeros({2, 0, 3, 4, 5}), {1, 1, 1}).sizes()) == Ints{2, 0, 1, 1, 1});
  CHECK_ERROR(ops::adaptive_avg_pool2d(counted({2, 2}), {1, 2}), ValueError,
              "adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got [2, 2]");
}

TEST_CASE("adaptive pooling of no channels is refused but for means of planes", "[ops][pooling]") {
  CHECK(list(ops::adaptive_avg_pool2d(ops::zeros({2, 0, 4, 5}), {2, 2}).sizes()) == Ints{2, 0, 2, 2});
  CHECK_ERROR(ops::adaptive_avg_pool3d(ops::zeros({2, 0, 3, 4, 5}), {2, 2, 2}), ValueError,
              "adaptive_avg_pool3d(): Expected input to have non-zero size for non-batch dimensions, but input has "
              "sizes [2, 0, 3, 4, 5] with dimension 1 being empty");
  CHECK_ERROR(ops::adaptive_max_pool2d(ops::zeros({2, 0, 4, 5}), {1, 1}), ValueError,
              "adaptive_max_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input has "
              "sizes [2, 0, 4, 5] with dimension 1 being empty");
}

TEST_CASE("fractional pooling to nothing is empty", "[ops][pooling]") {
  Tensor x = ops::zeros({1, 2, 3, 3}), samples = ops::zeros({1, 2, 2});
  CHECK(list(std::get<0>(ops::fractional_max_pool2d(x, L{2, 2}, L{2, 0}, samples)).sizes()) == Ints{1, 2, 2, 0});
  CHECK_ERROR(ops::fractional_max_pool2d(x, L{2, 2}, L{-1, 1}, samples), ValueError,
              "fractional_max_pool2d(): output_size must not be negative, but got [-1, 1]");
}
