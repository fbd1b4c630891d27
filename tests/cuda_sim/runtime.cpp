// The runtime of devices over functions of this test in place of the driver's.
#include <tenon/cuda/runtime.hpp>

#include <tenon/base/device.hpp>
#include <tenon/cuda/memory.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/dispatch/optional_device_guard.hpp>

#include "../catch.hpp"
#include "driver.hpp"

using namespace tenon;
namespace runtime = tenon::cuda::runtime;
using fake::driver;

TEST_CASE("memory that a tensor gave back is the next tensor's", "[cuda_runtime]") {
  cuda::empty_cache();
  fake::reset();
  void* a = runtime::allocate(1000);
  runtime::release(a);
  CHECK(runtime::allocate(900) == a);  // of the same 1024 bytes
  void* b = runtime::allocate(900);
  CHECK(b != a);
  CHECK(cuda::memory_stats().in_use == 2048);
  runtime::release(a);
  runtime::release(b);
  CHECK(cuda::memory_stats().in_use == 0);
  CHECK(cuda::memory_stats().kept == 2048);
  CHECK(cuda::memory_stats().peak >= 2048);
  void* c = runtime::allocate(3000);
  runtime::release(c);
  cuda::empty_cache();
  c = runtime::allocate(3000);
  runtime::release(c);
  void* d = runtime::allocate(300);  // a block of 3072 bytes would be more than half unused
  CHECK(d != c);
  runtime::release(d);
  cuda::empty_cache();
  CHECK(driver().blocks.empty());
  CHECK(cuda::memory_stats().kept == 0);
}

TEST_CASE("blocks of one device are never another's", "[cuda_runtime]") {
  fake::reset();
  void* a = runtime::allocate(512);
  runtime::release(a);
  void* b;
  {
    DeviceGuard guard(Device("cuda:1"));
    CHECK(driver().current() == 1);
    b = runtime::allocate(512);
    CHECK(b != a);
  }
  CHECK(driver().current() == 0);
  runtime::release(b);
  CHECK(runtime::allocate(512) == a);
  runtime::release(a);
  cuda::empty_cache();
}

TEST_CASE("where the driver has no memory left kept blocks go first", "[cuda_runtime]") {
  fake::reset();
  std::size_t mib = std::size_t{1} << 20;
  void* a = runtime::allocate(40 * mib);
  runtime::release(a);
  void* b = runtime::allocate(10 * mib);  // 40 MiB would be more than half unused
  CHECK(driver().used() == 50 * mib);
  void* c = runtime::allocate(50 * mib);
  CHECK(driver().used() == 60 * mib);
  CHECK(driver().error == 0);  // the first refusal is forgotten, or the next kernel would be blamed for it
  CHECK_ERROR(runtime::allocate(30 * mib), OutOfMemoryError,
              "CUDA out of memory. Tried to allocate 31457280 bytes on device cuda:0; 62914560 bytes are in use by "
              "tensors of the process");
  CHECK(driver().error == 0);
  runtime::release(b);
  runtime::release(c);
  cuda::empty_cache();
}

TEST_CASE("copies to and from the host wait, copies on the device do not", "[cuda_runtime]") {
  fake::reset();
  char from[4] = {1, 2, 3, 4}, to[4] = {};
  runtime::copy_to_host(to, from, 4);
  CHECK(to[3] == 4);
  CHECK(driver().log == std::vector<std::string>{"memcpy", "synchronize"});
  driver().log.clear();
  runtime::copy_on_device(to, from, 4);
  CHECK(driver().log == std::vector<std::string>{"memcpy"});
  runtime::copy_on_device(to, from, 0);
  CHECK(driver().log.size() == 1);
}

TEST_CASE("failures of the driver are errors with its words", "[cuda_runtime]") {
  fake::reset();
  char byte[1] = {};
  auto failing = [&] {
    driver().fails["memcpy"] = 46;
    runtime::copy_to_device(byte, byte, 1);
  };
  CHECK_ERROR(failing(), Error, "copy: CUDA error: lost device");
  CHECK(driver().error == 0);
  runtime::check_launch("add");
  auto after_kernel = [] {
    driver().error = 46;  // as a kernel leaves it
    runtime::check_launch("add");
  };
  CHECK_ERROR(after_kernel(), Error, "add: CUDA error: lost device");
  driver().fails["device_count"] = 35;
  CHECK(runtime::device_count() == 0);  // no driver: no device, and no error
  CHECK(driver().error == 0);
  CHECK(runtime::device_count() == 2);
}

TEST_CASE("where there is no device it is said so", "[cuda_runtime]") {
  fake::reset();
  driver().devices = 0;
  CHECK(runtime::device_count() == 0);
  CHECK_ERROR(runtime::current_device(), ValueError, "no device cuda:0: the process has 0 of CUDA");
  CHECK_ERROR(DeviceGuard(Device("cuda:0")), ValueError, "no device cuda:0: the process has 0 of CUDA");
  fake::reset();
}

TEST_CASE("an optional guard goes back to the first device", "[cuda_runtime]") {
  fake::reset();
  {
    OptionalDeviceGuard none;
    CHECK_FALSE(none.current_device());
    OptionalDeviceGuard guard(Device("cuda:1"));
    CHECK(driver().current() == 1);
    guard.reset_device(Device("cuda:0"));
    CHECK(driver().current() == 0);
    guard.reset_device(Device("cuda:1"));
    CHECK(guard.current_device() == Device("cuda:1"));
  }
  CHECK(driver().current() == 0);
  OptionalDeviceGuard absent(std::nullopt);
  CHECK(driver().current() == 0);
}

TEST_CASE("figures of memory are each device's own, and peaks begin anew", "[cuda_runtime]") {
  fake::reset();
  cuda::empty_cache();
  cuda::reset_peak_memory_stats(1);
  cuda::MemoryStats before = cuda::memory_stats(1), other = cuda::memory_stats(0);
  {
    DeviceGuard guard(Device("cuda:1"));
    runtime::release(runtime::allocate(5000));
    runtime::release(runtime::allocate(4000));
  }
  cuda::MemoryStats after = cuda::memory_stats(1);
  CHECK(after.allocations == before.allocations + 2);
  CHECK(after.from_driver == before.from_driver + 1);
  CHECK(after.peak == 5120);
  CHECK(after.most_held == 5120);
  CHECK(after.kept == 5120);
  CHECK(after.held() == 5120);
  CHECK(cuda::memory_stats(0).allocations == other.allocations);
  cuda::reset_peak_memory_stats(1);
  CHECK(cuda::memory_stats(1).peak == 0);
  cuda::empty_cache();
  CHECK(cuda::memory_stats(1).held() == 0);
  CHECK_ERROR(cuda::memory_stats(2), ValueError, "no device cuda:2: the process has 2 of CUDA");
}

namespace {
struct Log final : cuda::MemoryReporter {
  std::ptrdiff_t sum = 0;
  int calls = 0;
  std::size_t failed = 0;
  Device last;
  void moved(Device device, const void*, std::ptrdiff_t bytes, const cuda::MemoryStats& stats) override {
    sum += bytes;
    ++calls;
    last = device;
    CHECK(stats.in_use == cuda::memory_stats(device.index).in_use);  // may ask: no lock is held
  }
  void out_of_memory(Device, std::size_t bytes, const cuda::MemoryStats& stats) override {
    failed = bytes;
    CHECK(stats.out_of_memory > 0);
  }
};
}  // namespace

TEST_CASE("a reporter is told of memory that comes and goes and of what there is none for", "[cuda_runtime]") {
  fake::reset();
  Log log;
  CHECK(cuda::set_memory_reporter(&log) == nullptr);
  void* a = runtime::allocate(700);
  CHECK(log.sum == 1024);
  CHECK(log.last == Device("cuda:0"));
  runtime::release(a);
  CHECK(log.sum == 0);
  CHECK(log.calls == 2);
  std::uint64_t retries = cuda::memory_stats().retries;
  CHECK_THROWS_AS(runtime::allocate(std::size_t{1} << 30), OutOfMemoryError);
  CHECK(log.failed == std::size_t{1} << 30);
  CHECK(cuda::memory_stats().retries == retries + 1);
  CHECK(cuda::set_memory_reporter(nullptr) == &log);
}

TEST_CASE("a lost device is told by every call, and memory can be given back", "[cuda_runtime]") {
  fake::reset();
  void* a = runtime::allocate(512);
  driver().lost = true;
  CHECK_ERROR_CONTAINS(runtime::synchronize(), Error, "synchronize: CUDA error: lost device");
  // Nothing says that there is no memory left.
  CHECK_ERROR(runtime::allocate(std::size_t{8} << 20), Error, "allocate: CUDA error: lost device");
  CHECK(driver().error == 0);
  CHECK(runtime::device_count() == 0);
  runtime::release(a);
  driver().lost = false;
  runtime::release(runtime::allocate(512));
}
