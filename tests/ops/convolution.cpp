// Convolutions: values by their definition, groups, formats, 16-bit sums, errors, gradients, threads.
#include <cstring>
#include <limits>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

using namespace test;

namespace {

Tensor mixed(IntArrayRef sizes, double step = 0.7) { return counted(sizes, kDouble).mul(step).sin().contiguous(); }
double far(const Tensor& a, const Tensor& b) { return ops::amax(ops::abs(ops::sub(a, b))).item<double>(); }

/// The sum that defines a convolution of two spatial dimensions.
Tensor by_definition(const Tensor& x, const Tensor& w, std::int64_t stride, std::int64_t padding, std::int64_t dilation,
                     std::int64_t groups) {
  auto out_size = [&](std::int64_t d) {
    return (x.size(d) + 2 * padding - dilation * (w.size(d) - 1) - 1) / stride + 1;
  };
  Tensor y = ops::zeros({x.size(0), w.size(0), out_size(2), out_size(3)}, "dtype"_a = kDouble);
  const double *a = x.data_ptr<double>(), *k = w.data_ptr<double>();
  double* to = y.data_ptr<double>();
  std::int64_t each = w.size(1);
  for (std::int64_t n = 0; n < y.size(0); ++n)
    for (std::int64_t o = 0; o < y.size(1); ++o)
      for (std::int64_t i = 0; i < y.size(2); ++i)
        for (std::int64_t j = 0; j < y.size(3); ++j, ++to)
          for (std::int64_t c = 0; c < each; ++c)
            for (std::int64_t p = 0; p < w.size(2); ++p)
              for (std::int64_t q = 0; q < w.size(3); ++q) {
                std::int64_t h = i * stride - padding + p * dilation, v = j * stride - padding + q * dilation,
                             from = o / (w.size(0) / groups) * each + c;
                if (h < 0 || h >= x.size(2) || v < 0 || v >= x.size(3)) continue;
                *to += a[((n * x.size(1) + from) * x.size(2) + h) * x.size(3) + v] *
                       k[((o * each + c) * w.size(2) + p) * w.size(3) + q];
              }
  return y;
}

}  // namespace

TEST_CASE("a convolution is the sum over its taps", "[ops][convolution]") {
  struct Case {
    Ints x, w;
    std::int64_t stride, padding, dilation, groups;
  };
  for (const Case& c :
       {Case{{2, 5, 9, 11}, {7, 5, 3, 3}, 1, 1, 1, 1}, Case{{2, 4, 9, 40}, {6, 2, 3, 2}, 2, 1, 1, 2},
        Case{{1, 3, 12, 10}, {20, 3, 3, 3}, 1, 2, 2, 1}, Case{{3, 6, 5, 7}, {6, 1, 3, 3}, 1, 1, 1, 6},
        Case{{2, 4, 8, 37}, {8, 1, 3, 5}, 2, 2, 1, 4}, Case{{2, 70, 6, 6}, {33, 70, 3, 3}, 1, 1, 1, 1},
        Case{{2, 8, 4, 5}, {3, 8, 1, 1}, 1, 0, 1, 1}, Case{{5, 2, 8, 8}, {8, 1, 3, 3}, 1, 1, 1, 2},
        Case{{3, 4, 7, 32}, {7, 4, 3, 2}, 1, 0, 1, 1}, Case{{3, 4, 7, 33}, {14, 2, 2, 2}, 1, 0, 1, 2},
        Case{{2, 4, 5, 17}, {9, 4, 2, 5}, 1, 3, 2, 1}, Case{{2, 2, 2, 3}, {5, 2, 3, 3}, 1, 1, 1, 1},
        Case{{2, 16, 9, 31}, {40, 16, 3, 3}, 1, 1, 1, 1}, Case{{1, 24, 11, 20}, {34, 12, 3, 2}, 2, 1, 1, 2},
        Case{{2, 32, 7, 16}, {16, 32, 2, 2}, 1, 0, 1, 1}, Case{{1, 330, 6, 9}, {33, 330, 3, 3}, 1, 2, 2, 1},
        Case{{1, 8, 6, 18}, {50, 8, 4, 5}, 3, 2, 1, 1}, Case{{2, 3, 12, 15}, {15, 3, 3, 3}, 1, 1, 1, 1}}) {
    Tensor x = mixed(c.x), w = mixed(c.w, 0.3), wanted = by_definition(x, w, c.stride, c.padding, c.dilation, c.groups);
    auto run = [&](const Tensor& a, const Tensor& b) {
      return ops::conv2d(a, b, std::nullopt, IntArrayRef(c.stride), IntArrayRef(c.padding), IntArrayRef(c.dilation),
                         c.groups);
    };
    CHECK(far(run(x, w), wanted) < 1e-12);
    Tensor single = run(x.to(kFloat), w.to(kFloat));
    CHECK(far(single.to(kDouble), wanted) < 1e-4);
    Tensor last = run(x.to(kFloat).contiguous(MemoryFormat::ChannelsLast), w.to(kFloat));
    CHECK(last.is_contiguous(MemoryFormat::ChannelsLast));
    CHECK(far(last.to(kDouble), wanted) < 1e-4);
    Tensor bias = mixed({c.w[0]}, 1.1).to(kFloat),
           shifted = ops::conv2d(x.to(kFloat).contiguous(MemoryFormat::ChannelsLast), w.to(kFloat), bias,
                                 IntArrayRef(c.stride), IntArrayRef(c.padding), IntArrayRef(c.dilation), c.groups);
    CHECK(far(ops::sub(shifted, bias.view({-1, 1, 1})).to(kDouble), wanted) < 1e-4);
    Tensor half = run(x.to(kBFloat16), w.to(kBFloat16)),
           exact = run(x.to(kBFloat16).to(kDouble), w.to(kBFloat16).to(kDouble));
    CHECK(far(half.to(kDouble), exact) <= 0.005 * (ops::amax(ops::abs(exact)).item<double>()));
  }
}

TEST_CASE("the gradient by the weight of small images agrees with the definition", "[ops][convolution][autograd]") {
  struct Case {
    Ints x, w;
    std::int64_t padding, dilation, groups;
  };
  for (const Case& c : {Case{{3, 1, 28, 28}, {16, 1, 3, 3}, 1, 1, 1}, Case{{2, 16, 14, 14}, {33, 16, 3, 3}, 1, 1, 1},
                        Case{{2, 6, 19, 23}, {10, 3, 5, 4}, 2, 1, 2}, Case{{2, 5, 30, 33}, {7, 5, 2, 7}, 0, 2, 1},
                        Case{{1, 4, 21, 64}, {9, 4, 3, 1}, 1, 1, 1}, Case{{2, 3, 40, 17}, {11, 3, 1, 2}, 3, 1, 1},
                        Case{{11, 4, 14, 14}, {10, 4, 3, 3}, 1, 1, 1}}) {
    Tensor x = mixed(c.x), w = mixed(c.w, 0.3).requires_grad_();
    auto run = [&](const Tensor& a, const Tensor& b) {
      return ops::conv2d(a, b, std::nullopt, IntArrayRef(1), IntArrayRef(c.padding), IntArrayRef(c.dilation), c.groups);
    };
    Tensor y = run(x, w), g = ops::cos(mixed(y.sizes(), 1.3) * 3);
    // The result is linear in the weight, so that its product with g has the gradient times the weight.
    Tensor by = autograd::grad({y}, {w}, {g})[0];
    CHECK(std::abs((by * w).sum().item<double>() - (y * g).sum().item<double>()) < 1e-9);
    for (std::int64_t k : {std::int64_t{0}, w.numel() / 2, w.numel() - 1}) {
      Tensor one = ops::zeros_like(w.detach());
      one.data_ptr<double>()[k] = 1;
      double wanted = (by_definition(x, one, 1, c.padding, c.dilation, c.groups) * g).sum().item<double>();
      CHECK(std::abs(by.data_ptr<double>()[k] - wanted) < 1e-10);
    }
    Tensor single = ops::to(w.detach(), kFloat).requires_grad_(),
           float_by = autograd::grad({run(ops::to(x, kFloat), single)}, {single}, {ops::to(g, kFloat)})[0];
    CHECK(far(ops::to(float_by, kDouble), by) < 1e-3);
    int before = get_num_threads();
    for (int threads : {1, 3, 8}) {
      set_num_threads(threads);
      CHECK(ops::equal(autograd::grad({run(ops::to(x, kFloat), single)}, {single}, {ops::to(g, kFloat)})[0], float_by));
    }
    set_num_threads(before);
    // What is not finite stays with the taps that read it.
    Tensor broken = x.clone();
    broken.data_ptr<double>()[x.numel() - 1] = std::numeric_limits<double>::infinity();
    Tensor spread = autograd::grad({run(broken, w)}, {w}, {g})[0];
    if (c.padding == 0) CHECK(ops::isfinite(spread.select(0, 0).select(0, 0).select(0, 0).select(0, 0)).item<bool>());
  }
}
TEST_CASE("padding by name keeps the size or adds nothing", "[ops][convolution]") {
  Tensor x = mixed({1, 2, 9}), w = mixed({3, 2, 4});
  CHECK(list(ops::conv1d(x, w, std::nullopt, IntArrayRef({1}), "same").sizes()) == Ints{1, 3, 9});
  CHECK(list(ops::conv1d(x, w, std::nullopt, IntArrayRef({1}), "valid").sizes()) == Ints{1, 3, 6});
  Tensor same = ops::conv1d(x, w, std::nullopt, IntArrayRef({1}), "same"),
         wide = ops::conv1d(x, w, std::nullopt, IntArrayRef({1}), IntArrayRef({2}));
  CHECK(far(same, ops::narrow(wide, 2, 1, 9)) == 0);
  CHECK_ERROR(ops::conv1d(x, w, std::nullopt, IntArrayRef({2}), "same"), ValueError,
              "padding='same' is not supported for strided convolutions");
  CHECK_ERROR(ops::conv1d(x, w, std::nullopt, IntArrayRef({1}), "none"), ValueError, "Invalid padding string: 'none'");
}

TEST_CASE("convolutions refuse what does not fit, in PyTorch's words", "[ops][convolution]") {
  Tensor x = mixed({1, 3, 4, 4}), w = mixed({2, 3, 5, 5});
  CHECK_ERROR(ops::conv2d(x, w), ValueError,
              "Calculated padded input size per channel: (4 x 4). Kernel size: (5 x 5). Kernel size can't be greater "
              "than actual input size");
  CHECK_ERROR(ops::conv2d(x, mixed({2, 2, 1, 1})), ValueError,
              "Given groups=1, weight of size [2, 2, 1, 1], expected input[1, 3, 4, 4] to have 2 channels, but got 3 "
              "channels instead");
  CHECK_ERROR(ops::conv2d(mixed({2, 2}), w), ValueError,
              "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [2, 2]");
  CHECK_ERROR(ops::conv2d(x, mixed({2, 3, 1, 1}).to(kFloat)), TypeError,
              "Input type (float64) and weight type (float32) should be the same");
  CHECK_ERROR(ops::conv2d(x, mixed({2, 3, 1, 1}), mixed({2}).to(kFloat)), TypeError,
              "Input type (float64) and bias type (float32) should be the same");
}

TEST_CASE("convolution brings a bias to the input's dtype, as PyTorch does", "[ops][convolution]") {
  auto run = [](ScalarType dtype, const Tensor& bias, bool transposed) {
    std::int64_t ones[] = {1}, zeros[] = {0};
    IntArrayRef one(ones), zero(zeros);
    return Tensor(ops::convolution(ops::ones({1, 2, 5}, "dtype"_a = dtype), ops::ones({2, 2, 2}, "dtype"_a = dtype),
                                   bias, one, zero, one, transposed, zero, 1));
  };
  Tensor bias = tensor({0.30078125, 2.0}).to(kDouble);
  for (ScalarType dtype : {kBFloat16, kHalf, kFloat, kDouble})
    for (bool transposed : {false, true}) {
      Tensor got = run(dtype, bias, transposed), wanted = run(dtype, bias.to(dtype), transposed);
      CHECK(got.dtype() == dtype);
      CHECK(ops::equal(got, wanted));
    }
  CHECK(ops::equal(run(kLong, bias, false), run(kLong, bias.to(kLong), false)));
  CHECK_ERROR(run(kLong, bias, true), TypeError, "Input type (int64) and bias type (float64) should be the same");
  Tensor leaf = bias.clone().set_requires_grad(true);
  run(kFloat, leaf, false).sum().backward();
  CHECK((leaf.grad().dtype() == kDouble && leaf.grad()[0].item<double>() == 4));
}

TEST_CASE("a signal's convolution has its channels last if the weight has, as PyTorch's", "[ops][convolution]") {
  Tensor x = mixed({2, 3, 6}).to(kFloat), w = mixed({4, 3, 2}).to(kFloat);
  Tensor turned = w.transpose(1, 2).contiguous().transpose(1, 2);
  CHECK(ops::conv1d(x, w).strides() == IntArrayRef({20, 5, 1}));
  Tensor y = ops::conv1d(x, turned);
  CHECK(y.strides() == IntArrayRef({20, 1, 4}));
  CHECK(ops::equal(y, ops::conv1d(x, w)));
  CHECK(ops::conv1d(x.transpose(1, 2).contiguous().transpose(1, 2), w).strides() == IntArrayRef({20, 5, 1}));
  CHECK(ops::conv1d(x, turned, std::nullopt, IntArrayRef({1}), "same").strides() == IntArrayRef({24, 1, 4}));
  CHECK(ops::conv1d(x.to(kDouble), turned.to(kDouble)).strides() == IntArrayRef({20, 5, 1}));
}

TEST_CASE("gradients of convolutions agree with finite differences, twice", "[ops][convolution][autograd]") {
  using List = std::vector<Tensor>;
  auto leaf = [](IntArrayRef sizes, double step) { return mixed(sizes, step).set_requires_grad(true); };
  for (bool transposed : {false, true})
    for (std::int64_t stride : {1, 2}) {
      List x{leaf({2, 4, 5}, 0.7), leaf({4, 2, 3}, 0.4), leaf({4}, 1.3)};
      auto run = [=](const List& a) {
        return ops::convolution(a[0], a[1], a[2], IntArrayRef(stride), IntArrayRef({1}), IntArrayRef({1}), transposed,
                                IntArrayRef({0}), 2);
      };
      autograd::gradcheck(run, x);
      auto first = [&](const List& a) {
        EnableGradGuard on;
        Tensor y = run(a);
        auto g = autograd::grad(TensorList(ops::mul(y, y).sum()), a, {}, std::nullopt, true);
        return ops::cat({g[0].reshape({-1}), g[1].reshape({-1}), g[2].reshape({-1})});
      };
      autograd::gradcheck(first, x);
    }
}

TEST_CASE("a convolution has the same bits for any number of threads", "[ops][convolution]") {
  Tensor x = mixed({3, 16, 20, 20}).to(kFloat), w = mixed({40, 16, 3, 3}).to(kFloat), first[3];
  int before = get_num_threads();
  for (int threads : {1, 2, 5}) {
    set_num_threads(threads);
    Tensor y = ops::conv2d(x, w, std::nullopt, IntArrayRef({1}), IntArrayRef({1}));
    bool mask[] = {true, true, true};
    auto [gx, gw, gb] =
        ops::convolution_backward(y, x, w, IntArrayRef({40}), IntArrayRef({1}), IntArrayRef({1}), IntArrayRef({1}),
                                  false, IntArrayRef({0}), 1, ArrayRef<bool>(mask, 3));
    Tensor all[] = {y, gx, gw};
    for (int i = 0; i < 3; ++i) {
      if (threads == 1) first[i] = all[i];
      CHECK(std::memcmp(first[i].data_ptr(), all[i].data_ptr(), all[i].nbytes()) == 0);
    }
  }
  set_num_threads(before);
}

TEST_CASE("three dimensions of channels last are those of rows, whatever the threads", "[ops][convolution]") {
  Tensor x = mixed({2, 16, 5, 6, 19}), w = mixed({24, 16, 2, 3, 3}, 0.3);
  auto run = [](const Tensor& a, const Tensor& b) {
    return ops::conv3d(a, b, std::nullopt, IntArrayRef({2, 1, 1}), IntArrayRef({1, 0, 2}), IntArrayRef({1, 2, 1}));
  };
  Tensor wanted = run(x, w), xl = x.to(kFloat).contiguous(MemoryFormat::ChannelsLast3d), first;
  int before = get_num_threads();
  for (int threads : {1, 2, 5}) {
    set_num_threads(threads);
    Tensor y = run(xl, w.to(kFloat));
    CHECK(far(y.to(kDouble), wanted) < 1e-4);
    if (threads == 1) first = y;
    CHECK(ops::equal(y, first));
  }
  set_num_threads(before);
}

TEST_CASE("gradients of three dimensions of channels last lie and sum as PyTorch's", "[ops][convolution][autograd]") {
  // Sums and strides are those of PyTorch 2.15; all numbers are whole, so that no order of summation shows.
  constexpr auto last = MemoryFormat::ChannelsLast3d;
  auto whole = [](IntArrayRef sizes, double by, double less) {
    return ops::sub(ops::remainder(counted(sizes, kFloat), by), less).contiguous();
  };
  auto weighed = [](const Tensor& t) {
    return ops::mul(t, ops::remainder(counted(t.sizes(), kFloat), 11.0)).sum().item<double>();
  };
  auto of_format = [](const Tensor& t, bool channels_last) { return channels_last ? t.contiguous(last) : t; };
  for (bool x_last : {false, true})
    for (bool w_last : {false, true})
      for (bool transposed : {false, true}) {
        CAPTURE(x_last, w_last, transposed);
        Tensor x = of_format(whole({2, 4, 3, 4, 5}, 7, 3), x_last),
               w = of_format(transposed ? whole({4, 3, 2, 3, 2}, 5, 2) : whole({6, 2, 2, 3, 2}, 5, 2), w_last);
        x.requires_grad_();
        w.requires_grad_();
        const std::vector<std::int64_t> stride{1, 2, 1}, padding{1, 0, 1}, none{0, 0, 0}, ones{1, 1, 1};
        Tensor y = transposed ? ops::conv_transpose3d(x, w, std::nullopt, stride, padding, none, 2)
                              : ops::conv3d(x, w, std::nullopt, stride, padding, ones, 2);
        const bool any = x_last || w_last;
        CHECK(y.is_contiguous(any ? last : MemoryFormat::Contiguous));
        CHECK(y.detach().sum().item<double>() == (transposed ? -26 : -8));
        Tensor grad = whole(y.sizes(), 3, 1);
        y.backward(grad);
        // What a leaf gathers lies as the leaf.
        CHECK(x.grad().is_contiguous(x_last ? last : MemoryFormat::Contiguous));
        CHECK(w.grad().is_contiguous(w_last ? last : MemoryFormat::Contiguous));
        CHECK(weighed(x.grad()) == (transposed ? -134 : 22));
        CHECK(weighed(w.grad()) == (transposed ? -925 : -75));
        // The operator's results lie as any of the arguments but the gradient.
        const bool mask[] = {true, true, true};
        const std::int64_t bias[] = {6};
        for (bool grad_last : {false, true}) {
          auto [dx, dw, db] =
              ops::convolution_backward(of_format(grad, grad_last), x.detach(), w.detach(), IntArrayRef(bias), stride,
                                        padding, ones, transposed, none, 2, ArrayRef<bool>(mask));
          for (const Tensor& t : {dx, dw}) CHECK(t.is_contiguous(any ? last : MemoryFormat::Contiguous));
          CHECK(ops::equal(dx, x.grad()));
          CHECK(ops::equal(dw, w.grad()));
          CHECK(ops::equal(db, grad.sum(IntArrayRef({0, 2, 3, 4}))));
        }
      }
}

TEST_CASE("conv_tbc convolves over the first dimension, with PyTorch's results, gradients and errors",
          "[ops][convolution]") {
  auto counted_by = [](IntArrayRef sizes, double by) {
    return (ops::arange(count_elements(sizes), "dtype"_a = kDouble).view(sizes) * by).requires_grad_();
  };
  Tensor x = counted_by({4, 2, 3}, 0.1), weight = counted_by({2, 3, 4}, 1.0 / 7),
         bias = (ops::arange(1, 5, "dtype"_a = kDouble) * 0.1).requires_grad_();
  Tensor y = ops::conv_tbc(x, weight, bias, 1);
  REQUIRE(list(y.sizes()) == Ints{5, 2, 4});
  auto near = [](const Tensor& t, const Numbers& expected) {
    Numbers got = values(t);
    for (std::size_t i = 0; i < expected.size(); ++i)
      if (std::abs(got[i] - expected[i]) > 1e-12 * (1 + std::abs(expected[i]))) return false;
    return true;
  };
  CHECK(near(y, {0.9, 7.3 / 7, 8.3 / 7, 9.3 / 7, 20.7 / 7}));
  CHECK(near(y.select(0, 4).select(0, 1),
             {3.9857142857142853, 5.0285714285714285, 6.071428571428571, 7.114285714285714}));
  Tensor factors = ops::arange(40, "dtype"_a = kDouble).view({5, 2, 4}) - 7;
  (y * factors).sum().backward();
  CHECK(near(x.grad(), {-38.857142857142854, -45.71428571428572, -52.57142857142858, -4.571428571428572}));
  CHECK(near(weight.grad(), {176.4, 184.8, 193.2, 201.6, 188.4}));
  CHECK(near(bias.grad(), {110, 120, 130, 140}));
  auto [to_x, to_weight, to_bias] = ops::conv_tbc_backward(factors, x.detach(), weight.detach(), bias.detach(), 1);
  CHECK(ops::allclose(to_x, x.grad()));
  CHECK(ops::allclose(to_weight, weight.grad()));
  CHECK(ops::allclose(to_bias, bias.grad()));
  CHECK(ops::conv_tbc(x.to(kLong), weight.to(kLong), bias.to(kLong)).dtype() == kLong);
  CHECK_ERROR(ops::conv_tbc(x.select(0, 0), weight, bias), ValueError,
              "Input must have 3 dims: time, batch, in_channel");
  CHECK_ERROR(ops::conv_tbc(x, weight, bias.narrow(0, 0, 2)), ValueError,
              "Bias size must equal dim 2 in the weight tensor (output channels).");
  CHECK_ERROR(ops::conv_tbc(x.narrow(0, 0, 0), weight, bias), ValueError,
              "Trying to create tensor with negative dimension -1: [-1, 2, 4]");
}

TEST_CASE("_convolution writes into a given tensor", "[ops][convolution]") {
  Tensor x = ops::ones({1, 1, 3}), weight = tensor({1.0, 2.0}).view({1, 1, 2}), out = ops::empty({0});
  Ints one = {1}, none = {0};
  ops::_convolution(x, weight, std::nullopt, one, none, one, false, none, 1, false, false, true, true, "out"_a = out);
  CHECK(values(out) == Numbers{3, 3});
}

TEST_CASE("taps beside the image of a transposed convolution add nothing, infinite ones too", "[ops][convolution]") {
  Tensor weight = tensor({HUGE_VAL, 1.0, 1.0, 1.0}).to(kFloat).view({1, 1, 2, 2}), x = ops::ones({1, 1, 2, 2}, kFloat);
  Numbers wanted = {HUGE_VAL, HUGE_VAL, 1, HUGE_VAL, HUGE_VAL, 2, 1, 2, 1};
  CHECK(values(ops::conv_transpose2d(x, weight)) == wanted);
  CHECK(values(ops::conv_transpose2d(x.to(kDouble), weight.to(kDouble))) == wanted);
  Tensor line =
      ops::conv_transpose1d(ops::ones({1, 1, 3}), tensor({1.0, HUGE_VAL, 2.0}).view({1, 1, 3}), "padding"_a = 1);
  CHECK(values(line) == Numbers{HUGE_VAL, HUGE_VAL, HUGE_VAL});
}

TEST_CASE("a transposed convolution of which nothing is left is refused, unless there is no example",
          "[ops][convolution]") {
  Tensor x = mixed({1, 3, 1, 2}), w = mixed({3, 2, 2, 2});
  auto turned = [&](const Tensor& t) {
    return ops::conv_transpose2d(t, w, std::nullopt, IntArrayRef({1, 1}), IntArrayRef({1, 1}));
  };
  CHECK_ERROR(turned(x), ValueError,
              "Given input size per channel: (1 x 2). Calculated output size per channel: (0 x 1). Output size is too "
              "small");
  CHECK(list(turned(mixed({0, 3, 1, 2})).sizes()) == std::vector<std::int64_t>{0, 2, 0, 1});
}

// As in PyTorch, which asks for no more than a size where there is nothing to compute.
TEST_CASE("a transposed convolution of no examples takes any output_padding", "[ops][convolution][autograd]") {
  Tensor x = mixed({0, 3, 3, 2}).requires_grad_(), w = mixed({3, 2, 2, 2}).requires_grad_();
  Tensor out = ops::conv_transpose2d(x, w, mixed({2}), 1, 0, IntArrayRef({1, 2}));
  CHECK(list(out.sizes()) == Ints{0, 2, 5, 5});
  out.sum().backward();
  CHECK(list(x.grad().sizes()) == Ints{0, 3, 3, 2});
  CHECK(values(w.grad()) == Numbers(24, 0));
  CHECK(list(ops::conv_transpose1d(mixed({0, 3, 3}), w.select(3, 0), std::nullopt, 1, 0, 2).sizes()) == Ints{0, 2, 6});
  CHECK_ERROR(ops::conv_transpose1d(mixed({1, 3, 0}), w.select(3, 0)), ValueError,
              "Only zero batch or zero channel inputs are supported, but got input shape: [1, 3, 0]");
  CHECK_ERROR(ops::conv_transpose2d(mixed({1, 2, 5, 3}), ops::ones({2, 0, 2, 3}, "dtype"_a = kDouble)), ValueError,
              "non-empty weight tensor expected, but got: [2, 0, 2, 3]");
  CHECK_ERROR(ops::conv_transpose2d(mixed({1, 3, 3, 2}), w, std::nullopt, 1, 0, 1), ValueError,
              "output padding must be smaller than either stride or dilation, but got output_padding: [1], stride: "
              "[1], dilation: [1, 1]");
}

TEST_CASE("gradients of transposed convolutions pass by what output_padding adds", "[ops][convolution][autograd]") {
  // A tap, a step of 1 and taps so far apart that output_padding may reach beyond the step; PyTorch 2.15's numbers.
  Tensor x = (counted({1, 2, 2}, kDouble) + 1).requires_grad_(), w = (counted({2, 2, 1}, kDouble) + 1).requires_grad_(),
         g = counted({1, 2, 4}, kDouble) + 1;
  ops::conv_transpose1d(x, w, std::nullopt, 1, 0, 2, 1, 3).backward(g);
  CHECK(values(x.grad()) == Numbers{11, 14, 23, 30});
  CHECK(values(w.grad()) == Numbers{5, 17, 11, 39});
  // Linear in the input: what comes back from a result, times the input, is the result's square.
  for (std::int64_t channels : {1, 2, 24})
    for (std::int64_t taps : {1, 2, 3})
      for (ScalarType dtype : {kFloat, kDouble})
        for (bool last : {false, true}) {
          MemoryFormat format = last ? MemoryFormat::ChannelsLast : MemoryFormat::Contiguous;
          Tensor a = mixed({2, channels, 5, 6}).to(dtype).contiguous(format).requires_grad_(),
                 b = mixed({channels, 24, taps, taps}).to(dtype);
          Tensor y = ops::conv_transpose2d(a, b, std::nullopt, 1, 0, 3, 1, 4);
          y.backward(y.detach());
          double expected = (y * y).to(kDouble).sum().item<double>();
          CHECK((a * a.grad()).to(kDouble).sum().item<double>() == Approx(expected).epsilon(1e-5));
        }
}
