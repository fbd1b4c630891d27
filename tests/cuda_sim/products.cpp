// What the vendor's library is asked for: the product, whatever way the matrices lie.
#include <tenon/cuda/products.hpp>

#include <array>
#include <vector>

#include "../catch.hpp"

using namespace tenon;
using cuda::GemmCall;
using cuda::LibraryProduct;

namespace {

/// As the library is documented to compute it.
void by_library(const LibraryProduct& p) {
  auto at = [](const LibraryProduct::Matrix& m, std::int64_t batch, std::int64_t row, std::int64_t column) -> double& {
    std::int64_t place = m.transposed ? column + row * m.leading : row + column * m.leading;
    return static_cast<double*>(m.data)[batch * m.step + place];
  };
  for (std::int64_t batch = 0; batch < p.count; ++batch)
    for (std::int64_t i = 0; i < p.m; ++i)
      for (std::int64_t j = 0; j < p.n; ++j) {
        double sum = 0;
        for (std::int64_t k = 0; k < p.k; ++k) sum += at(p.a, batch, i, k) * at(p.b, batch, k, j);
        double& d = at(p.d, batch, i, j);
        d = p.alpha.to_double() * sum + (p.beta.to_double() != 0 ? p.beta.to_double() * d : 0);
      }
}
/// A matrix in memory of its own: rows or columns side by side, with a gap behind each.
GemmCall::Part part(std::vector<double>& memory, std::int64_t rows, std::int64_t columns, bool turned, int gap) {
  std::int64_t leading = (turned ? rows : columns) + gap, step = leading * (turned ? columns : rows);
  memory.resize(static_cast<std::size_t>(2 * step));
  for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<double>(i * 7 % 11) - 5;
  return {memory.data(), step, turned ? 1 : leading, turned ? leading : 1};
}

}  // namespace

TEST_CASE("the library is asked for the product that strides say", "[cuda_runtime]") {
  int asked = 0;
  for (auto [m, n, k] : {std::array{3, 4, 5}, std::array{1, 4, 5}, std::array{3, 1, 5}, std::array{3, 4, 1},
                         std::array{1, 1, 1}, std::array{1, 1, 6}, std::array{6, 1, 1}})
    for (int lie = 0; lie < 8; ++lie)
      for (int gap : {0, 2}) {
        INFO(m << " x " << n << " x " << k << ", lie " << lie << ", gap " << gap);
        std::vector<double> a, b, d;
        GemmCall c{kDouble,
                   2,
                   m,
                   n,
                   k,
                   part(a, m, k, lie & 1, gap),
                   part(b, k, n, lie & 2, gap),
                   part(d, m, n, lie & 4, gap),
                   Scalar(2.0),
                   Scalar(3.0)};
        std::vector<double> before = d, expected = d;
        for (std::int64_t batch = 0; batch < 2; ++batch)
          for (std::int64_t i = 0; i < m; ++i)
            for (std::int64_t j = 0; j < n; ++j) {
              double sum = 0;
              for (std::int64_t l = 0; l < k; ++l)
                sum += a[static_cast<std::size_t>(batch * c.a.step + i * c.a.row + l * c.a.column)] *
                       b[static_cast<std::size_t>(batch * c.b.step + l * c.b.row + j * c.b.column)];
              auto place = static_cast<std::size_t>(batch * c.out.step + i * c.out.row + j * c.out.column);
              expected[place] = 2 * sum + 3 * before[place];
            }
        auto p = cuda::library_product(c);
        REQUIRE(p);
        CHECK_FALSE(p->d.transposed);
        CHECK(p->a.leading >= (p->a.transposed ? p->k : p->m));
        CHECK(p->b.leading >= (p->b.transposed ? p->n : p->k));
        CHECK(p->d.leading >= p->m);
        by_library(*p);
        CHECK(d == expected);
        ++asked;
      }
  CHECK(asked == 7 * 8 * 2);
}

TEST_CASE("what the library does not take is left to kernels", "[cuda_runtime]") {
  std::vector<double> x(64);
  GemmCall::Part plain{x.data(), 16, 4, 1}, gaps{x.data(), 16, 8, 2}, spread{x.data(), 0, 0, 1};
  auto call = [](ScalarType dtype, GemmCall::Part a, std::int64_t k = 4) {
    return GemmCall{dtype, 1, 4, 4, k, a, a, a, Scalar(1), Scalar(0)};
  };
  CHECK(cuda::library_product(call(kFloat, plain)));
  CHECK_FALSE(cuda::library_product(call(kLong, plain)));
  CHECK_FALSE(cuda::library_product(call(kFloat, gaps)));
  CHECK_FALSE(cuda::library_product(call(kFloat, spread)));
  CHECK_FALSE(cuda::library_product(call(kFloat, plain, 0)));  // the result is beta times what was there
  CHECK_FALSE(cuda::allows_tf32());
}
