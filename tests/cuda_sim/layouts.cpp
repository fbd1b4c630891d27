// Kernels that read and write 16 bytes at a time where elements lie for it: as on the CPU for any place, length and
// dtype.
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <tenon/cuda/elements.hpp>
#include <tenon/cuda/packs.hpp>
#include <tenon/tenon.hpp>

#include "device.hpp"
#include "support.hpp"

using namespace tenon;
using namespace tenon::test;

namespace {

using Places = std::vector<std::optional<Tensor>>;
/// f gives the same results on both devices.
void check_same(const Tensor& x, const std::function<Tensors(const Tensor&)>& f) {
  Tensors a = f(x), b = f(there(x));
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("result " << i << " of " << x.dtype());
    CHECK(b[i].device() == kCuda);
    CHECK(b[i].dtype() == a[i].dtype());
    bool small = is_reduced_floating_type(a[i].dtype());
    CHECK(ops::allclose(on_cpu(b[i]).to(kDouble), a[i].to(kDouble), small ? 1e-2 : 1e-5, small ? 1e-2 : 1e-5));
  }
}

}  // namespace

TEST_CASE("the element of a number lies where the steps of a walk say", "[cuda_sim]") {
  // The second walk has more elements than 32 bits count, whose numbers no narrow division finds.
  for (std::int64_t outer : {7, 60000}) {
    INFO(outer);
    cuda::Walk walk;
    walk.dims = 3;
    std::int64_t sizes[] = {outer, 50021, 3}, steps[2][3] = {{4, 1 << 20, 12}, {24, 0, -8}};
    walk.count = sizes[0] * sizes[1] * sizes[2];
    for (int d = 0; d < 3; ++d) {
      walk.size[d] = sizes[d];
      for (int k = 0; k < 2; ++k) walk.step[k][d] = steps[k][d];
    }
    for (std::int64_t at : {std::int64_t{0}, outer / 2, outer - 1})
      for (std::int64_t middle : {0, 1, 50020})
        for (std::int64_t last : {0, 2}) {
          cuda::Offsets<2> offsets(walk, (at * sizes[1] + middle) * sizes[2] + last);
          for (int k = 0; k < 2; ++k)
            CHECK(offsets.at[k] == at * steps[k][0] + middle * steps[k][1] + last * steps[k][2]);
        }
  }
}

TEST_CASE("rows are held where they are whole packs from a multiple of 16 bytes on", "[cuda_sim]") {
  alignas(16) char memory[32];
  CHECK(cuda::can_hold<float>(8192, memory, memory + 16));
  CHECK_FALSE(cuda::can_hold<float>(8196, memory, memory));
  CHECK_FALSE(cuda::can_hold<float>(6, memory, memory));
  CHECK_FALSE(cuda::can_hold<float>(8, memory + 4, memory));
  CHECK_FALSE(cuda::can_hold<float>(8, memory, memory + 4));
  CHECK(cuda::can_hold<Half>(16384, memory, memory));
  CHECK_FALSE(cuda::can_hold<Half>(12, memory, memory));
  CHECK_FALSE(cuda::can_hold<double>(4098, memory, memory));
  // The lanes that a row has packs for, so that none waits without one.
  CHECK(cuda::lanes_to_hold<float>(4) == 32);
  CHECK(cuda::lanes_to_hold<float>(132) == 64);
  CHECK(cuda::lanes_to_hold<float>(2048) == 512);
  CHECK(cuda::lanes_to_hold<Half>(2048) == 256);
  CHECK(cuda::lanes_to_hold<float>(8192) == 512);
}

TEST_CASE("places are packs where memory and all steps are multiples of 16 bytes", "[cuda_sim]") {
  // As the library's units compiled them, not as this one would.
  bool (*volatile is_on_packs)(const void*, const cuda::Walk&, int) = &cuda::is_on_packs;
  bool (*volatile is_dense)(const cuda::Walk&, int, ScalarType) = &cuda::is_dense;
  alignas(16) char memory[32];
  cuda::Walk walk;
  CHECK(is_on_packs(memory, walk, 1));
  CHECK_FALSE(is_on_packs(memory + 8, walk, 1));
  walk.dims = 2;
  walk.step[1][0] = 48, walk.step[1][1] = 16, walk.step[0][0] = 4, walk.step[0][1] = 4;
  CHECK(is_on_packs(memory, walk, 1));
  CHECK_FALSE(is_on_packs(memory, walk, 0));
  CHECK_FALSE(is_dense(walk, 0, kFloat));
  for (int d : {0, 1}) {
    cuda::Walk other = walk;
    other.step[1][d] += 8;
    CHECK_FALSE(is_on_packs(memory, other, 1));
  }
  walk.dims = 1;
  CHECK(is_dense(walk, 0, kFloat));
  CHECK_FALSE(is_dense(walk, 0, kDouble));
  CHECK_FALSE(is_dense(walk, 1, kFloat));
  walk.dims = 0;
  CHECK(is_dense(walk, 0, kDouble));
}

TEST_CASE("one large element of a row, wherever it stands, leaves numbers", "[cuda_sim]") {
  for (std::int64_t size : {33, 132})
    for (std::int64_t at : {std::int64_t{0}, size / 2, size - 1}) {
      INFO(size << ", " << at);
      Tensor x = waves({size, 3}, 0.3);
      x.select(0, at).fill_(2000);
      for (std::int64_t dim : {0, 1})
        check_same(dim == 0 ? x : x.t().contiguous(), [=](const Tensor& t) {
          return Tensors{ops::softmax(t, dim), ops::log_softmax(t, dim), ops::logsumexp(t, {dim})};
        });
    }
}

TEST_CASE("rows are written where results begin beside a pack", "[cuda_sim]") {
  Tensor x = waves({3, 132}, 0.37), memory = ops::zeros({1 + 3 * 132}, "device"_a = kCuda);
  Tensor out = memory.slice(0, 1).view({3, 132});
  ops::softmax(there(x), 1, "out"_a = out);
  CHECK(ops::allclose(on_cpu(out), ops::softmax(x, 1)));
  CHECK(on_cpu(memory).select(0, 0).item<float>() == 0);
}

TEST_CASE("sums read packs and what is behind them", "[cuda_sim]") {
  auto sums = [](const Tensor& x) {
    Tensors results;
    for (std::int64_t d = 0; d < x.dim(); ++d) {
      results.push_back(ops::sum(x, {d}));
      results.push_back(ops::amin(x, {d}));
    }
    results.push_back(ops::sum(x));
    results.push_back(ops::amax(x));
    return results;
  };
  // Rows that begin at packs and end within one, in one block each and in several.
  for (auto [rows, columns] : {std::pair<std::int64_t, std::int64_t>{5, 136}, {2, 16416}})
    for (std::int64_t behind : {1, 3})
      for (ScalarType dtype : {kFloat, kLong, kHalf})
        check_same((waves({rows, columns}, 0.37) * 9).to(dtype), [&](const Tensor& x) {
          Tensor part = x.narrow(1, 0, columns - behind);
          return Tensors{ops::sum(part, {1}), ops::amin(part, {1})};
        });
  // Blocks of columns that reach into the next matrix, few parts and many.
  check_same(waves({3, 40, 33}, 0.37) + 1, sums);
  check_same(waves({2203, 33}, 0.37) + 1, [](const Tensor& x) { return Tensors{ops::sum(x, {0})}; });
  check_same(waves({1, 300000}, 0.37), [](const Tensor& x) {
    return Tensors{ops::amax(x, {1}), ops::sum(x > 0.5, {1})};
  });
  // Results with gaps between them.
  for (std::int64_t dim : {0, 1}) {
    Tensor x = waves({200, 40}, 0.37), wide = ops::zeros({dim == 0 ? 40 : 200, 2}, "device"_a = kCuda);
    Tensor out = wide.select(1, 1);
    ops::sum(there(x), {dim}, false, std::nullopt, "out"_a = out);
    CHECK(ops::allclose(on_cpu(out), ops::sum(x, {dim}), 1e-4, 1e-4));
    CHECK(on_cpu(wide).select(1, 0).abs().max().item<float>() == 0);
  }
}

TEST_CASE("lines are scanned by packs and beside them", "[cuda_sim]") {
  auto running = [](const Tensor& x) { return Tensors{ops::cumsum(x, 1), ops::cumprod(x, 1)}; };
  for (std::int64_t size : {1, 4, 7, 130, 1030})
    for (ScalarType dtype : {kFloat, kDouble, kHalf, kInt, kLong, kComplexFloat, kComplexDouble}) {
      INFO(size);
      Tensor x = waves({3, size}, 0.37) * 0.02 + (is_integral_type(dtype, false) ? 1 : 0.99);
      check_same(x.to(dtype), running);
    }
  for (ScalarType dtype : {kComplexFloat, kComplexDouble})
    check_same(ops::complex(waves({2, 70}, 0.37), waves({2, 70}, 0.9)).to(dtype),
               [](const Tensor& x) { return Tensors{ops::logcumsumexp(x, 1)}; });
  check_same(waves({2, 8200}, 0.37) + 1, [](const Tensor& x) { return Tensors{ops::cumsum(x, 1)}; });
  for (std::int64_t begin : {0, 1, 2, 4}) {
    INFO(begin);
    Tensor x = waves({2, 140}, 0.37);
    check_same(x.t().contiguous(), [](const Tensor& t) { return Tensors{ops::cumsum(t, 0)}; });
    check_same(x, [&](const Tensor& t) { return running(t.slice(1, begin)); });
    check_same(x, [&](const Tensor& t) { return running(t.slice(1, begin, std::nullopt, 2)); });
    // The lines begin at packs, the results beside them, and turned about.
    Tensor memory = ops::zeros({2, 144}, "device"_a = kCuda), out = memory.slice(1, begin, begin + 140);
    ops::cumsum(there(x), 1, std::nullopt, "out"_a = out);
    CHECK(ops::allclose(on_cpu(out), ops::cumsum(x, 1), 1e-4, 1e-4));
    CHECK(on_cpu(memory).slice(1, 0, begin).abs().sum().item<float>() == 0);
    CHECK(on_cpu(memory).slice(1, begin + 140).abs().sum().item<float>() == 0);
    Tensor across = ops::zeros({140, 2}, "device"_a = kCuda), turned = across.t();
    ops::cumsum(there(x), 1, std::nullopt, "out"_a = turned);
    CHECK(ops::allclose(on_cpu(turned), ops::cumsum(x, 1), 1e-4, 1e-4));
    Tensor wide = ops::zeros({2, 140}, "dtype"_a = kDouble, "device"_a = kCuda);
    ops::cumsum(there(x), 1, kDouble, "out"_a = wide);
    CHECK(ops::allclose(on_cpu(wide), ops::cumsum(x, 1, kDouble)));
  }
}

TEST_CASE("rows are moved by an index 16 bytes at a time and one by one", "[cuda_sim]") {
  Tensor at = tensor({3, 0, -1, 3}), front = tensor({3, 0, 4, 1});
  for (ScalarType dtype : {kByte, kHalf, kFloat, kDouble, kComplexDouble})
    for (std::int64_t columns : {16, 24, 13})
      for (std::int64_t begin : {0, 1, 8}) {
        INFO(dtype << ", " << columns << " columns from " << begin);
        Tensor x = (waves({5, columns + 8}, 0.37) * 100).to(dtype).slice(1, begin, begin + columns);
        Tensor y = (waves({5, columns + 8}, 0.37) * 100).to(dtype);
        Tensor far = there(y).slice(1, begin, begin + columns);
        CHECK(ops::equal(on_cpu(ops::index_select(far, 0, there(front))), ops::index_select(x, 0, front)));
        CHECK(ops::equal(on_cpu(ops::index(far, Places{there(at)})), ops::index(x, Places{at})));
        Tensor source = (waves({4, columns}, 0.9) * 100).to(dtype), to = x.clone(), far_to = far.clone();
        CHECK(ops::equal(on_cpu(ops::index_copy(far_to, 0, there(front), there(source))),
                         ops::index_copy(to, 0, front, source)));
        CHECK(ops::equal(on_cpu(ops::index_select(far, 1, there(front))), ops::index_select(x, 1, front)));
      }
}

TEST_CASE("a bad place of rows that move by packs is told by its number", "[cuda_sim]") {
  Tensor x = there(waves({6, 8}, 0.3));
  for (std::int64_t bad : {0, 1, 5}) {
    Tensor at = ops::arange(6);
    at.select(0, bad).fill_(6 + bad);
    Tensor rows = there(at), source = ops::zeros({6, 8}, "device"_a = kCuda);
    std::string words = "index " + std::to_string(6 + bad) + " is out of bounds for dimension 0 with size 6";
    CHECK_THROWS_AS(ops::index_select(x, 0, rows), IndexError);
    CHECK_ERROR_CONTAINS(ops::index(x, Places{rows}), IndexError, words);
    CHECK_ERROR_CONTAINS(ops::gather(x, 0, rows.reshape({6, 1}).expand({6, 8})), IndexError, words);
    CHECK_THROWS_AS(ops::index_copy(x, 0, rows, source), IndexError);
  }
}

TEST_CASE("numbers of a key are the host's, and a file is none of a device's memory", "[cuda_sim]") {
  Tensor key = ops::to(tensor({42, 3}).to(kLong), kUInt64), there = key.to(kCuda, kUInt64);
  auto filled = [](const Tensor& k, const Device& device) {
    Tensor t = ops::_philox_uniform_(ops::zeros({7}, "device"_a = device), k);
    return t.to(kCPU, kFloat);
  };
  CHECK(ops::equal(filled(key, kCPU), filled(there, kCuda)));
  CHECK(ops::equal(ops::_philox_key_split(key, 2).to(kLong), ops::_philox_key_split(there, 2).to(kCPU, kLong)));
  try {
    ops::from_file("none", false, 1, "device"_a = kCuda);
    FAIL("a file was mapped on a device");
  } catch (const NotImplementedError& e) {
    CHECK(std::string_view(e.what()).find("from_file(): a file is memory of the host, got device cuda:0; leave the "
                                          "device out and copy the tensor with .to(cuda:0)") != std::string_view::npos);
  }
}
