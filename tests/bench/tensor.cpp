// Making tensors, looking at parts of them, copying across strides, random numbers and sorting.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(tensor) {
  {
    Tensor a = ops::rand({8, 8});
    row("small/empty", [&] { keep(ops::empty({8, 8})); });
    row("small/transpose", [&] { keep(a.transpose(0, 1)); });
    row("small/narrow", [&] { keep(a.narrow(0, 1, 4)); });
    row("small/view", [&] { keep(a.view({64})); });
  }
  bench::with_threads([](const std::string& suffix) {
    NoGradGuard no_grad;
    if (bench::only && !std::strstr("large/", bench::only) && !std::strstr(bench::only, "large/")) return;
    Tensor m = ops::rand({4096, 4096}), o = ops::empty({4096, 4096}), x = ops::rand({1 << 20});
    row("large/transpose_copy" + suffix, [&] { o.copy_(m.t()); });
    row("large/randn" + suffix, [&] { o.normal_(); });
    row("large/sort_1m" + suffix, [&] { keep(x.sort()); });
  });
}
