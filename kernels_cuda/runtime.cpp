// The runtime of devices: memory, copies, the thread's current device.
#include <tenon/cuda/runtime.hpp>

#include <tenon/base/error.hpp>
#include <tenon/dispatch/device_guard.hpp>

#include "caching_allocator.hpp"
#include "cudart.hpp"

namespace tenon::cuda {
namespace {

void check(int error, std::string_view what) {
  if (error == 0) return;
  cudart().last_error();
  fail<Error>(what, ": CUDA error: ", cudart().error_text(error));
}
CachingAllocator& memory() {
  // Never destroyed: tensors with static storage give their memory back after every other static object is gone.
  static auto* allocator = new CachingAllocator;
  return *allocator;
}
std::int8_t exchange(std::int8_t index) {
  std::int8_t before = runtime::current_device();
  if (index != before) check(cudart().set_device(index), "set_device");
  return before;
}
constexpr DeviceHooks hooks{&exchange};
struct Install {
  Install() { set_device_hooks(DeviceType::CUDA, &hooks); }
};
const Install install;

void copy(void* to, const void* from, std::size_t bytes, bool waits) {
  if (bytes == 0) return;
  check(cudart().memcpy_async(to, from, bytes, runtime::current_stream()), "copy");
  if (waits) check(cudart().stream_synchronize(runtime::current_stream()), "copy");
}

}  // namespace

namespace runtime {

int device_count() noexcept {
  int count = 0;
  if (cudart().device_count(&count) == 0) return count;
  cudart().last_error();  // no driver, or no device
  return 0;
}
std::int8_t current_device() {
  int device = 0, error = cudart().get_device(&device);
  if (error != 0 && device_count() == 0) fail<ValueError>("no device cuda:0: the process has 0 of CUDA");
  check(error, "current_device");
  return static_cast<std::int8_t>(device);
}
// Every thread works on the default stream so far.
void* current_stream() { return nullptr; }
std::int64_t resident_blocks(unsigned threads) {
  int multiprocessors = 0, each = 0;
  check(cudart().resident(&multiprocessors, &each, current_device()), "resident_blocks");
  return std::int64_t{multiprocessors} * (each / static_cast<int>(threads));
}
void* allocate(std::size_t bytes) { return memory().take(bytes, current_device(), current_stream()); }
void release(void* data) noexcept { memory().give(data); }
void copy_to_device(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, true); }
void copy_to_host(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, true); }
void copy_on_device(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, false); }
void check_launch(std::string_view what) {
  if (int error = cudart().last_error()) fail<Error>(what, ": CUDA error: ", cudart().error_text(error));
}
void synchronize() { check(cudart().stream_synchronize(current_stream()), "synchronize"); }
MemoryStats memory_stats() { return memory().stats(); }
void empty_cache() { memory().empty(); }

}  // namespace runtime
}  // namespace tenon::cuda
