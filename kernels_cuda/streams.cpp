// Streams and events, and the table of what programs call.
#include <atomic>
#include <mutex>

#include <tenon/cuda/runtime.hpp>

#include "graph_calls.hpp"
#include "runtime_state.hpp"

namespace tenon::cuda {
namespace {

constexpr int kLevels = 4, kStreams = 32;  // of priorities, 0 and below; of each

/// The streams of a device that the process has made. They live as long as it.
struct StreamPool {
  std::mutex mutex;
  int least_level = -1;  ///< the device's greatest priority, as a number of levels; -1 before it was asked
  std::atomic<unsigned> next[kLevels] = {};
  void* handle[kLevels][kStreams] = {};
};
StreamPool& pool_of(int device) {
  static auto* pools = new StreamPool[kMostDevices];
  return pools[device];
}
// Ids: 0 is the default stream, 1 to 128 are those of the pool, all above are handles of others'.
bool is_of_pool(std::int64_t id) { return id > 0 && id <= kLevels * kStreams; }
int level_of(std::int64_t id) { return static_cast<int>((id - 1) / kStreams); }

struct Current {
  std::int64_t id[kMostDevices] = {};
};
Current& current_ids() {
  thread_local Current current;
  return current;
}
tenon::Stream stream_on(std::int8_t device, std::int64_t id) { return {id, Device(DeviceType::CUDA, device)}; }

int levels_of(StreamPool& pool, int device) {
  std::lock_guard lock(pool.mutex);
  if (pool.least_level < 0) {
    OnDevice guard(device);
    int least = 0, greatest = 0;
    check(cudart().stream_priorities(&least, &greatest), "stream_from_pool");
    pool.least_level = std::min(-greatest, kLevels - 1);
  }
  return pool.least_level + 1;
}

tenon::Stream stream_from_pool(std::int8_t device, int priority) {
  TENON_CHECK(priority <= 0, ValueError, "Expected cuda stream priority to be less than or equal to 0, got ", priority);
  device = device_index(device);
  StreamPool& pool = pool_of(device);
  int level = std::min(-priority, levels_of(pool, device) - 1);
  unsigned i = pool.next[level]++ % kStreams;
  return stream_on(device, 1 + level * kStreams + static_cast<std::int64_t>(i));
}
tenon::Stream current_stream(std::int8_t device) {
  device = device_index(device);
  return stream_on(device, current_ids().id[device]);
}
tenon::Stream exchange_stream(tenon::Stream stream) {
  std::int64_t& id = current_ids().id[stream.device.index];
  tenon::Stream before = stream_on(stream.device.index, id);
  id = stream.id;
  return before;
}
bool stream_query(tenon::Stream stream) {
  OnDevice guard(stream.device.index);
  int state = cudart().stream_query(handle_of(stream));
  if (state == kCudaNotReady) {
    cudart().last_error();
    return false;
  }
  check(state, "query");
  return true;
}
void stream_synchronize(tenon::Stream stream) {
  OnDevice guard(stream.device.index);
  check(cudart().stream_synchronize(handle_of(stream)), "synchronize");
}
int stream_priority(tenon::Stream stream) { return is_of_pool(stream.id) ? -level_of(stream.id) : 0; }
void synchronize(std::int8_t device) {
  OnDevice guard(device_index(device));
  check(cudart().device_synchronize(), "synchronize");
}

void* event_create(std::int8_t device, bool timed, bool blocks) {
  OnDevice guard(device);
  void* event = nullptr;
  check(cudart().event_create(&event, timed, blocks), "record");
  return event;
}
void event_destroy(std::int8_t, void* event) {
  if (cudart().event_destroy(event)) cudart().last_error();
}
void event_record(void* event, tenon::Stream stream) {
  OnDevice guard(stream.device.index);
  check(cudart().event_record(event, handle_of(stream)), "record");
}
void event_wait(void* event, tenon::Stream stream) {
  OnDevice guard(stream.device.index);
  check(cudart().stream_wait(handle_of(stream), event), "wait");
}
bool event_query(std::int8_t device, void* event) {
  OnDevice guard(device);
  int state = cudart().event_query(event);
  if (state == kCudaNotReady) {
    cudart().last_error();
    return false;
  }
  check(state, "query");
  return true;
}
void event_synchronize(std::int8_t device, void* event) {
  OnDevice guard(device);
  check(cudart().event_synchronize(event), "synchronize");
}
float event_elapsed(std::int8_t device, void* from, void* to) {
  OnDevice guard(device);
  float milliseconds = 0;
  check(cudart().event_elapsed(&milliseconds, from, to), "elapsed_time");
  return milliseconds;
}

MemoryStats memory_stats(std::int8_t device) { return device_memory().stats(device_index(device)); }
void reset_peak(std::int8_t device) { device_memory().reset_peak(device_index(device)); }
PinnedStats pinned_stats() { return pinned_memory().stats(); }
void empty_cache() {
  device_memory().empty();
  pinned_memory().empty();
}
MemoryReporter* set_reporter(MemoryReporter* reporter) { return device_memory().set_reporter(reporter); }

}  // namespace

void* handle_of(tenon::Stream stream) {
  if (stream.id == 0) return nullptr;
  if (!is_of_pool(stream.id)) return reinterpret_cast<void*>(static_cast<std::intptr_t>(stream.id));
  StreamPool& pool = pool_of(stream.device.index);
  std::lock_guard lock(pool.mutex);
  void*& handle = pool.handle[level_of(stream.id)][(stream.id - 1) % kStreams];
  if (!handle) {
    OnDevice guard(stream.device.index);
    check(cudart().stream_create(&handle, -level_of(stream.id)), "stream_from_pool");
  }
  return handle;
}

namespace runtime {

void* current_stream() {
  std::int8_t device = current_device();
  std::int64_t id = current_ids().id[device];
  return id == 0 ? nullptr : handle_of(stream_on(device, id));
}
void copy_across(void* to, std::int8_t to_device, const void* from, std::int8_t from_device, std::size_t bytes) {
  if (bytes == 0) return;
  tenon::Stream there = cuda::current_stream(to_device), here = cuda::current_stream(from_device);
  struct Mark {
    explicit Mark(tenon::Stream s) : event(event_create(s.device.index, false, false)) {}
    Mark(const Mark&) = delete;
    Mark& operator=(const Mark&) = delete;
    ~Mark() { event_destroy(0, event); }
    void* event;
  };
  Mark written(there), read(here);
  event_record(written.event, there);
  event_wait(written.event, here);
  {
    OnDevice guard(from_device);
    check(cudart().memcpy_peer_async(to, to_device, from, from_device, bytes, handle_of(here)), "copy");
  }
  event_record(read.event, here);
  event_wait(read.event, there);
}

}  // namespace runtime
}  // namespace tenon::cuda

extern const tenon::cuda::RuntimeCalls tenon_cuda_runtime = {
    &tenon::cuda::stream_from_pool, &tenon::cuda::current_stream,    &tenon::cuda::exchange_stream,
    &tenon::cuda::handle_of,        &tenon::cuda::stream_query,      &tenon::cuda::stream_synchronize,
    &tenon::cuda::stream_priority,  &tenon::cuda::synchronize,       &tenon::cuda::event_create,
    &tenon::cuda::event_destroy,    &tenon::cuda::event_record,      &tenon::cuda::event_wait,
    &tenon::cuda::event_query,      &tenon::cuda::event_synchronize, &tenon::cuda::event_elapsed,
    &tenon::cuda::memory_stats,     &tenon::cuda::reset_peak,        &tenon::cuda::pinned_stats,
    &tenon::cuda::empty_cache,      &tenon::cuda::set_reporter,      &tenon::cuda::graph_create,
    &tenon::cuda::graph_destroy,    &tenon::cuda::graph_begin,       &tenon::cuda::graph_end,
    &tenon::cuda::graph_replay,     &tenon::cuda::graph_pool,        &tenon::cuda::runtime::is_capturing,
};
