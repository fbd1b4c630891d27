// Reductions, scans, softmax and selection: small tensors and large ones.
#include <tenon/tenon.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

BENCH_PART(reduce) {
  {
    Tensor a = ops::rand({8, 8});
    row("small/sum", [&] { keep(a.sum()); });
  }
  bench::with_threads([](const std::string& suffix) {
    NoGradGuard no_grad;
    if (bench::only && !std::strstr("large/", bench::only) && !std::strstr(bench::only, "large/")) return;
    Tensor a = ops::rand({1 << 24}), m = a.view({4096, 4096});
    row("large/sum" + suffix, [&] { keep(a.sum()); });
    row("large/argmax" + suffix, [&] { keep(a.argmax()); });
    row("large/cumsum" + suffix, [&] { keep(a.cumsum(0)); });
    row("large/sum_dim0" + suffix, [&] { keep(m.sum(0)); });
    row("large/sum_dim1" + suffix, [&] { keep(m.sum(1)); });
    row("large/softmax_dim1" + suffix, [&] { keep(m.softmax(1)); });
    row("large/layer_norm" + suffix, [&] { keep(ops::layer_norm(m, {4096})); });
    Tensor i = ops::randint(4096, {4096});
    row("large/index_select" + suffix, [&] { keep(m.index_select(0, i)); });
  });
}
