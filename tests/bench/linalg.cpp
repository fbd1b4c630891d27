// Matrix products.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(linalg) {
  {
    Tensor a = ops::rand({8, 8}), b = ops::rand({8, 8});
    row("small/matmul/8", [&] { keep(ops::mm(a, b)); });
  }
  bench::with_threads([](const std::string& suffix) {
    NoGradGuard no_grad;
    for (std::int64_t k : {64, 256, 1024}) {
      Tensor p = ops::rand({k, k}), q = ops::rand({k, k}), w = ops::empty({k, k});
      row("gemm/f32_" + std::to_string(k) + suffix, [&] { ops::mm(p, q, "out"_a = w); });
    }
    Tensor p = ops::rand({64, 64, 64}), q = ops::rand({64, 64, 64});
    row("gemm/bmm_64x64x64x64" + suffix, [&] { keep(ops::bmm(p, q)); });
  });
}
