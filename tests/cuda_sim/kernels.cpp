// Kernels of the component beside those of the CPU: values and gradients.
#include <functional>
#include <limits>
#include <vector>

#include <tenon/cuda/executor.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

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
    check_same({x, classes},
               [=](const Tensors& t) { return Tensors{ops::cross_entropy_loss(t[0], t[1], std::nullopt, reduction)}; });
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

TEST_CASE("rows longer than a warp, of large numbers, are normalised as on the CPU", "[cuda_sim]") {
  for (std::int64_t size : {33, 300, 1500}) {
    INFO(size);
    Tensor x = waves({3, size, 5}, 0.37) * 300;
    check_same({x}, [](const Tensors& t) { return Tensors{ops::softmax(t[0], 1)}; });
    check_same({x}, [](const Tensors& t) { return Tensors{ops::log_softmax(t[0], 1)}; });
    Tensor y = waves({4, size}, 0.41), w = waves({size}, 0.7), b = waves({size}, 0.9);
    check_same({y, w, b}, [=](const Tensors& t) { return Tensors{ops::layer_norm(t[0], {size}, t[1], t[2])}; });
    check_same({y}, [=](const Tensors& t) { return Tensors{ops::layer_norm(t[0], {size})}; });
    check_same({y, w}, [=](const Tensors& t) { return Tensors{ops::rms_norm(t[0], {size}, t[1], 1e-5)}; });
    Tensor tall = waves({size, 6}, 0.41), v = waves({6}, 0.7), c = waves({6}, 0.2);
    check_same({tall, v, c}, [](const Tensors& t) { return Tensors{ops::layer_norm(t[0], {6}, t[1], t[2])}; });
    check_same({tall, v, c}, [](const Tensors& t) {
      return Tensors{ops::batch_norm(t[0], t[1], t[2], std::nullopt, std::nullopt, true, 0.1, 1e-5, false)};
    });
  }
  Tensor nan = waves({2, 100}, 0.3);
  nan.select(0, 1).select(0, 70).fill_(std::numeric_limits<double>::quiet_NaN());
  Tensor there = on_cpu(ops::softmax(nan.to(kCuda, kFloat), 1));
  CHECK(ops::equal(ops::isnan(there), ops::isnan(ops::softmax(nan, 1))));
}

TEST_CASE("rows that a block holds are read once, any other as before", "[cuda_sim]") {
  // Packs that no number of lanes divides, more rows than one, one row too long, and rows that begin beside a pack.
  for (std::int64_t size : {4, 132, 1500, 8192, 8196}) {
    INFO(size);
    Tensor x = waves({3, size}, 0.37) * 30, w = waves({size}, 0.7), b = waves({size}, 0.9);
    check_same({x, w, b}, [=](const Tensors& t) {
      return Tensors{ops::layer_norm(t[0], {size}, t[1], t[2]), ops::softmax(t[0], 1), ops::log_softmax(t[0], 1),
                     ops::rms_norm(t[0], {size}, t[1], 1e-5)};
    });
    for (ScalarType dtype : {kDouble, kHalf, kBFloat16})
      check_same(
          {x.to(dtype)},
          [=](const Tensors& t) {
            return Tensors{ops::softmax(t[0], 1).to(kFloat), ops::layer_norm(t[0], {size}).to(kFloat)};
          },
          false);
    Tensor beside = waves({1 + 2 * size}, 0.3);
    check_same(
        {beside},
        [=](const Tensors& t) {
          return Tensors{ops::softmax(t[0].narrow(0, 1, 2 * size).view({2, size}), 1)};
        },
        false);
  }
}

TEST_CASE("reductions along and across memory are the CPU's, for any dtype and place", "[cuda_sim]") {
  auto sums = [](const Tensors& t) {
    Tensors results;
    for (const Tensor& x : t)
      for (std::int64_t d = 0; d < x.dim(); ++d) {
        results.push_back(ops::sum(x, {d}));
        results.push_back(ops::amax(x, {d}));
        if (x.dtype() != kLong) results.push_back(ops::mean(x, {d}).to(kFloat));
      }
    for (const Tensor& x : t) results.push_back(ops::sum(x).to(kFloat));
    return results;
  };
  for (auto [rows, columns] : {std::pair<std::int64_t, std::int64_t>{37, 132}, {70, 33}, {300, 1025}, {3, 20003}}) {
    INFO(rows << " by " << columns);
    Tensor x = waves({rows, columns}, 0.37);
    check_same({x}, sums, false);
    check_same({x.to(kDouble)}, sums, false);
    check_same({(x * 100).to(kLong)}, sums, false);
    check_same(
        {(x > 0.99)},
        [](const Tensors& t) {
          return Tensors{ops::any(t[0], 0), ops::all(t[0], 1)};
        },
        false);
    for (ScalarType dtype : {kHalf, kBFloat16})
      check_same(
          {x.to(dtype)},
          [](const Tensors& t) {
            return Tensors{ops::sum(t[0], {0}, false, kFloat), ops::sum(t[0], {1}, false, kFloat)};
          },
          false);
    // Transposed, with gaps, and from beside a pack on.
    check_same(
        {x},
        [&](const Tensors& t) {
          return sums({t[0].t(), t[0].narrow(1, 1, columns - 1)});
        },
        false);
  }
  check_same({waves({5, 40, 64}, 0.37)}, sums, false);
}

TEST_CASE("lines that no number of blocks or lanes divides, with equal elements, are scanned as on the CPU",
          "[cuda_sim]") {
  for (std::int64_t size : {31, 70, 1025, 9001}) {
    INFO(size);
    Tensor x = ops::remainder(ops::arange(2 * size, "dtype"_a = kLong) * 7919, 13).reshape({2, size}) - 6;
    check_same(
        {x},
        [](const Tensors& t) {
          auto [most, at] = ops::cummax(t[0], 1);
          auto [least, where] = ops::cummin(t[0], 1);
          return Tensors{ops::cumsum(t[0], 1), most, at, least, where, ops::argmax(t[0], 1), ops::argmin(t[0], 1)};
        },
        false);
    Tensor y = waves({2, size}, 0.37);
    check_same(
        {y}, [](const Tensors& t) { return Tensors{ops::logcumsumexp(t[0] * 20, 1)}; }, size < 100);
    check_same(
        {y}, [](const Tensors& t) { return Tensors{ops::cumprod(t[0] * 0.01 + 1, 1)}; }, size < 100);
    check_same(
        {y},
        [](const Tensors& t) {
          return Tensors{ops::sum(t[0], {1}), ops::amax(t[0], {1})};
        },
        false);
    // A not-a-number stays from its place on.
    Tensor nan = y.clone();
    nan.select(1, size / 2).fill_(std::numeric_limits<double>::quiet_NaN());
    auto [a, b] = ops::cummax(nan, 1);
    auto [c, d] = ops::cummax(nan.to(kCuda, kFloat), 1);
    CHECK(ops::equal(on_cpu(d), b));
    CHECK(ops::allclose(on_cpu(c), a, 1e-5, 1e-6, true));
  }
}

TEST_CASE("tiles are written in any order of their blocks", "[cuda_sim]") {
  Tensor x = waves({70, 45}, 0.3);
  for (std::uint64_t seed : {2, 3}) {
    cuda::Executor::settings().seed = seed;
    CHECK(ops::equal(on_cpu(x.to(kCuda, kFloat).t().contiguous()), x.t()));
    CHECK(ops::allclose(on_cpu(ops::mm(x.to(kCuda, kFloat), x.t().to(kCuda, kFloat))), ops::mm(x, x.t()), 1e-4, 1e-4));
  }
  cuda::Executor::settings().seed = 1;
}

TEST_CASE("medians of whole numbers and beside not-a-numbers are the CPU's", "[cuda_sim]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tensor whole = ops::remainder(ops::arange(33, "dtype"_a = kLong) * 7, 33).reshape({3, 11}) - 8;
  Tensor x = waves({5, 9}, 0.7);
  x.select(0, 0).select(0, 3).fill_(nan);
  x.select(0, 1).fill_(nan);
  x.select(0, 2).slice(0, 1).fill_(nan);
  x.select(0, 3).slice(0, 0, 8).fill_(nan);
  for (const Tensor& t : {whole, whole.to(kInt), whole.to(kShort), x, x.to(kHalf), x.to(kDouble), x.slice(1, 0, 8)}) {
    auto [a, b] = ops::median(t, 1);
    auto [c, d] = ops::median(t.to(kCuda, t.dtype()), 1);
    CHECK(ops::allclose(on_cpu(c), a, 0, 0, true));
    CHECK(ops::equal(t.is_floating_point() ? d.to(kCPU, kLong).slice(0, 0, 1) : on_cpu(d),
                     t.is_floating_point() ? b.slice(0, 0, 1) : b));
    // The first not-a-number of each line that has one.
    if (t.is_floating_point()) CHECK(ops::equal(on_cpu(d).slice(0, 0, 4), tensor({3, 0, 1, 0})));
    auto [e, f] = ops::nanmedian(t, 1);
    auto [g, h] = ops::nanmedian(t.to(kCuda, t.dtype()), 1);
    CHECK(ops::allclose(on_cpu(g), e, 0, 0, true));
  }
  // Every size of element is written where it belongs.
  for (ScalarType dtype : {kChar, kByte, kShort, kInt, kLong, kHalf, kFloat, kDouble})
    for (bool descending : {false, true}) {
      INFO(dtype << descending);
      Tensor t = ops::remainder(ops::arange(40, "dtype"_a = kLong) * 7, 40).reshape({4, 10}).to(dtype);
      auto [a, b] = ops::sort(t, std::optional<bool>(true), 1, descending);
      auto [c, d] = ops::sort(t.to(kCuda, dtype), std::optional<bool>(true), 1, descending);
      CHECK(ops::equal(on_cpu(c), a));
      CHECK(ops::equal(on_cpu(d), b));
    }
}

TEST_CASE("operands that lie densely but at no multiple of a pack are no packs", "[cuda_sim]") {
  for (ScalarType dtype : {kFloat, kHalf, kBFloat16, kDouble})
    for (std::int64_t n : {1, 3, 5, 8, 37}) {
      INFO(dtype << n);
      Tensor x = waves({40}, 0.3).to(dtype), y = waves({40}, 0.7).to(dtype);
      Tensor a = x.to(kCuda, dtype), b = y.to(kCuda, dtype),
             out = ops::zeros({40}, "dtype"_a = dtype, "device"_a = kCuda);
      CHECK(ops::equal(on_cpu(a.slice(0, 1, 1 + n) + b.slice(0, 0, n)), x.slice(0, 1, 1 + n) + y.slice(0, 0, n)));
      CHECK(ops::equal(on_cpu(a.slice(0, 0, n) * b.slice(0, 3, 3 + n)), x.slice(0, 0, n) * y.slice(0, 3, 3 + n)));
      CHECK(ops::equal(on_cpu(a.slice(0, 0, n) > 0), x.slice(0, 0, n) > 0));
      Tensor part = out.slice(0, 1, 1 + n);
      ops::mul(a.slice(0, 0, n), b.slice(0, 0, n), "out"_a = part);
      Tensor here = on_cpu(out);
      CHECK(ops::equal(here.slice(0, 1, 1 + n), x.slice(0, 0, n) * y.slice(0, 0, n)));
      CHECK(ops::equal(here.slice(0, 1 + n), ops::zeros({39 - n}, "dtype"_a = dtype)));
      CHECK(here.select(0, 0).item<double>() == 0);
      // None of them.
      ops::add(a.slice(0, 1, 1 + n), b.slice(0, 1, 1 + n), "out"_a = part);
      CHECK(ops::equal(on_cpu(part), x.slice(0, 1, 1 + n) + y.slice(0, 1, 1 + n)));
    }
}

TEST_CASE("means count what padding and the last window's overhang have", "[cuda_sim]") {
  Tensor x = waves({2, 3, 9, 8}, 0.37);
  for (bool ceil : {false, true})
    for (bool padded : {false, true})
      check_same({x}, [=](const Tensors& t) {
        return Tensors{
            ops::avg_pool2d(t[0], IntArrayRef({3, 3}), IntArrayRef({2, 3}), IntArrayRef({1, 1}), ceil, padded)};
      });
  check_same({x}, [](const Tensors& t) {
    return Tensors{ops::avg_pool2d(t[0], IntArrayRef({2, 3}), IntArrayRef({2, 2}), IntArrayRef({1, 0}), true, true, 5)};
  });
}

TEST_CASE("losses at the ends of their ranges are the CPU's", "[cuda_sim]") {
  Tensor p = tensor({0.0f, 1.0f, 0.0f, 1.0f, 0.3f}), y = tensor({1.0f, 0.0f, 0.0f, 1.0f, 0.6f}),
         w = tensor({1.0f, 2.0f, 3.0f, 4.0f, 5.0f});
  for (std::int64_t reduction : {0, 1, 2}) {
    check_same({p}, [=](const Tensors& t) {
      Device d = t[0].device();
      return Tensors{ops::binary_cross_entropy(t[0], y.to(d, kFloat), w.to(d, kFloat), reduction)};
    });
    Tensor x = waves({7}, 0.9) * 40, sign = ops::sign(waves({7}, 1.7));
    check_same({x, sign},
               [=](const Tensors& t) { return Tensors{ops::soft_margin_loss(t[0], t[1].detach(), reduction)}; });
    Tensor rows = waves({70, 5}, 0.37), classes = ops::remainder(ops::arange(70, "dtype"_a = kLong) * 3, 5),
           weight = ops::abs(waves({5}, 0.7)) + 0.1;
    check_same({rows, classes, weight},
               [=](const Tensors& t) { return Tensors{ops::nll_loss(t[0], t[1], t[2].detach(), reduction, 2)}; });
  }
  for (std::int64_t bad : {0, 1, 4}) {
    Tensor targets = ops::zeros({5}, "dtype"_a = kLong), q = p * 0.5;
    targets.select(0, bad).fill_(9);
    CHECK_THROWS_AS(ops::nll_loss(waves({5, 3}, 0.3).to(kCuda, kFloat), targets.to(kCuda, kLong)), IndexError);
    q.select(0, bad).fill_(1.5);
    CHECK_THROWS(ops::binary_cross_entropy(q.to(kCuda, kFloat), y.to(kCuda, kFloat)));
  }
}

TEST_CASE("a bad place is told wherever it stands", "[cuda_sim]") {
  Tensor x = waves({6, 3}, 0.3).to(kCuda, kFloat);
  for (std::int64_t bad : {0, 1, 2, 5}) {
    Tensor at = ops::zeros({6}, "dtype"_a = kLong);
    at.select(0, bad).fill_(6);
    Tensor there = at.to(kCuda, kLong), columns = at.reshape({6, 1}).to(kCuda, kLong);
    CHECK_THROWS_AS(ops::index_select(x, 0, there), IndexError);
    CHECK_THROWS_AS(ops::gather(x, 0, columns), IndexError);
    CHECK_THROWS_AS(ops::scatter_add(x, 0, columns, columns.to(kFloat)), IndexError);
    CHECK_THROWS_AS(ops::index(x, std::vector<std::optional<Tensor>>{there}), IndexError);
  }
}

TEST_CASE("copies turn signs and imaginary parts between any dtypes", "[cuda_sim]") {
  Tensor z = ops::complex(waves({5, 7}, 0.3), waves({5, 7}, 0.9)), w = z.to(kComplexDouble);
  for (const Tensor& t : {z, w}) {
    Tensor there = t.to(kCuda, t.dtype());
    CHECK(ops::equal(on_cpu(ops::resolve_conj(there.conj())), ops::resolve_conj(t.conj())));
    CHECK(ops::equal(on_cpu(ops::resolve_neg(ops::_neg_view(there))), -t));
    CHECK(ops::equal(on_cpu(ops::resolve_neg(ops::_neg_view(there.conj()))), -ops::resolve_conj(t.conj())));
    CHECK(ops::allclose(on_cpu(there.conj().to(kComplexDouble)), ops::resolve_conj(t.conj()).to(kComplexDouble)));
    CHECK(ops::equal(on_cpu(there.to(kBool)), t.to(kBool)));
    for (const Tensor& one :
         {ops::complex(ops::real(t), ops::imag(t) * 0), ops::complex(ops::real(t) * 0, ops::imag(t))})
      CHECK(ops::equal(on_cpu(one.to(kCuda, one.dtype()).to(kBool)), one.to(kBool)));
    // Kernels get what is shown, whoever marked it.
    CHECK(ops::allclose(on_cpu(there.conj() * there), t.conj() * t));
    CHECK(ops::allclose(on_cpu(ops::sum(there.conj(), {1})), ops::sum(t.conj(), {1})));
    CHECK(ops::allclose(on_cpu(ops::mm(there, there.conj().t())), ops::mm(t, t.conj().t())));
    CHECK(ops::allclose(on_cpu(ops::cat({there.conj(), there})), ops::cat({t.conj(), t})));
    CHECK(ops::allclose(on_cpu(ops::index_select(there.conj(), 0, tensor({1, 0}).to(kCuda, kLong))),
                        ops::index_select(t.conj(), 0, tensor({1, 0}))));
    CHECK(ops::allclose(on_cpu(ops::cumsum(there.conj(), 1)), ops::cumsum(t.conj(), 1)));
    Tensor imaginary = ops::imag(there.conj()), expected = ops::imag(t.conj());
    CHECK(imaginary.is_neg());
    CHECK(ops::allclose(on_cpu(std::get<0>(ops::sort(imaginary, 1))), std::get<0>(ops::sort(expected, 1))));
    CHECK(ops::allclose(on_cpu(ops::softmax(imaginary, 1)), ops::softmax(expected, 1)));
    CHECK(ops::allclose(on_cpu(imaginary.to(kHalf)).to(kFloat), expected.to(kHalf).to(kFloat)));
    CHECK(imaginary.to(kCPU, kFloat).select(0, 1).select(0, 1).item<float>() ==
          Approx(expected.select(0, 1).select(0, 1).item<double>()));
    Tensor to = ops::zeros_like(there);
    to.conj().copy_(there);
    CHECK(ops::allclose(on_cpu(to), ops::resolve_conj(t.conj())));
  }
}

TEST_CASE("a layer of an LSTM has the CPU's states and gradients", "[cuda_sim]") {
  Tensor x = waves({9, 3}, 0.7), h = waves({4, 5}, 0.3), c = waves({4, 5}, 0.9), w_ih = waves({20, 3}, 0.5),
         w_hh = waves({20, 5}, 0.21), b = waves({20}, 1.1);
  const std::int64_t rows[] = {4, 3, 2};
  for (bool reverse : {false, true})
    for (int k : {0, 1, 2})
      check_same({x, h, c, w_ih, w_hh, b}, [&](const Tensors& t) {
        auto [y, hn, cn, workspace] =
            ops::_lstm_layer(t[0], t[1], t[2], t[3], t[4], t[5], t[5], IntArrayRef(rows, 3), reverse);
        return Tensors{k == 0 ? y : k == 1 ? hn : cn, y, hn, cn};
      });
}
