// The loops of an LSTM's layer: products by weights that are packed once, each step's gates in one pass.
#pragma once

#include <tenon/math/vector.hpp>

namespace tenon::cpu::detail {

/// The right factor of many products, packed once.
template <class T, class Arch>
class PackedFactor {
  using G = Gemm<T, Arch>;

 public:
  static std::int64_t width(std::int64_t n) { return (n + G::NR - 1) / G::NR * G::NR; }
  /// `b`: k x n. `memory` holds width(n) * k elements for as long as this lives.
  PackedFactor(T* memory, Matrix<const T> b, std::int64_t k, std::int64_t n) : memory_(memory), k_(k), n_(n) {
    for (std::int64_t pc = 0; pc < k;) {
      std::int64_t kc = G::next_depth(k - pc);
      G::pack_b(memory + pc * width(n), b.at(pc, 0), kc, n);
      pc += kc;
    }
  }
  /// C = A B + beta C for m rows; an element's bits do not depend on m.
  void multiply(std::int64_t m, Matrix<const T> a, T beta, Matrix<T> c) const {
    for (std::int64_t pc = 0; pc < k_;) {
      std::int64_t kc = G::next_depth(k_ - pc);
      const T* b = memory_ + pc * width(n_);
      for (std::int64_t ic = 0; ic < m; ic += G::MC) {
        std::int64_t mc = m - ic < G::MC ? m - ic : G::MC, heights = (mc + G::MR - 1) / G::MR;
        T* pa = static_cast<T*>(scratch<Arch>(3, static_cast<std::size_t>((heights * kc + 1) * G::AP) * sizeof(T)));
        G::pack_a(pa, a.at(ic, pc), mc, kc, 0);
        parallel_for(0, width(n_) / G::NR, 400000 / (mc * kc * G::NR) + 1, [&](std::int64_t first, std::int64_t last) {
          for (std::int64_t j = first * G::NR; j < n_ && j < last * G::NR; j += G::NR) {
            int columns = n_ - j < G::NR ? static_cast<int>(n_ - j) : G::NR;
            typename G::Tile t{nullptr, 1, G::AP,   b + j * kc, G::NR,           nullptr,
                               c.row,   0, columns, T(1),       pc ? T(1) : beta};
            for (std::int64_t i = 0; i < mc; i += G::MR) {
              t.rows = mc - i < G::MR ? static_cast<int>(mc - i) : G::MR;
              t.a = pa + i / G::MR * G::AP * kc;
              t.c = c.data + (ic + i) * c.row + j;
              G::template choose<true>(t.rows, columns)(kc, t);
            }
          }
        });
      }
      pc += kc;
    }
  }

 private:
  T* memory_;
  std::int64_t k_, n_;
};

template <class T, class Arch>
class Lstm {
  using V = vec<T, Arch>;
  using Factor = PackedFactor<T, Arch>;
  static constexpr int W = V::size;

 public:
  explicit Lstm(const LstmCall& call) : c_(call), hidden_(call.hidden) {}

  void run() const {
    const std::int64_t gates = 4 * hidden_;
    gemm<Arch, T>(c_.total, gates, c_.inputs, T(1), {as(c_.x), c_.inputs, 1}, {as(c_.w_ih), 1, c_.inputs}, T(0),
                  {as(c_.gates), gates, 1});
    const Factor weights(memory(gates, hidden_), {as(c_.w_hh), 1, hidden_}, hidden_, gates);
    each_part([&](std::int64_t first, std::int64_t end) {
      std::int64_t at = c_.reverse ? c_.total : 0;
      for (std::int64_t i = 0; i < c_.steps; ++i) {
        std::int64_t t = c_.reverse ? c_.steps - 1 - i : i, rows = (end < c_.rows[t] ? end : c_.rows[t]) - first;
        if (c_.reverse) at -= c_.rows[t];
        if (rows > 0) {
          T* h = as(c_.h) + first * hidden_;
          weights.multiply(rows, {h, hidden_, 1}, T(1), {as(c_.gates) + (at + first) * gates, gates, 1});
          for (std::int64_t r = 0; r < rows; ++r) step(first + r, at + first + r);
        }
        if (!c_.reverse) at += c_.rows[t];
      }
    });
  }

  void run_back(const LstmGradients& g) const {
    const std::int64_t gates = 4 * hidden_;
    const Factor weights(memory(hidden_, gates), {as(c_.w_hh), hidden_, 1}, gates, hidden_);
    each_part([&](std::int64_t first, std::int64_t end) {
      std::int64_t at = c_.reverse ? 0 : c_.total;
      for (std::int64_t i = 0; i < c_.steps; ++i) {
        std::int64_t t = c_.reverse ? i : c_.steps - 1 - i, rows = (end < c_.rows[t] ? end : c_.rows[t]) - first;
        if (!c_.reverse) at -= c_.rows[t];
        if (rows > 0) {
          for (std::int64_t r = 0; r < rows; ++r)
            step_back(g, first + r, at + first + r, cell_before(t, first + r, at + first + r));
          weights.multiply(rows, {as(g.gates) + (at + first) * gates, gates, 1}, T(0),
                           {as(g.h) + first * hidden_, hidden_, 1});
        }
        if (c_.reverse) at += c_.rows[t];
      }
    });
    if (g.x)
      gemm<Arch, T>(c_.total, c_.inputs, gates, T(1), {as(g.gates), gates, 1}, {as(c_.w_ih), c_.inputs, 1}, T(0),
                    {as(g.x), c_.inputs, 1});
    if (g.w_ih)
      gemm<Arch, T>(gates, c_.inputs, c_.total, T(1), {as(g.gates), 1, gates}, {as(c_.x), c_.inputs, 1}, T(0),
                    {as(g.w_ih), c_.inputs, 1});
    if (g.w_hh)
      gemm<Arch, T>(gates, hidden_, c_.total, T(1), {as(g.gates), 1, gates}, {as(c_.before), hidden_, 1}, T(0),
                    {as(g.w_hh), hidden_, 1});
  }

 private:
  static const T* as(const void* p) { return static_cast<const T*>(p); }
  static T* as(void* p) { return static_cast<T*>(p); }
  static T* memory(std::int64_t n, std::int64_t k) {
    return static_cast<T*>(scratch<Arch>(0, static_cast<std::size_t>(Factor::width(n) * k) * sizeof(T)));
  }
  /// Calls f(first, end) for parts of the batch, which know nothing of each other. Few rows are one part, whose
  /// products share the threads.
  template <class F>
  void each_part(F f) const {
    std::int64_t parts = in_parallel_region() ? 1 : get_num_threads(), most = c_.batch / 8;
    if (parts > most) parts = most > 0 ? most : 1;
    std::int64_t size = (c_.batch + parts - 1) / parts;
    parallel_for(0, parts, 1, [&](std::int64_t p, std::int64_t last) {
      for (; p < last; ++p)
        if (p * size < c_.batch) f(p * size, (p + 1) * size < c_.batch ? (p + 1) * size : c_.batch);
    });
  }
  /// Calls f(unit, load, store) for the vectors of a row.
  template <class F>
  void each_vector(F f) const {
    std::int64_t j = 0;
    for (; j + W <= hidden_; j += W)
      f(
          j, [](const T* p) { return V::load(p); }, [](T* p, V v) { v.store(p); });
    if (int rest = static_cast<int>(hidden_ - j))
      f(
          j, [rest](const T* p) { return V::load_partial(p, rest); }, [rest](T* p, V v) { v.store_partial(p, rest); });
  }
  void step(std::int64_t row, std::int64_t at) const {
    const std::int64_t n = hidden_;
    T *gates = as(c_.gates) + at * 4 * n, *cells = as(c_.cells) + at * n, *before = as(c_.before) + at * n,
      *y = as(c_.y) + at * n, *h = as(c_.h) + row * n, *c = as(c_.c) + row * n;
    const T* bias = as(c_.bias);
    each_vector([&](std::int64_t j, auto load, auto store) {
      auto sum = [&](std::int64_t gate) {
        V s = load(gates + gate * n + j);
        return bias ? s + load(bias + gate * n + j) : s;
      };
      V in = math::sigmoid(sum(0)), forget = math::sigmoid(sum(1)), made = math::tanh(sum(2)),
        out = math::sigmoid(sum(3)), cell = forget * load(c + j) + in * made, now = out * math::tanh(cell);
      store(before + j, load(h + j));
      store(gates + j, in);
      store(gates + n + j, forget);
      store(gates + 2 * n + j, made);
      store(gates + 3 * n + j, out);
      store(cells + j, cell);
      store(c + j, cell);
      store(h + j, now);
      store(y + j, now);
    });
  }
  /// The cells of a row before step t, where the row is number `at` among all.
  const T* cell_before(std::int64_t t, std::int64_t row, std::int64_t at) const {
    bool first = c_.reverse ? t + 1 == c_.steps || row >= c_.rows[t + 1] : t == 0;
    if (first) return as(c_.first_c) + row * hidden_;
    return as(c_.cells) + (c_.reverse ? at + c_.rows[t] : at - c_.rows[t - 1]) * hidden_;
  }
  void step_back(const LstmGradients& g, std::int64_t row, std::int64_t at, const T* before) const {
    const std::int64_t n = hidden_;
    const T *gates = as(c_.gates) + at * 4 * n, *cells = as(c_.cells) + at * n, *y = g.y ? as(g.y) + at * n : nullptr;
    T *h = as(g.h) + row * n, *c = as(g.c) + row * n, *to = as(g.gates) + at * 4 * n;
    each_vector([&](std::int64_t j, auto load, auto store) {
      const V one = T(1), in = load(gates + j), forget = load(gates + n + j), made = load(gates + 2 * n + j),
              out = load(gates + 3 * n + j), cell = math::tanh(load(cells + j));
      const V by_h = y ? load(h + j) + load(y + j) : load(h + j);
      const V by_cell = load(c + j) + by_h * out * (one - cell * cell);
      store(to + j, by_cell * made * in * (one - in));
      store(to + n + j, by_cell * load(before + j) * forget * (one - forget));
      store(to + 2 * n + j, by_cell * in * (one - made * made));
      store(to + 3 * n + j, by_h * cell * out * (one - out));
      store(c + j, by_cell * forget);
    });
  }

  const LstmCall& c_;
  const std::int64_t hidden_;
};

}  // namespace tenon::cpu::detail
