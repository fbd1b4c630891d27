// Matrix products of small numbers by way of wider floating ones: rounded once, or exact.
#pragma once

namespace tenon::cpu::detail {

/// Elements of one call.
template <class T>
class GemmMemory {
 public:
  explicit GemmMemory(std::int64_t count)
      : data_(static_cast<T*>(::operator new (static_cast<std::size_t>(count) * sizeof(T), std::align_val_t{64}))) {}
  GemmMemory(const GemmMemory&) = delete;
  GemmMemory& operator=(const GemmMemory&) = delete;
  ~GemmMemory() { ::operator delete (data_, std::align_val_t{64}); }
  T* get() const { return data_; }

 private:
  T* data_;
};

/// Calls `line(to, from, step, count)` for each line of a matrix along its memory; returns where the copy lies.
template <class F, class T, class Line>
Matrix<const F> copy_by_lines(F* to, Matrix<const T> x, std::int64_t rows, std::int64_t columns, Line line) {
  if (x.column > x.row) {
    for (std::int64_t j = 0; j < columns; ++j) line(to + j * rows, x.data + j * x.column, x.row, rows);
    return {to, 1, rows};
  }
  for (std::int64_t i = 0; i < rows; ++i) line(to + i * columns, x.data + i * x.row, x.column, columns);
  return {to, columns, 1};
}
template <class Arch, class F, class T>
Matrix<const F> widened(F* to, Matrix<const T> x, std::int64_t rows, std::int64_t columns) {
  return copy_by_lines(to, x, rows, columns, [](F* line, const T* from, std::int64_t step, std::int64_t count) {
    convert<Arch>(line, scalar_type_v<F>, sizeof(F), from, scalar_type_v<T>,
                  step * static_cast<std::int64_t>(sizeof(T)), count);
  });
}

/// 16-bit floats: operands widened once, the product in float, rounded once.
template <class Arch, class T>
void gemm_halves(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b, T beta,
                 Matrix<T> c) {
  constexpr std::int64_t e = sizeof(T);
  GemmMemory<float> fa(m * k), fb(k * n), fc(m * n);
  Matrix<const float> wa = widened<Arch>(fa.get(), a, m, k), wb = widened<Arch>(fb.get(), b, k, n);
  float fbeta = static_cast<float>(beta);
  if (fbeta != 0)
    for (std::int64_t i = 0; i < m; ++i)
      convert<Arch>(fc.get() + i * n, kFloat, sizeof(float), c.data + i * c.row, scalar_type_v<T>, c.column * e, n);
  Gemm<float, Arch>::run(m, n, k, static_cast<float>(alpha), wa, wb, fbeta, {fc.get(), n, 1});
  for (std::int64_t i = 0; i < m; ++i)
    convert<Arch>(c.data + i * c.row, scalar_type_v<T>, c.column * e, fc.get() + i * n, kFloat, sizeof(float), n);
}

/// How integers of a type become floating numbers whose products add up exactly: 8 bits in float, 16 in double, 32 in
/// two halves of 16, whose product of the upper ones wraps away.
template <class T>
struct exact_gemm {
  using F = std::conditional_t<sizeof(T) == 1, float, double>;
  using Sum = std::conditional_t<sizeof(T) == 1, std::uint32_t, std::uint64_t>;
  static constexpr int parts = sizeof(T) == 4 ? 2 : 1;
  /// So many products stay below 2^24 or 2^53.
  static constexpr std::int64_t terms = sizeof(T) == 1 ? (std::is_signed_v<T> ? 1024 : 256) : std::int64_t{1} << 20;
  /// The lower half without sign, the upper with it.
  static F half(T x, int part) {
    return part == 0 ? static_cast<F>(static_cast<std::uint32_t>(x) & 0xffff)
                     : static_cast<F>(static_cast<std::int32_t>(x) >> 16);
  }
};

/// Integers of up to 32 bits, which wrap: sums of exact products, added as integers block by block of k.
template <class Arch, class T>
void gemm_integers(std::int64_t m, std::int64_t n, std::int64_t k, T alpha, Matrix<const T> a, Matrix<const T> b,
                   T beta, Matrix<T> c) {
  using E = exact_gemm<T>;
  using F = typename E::F;
  using Sum = typename E::Sum;
  GemmMemory<F> fa(m * k * E::parts), fb(k * n * E::parts), fc(m * n);
  GemmMemory<Sum> sums(m * n);
  Matrix<const F> wa[E::parts], wb[E::parts];
  for (int part = 0; part < E::parts; ++part) {
    F *to_a = fa.get() + part * m * k, *to_b = fb.get() + part * k * n;
    if constexpr (E::parts == 1) {
      wa[part] = widened<Arch>(to_a, a, m, k);
      wb[part] = widened<Arch>(to_b, b, k, n);
    } else {
      auto halves = [part](F* to, const T* from, std::int64_t step, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i) to[i] = E::half(from[i * step], part);
      };
      wa[part] = copy_by_lines(to_a, a, m, k, halves);
      wb[part] = copy_by_lines(to_b, b, k, n, halves);
    }
  }
  Sum* sum = sums.get();
  for (std::int64_t i = 0; i < m * n; ++i) sum[i] = 0;
  for (std::int64_t p = 0; p < k; p += E::terms) {
    std::int64_t count = k - p < E::terms ? k - p : E::terms;
    for (int of_a = 0; of_a < E::parts; ++of_a)
      for (int of_b = 0; of_a + of_b < E::parts; ++of_b) {
        Gemm<F, Arch>::run(m, n, count, F(1), wa[of_a].at(0, p), wb[of_b].at(p, 0), F(0), {fc.get(), n, 1});
        for (std::int64_t i = 0; i < m * n; ++i)
          sum[i] += static_cast<Sum>(static_cast<std::int64_t>(fc.get()[i])) << 16 * (of_a + of_b);
      }
  }
  for (std::int64_t i = 0; i < m; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      T& to = c.data[i * c.row + j * c.column];
      const T product = math::times(alpha, static_cast<T>(sum[i * n + j]));
      to = beta == T(0) ? product : math::plus(product, math::times(beta, to));
    }
}

}  // namespace tenon::cpu::detail
