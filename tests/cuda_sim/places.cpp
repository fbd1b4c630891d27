// What is read, written and reduced at places, sliding blocks, distances and draws by weights: as on the CPU.
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

Tensor indices(IntArrayRef sizes, std::int64_t below) {
  std::int64_t n = 1;
  for (std::int64_t s : sizes) n *= s;
  return ops::remainder(ops::arange(n) * 7 + 3, below).reshape(sizes);
}
using F = std::function<Tensor(const Tensor& x, const std::vector<Tensor>& rest)>;
/// f gives the same on both devices, and so does its gradient by x where that is of floats.
void check_same(const Tensor& x, const std::vector<Tensor>& rest, const F& f, bool gradient = true) {
  Tensor here = x.clone(), there = x.to(kCuda, x.dtype());
  std::vector<Tensor> moved;
  for (const Tensor& t : rest) moved.push_back(t.to(kCuda, t.dtype()));
  gradient = gradient && x.is_floating_point();
  if (gradient) {
    here.requires_grad_();
    there.requires_grad_();
  }
  Tensor a = f(here, rest), b = f(there, moved);
  CHECK(b.device() == kCuda);
  CHECK(b.dtype() == a.dtype());
  INFO("expected " << a << ", got " << on_cpu(b));
  CHECK(ops::allclose(on_cpu(b.detach()), a.detach(), 1e-4, 1e-5));
  if (!gradient) return;
  Tensor weight = waves(a.sizes(), 0.9);
  ops::sum(a * weight).backward();
  ops::sum(b * weight.to(kCuda, kFloat)).backward();
  CHECK(ops::allclose(on_cpu(there.grad()), here.grad(), 1e-3, 1e-4));
}

}  // namespace

TEST_CASE("elements are taken, put and filled by flat places and along an index", "[cuda_sim]") {
  Tensor x = waves({4, 5}, 0.7), at = tensor({3, -1, 0, 7, 7, -20}).reshape({2, 3});
  check_same(x, {at}, [](const Tensor& t, const auto& r) { return ops::take(t, r[0]); });
  check_same(x.transpose(0, 1), {at}, [](const Tensor& t, const auto& r) { return ops::take(t, r[0]); });
  Tensor once = ops::arange(6).reshape({2, 3}) * 3 - 4, values = waves({2, 3}, 1.7);
  check_same(x, {once, values}, [](const Tensor& t, const auto& r) { return ops::put(t, r[0], r[1]); });
  check_same(x, {at, values}, [](const Tensor& t, const auto& r) { return ops::put(t, r[0], r[1], true); });
  Tensor halves = x.to(kHalf);
  check_same(
      halves, {at, values.to(kHalf)}, [](const Tensor& t, const auto& r) { return ops::put(t, r[0], r[1], true); },
      false);
  Tensor rows = tensor({2, -1});
  for (std::int64_t dim : {0, 1, -1})
    check_same(x, {rows}, [=](const Tensor& t, const auto& r) { return ops::index_fill(t, dim, r[0], 2.5); });
  check_same(x, {rows}, [](const Tensor& t, const auto& r) {
    return ops::index_fill(t, 0, r[0], ops::full({}, 4.0, "device"_a = t.device()));
  });
  Tensor there = x.to(kCuda, kFloat), far = ops::full({1}, 20, "dtype"_a = kLong).to(kCuda, kLong);
  CHECK_THROWS_AS(ops::take(there, far), IndexError);
  CHECK_THROWS_AS(ops::index_fill(there, 0, far, 1.0), IndexError);
}

TEST_CASE("elements are reduced into places in each way", "[cuda_sim]") {
  Tensor x = waves({4, 5}, 0.7), at = indices({3, 5}, 4), src = waves({6, 5}, 1.3);
  for (const char* way : {"sum", "prod", "mean", "amax", "amin"})
    for (bool with_self : {true, false}) {
      INFO(way << with_self);
      auto f = [=](const Tensor& t, const auto& r) { return ops::scatter_reduce(t, 0, r[0], r[1], way, with_self); };
      check_same(x, {at, src}, f, false);
      check_same((x * 10).to(kInt), {at, (src * 10).to(kInt)}, f, false);
      check_same(
          x.to(kDouble).transpose(0, 1), {at.transpose(0, 1), src.to(kDouble).transpose(0, 1)},
          [=](const Tensor& t, const auto& r) { return ops::scatter_reduce(t, 1, r[0], r[1], way, with_self); }, false);
    }
  Tensor z = ops::complex(x, x + 1), by = ops::complex(src, src * 2);
  check_same(
      z, {at, by},
      [](const Tensor& t, const auto& r) {
        return ops::scatter(t, 0, r[0], r[1].slice(0, 0, 3), "reduce"_a = "multiply");
      },
      false);
  Tensor rows = tensor({3, 0, 3}), source = waves({3, 5}, 0.4);
  for (const char* way : {"prod", "mean", "amax", "amin"})
    check_same(
        x, {rows, source}, [=](const Tensor& t, const auto& r) { return ops::index_reduce(t, 0, r[0], r[1], way); },
        false);
  check_same(
      x, {at, src},
      [](const Tensor& t, const auto& r) {
        return ops::scatter(t, 0, r[0], r[1].slice(0, 0, 3), "reduce"_a = "multiply");
      },
      false);
  Tensor there = x.to(kCuda, kFloat), far = ops::full({1, 1}, 4, "dtype"_a = kLong).to(kCuda, kLong);
  CHECK_ERROR(ops::scatter_reduce(there, 0, far, there, "amax"), IndexError,
              "index 4 is out of bounds for dimension 0 with size 4");
}

TEST_CASE("sliding blocks become columns, and columns images", "[cuda_sim]") {
  Tensor x = waves({2, 3, 7, 6}, 0.31);
  auto columns = [](const Tensor& t, const auto&) {
    return ops::im2col(t, IntArrayRef({3, 2}), IntArrayRef({1, 2}), IntArrayRef({1, 0}), IntArrayRef({2, 1}));
  };
  check_same(x, {}, columns);
  check_same(x.select(0, 1), {}, columns);
  Tensor c = columns(x, std::vector<Tensor>{});
  check_same(c, {}, [](const Tensor& t, const auto&) {
    return ops::col2im(t, IntArrayRef({7, 6}), IntArrayRef({3, 2}), IntArrayRef({1, 2}), IntArrayRef({1, 0}),
                       IntArrayRef({2, 1}));
  });
}

TEST_CASE("distances between rows are the CPU's for every norm", "[cuda_sim]") {
  Tensor a = waves({2, 4, 3}, 0.7), b = waves({5, 3}, 1.1);
  for (double p : {0.0, 0.5, 1.0, 2.0, 3.0, std::numeric_limits<double>::infinity()}) {
    INFO(p);
    check_same(a, {b}, [=](const Tensor& t, const auto& r) { return ops::cdist(t, r[0], p); });
    check_same(b, {}, [=](const Tensor& t, const auto&) { return ops::pdist(t, p); });
  }
}

TEST_CASE("gated units halve a dimension", "[cuda_sim]") {
  check_same(waves({4, 6}, 0.7), {}, [](const Tensor& t, const auto&) { return ops::glu(t, 1); });
  check_same(waves({4, 6}, 0.7), {}, [](const Tensor& t, const auto&) { return ops::glu(t, 0); });
}

TEST_CASE("places are drawn in the share of their weights", "[cuda_sim]") {
  manual_seed(4);
  Tensor weights = tensor({0.0f, 1.0f, 3.0f, 0.0f, 4.0f}).to(kCuda, kFloat);
  Tensor drawn = ops::multinomial(weights, 4000, true);
  CHECK(drawn.dtype() == kLong);
  Tensor counts = ops::bincount(on_cpu(drawn), std::nullopt, 5).to(kDouble) / 4000.0;
  double expected[] = {0, 0.125, 0.375, 0, 0.5};
  for (std::int64_t i = 0; i < 5; ++i) CHECK(counts.select(0, i).item<double>() == Approx(expected[i]).margin(0.03));
  Tensor rows = ops::ones({20, 6}, "device"_a = kCuda);
  Tensor each = std::get<0>(ops::sort(on_cpu(ops::multinomial(rows, 6)), 1));
  CHECK(ops::equal(each, ops::expand(ops::arange(6), {20, 6})));  // no place twice
  CHECK(ops::max(on_cpu(ops::multinomial(rows, 1))).item<std::int64_t>() < 6);
  CHECK_ERROR_CONTAINS(ops::multinomial(weights - 1.0, 2), ValueError, "either `inf`, `nan` or element < 0");
  CHECK_ERROR_CONTAINS(ops::multinomial(weights * 0, 2), ValueError, "sum of probabilities <= 0");
}

TEST_CASE("bags of rows and their gradients are the CPU's", "[cuda_sim]") {
  Tensor table = waves({7, 3}, 0.7), at = indices({9}, 7), offsets = tensor({0, 2, 2, 6});
  for (std::int64_t mode : {0, 1, 2})
    for (std::int64_t padding : {-1, 3}) {
      INFO("mode " << mode << ", padding " << padding);
      check_same(table, {at, offsets}, [=](const Tensor& t, const auto& r) {
        return std::get<0>(padding < 0
                               ? ops::embedding_bag(t, r[0], r[1], mode == 1, mode)
                               : ops::embedding_bag(t, r[0], r[1], false, mode, false, std::nullopt, false, padding));
      });
    }
  check_same(table, {at, tensor({0, 2, 2, 6})}, [](const Tensor& t, const auto& r) {
    return std::get<0>(ops::embedding_bag(t, r[0], r[1], false, 1, false, std::nullopt, true));
  });
  Tensor scales = waves({9}, 1.9);
  check_same(table, {at, offsets, scales}, [](const Tensor& t, const auto& r) {
    return std::get<0>(ops::embedding_bag(t, r[0], r[1], false, 0, false, r[2]));
  });
  check_same(scales, {at, offsets, table}, [](const Tensor& t, const auto& r) {
    return std::get<0>(ops::embedding_bag(r[2], r[0], r[1], false, 0, false, t));
  });
  for (std::int64_t mode : {0, 1, 2}) {
    INFO("mode " << mode);
    auto here = ops::_embedding_bag(table, at, offsets, false, mode);
    auto on_device =
        ops::_embedding_bag(table.to(kCuda, kFloat), at.to(kCuda, kLong), offsets.to(kCuda, kLong), false, mode);
    CHECK(ops::allclose(on_cpu(std::get<0>(on_device)), std::get<0>(here)));
    CHECK(ops::equal(on_cpu(std::get<2>(on_device)), std::get<2>(here)));
    CHECK(ops::equal(on_cpu(std::get<3>(on_device)), std::get<3>(here)));
  }
  Tensor there = table.to(kCuda, kFloat), far = ops::full({2}, 7, "dtype"_a = kLong).to(kCuda, kLong);
  CHECK_ERROR_CONTAINS(ops::embedding_bag(there, far, tensor({0}).to(kCuda, kLong)), IndexError, "index out of range");
  CHECK_ERROR_CONTAINS(ops::embedding_bag(there, far * 0, tensor({1}).to(kCuda, kLong)), IndexError, "offsets");
}

TEST_CASE("places in sorted lines, and members of sets, are the CPU's", "[cuda_sim]") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Tensor lines = tensor({{-2., 0., 0., 3., 7.}, {-9., -9., 1., 2., 2.}}),
         sought = tensor({{0., 3., 8.}, {-9., 2., -10.}}), order = tensor({{4, 2, 0, 1, 3}, {1, 0, 4, 3, 2}});
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kInt, kLong, kChar})
    for (bool right : {false, true}) {
      INFO(dtype << right);
      Tensor x = lines.to(dtype), one = x.select(0, 1);
      auto find = [=](const Tensor& t, const std::vector<Tensor>& rest) {
        return ops::searchsorted(t, rest[0], "right"_a = right);
      };
      check_same(x, {sought.to(dtype)}, find, false);
      check_same(x, {sought.to(dtype).t().contiguous().t()}, find, false);
      check_same(one, {sought.to(dtype).unsqueeze(0)}, find, false);
      check_same(
          one, {sought.to(dtype)},
          [=](const Tensor& t, const std::vector<Tensor>& rest) {
            return ops::bucketize(rest[0], t, "out_int32"_a = true, "right"_a = right);
          },
          false);
      check_same(
          one, {},
          [=](const Tensor& t, const std::vector<Tensor>&) {
            return ops::searchsorted(t, Scalar(2), "right"_a = right);
          },
          false);
    }
  // By an order of places: as if the line had that order.
  Tensor turned = ops::empty_like(lines);
  ops::scatter_(turned, 1, order, lines);
  for (const char* side : {"left", "right"}) {
    INFO(side);
    check_same(
        turned, {sought, order},
        [=](const Tensor& t, const std::vector<Tensor>& rest) {
          return ops::searchsorted(t, rest[0], "side"_a = side, "sorter"_a = rest[1]);
        },
        false);
  }
  CHECK_ERROR_CONTAINS(
      ops::searchsorted(lines.to(kCuda, kFloat), sought.to(kCuda, kFloat), "sorter"_a = (order + 1).to(kCuda, kLong)),
      IndexError, "sorter index out of range");
  // Not-a-numbers stand last, and are members of nothing.
  Tensor numbers = tensor({1., 2., nan, nan}).to(kFloat), some = tensor({nan, 2., 5., 1.}).to(kFloat);
  check_same(
      numbers, {some}, [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::searchsorted(t, rest[0]); },
      false);
  for (bool invert : {false, true}) {
    auto in = [=](const Tensor& t, const std::vector<Tensor>& rest) {
      return ops::isin(t, rest[0], "invert"_a = invert);
    };
    check_same(some, {numbers}, in, false);
    check_same(indices({4, 9}, 30), {indices({7}, 30)}, in, false);
    check_same(some, {ops::empty({0})}, in, false);
    check_same(
        some, {},
        [=](const Tensor& t, const std::vector<Tensor>&) { return ops::isin(t, Scalar(5), "invert"_a = invert); },
        false);
    check_same(
        some, {},
        [=](const Tensor& t, const std::vector<Tensor>&) { return ops::isin(Scalar(5), t, "invert"_a = invert); },
        false);
  }
}

TEST_CASE("elements go to the places that a mask chooses, and come back", "[cuda_sim]") {
  Tensor x = waves({4, 5}, 0.3), mask = ops::gt(waves({4, 5}, 1.7), 0.2), row = ops::gt(waves({5}, 1.7), 0.2);
  for (const Tensor& m : {mask, row}) {
    check_same(x, {m, waves({30}, 0.9)}, [](const Tensor& t, const std::vector<Tensor>& rest) {
      return ops::masked_scatter(t, rest[0], rest[1]);
    });
    check_same(waves({5, 6}, 0.9), {x, m}, [](const Tensor& t, const std::vector<Tensor>& rest) {
      return ops::masked_scatter(rest[0], rest[1], t);
    });
  }
  check_same(
      x, {ops::zeros({4, 5}).to(kBool), ops::empty({0})},
      [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::masked_scatter(t, rest[0], rest[1]); }, false);
  CHECK_ERROR_CONTAINS(ops::masked_scatter(x.to(kCuda, kFloat), mask.to(kCuda, kBool), waves({2}, 1).to(kCuda, kFloat)),
                       ValueError, "Number of elements of source < number of ones in mask");
}

TEST_CASE("sums of products, outer and cross products are the CPU's", "[cuda_sim]") {
  Tensor a = waves({3, 4, 5}, 0.3), b = waves({3, 5, 2}, 0.7), m = waves({4, 2}, 0.9);
  for (double beta : {0.0, 0.5})
    check_same(m, {a, b}, [=](const Tensor& t, const std::vector<Tensor>& rest) {
      return ops::addbmm(t, rest[0], rest[1], beta, 2);
    });
  check_same(m, {a.slice(0, 0, 0), b.slice(0, 0, 0)},
             [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::addbmm(t, rest[0], rest[1], 0.5); });
  // Of several tiles each.
  check_same(waves({3, 20, 35}, 0.3), {waves({3, 35, 18}, 0.7), waves({3, 20, 18}, 0.9)},
             [](const Tensor& t, const std::vector<Tensor>& rest) {
               return ops::baddbmm(rest[1], t, rest[0], "beta"_a = 0.5, "alpha"_a = 2);
             });
  for (double beta : {0.0, 3.0})
    check_same(m, {waves({4}, 0.2), waves({2}, 0.8)}, [=](const Tensor& t, const std::vector<Tensor>& rest) {
      return ops::addr(t, rest[0], rest[1], beta, 2);
    });
  check_same(
      ops::gt(m, 0), {ops::gt(waves({4}, 0.2), 0), ops::gt(waves({2}, 0.8), 0)},
      [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::addr(t, rest[0], rest[1], true, true); },
      false);
  check_same(waves({4, 3, 2}, 0.3), {waves({4, 3, 2}, 0.7)}, [](const Tensor& t, const std::vector<Tensor>& rest) {
    return ops::linalg_cross(t, rest[0], "dim"_a = 1);
  });
  check_same(
      indices({4, 5}, 100).to(kChar), {indices({5, 3}, 90).to(kChar)},
      [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::_int_mm(t, rest[0]); }, false);
  check_same(waves({20}, 0.3) * 100, {}, [](const Tensor& t, const std::vector<Tensor>&) {
    return ops::round(t, "decimals"_a = 2) + ops::round(t, "decimals"_a = -1);
  });
}

TEST_CASE("what the host computes comes back to the device with its gradients", "[cuda_sim]") {
  Tensor x = waves({4, 4}, 0.9) + ops::eye(4) * 4.0;
  check_same(x, {}, [](const Tensor& t, const std::vector<Tensor>&) { return ops::linalg_inv(t); });
  check_same(x, {waves({4, 2}, 0.3)},
             [](const Tensor& t, const std::vector<Tensor>& rest) { return ops::linalg_solve(t, rest[0]); });
  check_same(x, {}, [](const Tensor& t, const std::vector<Tensor>&) {
    auto [q, r] = ops::linalg_qr(t);
    return ops::mm(q, r * 2);
  });
  check_same(x, {}, [](const Tensor& t, const std::vector<Tensor>&) { return ops::linalg_det(t); });
  check_same(x, {}, [](const Tensor& t, const std::vector<Tensor>&) { return ops::linalg_matrix_exp(t * 0.1); });
  check_same(x, {}, [](const Tensor& t, const std::vector<Tensor>&) { return ops::view_as_real(ops::fft_rfft(t)); });
  check_same(
      indices({3, 7}, 5), {}, [](const Tensor& t, const std::vector<Tensor>&) { return std::get<0>(ops::mode(t)); },
      false);
  check_same(
      indices({30}, 5), {}, [](const Tensor& t, const std::vector<Tensor>&) { return std::get<0>(ops::_unique2(t)); },
      false);
  Tensor ends = ops::linspace(0, 3, 7, "device"_a = kCuda);
  CHECK(ends.device() == kCuda);
  CHECK(ops::allclose(on_cpu(ends), ops::linspace(0, 3, 7)));
  Tensor into = ops::empty({0}, "device"_a = kCuda);
  CHECK(ops::linalg_matrix_exp(x.to(kCuda, kFloat), "out"_a = into).is_same(into));
  CHECK(ops::allclose(on_cpu(into), ops::linalg_matrix_exp(x), 1e-4, 1e-4));
}

TEST_CASE("items are counted in few bins and in many, with weights and without", "[cuda_sim]") {
  Tensor list = indices({5000}, 977);
  for (std::int64_t most : {0, 3000}) {
    check_same(list, {}, [=](const Tensor& t, const auto&) { return ops::bincount(t, std::nullopt, most); });
    check_same(list, {waves({5000}, 0.3)},
               [=](const Tensor& t, const auto& r) { return ops::bincount(t, r[0], most); });
  }
  Tensor x = waves({700}, 0.7), outside = tensor({-3.0f, 0.25f, 0.5f, 1.0f, 9.0f});
  for (const Tensor& t : {x, outside, x.to(kHalf)})
    check_same(
        t, {}, [](const Tensor& a, const auto&) { return ops::histc(a, 7, -0.5, 1); }, false);
  check_same(
      x, {}, [](const Tensor& t, const auto&) { return ops::histc(t, 4000); }, false);
  check_same(
      x, {x * x},
      [](const Tensor& t, const auto& r) { return std::get<0>(ops::histogram(t, 9, std::nullopt, r[0], true)); },
      false);
  Tensor points = waves({300, 2}, 0.31), edges = tensor({-0.9f, -0.5f, 0.0f, 0.8f});
  check_same(
      points, {},
      [](const Tensor& t, const auto&) {
        return std::get<0>(ops::histogramdd(t, IntArrayRef({3, 5})));
      },
      false);
  check_same(
      points, {edges, waves({300}, 0.2)},
      [](const Tensor& t, const auto& r) {
        return std::get<0>(ops::histogramdd(t, TensorList({r[0], r[0]}), std::nullopt, r[1], true));
      },
      false);
  CHECK_ERROR_CONTAINS(ops::bincount(tensor({1, -1}).to(kCuda, kLong)), ValueError,
                       "bincount only supports 1-d non-negative integral inputs.");
  CHECK_ERROR_CONTAINS(ops::histc(ops::full({2}, std::nan(""), "device"_a = kCuda)), ValueError,
                       "torch.histc: range of [nan, nan] is not finite");
}

TEST_CASE("elements and rows without repetitions are the CPU's, with places and counts", "[cuda_sim]") {
  auto same = [](const Tensor& x, auto f) {
    auto [a, b, c] = f(x);
    auto [d, e, g] = f(x.to(kCuda, x.dtype()));
    CHECK(d.device() == kCuda);
    INFO("expected " << a << ", got " << on_cpu(d));
    CHECK(ops::allclose(on_cpu(d).to(kCPU, kDouble), a.to(kCPU, kDouble), 0.0, 0.0, true));
    CHECK(ops::equal(on_cpu(e), b));
    CHECK(ops::equal(on_cpu(g), c));
  };
  Tensor x = indices({600}, 37), odd = tensor({1.0f, std::nanf(""), -0.0f, 0.0f, std::nanf(""), 1.0f});
  for (const Tensor& t : {x, x.reshape({20, 30}), odd, x.to(kBool), ops::zeros({0})}) {
    same(t, [](const Tensor& a) { return ops::_unique2(a, true, true, true); });
    same(t, [](const Tensor& a) { return ops::unique_consecutive(a, true, true); });
  }
  Tensor rows = ops::cat({indices({90, 3}, 4), indices({11, 3}, 4)});
  for (const Tensor& t : {rows, rows.to(kDouble), rows.to(kHalf), rows.to(kByte)})
    for (std::int64_t dim : {0, 1}) {
      same(t, [=](const Tensor& a) { return ops::unique_dim(a, dim, true, true, true); });
      same(t, [=](const Tensor& a) { return ops::unique_dim_consecutive(a, dim, true, true); });
    }
  same(ops::stack({odd, odd}, 1), [](const Tensor& a) { return ops::unique_dim(a, 0, true, true, true); });
  CHECK_ERROR_CONTAINS(ops::unique_dim(ops::zeros({2, 0}, "device"_a = kCuda), 0), ValueError,
                       "There are 0 sized dimensions, and they aren't selected, so unique cannot be applied");
}

TEST_CASE("modes, exponents and counted numbers are the CPU's", "[cuda_sim]") {
  auto place = [](std::int64_t dim) {
    return [=](const Tensor& t, const auto&) { return std::get<1>(ops::mode(t, dim)); };
  };
  Tensor x = indices({3, 700}, 53), even = ops::zeros({2, 90}, "dtype"_a = kLong);
  for (std::int64_t dim : {0, 1})
    for (const Tensor& t : {x, even, x.to(kFloat)}) {
      check_same(
          t, {}, [=](const Tensor& a, const auto&) { return std::get<0>(ops::mode(a, dim)); }, false);
      // In long lines the CPU takes any of the places.
      check_same(t.slice(1, 0, 12), {}, place(dim), false);
    }
  CHECK(on_cpu(std::get<1>(ops::mode(even.to(kCuda, kLong), 1))).select(0, 1).item<std::int64_t>() == 89);
  Tensor odd = tensor({0.0, -3.5, 1e-310, std::numeric_limits<double>::infinity(), 1024.0});
  for (int k : {0, 1})
    check_same(
        odd, {},
        [=](const Tensor& t, const auto&) {
          auto [m, e] = ops::frexp(t);
          return k == 0 ? m : e;
        },
        false);
  check_same(waves({4, 5}, 0.7).t(), {}, [](const Tensor& t, const auto&) { return std::get<0>(ops::frexp(t)); });
  auto counted = [](auto f) {
    Tensor there = f(kCuda), here = f(Device(kCPU));
    CHECK(there.device() == kCuda);
    CHECK(ops::allclose(on_cpu(there), here));
  };
  for (ScalarType dtype : {kLong, kByte, kHalf, kDouble}) {
    counted([=](Device d) { return ops::arange(3, 60, 2, "dtype"_a = dtype, "device"_a = d); });
    counted([=](Device d) { return ops::linspace(3, 60, 7, "dtype"_a = dtype, "device"_a = d); });
  }
  counted([](Device d) { return ops::logspace(-1.5, 2, 9, 2.0, "device"_a = d); });
  counted([](Device d) { return ops::logspace(2, 3, 1, 2.0, "device"_a = d); });
  Tensor columns = ops::zeros({6, 2}, "device"_a = kCuda), column = columns.select(1, 1);
  ops::arange(6, "out"_a = column);
  CHECK(on_cpu(columns).sum().item<double>() == 15);
}

TEST_CASE("segments are reduced as on the CPU, by lengths and by offsets", "[cuda_sim]") {
  Tensor x = waves({2, 9, 3}, 0.7), lengths = tensor({4, 0, 5, 2, 3, 4}).reshape({2, 3});
  x.select(0, 1).select(0, 3).fill_(0);
  Tensor at = ops::cat({ops::zeros({2, 1}, "dtype"_a = kLong), lengths.cumsum(1)}, 1);
  for (const char* by : {"sum", "mean", "prod", "max", "min"}) {
    check_same(x, {lengths}, [=](const Tensor& t, const auto& r) {
      return ops::segment_reduce(t, by, "lengths"_a = r[0], "axis"_a = 1, "initial"_a = 1.5);
    });
    check_same(x, {at}, [=](const Tensor& t, const auto& r) {
      return ops::segment_reduce(t, by, "offsets"_a = r[0], "axis"_a = 1, "initial"_a = 0.5);
    });
  }
  // Nothing has no mean.
  Tensor means =
      on_cpu(ops::segment_reduce(x.to(kCuda, kFloat), "mean", "lengths"_a = lengths.to(kCuda, kLong), "axis"_a = 1));
  CHECK(ops::isnan(means).select(0, 0).sum().item<std::int64_t>() == 3);
  CHECK(ops::isnan(means).sum().item<std::int64_t>() == 3);
  auto refuses = [&](const Tensor& list, const char* words) {
    CHECK_ERROR_CONTAINS(
        ops::segment_reduce(x.select(0, 0).to(kCuda, kFloat), "sum", "lengths"_a = list.to(kCuda, kLong)), ValueError,
        words);
  };
  refuses(tensor({4, -1, 6}), "lengths contains negative value!");
  refuses(tensor({4, 1}), "segment_reduce(): Expected all rows of lengths along axis to sum to");
}

TEST_CASE("the first places that are not zero are found without waiting, and places repeated", "[cuda_sim]") {
  Tensor x = indices({5, 7}, 3);
  for (std::int64_t size : {0, 4, 60})
    check_same(x, {}, [=](const Tensor& t, const auto&) {
      return ops::nonzero_static(t, "size"_a = size, "fill_value"_a = -2);
    });
  check_same(tensor({2, 0, 3, 1}), {}, [](const Tensor& t, const auto&) { return ops::repeat_interleave(t); });
  CHECK_ERROR_CONTAINS(ops::repeat_interleave(tensor({2, -1}).to(kCuda, kLong)), ValueError,
                       "repeats can not be negative");
  CHECK_ERROR_CONTAINS(ops::repeat_interleave(tensor({2, 1}).to(kCuda, kLong), "output_size"_a = 4), ValueError,
                       "allocated size does not match required size");
}
