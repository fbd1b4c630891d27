// Reports of memory that tensors take and give back.
#include <tenon/profiler/memory_reporter.hpp>

#include <memory>
#include <vector>

#include <tenon/tensor/create.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;

struct Noted final : MemoryReporter {
  std::vector<std::size_t> taken, given, refused;
  std::size_t last_total = 0;
  void allocated(const void* data, std::size_t bytes, std::size_t total, Device device) override {
    CHECK(device == kCPU);
    CHECK((data || bytes == 0));
    taken.push_back(bytes);
    last_total = total;
  }
  void freed(const void*, std::size_t bytes, std::size_t total, Device) noexcept override {
    given.push_back(bytes);
    last_total = total;
  }
  void out_of_memory(std::size_t bytes, std::size_t, Device) override { refused.push_back(bytes); }
};

TEST_CASE("a reporter hears of each block, of its end, and of what could not be had", "[profiler][memory_reporter]") {
  auto noted = std::make_shared<Noted>();
  Tensor outlives;
  {
    MemoryReporterGuard guard(noted);
    Tensor small = make_tensor({4}, {}, kFloat), large = make_tensor({1 << 20}, {}, kFloat);
    CHECK(noted->taken == std::vector<std::size_t>{16, 4 << 20});
    CHECK(guard.total() == 16 + (4 << 20));
    large = Tensor();
    CHECK(noted->given == std::vector<std::size_t>{4 << 20});
    CHECK(noted->last_total == 16);
    CHECK_THROWS_AS(make_tensor({std::int64_t{1} << 60}, {}, kChar), OutOfMemoryError);
    CHECK(noted->refused == std::vector<std::size_t>{std::size_t{1} << 60});
    outlives = small;
  }
  make_tensor({4}, {}, kFloat);
  CHECK(noted->taken.size() == 2);
  outlives = Tensor();
  CHECK(noted->last_total == 0);
  CHECK(noted.use_count() == 1);
}

TEST_CASE("a tensor of a reporter that is gone grows in the memory of the device", "[profiler][memory_reporter]") {
  auto noted = std::make_shared<Noted>();
  Tensor outlives;
  {
    MemoryReporterGuard guard(noted);
    outlives = make_tensor({4}, {}, kFloat);
  }
  outlives->storage()->resize(4096);
  CHECK(outlives->storage()->nbytes() == 4096);
  CHECK(noted->taken == std::vector<std::size_t>{16});
  CHECK(noted->given == std::vector<std::size_t>{16});
  outlives->storage()->resize(8);
  CHECK(outlives->storage()->resizable());
}

}  // namespace
