#include <tenon/cuda/launch.hpp>

#include <numeric>
#include <set>
#include <vector>

#include "catch.hpp"

using namespace tenon::cuda;

namespace {

/// The defect that the executor finds in a body, empty if it finds none, with several seeds.
template <class Body, class... A>
std::string defect_of(Shape shape, A... args) {
  std::string found;
  for (std::uint64_t seed : {1, 2, 3, 4, 5}) {
    Executor::settings().seed = seed;
    try {
      launch<Body>(shape, nullptr, args...);
    } catch (const KernelDefect& e) { found = e.what(); }
  }
  Executor::settings().seed = 1;
  return found;
}

/// The sum of 64 numbers by two warps and shared memory; the barrier can be left out.
template <bool Barrier>
struct sum_block {
  struct Memory {
    int part[2];
  };
  template <class L>
  void operator()(L& lane, const int* x, int* out) const {
    int v = x[lane.thread()];
    for (unsigned n = 16; n > 0; n /= 2) v += lane.shfl_xor(kFullWarp, v, n);
    auto& memory = lane.template shared<Memory>();
    if (lane.thread() % kWarp == 0) memory.part[lane.thread() / kWarp] = v;
    if constexpr (Barrier) lane.sync();
    if (lane.thread() == 0) *out = memory.part[0] + memory.part[1];
  }
};
/// Sums of two rows one after the other in the same shared memory; the barrier between them can be left out.
template <bool Barrier>
struct sum_rows {
  template <class L>
  void operator()(L& lane, const int* x, int* out) const {
    auto& part = lane.template shared<typename sum_block<true>::Memory>().part;
    for (int row = 0; row < 2; ++row) {
      int v = x[64 * row + static_cast<int>(lane.thread())];
      for (unsigned n = 16; n > 0; n /= 2) v += lane.shfl_xor(kFullWarp, v, n);
      if (lane.thread() % kWarp == 0) part[lane.thread() / kWarp] = v;
      lane.sync();
      int sum = part[0] + part[1];
      if (lane.thread() == 63) out[row] = sum;
      if constexpr (Barrier) lane.sync();
    }
  }
};
struct misses_barrier {
  template <class L>
  void operator()(L& lane) const {
    if (lane.thread() != 5)
      lane.sync();
    else
      lane.sync();
  }
};
struct ends_before_barrier {
  template <class L>
  void operator()(L& lane) const {
    if (lane.thread() == 3) return;
    lane.sync();
  }
};
struct missing_from_mask {
  template <class L>
  void operator()(L& lane) const {
    if (lane.thread() != 7) lane.ballot(kFullWarp, true);
  }
};
struct not_in_own_mask {
  template <class L>
  void operator()(L& lane) const {
    lane.sync_warp(1);
  }
};
struct reads_outside_mask {
  template <class L>
  void operator()(L& lane) const {
    if (lane.thread() < 4) lane.shfl_xor(0xf, 1, 4);
  }
};
struct warp_against_barrier {
  template <class L>
  void operator()(L& lane) const {
    if (lane.thread() < 32)
      lane.sync();
    else
      lane.sync_warp(kFullWarp);
  }
};
struct misaligned {
  template <class L>
  void operator()(L& lane, const float* x, float* y) const {
    lane.store(y, lane.template load<4>(x));
  }
};
template <int Bytes>
struct takes_shared {
  struct Memory {
    char bytes[Bytes];
  };
  template <class L>
  void operator()(L& lane) const {
    lane.template shared<Memory>().bytes[0] = 1;
  }
};
struct reads_unset {
  struct Memory {
    int value;
  };
  template <class L>
  void operator()(L& lane, int* out) const {
    *out = lane.template shared<Memory>().value;
  }
};
struct throws {
  template <class L>
  void operator()(L&) const {
    throw std::runtime_error("no");
  }
};
template <unsigned Most>
struct compiled_for {
  static constexpr unsigned kMostLanes = Most;
  template <class L>
  void operator()(L& lane) const {
    lane.sync();
  }
};
struct order_of_lanes {
  template <class L>
  void operator()(L& lane, std::vector<unsigned>* out) const {
    out->push_back(lane.thread());
  }
};
struct count_lanes {
  template <class L>
  void operator()(L& lane, int* out, unsigned* even) const {
    lane.atomic_add(out, 1);
    unsigned bits = lane.ballot(kFullWarp, lane.thread() % 2 == 0);
    if (lane.thread() == 0 && lane.block() == 0) *even = bits;
  }
};

}  // namespace

TEST_CASE("lanes meet at barriers and exchange values in any order", "[cuda][executor]") {
  std::vector<int> x(64);
  std::iota(x.begin(), x.end(), 1);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Executor::settings().seed = seed;
    int out = 0;
    launch<sum_block<true>>({1, 64}, nullptr, x.data(), &out);
    CHECK(out == 64 * 65 / 2);
  }
  Executor::settings().seed = 1;
  int lanes = 0;
  unsigned even = 0;
  launch<count_lanes>({3, 64}, nullptr, &lanes, &even);
  CHECK(lanes == 3 * 64);
  CHECK(even == 0x55555555u);
}

TEST_CASE("without a barrier some order of lanes shows unset memory", "[cuda][executor]") {
  std::vector<int> x(64, 1);
  int wrong = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Executor::settings().seed = seed;
    int out = 0;
    launch<sum_block<false>>({1, 64}, nullptr, x.data(), &out);
    wrong += out != 64;
  }
  Executor::settings().seed = 1;
  CHECK(wrong > 0);
}

TEST_CASE("without a barrier between two uses of shared memory a warp runs ahead of readers", "[cuda][executor]") {
  std::vector<int> x(128);
  std::iota(x.begin(), x.end(), 0);
  int wrong[2] = {};
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Executor::settings().seed = seed;
    int out[2] = {};
    launch<sum_rows<false>>({1, 64}, nullptr, x.data(), +out);
    wrong[0] += out[0] != 63 * 32 || out[1] != 63 * 32 + 64 * 64;
    launch<sum_rows<true>>({1, 64}, nullptr, x.data(), +out);
    wrong[1] += out[0] != 63 * 32 || out[1] != 63 * 32 + 64 * 64;
  }
  Executor::settings().seed = 1;
  CHECK(wrong[0] > 0);
  CHECK(wrong[1] == 0);
}

TEST_CASE("a seed draws the order of lanes", "[cuda][executor]") {
  std::set<std::vector<unsigned>> orders;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Executor::settings().seed = seed;
    std::vector<unsigned> order, again;
    launch<order_of_lanes>({1, 32}, nullptr, &order);
    launch<order_of_lanes>({1, 32}, nullptr, &again);
    CHECK(order == again);
    orders.insert(order);
  }
  Executor::settings().seed = 1;
  CHECK(orders.size() > 5);
}

TEST_CASE("defects of kernels are told with lanes and lines", "[cuda][executor]") {
  CHECK_THAT(defect_of<misses_barrier>({1, 32}), ContainsSubstring("a barrier is not reached by all lanes") &&
                                                     ContainsSubstring("lane 5") && ContainsSubstring("sync() at") &&
                                                     ContainsSubstring("executor.cpp:"));
  CHECK_THAT(defect_of<ends_before_barrier>({1, 32}), ContainsSubstring("a lane ended before a barrier") &&
                                                          ContainsSubstring("lane 3 ended") &&
                                                          ContainsSubstring("executor.cpp:"));
  CHECK_THAT(defect_of<missing_from_mask>({1, 32}), ContainsSubstring("a lane is missing from a mask") &&
                                                        ContainsSubstring("lane 7 ended") &&
                                                        ContainsSubstring("ballot() at"));
  CHECK_THAT(defect_of<missing_from_mask>({1, 7}), ContainsSubstring("does not exist"));
  CHECK_THAT(defect_of<not_in_own_mask>({1, 32}), ContainsSubstring("a mask that lacks itself"));
  CHECK_THAT(defect_of<reads_outside_mask>({1, 32}), ContainsSubstring("which its mask does not name"));
  CHECK_THAT(defect_of<warp_against_barrier>({1, 40}),
             ContainsSubstring("a lane is missing from a mask") && ContainsSubstring("lane 40 does not exist"));
  CHECK_THAT(defect_of<takes_shared<HostLane::kSharedBytes + 1>>({1, 1}), ContainsSubstring("bytes of shared memory"));
  CHECK_THAT(defect_of<throws>({1, 1}), ContainsSubstring("throws: no"));
  CHECK_THAT(defect_of<count_lanes>({1, 2000}, static_cast<int*>(nullptr), static_cast<unsigned*>(nullptr)),
             ContainsSubstring("2000 lanes"));
  alignas(16) float x[8] = {};
  CHECK_THAT(defect_of<misaligned>({1, 1}, static_cast<const float*>(x + 1), x), ContainsSubstring("moves 16 bytes"));
  CHECK_THAT(defect_of<misaligned>({1, 1}, static_cast<const float*>(x), x + 1), ContainsSubstring("moves 16 bytes"));
  CHECK(defect_of<misaligned>({1, 1}, static_cast<const float*>(x), x + 4).empty());
}

TEST_CASE("a block has as many lanes as its body is compiled for, a grid as many blocks as one has",
          "[cuda][executor]") {
  CHECK(defect_of<compiled_for<512>>({1, 512}).empty());
  CHECK(defect_of<compiled_for<512>>({1, 544}) == "a block of 544 lanes of a body that is compiled for 512");
  CHECK(defect_of<ends_before_barrier>({1, 288}) == "a block of 288 lanes of a body that is compiled for 256");
  CHECK_ERROR(launch<compiled_for<32>>({kMostBlocks + 1, 32}, nullptr), tenon::NotImplementedError,
              "a CUDA kernel of 2147483648 blocks: a grid has at most 2147483647");
}

TEST_CASE("shared memory is unset at the start of each block", "[cuda][executor]") {
  int out = 0;
  launch<takes_shared<4>>({1, 1}, nullptr);
  launch<reads_unset>({2, 1}, nullptr, &out);
  CHECK(static_cast<unsigned>(out) == 0xcbcbcbcbu);
}

TEST_CASE("lanes run as threads too, which a sanitizer of threads judges", "[cuda][executor][threads]") {
  Executor::settings().mode = ExecutorSettings::Mode::Threads;
  std::vector<int> x(64);
  std::iota(x.begin(), x.end(), 1);
  int out = 0, lanes = 0;
  unsigned even = 0;
  launch<sum_block<true>>({1, 64}, nullptr, x.data(), &out);
  launch<count_lanes>({2, 64}, nullptr, &lanes, &even);
  std::string part = defect_of<not_in_own_mask>({1, 8});
  Executor::settings().mode = ExecutorSettings::Mode::Fibres;
  CHECK(out == 64 * 65 / 2);
  CHECK(lanes == 2 * 64);
  CHECK(even == 0x55555555u);
  CHECK_THAT(part, ContainsSubstring("for a part of its warp"));
}
