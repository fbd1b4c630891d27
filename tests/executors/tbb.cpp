// The library's loops on the threads of oneTBB.
#include <tenon/cpu/tbb_executor.hpp>

#include <oneapi/tbb/global_control.h>

#include "checks.hpp"

using namespace test;

namespace {
// On a machine of two cores oneTBB gives two threads, whatever an arena asks for.
const tbb::global_control three(tbb::global_control::max_allowed_parallelism, 3);
}  // namespace

TEST_CASE("oneTBB gives the library's bits, nests, throws and serves several callers", "[executors]") {
  TbbExecutor tbb(3);
  check_executor(tbb);
}

TEST_CASE("oneTBB carries the caller's thread-local words", "[executors]") {
  TbbExecutor tbb(3);
  check_words(tbb);
}

TEST_CASE("a loop of oneTBB that calls operators has their results", "[executors]") {
  TbbExecutor executor;
  Tensor x = counted_rows(64);
  std::vector<double> sums(64), expected(64);
  for (std::int64_t i = 0; i < 64; ++i) expected[static_cast<std::size_t>(i)] = x[i].sum().item<double>();
  ExecutorGuard guard(executor);
  CHECK(get_num_threads() >= 1);
  tbb::parallel_for(std::int64_t{0}, std::int64_t{64},
                    [&](std::int64_t i) { sums[static_cast<std::size_t>(i)] = x[i].sum().item<double>(); });
  CHECK(sums == expected);
}
