// The library's loops on the threads of OpenMP.
#include <tenon/cpu/openmp_executor.hpp>

#include <atomic>

#include "checks.hpp"

using namespace test;

TEST_CASE("OpenMP gives the library's bits, nests, throws and serves several callers", "[executors]") {
  OpenMPExecutor openmp(3);
  check_executor(openmp);
}

TEST_CASE("OpenMP carries the caller's thread-local words", "[executors]") {
  OpenMPExecutor openmp(3);
  check_words(openmp);
}

TEST_CASE("in a region of OpenMP loops run on the thread that calls", "[executors]") {
  OpenMPExecutor executor;
  Tensor x = counted_rows(64);
  std::vector<double> sums(64), expected(64);
  for (std::int64_t i = 0; i < 64; ++i) expected[static_cast<std::size_t>(i)] = x[i].sum().item<double>();
  ExecutorGuard guard(executor);
  CHECK(get_num_threads() == omp_get_max_threads());
  std::atomic<int> more{0};
#pragma omp parallel for num_threads(3)
  for (int i = 0; i < 64; ++i) {
    if (get_num_threads() != 1) ++more;
    sums[static_cast<std::size_t>(i)] = x[i].sum().item<double>();
  }
  CHECK((sums == expected && more == 0));
}
