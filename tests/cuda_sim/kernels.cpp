// Kernels of the component beside those of the CPU: values and gradients.
#include <functional>
#include <vector>

#include <tenon/cuda/executor.hpp>
#include <tenon/tenon.hpp>

#include "../catch.hpp"
#include "device.hpp"

using namespace tenon;

namespace {

const Device kCuda("cuda:0");
Tensor on_cpu(const Tensor& t) { return t.to(kCPU, t.dtype()); }
Tensor waves(IntArrayRef sizes, double step) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  return ops::sin(ops::arange(n, "dtype"_a = kDouble) * step).to(kCPU, kFloat).reshape(sizes);
}
using Tensors = std::vector<Tensor>;

/// f gives the same results on both devices, and its results weighted by waves the same gradients.
void check_same(const Tensors& inputs, const std::function<Tensors(const Tensors&)>& f, bool gradients = true) {
  Tensors here, there;
  for (const Tensor& t : inputs) {
    here.push_back(t.detach().clone());
    there.push_back(t.to(kCuda, t.dtype()));
    if (gradients && t.is_floating_point()) {
      here.back().requires_grad_();
      there.back().requires_grad_();
    }
  }
  Tensors a = f(here), b = f(there);
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("result " << i);
    CHECK(b[i].device() == kCuda);
    CHECK(ops::allclose(on_cpu(b[i].detach()), a[i].detach(), 1e-4, 1e-5));
  }
  if (!gradients) return;
  Tensor weight = waves(a[0].sizes(), 0.9);
  ops::sum(a[0] * weight).backward();
  ops::sum(b[0] * weight.to(kCuda, kFloat)).backward();
  for (std::size_t i = 0; i < inputs.size(); ++i)
    if (here[i].requires_grad()) {
      INFO("gradient " << i);
      CHECK(there[i].grad().defined() == here[i].grad().defined());
      if (here[i].grad().defined()) CHECK(ops::allclose(on_cpu(there[i].grad()), here[i].grad(), 1e-3, 1e-4));
    }
}

}  // namespace

TEST_CASE("convolutions and their gradients are the CPU's", "[cuda_sim]") {
  Tensor x = waves({2, 4, 9, 7}, 0.37), w = waves({6, 2, 3, 2}, 0.71), b = waves({6}, 1.3);
  check_same({x, w, b}, [](const Tensors& t) {
    return Tensors{ops::conv2d(t[0], t[1], t[2], IntArrayRef({2, 1}), IntArrayRef({1, 1}), IntArrayRef({1, 2}), 2)};
  });
  Tensor v = waves({4, 3, 3, 2}, 0.53);
  check_same({x, v}, [](const Tensors& t) {
    return Tensors{ops::conv_transpose2d(t[0], t[1], std::nullopt, IntArrayRef({2, 1}), IntArrayRef({1, 0}),
                                         IntArrayRef({1, 0}), 2)};
  });
  Tensor line = waves({3, 2, 40}, 0.21), tap = waves({20, 2, 5}, 0.11);
  check_same({line, tap}, [](const Tensors& t) { return Tensors{ops::conv1d(t[0], t[1])}; });
}

TEST_CASE("normalisations and their gradients are the CPU's", "[cuda_sim]") {
  Tensor x = waves({3, 6, 11}, 0.37), w = waves({6}, 0.7), b = waves({6}, 1.1), v = waves({11}, 0.9);
  check_same({x, v}, [](const Tensors& t) { return Tensors{ops::layer_norm(t[0], {11}, t[1], t[1])}; });
  check_same({x, w, b}, [](const Tensors& t) { return Tensors{ops::group_norm(t[0], 2, t[1], t[2])}; });
  check_same({x, v}, [](const Tensors& t) { return Tensors{ops::rms_norm(t[0], {11}, t[1], 1e-5)}; });
  for (bool training : {true, false})
    check_same({x, w, b}, [=](const Tensors& t) {
      Tensor mean = ops::zeros({6}, "device"_a = t[0].device()), var = ops::ones({6}, "device"_a = t[0].device());
      Tensor y = ops::batch_norm(t[0], t[1], t[2], mean, var, training, 0.1, 1e-5, false);
      return Tensors{y, mean, var};
    });
}

TEST_CASE("pooling and its gradients are the CPU's", "[cuda_sim]") {
  Tensor x = waves({2, 3, 9, 8}, 0.37);
  check_same({x}, [](const Tensors& t) {
    return Tensors{
        ops::max_pool2d(t[0], IntArrayRef({3, 2}), IntArrayRef({2, 1}), IntArrayRef({1, 1}), IntArrayRef({1, 2}))};
  });
  check_same({x}, [](const Tensors& t) {
    return Tensors{ops::avg_pool2d(t[0], IntArrayRef({3, 3}), IntArrayRef({2, 2}), IntArrayRef({1, 1}), true, false)};
  });
  check_same({x}, [](const Tensors& t) { return Tensors{ops::adaptive_avg_pool2d(t[0], {4, 3})}; });
  check_same({x}, [](const Tensors& t) {
    auto [y, places] = ops::adaptive_max_pool2d(t[0], {4, 3});
    return Tensors{y, places};
  });
}

TEST_CASE("long lines are scanned by several blocks, sorted by merges", "[cuda_sim]") {
  Tensor x = waves({2, 9000}, 0.77);
  check_same({x}, [](const Tensors& t) { return Tensors{ops::cumsum(t[0], 1)}; });
  check_same({x}, [](const Tensors& t) { return Tensors{ops::logcumsumexp(t[0], 1)}; });
  Tensor few = ops::remainder(ops::arange(1500, "dtype"_a = kLong) * 7919, 31).reshape({2, 750});
  for (bool descending : {false, true})
    check_same(
        {few},
        [=](const Tensors& t) {
          auto [values, places] = ops::sort(t[0], std::optional<bool>(true), 1, descending);
          return Tensors{values, places};
        },
        false);
  check_same({x}, [](const Tensors& t) {
    auto [values, places] = ops::topk(t[0], 5, 1);
    return Tensors{values, places};
  });
  check_same({x}, [](const Tensors& t) {
    auto [values, places] = ops::median(t[0], 1);
    return Tensors{values, places};
  });
  check_same({x}, [](const Tensors& t) {
    auto [values, places] = ops::cummax(t[0], 1);
    return Tensors{values, places, ops::argmin(t[0], 1)};
  });
}

TEST_CASE("variances and logarithms of sums are the CPU's", "[cuda_sim]") {
  Tensor x = waves({3, 4, 50}, 0.37);
  check_same({x}, [](const Tensors& t) { return Tensors{ops::var(t[0], {2}, "correction"_a = Scalar(1))}; });
  check_same({x}, [](const Tensors& t) { return Tensors{ops::std(t[0], {0, 2}, "correction"_a = Scalar(0))}; });
  check_same({x}, [](const Tensors& t) { return Tensors{ops::logsumexp(t[0], {1})}; });
}

TEST_CASE("losses and their gradients are the CPU's", "[cuda_sim]") {
  Tensor x = waves({5, 7}, 0.37), y = waves({5, 7}, 0.61), p = ops::sigmoid(x), q = ops::sigmoid(y);
  Tensor classes = ops::remainder(ops::arange(5, "dtype"_a = kLong) * 3, 7), weight = ops::abs(waves({7}, 0.7)) + 0.1;
  for (std::int64_t reduction : {0, 1, 2}) {
    INFO("reduction " << reduction);
    check_same({x, y}, [=](const Tensors& t) { return Tensors{ops::mse_loss(t[0], t[1], reduction)}; });
    check_same({x, y}, [=](const Tensors& t) { return Tensors{ops::smooth_l1_loss(t[0], t[1], reduction, 0.5)}; });
    check_same({x, y}, [=](const Tensors& t) { return Tensors{ops::huber_loss(t[0], t[1], reduction, 0.7)}; });
    check_same({x, y.detach()}, [=](const Tensors& t) {
      return Tensors{
          ops::binary_cross_entropy(ops::sigmoid(t[0]), ops::sigmoid(t[1].detach()), std::nullopt, reduction)};
    });
    check_same({x, classes, weight}, [=](const Tensors& t) {
      return Tensors{ops::cross_entropy_loss(t[0], t[1], t[2].detach(), reduction, 2)};
    });
  }
  Tensor bad = ops::full({5}, 7, "dtype"_a = kLong, "device"_a = kCuda);
  CHECK_ERROR_CONTAINS(ops::nll_loss(x.to(kCuda, kFloat), bad), IndexError, "Target 7 is out of bounds.");
}

TEST_CASE("turned, rolled and cut tensors are the CPU's", "[cuda_sim]") {
  Tensor x = waves({3, 4, 5}, 0.37);
  check_same({x}, [](const Tensors& t) { return Tensors{ops::flip(t[0], {0, 2}), ops::roll(t[0], {2, -1}, {1, 2})}; });
  check_same({x}, [](const Tensors& t) {
    return Tensors{ops::tril(t[0], 1), ops::triu(t[0], -1), ops::roll(t[0], {7})};
  });
}

TEST_CASE("lists of indices and masks read, write and add as on the CPU", "[cuda_sim]") {
  Tensor x = waves({4, 5, 6}, 0.37), rows = ops::remainder(ops::arange(6, "dtype"_a = kLong) * 5, 4) - 2;
  Tensor columns = ops::remainder(ops::arange(6, "dtype"_a = kLong), 5).reshape({6}),
         mask = ops::gt(waves({4, 5}, 0.9), 0);
  using List = std::vector<std::optional<Tensor>>;
  check_same({x, rows, columns}, [](const Tensors& t) { return Tensors{ops::index(t[0], List{t[1], t[2]})}; });
  check_same({x, rows}, [](const Tensors& t) { return Tensors{ops::index(t[0], List{t[1], std::nullopt, t[1]})}; });
  check_same({x, mask}, [](const Tensors& t) {
    return Tensors{ops::index(t[0], List{t[1]}), ops::masked_select(t[0], ops::unsqueeze(t[1], 2))};
  });
  check_same(
      {mask}, [](const Tensors& t) { return Tensors{ops::nonzero(t[0])}; }, false);
  Tensor values = waves({6, 6}, 0.77);
  Tensor firsts = ops::remainder(ops::arange(6, "dtype"_a = kLong), 4);  // places of their own, unless they add
  for (bool accumulate : {false, true})
    check_same({x, values, firsts, columns}, [=](const Tensors& t) {
      return Tensors{ops::index_put(t[0], List{t[2], accumulate ? t[3] * 0 : t[3]}, t[1], accumulate)};
    });
  check_same({x, waves({4, 6, 6}, 0.2), columns},
             [](const Tensors& t) { return Tensors{ops::index_add(t[0], 1, t[2], t[1], 0.5)}; });
  Tensor there = x.to(kCuda, kFloat), bad = ops::full({2}, 5, "dtype"_a = kLong, "device"_a = kCuda);
  CHECK_ERROR(ops::index(there, List{std::nullopt, bad}), IndexError,
              "index 5 is out of bounds for dimension 1 with size 5");
}

TEST_CASE("resampled and padded tensors and their gradients are the CPU's", "[cuda_sim]") {
  Tensor x = waves({2, 3, 5, 7}, 0.37);
  DimVector size{8, 4}, padding{2, 1, 0, 3};
  check_same({x}, [=](const Tensors& t) { return Tensors{ops::upsample_nearest2d(t[0], IntArrayRef(size))}; });
  for (bool aligned : {false, true}) {
    check_same({x},
               [=](const Tensors& t) { return Tensors{ops::upsample_bilinear2d(t[0], IntArrayRef(size), aligned)}; });
    check_same({x},
               [=](const Tensors& t) { return Tensors{ops::upsample_bicubic2d(t[0], IntArrayRef(size), aligned)}; });
    check_same(
        {x}, [=](const Tensors& t) { return Tensors{ops::_upsample_bilinear2d_aa(t[0], IntArrayRef(size), aligned)}; });
  }
  check_same({x}, [=](const Tensors& t) { return Tensors{ops::reflection_pad2d(t[0], IntArrayRef(padding))}; });
  check_same({x}, [=](const Tensors& t) { return Tensors{ops::replication_pad2d(t[0], IntArrayRef(padding))}; });
}
