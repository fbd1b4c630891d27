// The runtime of devices: memory, copies, the thread's current device.
#include <tenon/cuda/runtime.hpp>

#include <tenon/dispatch/device_guard.hpp>

#include "runtime_state.hpp"

namespace tenon::cuda {

CachingAllocator& device_memory() {
  // Never destroyed: tensors with static storage give their memory back after every other static object is gone.
  static auto* allocator = new CachingAllocator;
  return *allocator;
}
PinnedAllocator& pinned_memory() {
  static auto* allocator = new PinnedAllocator;
  return *allocator;
}
std::int8_t device_index(std::int8_t device) {
  if (device < 0) return runtime::current_device();
  int count = runtime::device_count();
  TENON_CHECK(device < count, ValueError, "no device ", Device(DeviceType::CUDA, device), ": the process has ", count,
              " of CUDA");
  return device;
}

namespace {

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
std::int64_t resident_blocks(unsigned threads) {
  int multiprocessors = 0, each = 0;
  check(cudart().resident(&multiprocessors, &each, current_device()), "resident_blocks");
  return std::int64_t{multiprocessors} * (each / static_cast<int>(threads));
}
void* allocate(std::size_t bytes) { return device_memory().take(bytes, current_device(), current_stream()); }
std::int8_t device_of(const void* data) {
  int device = 0;
  check(cudart().memory_device(&device, data), "read");
  return static_cast<std::int8_t>(device);
}
void release(void* data) noexcept { device_memory().give(data); }
void record_stream(const void* data, tenon::Stream stream) {
  device_memory().record(data, stream.device.index, handle_of(stream));
}
void copy_to_device(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, true); }
void copy_to_host(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, true); }
void copy_on_device(void* to, const void* from, std::size_t bytes) { copy(to, from, bytes, false); }
void* allocate_pinned(std::size_t bytes) { return pinned_memory().take(bytes); }
void release_pinned(void* data) noexcept { pinned_memory().give(data); }
void copy_pinned(void* to, const void* from, std::size_t bytes, const void* pinned) {
  copy(to, from, bytes, false);
  pinned_memory().record(pinned, current_device(), current_stream());
}
bool is_pinned(const void* data) { return pinned_memory().holds(data); }
void check_launch(std::string_view what) {
  if (int error = cudart().last_error()) fail<Error>(what, ": CUDA error: ", cudart().error_text(error));
}
void synchronize() { check(cudart().stream_synchronize(current_stream()), "synchronize"); }

}  // namespace runtime
}  // namespace tenon::cuda
