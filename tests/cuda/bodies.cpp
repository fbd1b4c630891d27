// Bodies whose lanes share memory, by fibres and by threads: a sanitizer of threads sees a barrier that they lack as a
// race.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <vector>

#include <tenon/cuda/copy.hpp>
#include <tenon/cuda/ctc_loss.hpp>
#include <tenon/cuda/gemm.hpp>
#include <tenon/cuda/losses.hpp>
#include <tenon/cuda/normalization.hpp>
#include <tenon/cuda/places.hpp>
#include <tenon/cuda/reduce.hpp>
#include <tenon/cuda/scan.hpp>
#include <tenon/cuda/softmax.hpp>
#include <tenon/cuda/sort.hpp>

#include "catch.hpp"

using namespace tenon;
using namespace tenon::cuda;

namespace {

using Floats = std::vector<float>;
using Words = std::vector<std::int64_t>;

Floats waves(std::size_t n, float step) {
  Floats x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = std::sin(step * static_cast<float>(i));
  return x;
}
/// What `run` makes, by fibres; by threads it must be the same bits.
Floats both_ways(const std::function<Floats()>& run) {
  Floats by_fibres = run();
  Executor::settings().mode = ExecutorSettings::Mode::Threads;
  Floats by_threads = run();
  Executor::settings().mode = ExecutorSettings::Mode::Fibres;
  CHECK(std::memcmp(by_fibres.data(), by_threads.data(), by_fibres.size() * sizeof(float)) == 0);
  return by_fibres;
}
Walk one_dimension(std::int64_t size, std::int64_t first, std::int64_t second, std::int64_t third = 0) {
  Walk w;
  w.count = w.size[0] = size;
  w.dims = 1;
  w.step[0][0] = first, w.step[1][0] = second, w.step[2][0] = third;
  return w;
}
/// Lines of `size` floats side by side, from x to y; `places` may be null.
LinesCall lines_of(Floats& x, Floats& y, Words* places, std::int64_t lines) {
  LinesCall c{};
  c.size = static_cast<std::int64_t>(x.size()) / lines;
  c.lines = one_dimension(lines, c.size * 4, c.size * 8, c.size * 4);
  c.step[0] = 4, c.step[1] = 8, c.step[2] = 4;
  c.in = reinterpret_cast<const char*>(x.data());
  c.out = reinterpret_cast<char*>(y.data());
  c.places = places ? reinterpret_cast<char*>(places->data()) : nullptr;
  c.dtype = c.out_dtype = kFloat;
  return c;
}

struct add_up {
  using value_type = double;
  static double identity() { return 0; }
  double map(double x) const { return x; }
  double combine(double a, double b) const { return a + b; }
  double finish(double total, std::int64_t) const { return total; }
};

}  // namespace

TEST_CASE("rows of softmax and of norms have the barriers that they need", "[cuda][threads]") {
  constexpr std::int64_t rows = 3, size = 130;
  Floats x = waves(rows * size, 0.7f), g = waves(rows * size, 0.31f);
  Floats y = both_ways([&] {
    Floats out(x.size());
    SoftmaxCall c{out.data(), x.data(), nullptr, kFloat, rows, size, 1, false};
    launch<softmax_row<float>>({rows, 96}, nullptr, c);
    return out;
  });
  for (std::size_t row = 0; row < rows; ++row) {
    double sum = 0;
    for (std::size_t i = 0; i < size; ++i) sum += static_cast<double>(y[row * size + i]);
    CHECK(sum == Approx(1.0));
  }
  // Rows of whole packs that begin at one, held by fewer lanes than a row has packs.
  constexpr std::int64_t packed = 128;
  alignas(16) float even[rows * packed], held[rows * packed];
  std::copy_n(x.begin(), rows * packed, even);
  Floats once = both_ways([&] {
    SoftmaxCall c{held, even, nullptr, kFloat, rows, packed, 1, false};
    launch<softmax_held_row<float>>({rows, 32}, nullptr, c);
    return Floats(std::begin(held), std::end(held));
  });
  Floats again = both_ways([&] {
    Floats out(rows * packed);
    SoftmaxCall c{out.data(), even, nullptr, kFloat, rows, packed, 1, false};
    launch<softmax_row<float>>({rows, 32}, nullptr, c);
    return out;
  });
  for (std::size_t i = 0; i < once.size(); ++i) CHECK(once[i] == Approx(again[i]));
  both_ways([&] {
    Floats out(x.size());
    SoftmaxCall c{out.data(), y.data(), g.data(), kFloat, rows, size, 1, false};
    launch<softmax_backward_row<float>>({rows, 96}, nullptr, c);
    return out;
  });
  NormCall n{};
  n.dtype = kFloat, n.rows = rows, n.groups = 1, n.channels = size, n.inner = 1, n.centered = true, n.eps = 1e-5;
  n.in = x.data(), n.grad = g.data();
  Floats mean(rows), rstd(rows);
  n.mean = mean.data(), n.rstd = rstd.data();
  Floats normal = both_ways([&] {
    Floats out(x.size());
    n.out = out.data();
    launch<normalize_row<float>>({rows, 64}, nullptr, n);
    return out;
  });
  both_ways([&] {
    NormCall h = n;
    h.channels = packed, h.in = even, h.out = held;
    launch<normalize_held_row<float>>({rows, 32}, nullptr, h);
    return Floats(std::begin(held), std::end(held));
  });
  double squares = 0;
  for (std::size_t i = 0; i < size; ++i) squares += static_cast<double>(normal[i]) * static_cast<double>(normal[i]);
  CHECK(squares == Approx(double(size)).epsilon(1e-3));
  both_ways([&] {
    Floats out(x.size() + 2 * size);
    n.out = out.data(), n.weight_grad = out.data() + x.size(), n.bias_grad = out.data() + x.size() + size;
    launch<normalize_row_back<float>>({rows, 64}, nullptr, n);
    launch<normalize_parameters<float>>({size, 32}, nullptr, n);
    return out;
  });
  both_ways([&] {
    Floats out(2 * x.size() + 4 * size);
    float* at = out.data() + x.size();
    BatchNormCall b{};
    b.dtype = kFloat, b.outer = rows, b.channels = size / 2, b.inner = 2, b.train = true, b.eps = 1e-5;
    b.in = x.data(), b.grad = g.data(), b.mean = at, b.invstd = at + size, b.out = out.data();
    launch<normalize_channel<float>>({size / 2, 64}, nullptr, b);
    b.weight_grad = at + 2 * size, b.bias_grad = at + 3 * size, b.out = at + 4 * size;
    launch<normalize_channel_back<float>>({size / 2, 64}, nullptr, b);
    return out;
  });
}

TEST_CASE("reductions, scans, extremes and sorts have the barriers that they need", "[cuda][threads]") {
  constexpr std::int64_t lines = 2, size = 300;
  Floats x = waves(lines * size, 0.7f);
  Floats sums = both_ways([&] {
    Floats out(lines);
    std::vector<double> partial(lines * 2);
    ReduceCall c{};
    c.kept = one_dimension(lines, 4, size * 4), c.reduced = one_dimension(size, 0, 4);
    c.out = out.data(), c.in = x.data(), c.out_dtype = c.in_dtype = kFloat;
    launch<reduce_by_block<add_up>>({lines * 2, 64}, nullptr, c, add_up{}, partial.data(), std::int64_t{2});
    launch<reduce_parts<add_up>>({lines, 64}, nullptr, c, add_up{}, static_cast<const double*>(partial.data()),
                                 std::int64_t{2});
    return out;
  });
  // Along memory, and across it.
  alignas(16) float even[lines * size];
  std::copy_n(x.begin(), lines * size, even);
  Floats packs = both_ways([&] {
    Floats out(lines);
    std::vector<double> partial(lines * 2);
    ReduceCall c{};
    c.kept = one_dimension(lines, 4, size * 4), c.reduced = one_dimension(size - 2, 0, 4);
    c.out = out.data(), c.in = even, c.out_dtype = c.in_dtype = kFloat;
    launch<reduce_packs_by_block<add_up, float>>({lines * 2, 64}, nullptr, c, add_up{}, partial.data(),
                                                 std::int64_t{2});
    launch<reduce_parts<add_up>>({lines, 64}, nullptr, c, add_up{}, static_cast<const double*>(partial.data()),
                                 std::int64_t{2});
    return out;
  });
  for (std::size_t line = 0; line < lines; ++line)
    CHECK(packs[line] == Approx(sums[line] - x[line * size + size - 1] - x[line * size + size - 2]));
  Floats across = both_ways([&] {
    Floats out(50);
    std::vector<double> partial(50 * 2);
    ReduceCall c{};
    c.kept = one_dimension(50, 4, 4), c.reduced = one_dimension(12, 0, 200);
    c.out = out.data(), c.in = even, c.out_dtype = c.in_dtype = kFloat;
    launch<reduce_columns<add_up, float>>({4, 256}, nullptr, c, add_up{}, partial.data(), std::int64_t{2});
    launch<reduce_parts<add_up>>({50, 32}, nullptr, c, add_up{}, static_cast<const double*>(partial.data()),
                                 std::int64_t{2});
    return out;
  });
  for (std::size_t column : {0, 31, 32, 49}) {
    double sum = 0;
    for (std::size_t row = 0; row < 12; ++row) sum += static_cast<double>(x[row * 50 + column]);
    CHECK(static_cast<double>(across[column]) == Approx(sum));
  }
  Floats running = both_ways([&] {
    Floats out(x.size());
    std::vector<float> scratch(lines * 2);
    ScanCall c{lines_of(x, out, nullptr, lines), 2, scratch.data()};
    launch<scan_lines<running_sum<float>>>({lines * 2, 64}, nullptr, c, true);
    launch<scan_lines<running_sum<float>>>({lines * 2, 64}, nullptr, c, false);
    return out;
  });
  for (std::size_t line = 0; line < lines; ++line)
    CHECK(running[line * size + size - 1] == Approx(sums[line]).margin(1e-4));
  Words places(lines);
  Floats most = both_ways([&] {
    Floats out(lines);
    LinesCall c = lines_of(x, out, &places, lines);
    c.lines.step[0][0] = 4, c.lines.step[1][0] = 8;
    launch<find_extreme<float, true>>({lines, 64}, nullptr, c);
    return out;
  });
  CHECK(most[0] == x[static_cast<std::size_t>(places[0])]);
  std::vector<SortItem> items(x.size());
  both_ways([&] {
    SortCall c{lines_of(x, x, nullptr, lines), false, {items.data(), nullptr}};
    launch<sort_runs<double>>({lines * 5, 64}, nullptr, c, std::int64_t{5});
    Floats out;
    for (const SortItem& item : items) out.push_back(static_cast<float>(item.place));
    return out;
  });
  for (std::size_t i = 1; i < 64; ++i) CHECK(items[i - 1].key <= items[i].key);
}

TEST_CASE("tiles and losses have the barriers that they need", "[cuda][threads]") {
  constexpr std::int64_t m = 20, k = 35, n = 18;
  Floats a = waves(m * k, 0.7f), b = waves(k * n, 0.4f);
  Floats product = both_ways([&] {
    Floats out(m * n);
    using Tile = ProductTile<float>;
    Product<float> p{m, n, k, {a.data(), 0, k, 1}, {b.data(), 0, n, 1}, {out.data(), 0, n, 1}, 1.0f, 0.0f, false};
    launch<multiply_tiles<float, float>>({Tile::tiles(m) * Tile::tiles(n), Tile::kTile * Tile::kTile}, nullptr, p);
    return out;
  });
  double first = 0;
  for (std::size_t i = 0; i < k; ++i) first += static_cast<double>(a[i]) * static_cast<double>(b[i * n]);
  CHECK(static_cast<double>(product[0]) == Approx(first).epsilon(1e-4));
  Floats turned = both_ways([&] {
    Floats out(m * k);
    Transposition t{
        reinterpret_cast<char*>(out.data()), reinterpret_cast<const char*>(a.data()), k, m, 1, m * 4, k * 4, 0, 0};
    launch<transpose_tile<std::uint32_t>>({2, 256}, nullptr, t);
    return out;
  });
  CHECK(turned[m] == a[1]);
  Words target{0, 2, 1, 1, 0};
  std::int64_t fault = 0;
  both_ways([&] {
    Floats out(2);
    LikelihoodCall c{};
    c.dtype = kFloat, c.n = 5, c.classes = 3, c.ignored = -100, c.in = a.data(), c.target = target.data(),
    c.mean = true;
    c.out = out.data(), c.total_weight = out.data() + 1, c.fault = &fault;
    launch<likelihood_of_all<float>>({1, 64}, nullptr, c);
    return out;
  });
  CHECK(fault == 0);
  Words inputs{7, 5}, lengths{2, 3}, starts{0, 2}, labels{1, 1, 2, 1, 3};
  Floats probs = waves(7 * 2 * 4, 0.9f), grads{1.0f, 0.5f};
  for (float& p : probs) p -= 2;
  both_ways([&] {
    Floats out(2 * 7 * 7 + 2 + 2 * 2 * 7 + 7 * 2 * 4);
    CtcCall c{};
    c.dtype = kFloat, c.time = 7, c.batch = 2, c.classes = 4, c.width = 7;
    c.inputs = inputs.data(), c.lengths = lengths.data(), c.starts = starts.data(), c.targets = labels.data();
    c.probs = probs.data(), c.alphas = out.data(), c.losses = out.data() + 98;
    launch<ctc_losses<float>>({2, 32}, nullptr, c);
    c.grads = grads.data(), c.betas = out.data() + 100, c.out = out.data() + 128;
    launch<ctc_slopes<float>>({2, 32}, nullptr, c);
    return out;
  });
}

TEST_CASE("where there is nothing to add up no body steps in memory that there is none of", "[cuda]") {
  // A sanitizer tells of a step from null.
  Floats sums{1, 1};
  ReduceCall c{};
  c.kept = one_dimension(2, 4, 12), c.reduced = one_dimension(0, 0, 4);
  c.out = sums.data(), c.out_dtype = c.in_dtype = kFloat;
  launch<reduce_by_lane<add_up>>({1, 32}, nullptr, c, add_up{});
  CHECK(sums == Floats{0, 0});
}
