// Transposing tiles of every element size and shape.
#include <vector>

#include <tenon/cpu/transpose.hpp>

#include "../catch.hpp"

using namespace tenon::cpu;

namespace {
template <class Arch, class U>
void check() {
  for (std::int64_t rows : {1, 3, 4, 8, 15, 16, 33})
    for (std::int64_t columns : {1, 2, 8, 16, 17, 40}) {
      std::vector<U> src(static_cast<std::size_t>((rows + 2) * columns)),
          dst(static_cast<std::size_t>(rows * (columns + 3)), U(7));
      for (std::size_t i = 0; i < src.size(); ++i) src[i] = static_cast<U>(i * 31 + 1);
      transpose_tile<Arch>(dst.data(), columns + 3, src.data(), rows + 2, rows, columns);
      bool good = true;
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < columns + 3; ++c)
          good = good && dst[static_cast<std::size_t>(r * (columns + 3) + c)] ==
                             (c < columns ? src[static_cast<std::size_t>(c * (rows + 2) + r)] : U(7));
      CAPTURE(rows, columns, sizeof(U));
      REQUIRE(good);
    }
}
template <class Arch>
void check_all() {
  check<Arch, std::uint8_t>();
  check<Arch, std::uint16_t>();
  check<Arch, std::uint32_t>();
  check<Arch, std::uint64_t>();
}
}  // namespace

TEST_CASE("a tile is turned over and nothing beside it is touched", "[cpu][transpose]") {
#if TENON_CPU_X86
  check_all<sse2>();
#endif
#if TENON_CPU_AVX2
  check_all<avx2>();
#endif
  check_all<default_arch>();
}
