// Whose memory tensors get: a program's own allocator, fill patterns, and the cache of freed large blocks.
#include <sys/mman.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <tenon/tensor/create.hpp>

#include <catch.hpp>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace {
using namespace tenon;

/// Notes what it is asked for; refuses more than `most` bytes.
class Counting final : public Allocator {
 public:
  std::vector<std::size_t> asked;
  std::size_t most = std::size_t{1} << 20;
  int living = 0;
  DataPtr allocate(std::size_t bytes) override {
    asked.push_back(bytes);
    if (bytes > most) fail<OutOfMemoryError>("the test's allocator has no ", bytes, " bytes");
    if (bytes == 0) return DataPtr(nullptr, kCPU);
    ++living;
    auto* block = new Block{this, std::aligned_alloc(64, (bytes + 63) & ~std::size_t{63})};
    return DataPtr(
        block->data, block,
        [](void* context) {
          auto* gone = static_cast<Block*>(context);
          --gone->owner->living;
          std::free(gone->data);
          delete gone;
        },
        kCPU);
  }

 private:
  struct Block {
    Counting* owner;
    void* data;
  };
};
class AllocatorGuard {
 public:
  AllocatorGuard(DeviceType device, Allocator* a) : device_(device), before_(set_allocator(device, a)) {}
  AllocatorGuard(const AllocatorGuard&) = delete;
  ~AllocatorGuard() { set_allocator(device_, before_); }
  Allocator* before() const { return before_; }

 private:
  DeviceType device_;
  Allocator* before_;
};
using Bytes = std::vector<std::size_t>;

}  // namespace

TEST_CASE("an allocator that is installed is asked for the bytes of each tensor, small and large",
          "[tensor][allocator]") {
  Counting own;
  Allocator& usual = allocator(DeviceType::CPU);
  Tensor first, small, large, none;
  {
    AllocatorGuard guard(DeviceType::CPU, &own);
    CHECK(guard.before() == nullptr);
    CHECK(has_custom_allocator(DeviceType::CPU));
    CHECK(&allocator(DeviceType::CPU) == &own);
    small = make_tensor({3}, {}, kFloat);
    large = make_tensor({1000, 7}, {}, kDouble);
    none = make_tensor({0, 5}, {}, kLong);
    first = make_tensor({2, 2}, IntArrayRef{8, 1}, kHalf);
    CHECK(own.asked == Bytes{12, 56000, 0, 20});
    CHECK(own.living == 3);
    std::memset(large.data_ptr(), 1, large.nbytes());
    Counting inner;
    {
      AllocatorGuard within(DeviceType::CPU, &inner);
      CHECK(within.before() == &own);
      make_tensor({2}, {}, kFloat);
      CHECK(inner.asked == Bytes{8});
      CHECK(inner.living == 0);
    }
    CHECK(own.asked.size() == 4);
  }
  CHECK_FALSE(has_custom_allocator(DeviceType::CPU));
  CHECK(&allocator(DeviceType::CPU) == &usual);
  make_tensor({3}, {}, kFloat);
  CHECK(own.asked.size() == 4);
  // Memory goes back to where it came from, whoever is asked for more by then.
  small = large = none = Tensor();
  CHECK(own.living == 1);
  first = Tensor();
  CHECK(own.living == 0);
}

TEST_CASE("what an allocator throws reaches the caller, and storage that grows asks it too", "[tensor][allocator]") {
  Counting own;
  AllocatorGuard guard(DeviceType::CPU, &own);
  own.most = 100;  // CHECK_ERROR calls twice
  CHECK_ERROR(make_tensor({26}, {}, kFloat), OutOfMemoryError, "the test's allocator has no 104 bytes");
  CHECK(own.living == 0);
  Tensor t = make_tensor({25}, {}, kFloat);
  std::memset(t.data_ptr(), 5, 100);
  CHECK_ERROR_CONTAINS(t.impl().storage()->resize(101), OutOfMemoryError, "has no 101 bytes");
  CHECK(t.storage().nbytes() == 100);
  own.most = 200;
  t.impl().storage()->resize(200);
  CHECK(t.storage().nbytes() == 200);
  CHECK(static_cast<unsigned char*>(t.data_ptr())[99] == 5);
  CHECK(own.asked == Bytes{104, 104, 100, 101, 101, 200});
  CHECK(own.living == 1);
  t = Tensor();
  CHECK(own.living == 0);
}

TEST_CASE("a device without an allocator names the way to give it one", "[tensor][allocator]") {
  CHECK_ERROR(allocator(DeviceType::PrivateUse1), NotImplementedError,
              "no allocator for device type privateuseone; register one with set_allocator()");
  Counting own;
  AllocatorGuard guard(DeviceType::PrivateUse1, &own);
  CHECK(&allocator(DeviceType::PrivateUse1) == &own);
  CHECK_FALSE(has_custom_allocator(DeviceType::CPU));
}

TEST_CASE("more memory than there can be is refused by its size", "[tensor][allocator]") {
  CHECK_ERROR_CONTAINS(allocator(DeviceType::CPU).allocate(SIZE_MAX), OutOfMemoryError,
                       concat("CPU allocator: cannot allocate ", SIZE_MAX, " bytes (15.9 EiB)"));
  CHECK_THROWS_AS(allocator(DeviceType::CPU).allocate(std::size_t{1} << 62), OutOfMemoryError);
}

#if !TENON_NO_FREE_LISTS
TEST_CASE("memory that was kept is given back before an allocation fails", "[tensor][allocator]") {
  Allocator& memory = allocator(DeviceType::CPU);
  constexpr std::size_t mib = std::size_t{1} << 20;
  memory.allocate(256 * mib);  // kept at once
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  struct Limit {
    rlimit before;
    explicit Limit(std::size_t bytes) {
      getrlimit(RLIMIT_AS, &before);
      rlimit now{bytes, before.rlim_max};
      setrlimit(RLIMIT_AS, &now);
    }
    ~Limit() { setrlimit(RLIMIT_AS, &before); }
  } limit(pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE)) + 64 * mib);
  DataPtr smaller = memory.allocate(128 * mib);
  CHECK(smaller.get() != nullptr);
  smaller.clear();
  std::string text;
  try {
    DataPtr held = memory.allocate(mib);
    memory.allocate(1024 * mib);
  } catch (const OutOfMemoryError& e) { text = e.summary(); }
  CHECK(text ==
        "CPU allocator: cannot allocate 1073741824 bytes (1.0 GiB); tensors of 64.0 KiB and more hold 1.0 MiB; "
        "128.0 MiB of freed memory that was kept were given back before");
}
#endif

TEST_CASE("fresh memory holds what it is told to, whether the system's or kept", "[tensor][allocator]") {
  for (std::int64_t n : {3, 300, 30000, 3000000})
    for (int round = 0; round < 2; ++round) {
      set_cpu_fill(CpuFill::Junk);
      Tensor junk = make_tensor({n}, {}, kByte);
      set_cpu_fill(CpuFill::Zero);
      Tensor zero = make_tensor({n}, {}, kByte);
      set_cpu_fill(CpuFill::None);
      const auto *j = junk.data_ptr<std::uint8_t>(), *z = zero.data_ptr<std::uint8_t>();
      CAPTURE(n);
      CHECK((j[0] == 0x7f && j[n / 2] == 0x7f && j[n - 1] == 0x7f));
      CHECK((z[0] == 0 && z[n / 2] == 0 && z[n - 1] == 0));
      std::memset(zero.data_ptr(), 3, zero.nbytes());
    }
}

#if !TENON_NO_FREE_LISTS
namespace {
bool is_mapped(void* page) { return ::msync(page, 4096, MS_ASYNC) == 0 || errno != ENOMEM; }
}  // namespace

TEST_CASE("freed large blocks are kept for the next of their size, within a limit", "[tensor][allocator]") {
  constexpr std::int64_t n = 5 << 20;  // bytes: mapped, so that memory that went can be told from memory that is kept
  auto freed = [](std::int64_t bytes) {
    Tensor t = make_tensor({bytes}, {}, kByte);
    std::memset(t.data_ptr(), 1, t.nbytes());
    return t.data_ptr();
  };
  empty_cpu_cache();
  void* first = freed(n);
  CHECK(is_mapped(first));
  {
    Tensor again = make_tensor({n}, {}, kByte), other = make_tensor({n}, {}, kByte);
    CHECK(again.data_ptr() == first);
    CHECK(other.data_ptr() != first);
  }
  // A block serves what wastes at most a quarter of it.
  CHECK(make_tensor({2 << 20}, {}, kByte).data_ptr() != first);
  empty_cpu_cache();
  CHECK_FALSE(is_mapped(first));
  set_cpu_cache_limit(0);
  CHECK_FALSE(is_mapped(freed(n)));
  set_cpu_cache_limit(std::size_t{8} << 20);
  first = freed(n);
  CHECK(is_mapped(first));
  CHECK_FALSE(is_mapped(freed(4 * n)));
  CHECK(is_mapped(first));
  set_cpu_cache_limit(std::size_t{1} << 20);  // gives back at once what is too much
  CHECK_FALSE(is_mapped(first));
  set_cpu_cache_limit(std::size_t{1} << 30);
}
#endif

TEST_CASE("a NUMA node for large blocks is a hint", "[tensor][allocator]") {
  for (int node : {0, 63, 1000, -1}) {
    set_cpu_numa_node(node);
    empty_cpu_cache();
    Tensor x = make_tensor({1 << 20}, {}, kFloat);
    x.data_ptr<float>()[(1 << 20) - 1] = 1;
    CHECK(x.const_data_ptr<float>()[(1 << 20) - 1] == 1);
    CHECK(x.mutable_data_ptr<float>() == x.const_data_ptr());
  }
}

#if !TENON_NO_FREE_LISTS
TEST_CASE("freed large memory is taken again, whatever rounding up to pages wasted, and after many other sizes",
          "[tensor][allocator]") {
  for (std::int64_t bytes :
       {std::int64_t{70000}, std::int64_t{2} << 20, std::int64_t{2100000}, std::int64_t{6422528}}) {
    empty_cpu_cache();
    const void* first = make_tensor({bytes}, {}, kByte).data_ptr();
    CHECK(make_tensor({bytes}, {}, kByte).data_ptr() == first);
    // Other sizes than those that are asked for do not keep the cache full.
    std::vector<Tensor> others;
    for (std::int64_t i = 0; i < 100; ++i) others.push_back(make_tensor({100000 + 50000 * (i % 7)}, {}, kByte));
    others.clear();
    const void* again = make_tensor({bytes}, {}, kByte).data_ptr();
    CHECK(make_tensor({bytes}, {}, kByte).data_ptr() == again);
  }
  empty_cpu_cache();
}
#endif
