// Normalisation: statistics, what they leave behind, memory formats.
#include <cmath>

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/tenon.hpp>

#include "support.hpp"

using namespace test;

namespace {

Tensor spread_out(const DimVector& sizes) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  return ops::remainder(ops::arange(n, "dtype"_a = kDouble) * 0.6180339887498949, 1.0).view(sizes);
}
bool close_to(const Tensor& a, const Tensor& b) { return ops::sub(a, b).abs().max().item<double>() < 1e-12; }

}  // namespace

TEST_CASE("batch normalisation gives every channel mean 0 and variance 1", "[ops][normalization]") {
  Tensor x = spread_out({4, 3, 5, 2});
  auto [y, mean, invstd] =
      ops::native_batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 0.0);
  CHECK(close_to(y.mean({0, 2, 3}), ops::zeros({3}, "dtype"_a = kDouble)));
  CHECK(close_to((y * y).mean({0, 2, 3}), ops::ones({3}, "dtype"_a = kDouble)));
  CHECK(close_to(mean, x.mean({0, 2, 3})));
  CHECK(invstd.sizes() == mean.sizes());
}
TEST_CASE("batch normalisation moves the running statistics and evaluates by them", "[ops][normalization]") {
  Tensor x = spread_out({6, 2}), mean = ops::zeros({2}, "dtype"_a = kDouble), var = ops::ones({2}, "dtype"_a = kDouble);
  ops::native_batch_norm(x, std::nullopt, std::nullopt, mean, var, true, 0.25, 1e-5);
  CHECK(close_to(mean, x.mean(0) * 0.25));
  Tensor d = x - x.mean(0);
  CHECK(close_to(var, (d * d).sum(0) / 5 * 0.25 + 0.75));
  Tensor y = ops::batch_norm(x, std::nullopt, std::nullopt, mean, var, false, 0.25, 0.5, false);
  CHECK(close_to(y, (x - mean) / ops::sqrt(var + 0.5)));
  // The gradient is a factor alone then, also where the input is no number.
  Tensor some = tensor({1.0f, std::nanf(""), 2.0f}).reshape({3, 1}).detach().requires_grad_();
  ops::batch_norm(some, std::nullopt, std::nullopt, ops::zeros({1}), ops::full({1}, 4.0), false, 0.1, 0, false)
      .sum()
      .backward();
  CHECK(values(some.grad()) == Numbers{0.5, 0.5, 0.5});
  CHECK_THROWS_AS(ops::batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, false, 0.1, 1e-5, false),
                  ValueError);
}
TEST_CASE("batch normalisation of any size and format agrees with its definition", "[ops][normalization]") {
  for (const DimVector& sizes :
       {DimVector{7, 3}, {40, 70}, {1, 5, 17}, {3, 2, 4, 4}, {2, 19, 5, 7}, {5, 1, 33}, {2, 3, 2, 3, 9}})
    for (ScalarType dtype : {kDouble, kFloat, kBFloat16})
      for (bool last : {false, true}) {
        if (last && sizes.size() != 4 && sizes.size() != 5) continue;
        Tensor x = ops::to(spread_out(sizes) * 3 + 5, dtype), g = ops::to(ops::cos(spread_out(sizes) * 9), dtype);
        if (last) x = x.contiguous(sizes.size() == 4 ? MemoryFormat::ChannelsLast : MemoryFormat::ChannelsLast3d);
        DimVector dims{0}, shape(sizes.size(), 1);
        for (std::size_t d = 2; d < sizes.size(); ++d) dims.push_back(static_cast<std::int64_t>(d));
        shape[1] = sizes[1];
        auto wide = [](const Tensor& t) { return Tensor(ops::to(t.detach(), kDouble)); };
        Tensor w = ops::to(spread_out({sizes[1]}) + 1, dtype), b = ops::to(spread_out({sizes[1]}) - 1, dtype);
        auto normal = [&](const Tensor& t, const Tensor& weight, const Tensor& bias) {
          Tensor d = t - t.mean(dims, true);
          return d * ops::rsqrt((d * d).mean(dims, true) + 1e-3) * weight.view(shape) + bias.view(shape);
        };
        std::vector<Tensor> in{x.requires_grad_(), w.requires_grad_(), b.requires_grad_()}, exact;
        for (const Tensor& t : in) exact.push_back(wide(t).requires_grad_());
        Tensor y = ops::batch_norm(in[0], in[1], in[2], std::nullopt, std::nullopt, true, 0.1, 1e-3, false),
               wanted = normal(exact[0], exact[1], exact[2]);
        auto got = autograd::grad({y}, in, {g}), by = autograd::grad({wanted}, exact, {wide(g)});
        double tolerance = dtype == kDouble ? 1e-11 : dtype == kFloat ? 2e-5 : 0.1;
        auto far = [&](const Tensor& a, const Tensor& e) {
          return ops::sub(wide(a), e.detach()).abs().max().item<double>() / (1 + e.detach().abs().max().item<double>());
        };
        CHECK(far(y, wanted) < tolerance);
        for (std::size_t i = 0; i < 3; ++i) CHECK(far(got[i], by[i]) < tolerance);
      }
}
TEST_CASE("batch normalisation has the same bits for any number of threads", "[ops][normalization]") {
  for (const DimVector& sizes : {DimVector{300, 130}, {6, 20, 31, 17}})
    for (bool last : {false, true}) {
      Tensor x = ops::to(spread_out(sizes), kFloat), g = ops::sin(x * 30);
      if (last && sizes.size() == 4) x = x.contiguous(MemoryFormat::ChannelsLast);
      x.requires_grad_();
      int before = get_num_threads();
      std::vector<Tensor> first;
      for (int threads : {1, 2, 3, 8}) {
        set_num_threads(threads);
        Tensor y = ops::batch_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false);
        std::vector<Tensor> all{y, autograd::grad({y}, {x}, {g})[0]};
        if (threads == 1) first = all;
        for (std::size_t i = 0; i < 2; ++i) CHECK(ops::equal(all[i], first[i]));
      }
      set_num_threads(before);
    }
}
TEST_CASE("layer normalisation of rows of any length agrees with its definition", "[ops][normalization]") {
  for (std::int64_t length : {1, 5, 33, 70, 2065})
    for (ScalarType dtype : {kDouble, kFloat, kHalf}) {
      auto wide = [](const Tensor& t) { return Tensor(ops::to(t.detach(), kDouble)); };
      Tensor x = ops::to(spread_out({3, length}) * 3 + 5, dtype), w = ops::to(spread_out({length}) + 1, dtype),
             b = ops::to(spread_out({length}) - 1, dtype), g = ops::to(ops::cos(spread_out({3, length}) * 9), dtype);
      std::vector<Tensor> in{x.requires_grad_(), w.requires_grad_(), b.requires_grad_()}, exact;
      for (const Tensor& t : in) exact.push_back(wide(t).requires_grad_());
      Tensor d = exact[0] - exact[0].mean({1}, true),
             wanted = d * ops::rsqrt((d * d).mean({1}, true) + 1e-2) * exact[1] + exact[2],
             y = ops::layer_norm(in[0], {length}, in[1], in[2], 1e-2);
      auto got = autograd::grad({y}, in, {g}), by = autograd::grad({wanted}, exact, {wide(g)});
      double tolerance = dtype == kDouble ? 1e-11 : dtype == kFloat ? 2e-5 : 0.01;
      auto far = [&](const Tensor& a, const Tensor& e) {
        return ops::sub(wide(a), e.detach()).abs().max().item<double>() / (1 + e.detach().abs().max().item<double>());
      };
      CHECK(far(y, wanted) < tolerance);
      for (std::size_t i = 0; i < 3; ++i) CHECK(far(got[i], by[i]) < tolerance);
    }
}
TEST_CASE("channels last stays channels last through normalisation", "[ops][normalization]") {
  Tensor x = spread_out({2, 4, 3, 5}), last = x.contiguous(MemoryFormat::ChannelsLast);
  auto batch = [](const Tensor& t) {
    return ops::batch_norm(t, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false);
  };
  CHECK(batch(last).is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(close_to(batch(last), batch(x)));
  CHECK(ops::group_norm(last, 2).is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(close_to(ops::group_norm(last, 2), ops::group_norm(x, 2)));
}
TEST_CASE("groups of three dimensions of channels last lie as PyTorch's, gradients too", "[ops][normalization]") {
  constexpr auto last = MemoryFormat::ChannelsLast3d;
  auto whole = [](IntArrayRef sizes, double by, double less) {
    return ops::sub(ops::remainder(counted(sizes, kFloat), by), less).contiguous();
  };
  auto near = [](const Tensor& t, std::initializer_list<double> want) {
    std::size_t i = 0;
    for (double w : want)
      CHECK(std::abs(t[static_cast<std::int64_t>(i++)].item<double>() - w) < 1e-5 * (1 + std::abs(w)));
  };
  for (bool channels_last : {false, true}) {
    CAPTURE(channels_last);
    const MemoryFormat format = channels_last ? last : MemoryFormat::Contiguous;
    Tensor x = whole({2, 4, 3, 4, 5}, 7, 3).contiguous(format), w = tensor({1.0, 2.0, 3.0, 4.0}),
           b = tensor({0.0, 1.0, 2.0, 3.0});
    for (Tensor* t : {&x, &w, &b}) t->requires_grad_();
    Tensor y = ops::group_norm(x, 2, w, b, 1e-5), grad = whole(y.sizes(), 3, 1);
    CHECK(y.is_contiguous(format));
    y.backward(grad);
    CHECK(x.grad().is_contiguous(format));
    // Of PyTorch 2.15.
    near(y.detach()[0][1][2][3], {1.0248726606, 2.0197803974, 3.0146880150, 4.0095958710, -1.9598504305});
    near(x.grad()[0][3][1][2], {-1.9783114195, 0.0144632598, 2.0072379112, -2.0001885891, -0.0074139400});
    near(w.grad(), {1.5129604340, -1.9980549812, 1.4958920479, -2.0042252541});
    near(b.grad(), {0, 0, 0, 0});
    // The operators: results lie as the input, whatever the gradient does.
    auto [out, mean, rstd] = ops::native_group_norm(x.detach(), w.detach(), b.detach(), 2, 4, 60, 2, 1e-5);
    CHECK(out.is_contiguous(format));
    const bool mask[] = {true, true, true};
    for (MemoryFormat of_grad : {MemoryFormat::Contiguous, last}) {
      auto [dx, dw, db] = ops::native_group_norm_backward(grad.contiguous(of_grad), x.detach(), mean, rstd, w.detach(),
                                                          2, 4, 60, 2, ArrayRef<bool>(mask));
      CHECK(dx.is_contiguous(format));
      CHECK(ops::equal(dx, x.grad()));
      CHECK(ops::equal(dw, w.grad()));
      CHECK(ops::equal(db, b.grad()));
    }
  }
}
TEST_CASE("gradients of groups go by the numbers of the call, whatever dimensions the input has",
          "[ops][normalization]") {
  struct Geometry {
    DimVector sizes;
    std::int64_t n, channels, plane, groups;
  };
  for (const Geometry& g : {Geometry{{}, 1, 1, 1, 1}, Geometry{{12}, 3, 2, 2, 1}, Geometry{{3, 4}, 1, 4, 3, 2},
                            Geometry{{2, 2, 3}, 2, 2, 3, 2}}) {
    auto normalised = [&](const std::vector<Tensor>& in) {
      return std::get<0>(ops::native_group_norm(in[0], in[1], in[2], g.n, g.channels, g.plane, g.groups, 0.1));
    };
    std::vector<Tensor> inputs{spread_out(g.sizes), spread_out({g.channels}), spread_out({g.channels})};
    for (Tensor& t : inputs) t.requires_grad_();
    CHECK(autograd::gradcheck(normalised, inputs));
    CHECK(autograd::gradgradcheck(normalised, inputs));
  }
}
TEST_CASE("layer, group, instance and root mean square normalisation agree where they mean the same",
          "[ops][normalization]") {
  Tensor x = spread_out({3, 4, 6});
  Tensor rows = ops::layer_norm(x, {6});
  CHECK(close_to(
      rows, ops::instance_norm(x, std::nullopt, std::nullopt, std::nullopt, std::nullopt, true, 0.1, 1e-5, false)));
  CHECK(close_to(rows, ops::group_norm(x, 4)));
  Tensor centred = x - x.mean({2}, true);
  CHECK(close_to(rows, ops::rms_norm(centred, {6}, std::nullopt, 1e-5)));
  CHECK_THROWS_AS(ops::layer_norm(x, {5}), ValueError);
  CHECK_THROWS_AS(ops::group_norm(x, 3), ValueError);
  CHECK_THROWS_AS(ops::group_norm(ops::ones({2, 0, 3}), 1), ValueError);
  CHECK_ERROR(ops::group_norm(ops::ones({2, 4, 0}), 2), ValueError, "Expected HxW to be greater than 0, got 0");
  CHECK_ERROR(
      ops::instance_norm(x, std::nullopt, std::nullopt, ops::zeros({1}), ops::ones({1}), true, 0.1, 1e-5, false),
      ValueError, "running_mean should contain 12 elements not 3");
  CHECK(ops::group_norm(ops::ones({0, 4, 3}), 2).sizes() == IntArrayRef({0, 4, 3}));
}
