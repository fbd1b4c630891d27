// Elementwise operators: small tensors, large ones, operands in the cache.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

namespace {

/// Numbers in [0, 1), without a generator.
Tensor numbers(IntArrayRef sizes, std::uint32_t seed = 1) {
  Tensor t = make_tensor(sizes, {}, kFloat);
  float* p = t.data_ptr<float>();
  for (std::int64_t i = 0; i < t.numel(); ++i) {
    seed = seed * 1664525u + 1013904223u;
    p[i] = static_cast<float>(seed >> 8) * 0x1p-24f;
  }
  return t;
}

}  // namespace

BENCH_PART(pointwise) {
  for (std::int64_t n : {1, 16, 256}) {
    Tensor a = numbers({n}), b = numbers({n}, 2), o = numbers({n}, 3);
    std::string size = std::to_string(n);
    row("small/add/" + size, [&] { keep(ops::add(a, b)); });
    row("small/add_out/" + size, [&] { ops::add(a, b, "out"_a = o); });
    row("small/add_/" + size, [&] { o.add_(b); });
    row("small/relu/" + size, [&] { keep(ops::relu(a)); });
    InferenceMode inference;
    Tensor x = numbers({n}), y = numbers({n}, 2);
    row("small/add/" + size + "/inference", [&] { keep(ops::add(x, y)); });
  }
  Tensor a = numbers({8, 8}), b = numbers({8, 8}, 2);
  row("small/add_strided", [&] { keep(a.add(b.t())); });

  bench::with_threads([](const std::string& suffix) {
    NoGradGuard no_grad;
    const std::int64_t n = 1 << 24;
    if (bench::only && !std::strstr("large/", bench::only) && !std::strstr("cache/", bench::only) &&
        !std::strstr(bench::only, "large/") && !std::strstr(bench::only, "cache/"))
      return;
    Tensor a = numbers({n}), b = numbers({n}, 2), o = numbers({n}, 3);
    row("large/copy" + suffix, [&] { o.copy_(a); });
    row("large/add_out" + suffix, [&] { ops::add(a, b, "out"_a = o); });
    row("large/add_alloc" + suffix, [&] { keep(ops::add(a, b)); });
    row("large/exp_out" + suffix, [&] { ops::exp(a, "out"_a = o); });
    row("large/tanh_out" + suffix, [&] { ops::tanh(a, "out"_a = o); });
    row("large/gelu" + suffix, [&] { keep(ops::gelu(a)); });
    row("large/chain(a*b+a).relu.sum" + suffix, [&] { keep((a * b + a).relu().sum()); });
    Tensor m = a.view({4096, 4096}), mb = b.view({4096, 4096}), mo = o.view({4096, 4096});
    row("large/add_transposed" + suffix, [&] { ops::add(m, mb.t(), "out"_a = mo); });
    row("large/add_row_broadcast" + suffix, [&] { ops::add(m, mb.select(0, 0), "out"_a = mo); });
    {
      Tensor x = a.to(kBFloat16), y = b.to(kBFloat16);
      row("large/bf16_add" + suffix, [&] { keep(ops::add(x, y)); });
    }
    Tensor c = ops::gt(a, 0.5);
    row("large/where" + suffix, [&] { keep(ops::where(c, a, b)); });
    Tensor l = a.narrow(0, 0, 1 << 16), lo = o.narrow(0, 0, 1 << 16), lb = b.narrow(0, 0, 1 << 16);
    row("cache/add_out_64k" + suffix, [&] { ops::add(l, lb, "out"_a = lo); });
    // The inside of grids: rows that are contiguous and no more.
    auto inside = [](Tensor t) {
      for (std::int64_t d = 0; d < t.dim(); ++d) t = t.narrow(d, 1, t.size(d) - 2);
      return t;
    };
    for (std::vector<std::int64_t> grid : {std::vector<std::int64_t>{512, 512}, {64, 64, 64}, {10, 32, 32, 32}}) {
      Tensor x = inside(ops::zeros(grid)), y = inside(ops::ones(grid));
      std::string name = std::to_string(grid.size()) + "d" + suffix;
      row("cache/inside_add_/" + name, [&] { x.add_(y); });
      row("cache/inside_mul_number_/" + name, [&] { x.mul_(0.5); });
    }
    row("cache/exp_out_64k" + suffix, [&] { ops::exp(l, "out"_a = lo); });
  });
}
