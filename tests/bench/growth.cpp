// Growth: nanoseconds per element from 2^12 to 2^26 elements. Only when asked for (`./dev bench growth`), since the
// largest sizes take minutes; the table of docs/measured.md is its output.
#include <tenon/tenon.hpp>

#include <functional>
#include <string>
#include <vector>

#include "row.hpp"

using namespace tenon;
using bench::keep;

namespace {

constexpr int kLeast = 12, kMost = 26, kStep = 2;

/// Prints the best time per element of a few batches for each size; `make(n)` is the call on n elements.
void growth(const char* name, const std::function<std::function<void()>(std::int64_t)>& make) {
  std::string title = std::string("growth/") + name;
  if (!std::strstr(title.c_str(), bench::only)) return;
  ++bench::rows;
  std::printf("%-24s", title.c_str());
  for (int k = kLeast; k <= kMost; k += kStep) {
    const std::int64_t n = std::int64_t{1} << k;
    auto call = make(n);
    bench::seconds_of(call, 1);
    double best = bench::seconds_of(call, 1);
    const long calls = best < 2e-3 ? static_cast<long>(4e-3 / (best + 1e-9)) + 1 : 1;
    for (int batch = 0; batch < 5; ++batch)
      best = std::min(best, bench::seconds_of(call, calls) / static_cast<double>(calls));
    std::printf(" %8.3f", best * 1e9 / static_cast<double>(n));
    std::fflush(stdout);
  }
  std::printf("\n");
}

/// n elements, a power of four, as a square matrix.
std::vector<std::int64_t> matrix(std::int64_t n) {
  std::int64_t side = 1;
  while (side * side < n) side *= 2;
  return {side, side};
}

}  // namespace

BENCH_PART(growth) {
  if (!bench::only || std::strncmp(bench::only, "growth", 6) != 0) return;
  NoGradGuard no_grad;
  const int threads = get_num_threads();
  set_num_threads(1);
  manual_seed(0);
  std::printf("# nanoseconds per element by the logarithm of their number, one thread\n%-24s", "");
  for (int k = kLeast; k <= kMost; k += kStep) std::printf(" %8d", k);
  std::printf("\n");

  /// One operand and a result that is there already.
  auto into = [](auto f) {
    return [f](std::int64_t n) -> std::function<void()> {
      Tensor x = ops::rand({n}), o = ops::empty({n});
      return [=] { f(x, o); };
    };
  };
  /// One operand, a new result.
  auto vector = [](auto f) {
    return [f](std::int64_t n) -> std::function<void()> {
      Tensor x = ops::rand({n});
      return [=] { keep(f(x)); };
    };
  };
  auto square = [](auto f) {
    return [f](std::int64_t n) -> std::function<void()> {
      Tensor x = ops::rand(matrix(n));
      return [=] { keep(f(x)); };
    };
  };
  growth("copy", into([](const Tensor& x, const Tensor& o) { Tensor(o).copy_(x); }));
  growth("add_out", into([](const Tensor& x, const Tensor& o) { ops::add(x, x, "out"_a = o); }));
  growth("add_alloc", vector([](const Tensor& x) { return ops::add(x, x); }));
  growth("exp_out", into([](const Tensor& x, const Tensor& o) { ops::exp(x, "out"_a = o); }));
  growth("tanh_out", into([](const Tensor& x, const Tensor& o) { ops::tanh(x, "out"_a = o); }));
  growth("gelu", vector([](const Tensor& x) { return ops::gelu(x); }));
  growth("where", vector([](const Tensor& x) { return ops::where(x > 0.5, x, x); }));
  growth("bf16_add", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand({n}).to(kBFloat16);
    return [=] { keep(ops::add(x, x)); };
  });
  growth("add_transposed", square([](const Tensor& x) { return ops::add(x, x.t()); }));
  growth("add_row_broadcast", square([](const Tensor& x) { return ops::add(x, x.select(0, 0)); }));
  growth("sum", vector([](const Tensor& x) { return x.sum(); }));
  growth("sum_dim0", square([](const Tensor& x) { return x.sum(0); }));
  growth("sum_dim1", square([](const Tensor& x) { return x.sum(1); }));
  growth("argmax", vector([](const Tensor& x) { return x.argmax(); }));
  growth("cumsum", vector([](const Tensor& x) { return x.cumsum(0); }));
  growth("softmax_dim1", square([](const Tensor& x) { return x.softmax(1); }));
  growth("layer_norm", square([](const Tensor& x) { return ops::layer_norm(x, {x.size(1)}); }));
  growth("transpose_copy", square([](const Tensor& x) { return x.t().contiguous(); }));
  growth("index_select", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand(matrix(n)), i = ops::randint(x.size(0), {x.size(0)});
    return [=] { keep(x.index_select(0, i)); };
  });
  growth("gather", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand(matrix(n)), i = ops::randint(x.size(1), x.sizes());
    return [=] { keep(ops::gather(x, 1, i)); };
  });
  growth("scatter_add", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand(matrix(n)), o = ops::zeros(x.sizes()), i = ops::randint(x.size(1), x.sizes());
    return [=] { keep(Tensor(o).scatter_add_(1, i, x)); };
  });
  growth("nonzero", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand({n}) > 0.5;
    return [=] { keep(ops::nonzero(x)); };
  });
  growth("randn", [](std::int64_t n) -> std::function<void()> { return [=] { keep(ops::randn({n})); }; });
  growth("sort", vector([](const Tensor& x) { return std::get<0>(ops::sort(x)); }));
  growth("fft", [](std::int64_t n) -> std::function<void()> {
    Tensor x = ops::rand({n}, "dtype"_a = kComplexFloat);
    return [=] { keep(ops::fft_fft(x)); };
  });
  set_num_threads(threads);
}
