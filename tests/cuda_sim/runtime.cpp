// The runtime of devices over functions of this test in place of the driver's.
#include <tenon/cuda/runtime.hpp>

#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <tenon/base/device.hpp>
#include <tenon/dispatch/device_guard.hpp>

#include "../catch.hpp"
#include "cudart.hpp"

namespace {

/// A driver with two devices of 64 MiB each.
struct Driver {
  int devices = 2, current = 0, error = 0, fails_next = 0;
  std::size_t room = std::size_t{64} << 20;
  std::map<void*, std::size_t> blocks;
  std::vector<std::string> log;
  std::size_t used() const {
    std::size_t sum = 0;
    for (auto [p, bytes] : blocks) sum += bytes;
    return sum;
  }
  int result(const char* name, int fault = 0) {
    log.push_back(name);
    if (fails_next) fault = std::exchange(fails_next, 0);
    if (fault) error = fault;
    return fault;
  }
};
Driver driver;

}  // namespace

namespace tenon::cuda {

const Cudart& cudart() {
  static constexpr Cudart table{
      [](int* count) {
        *count = driver.devices;
        return driver.result("device_count");
      },
      [](int* device) {
        *device = driver.current;
        return driver.devices ? 0 : driver.result("get_device", 100);
      },
      [](int device) {
        driver.current = device;
        return driver.result("set_device", device < driver.devices ? 0 : 101);
      },
      [](int* multiprocessors, int* threads, int) {
        *multiprocessors = 3;
        *threads = 2048;
        return driver.result("resident");
      },
      [](void** data, std::size_t bytes) {
        if (driver.used() + bytes > driver.room) return driver.result("malloc", 2);
        if (int fault = driver.result("malloc")) return fault;
        *data = std::malloc(bytes);
        driver.blocks[*data] = bytes;
        return 0;
      },
      [](void* data) {
        driver.blocks.erase(data);
        std::free(data);
        return driver.result("free");
      },
      [](void* to, const void* from, std::size_t bytes, void*) {
        std::memcpy(to, from, bytes);
        return driver.result("memcpy");
      },
      [](void*) { return driver.result("synchronize"); },
      [] { return std::exchange(driver.error, 0); },
      [](int error) { return error == 2 ? "out of memory" : "lost device"; },
  };
  return table;
}

}  // namespace tenon::cuda

using namespace tenon;
namespace runtime = tenon::cuda::runtime;

TEST_CASE("memory that a tensor gave back is the next tensor's", "[cuda_runtime]") {
  runtime::empty_cache();
  driver = {};
  void* a = runtime::allocate(1000);
  runtime::release(a);
  CHECK(runtime::allocate(900) == a);  // of the same 1024 bytes
  void* b = runtime::allocate(900);
  CHECK(b != a);
  CHECK(runtime::memory_stats().in_use == 2048);
  runtime::release(a);
  runtime::release(b);
  CHECK(runtime::memory_stats().in_use == 0);
  CHECK(runtime::memory_stats().kept == 2048);
  CHECK(runtime::memory_stats().peak >= 2048);
  void* c = runtime::allocate(3000);
  runtime::release(c);
  runtime::empty_cache();
  c = runtime::allocate(3000);
  runtime::release(c);
  void* d = runtime::allocate(300);  // a block of 3072 bytes would be more than half unused
  CHECK(d != c);
  runtime::release(d);
  runtime::empty_cache();
  CHECK(driver.blocks.empty());
  CHECK(runtime::memory_stats().kept == 0);
}

TEST_CASE("blocks of one device are never another's", "[cuda_runtime]") {
  driver = {};
  void* a = runtime::allocate(512);
  runtime::release(a);
  void* b;
  {
    DeviceGuard guard(Device("cuda:1"));
    CHECK(driver.current == 1);
    b = runtime::allocate(512);
    CHECK(b != a);
  }
  CHECK(driver.current == 0);
  runtime::release(b);
  CHECK(runtime::allocate(512) == a);
  runtime::release(a);
  runtime::empty_cache();
}

TEST_CASE("where the driver has no memory left kept blocks go first", "[cuda_runtime]") {
  driver = {};
  std::size_t mib = std::size_t{1} << 20;
  void* a = runtime::allocate(40 * mib);
  runtime::release(a);
  void* b = runtime::allocate(10 * mib);  // 40 MiB would be more than half unused
  CHECK(driver.used() == 50 * mib);
  void* c = runtime::allocate(50 * mib);
  CHECK(driver.used() == 60 * mib);
  CHECK(driver.error == 0);  // the first refusal is forgotten, or the next kernel would be blamed for it
  CHECK_ERROR(runtime::allocate(30 * mib), OutOfMemoryError,
              "CUDA out of memory. Tried to allocate 31457280 bytes on device cuda:0; 62914560 bytes are in use by "
              "tensors of the process");
  CHECK(driver.error == 0);
  runtime::release(b);
  runtime::release(c);
  runtime::empty_cache();
}

TEST_CASE("copies to and from the host wait, copies on the device do not", "[cuda_runtime]") {
  driver = {};
  char from[4] = {1, 2, 3, 4}, to[4] = {};
  runtime::copy_to_host(to, from, 4);
  CHECK(to[3] == 4);
  CHECK(driver.log == std::vector<std::string>{"memcpy", "synchronize"});
  driver.log.clear();
  runtime::copy_on_device(to, from, 4);
  CHECK(driver.log == std::vector<std::string>{"memcpy"});
  runtime::copy_on_device(to, from, 0);
  CHECK(driver.log.size() == 1);
}

TEST_CASE("failures of the driver are errors with its words", "[cuda_runtime]") {
  driver = {};
  char byte[1] = {};
  auto failing = [&] {
    driver.fails_next = 46;
    runtime::copy_to_device(byte, byte, 1);
  };
  CHECK_ERROR(failing(), Error, "copy: CUDA error: lost device");
  CHECK(driver.error == 0);
  runtime::check_launch("add");
  auto after_kernel = [] {
    driver.error = 46;  // as a kernel leaves it
    runtime::check_launch("add");
  };
  CHECK_ERROR(after_kernel(), Error, "add: CUDA error: lost device");
  driver.fails_next = 35;
  CHECK(runtime::device_count() == 0);  // no driver: no device, and no error
  CHECK(driver.error == 0);
  CHECK(runtime::device_count() == 2);
}

TEST_CASE("where there is no device it is said so", "[cuda_runtime]") {
  driver = {};
  driver.devices = 0;
  CHECK(runtime::device_count() == 0);
  CHECK_ERROR(runtime::current_device(), ValueError, "no device cuda:0: the process has 0 of CUDA");
  CHECK_ERROR(DeviceGuard(Device("cuda:0")), ValueError, "no device cuda:0: the process has 0 of CUDA");
  driver = {};
}
