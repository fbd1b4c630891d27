// The simulated device: memory that the host cannot touch, with red zones, behind the runtime's functions.
#include "device.hpp"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/cuda/executor.hpp>
#include <tenon/cuda/runtime.hpp>
#include <tenon/dispatch/device_guard.hpp>

namespace tenon::cuda {
namespace {

constexpr std::size_t kArena = std::size_t{1} << 30, kPage = 4096, kZone = 256;  // bytes
constexpr unsigned char kRed = 0xa5, kUnset = 0xcb;

/// All memory of the device. It can be read and written inside of `Access` alone: a host function that follows a
/// device's pointer crashes here as it would with a device.
class Arena {
 public:
  static Arena& get() {
    static Arena* arena = new Arena;  // tensors with static storage outlive every other object
    return *arena;
  }
  char* take(std::size_t bytes) {
    std::lock_guard lock(mutex_);
    std::size_t rounded = (bytes + kZone - 1) / kZone * kZone, whole = rounded + 2 * kZone;
    std::size_t at = 0;
    if (auto f = free_.find(whole); f != free_.end() && !f->second.empty()) {
      at = f->second.back();
      f->second.pop_back();
    } else {
      if (end_ + whole > kArena) fail<OutOfMemoryError>("CUDA out of memory: cannot allocate ", bytes, " bytes");
      at = end_;
      end_ += whole;
    }
    open();
    char* data = base_ + at + kZone;
    std::memset(base_ + at, kRed, kZone);
    std::memset(data, kUnset, bytes);
    std::memset(data + bytes, kRed, whole - kZone - bytes);
    close();
    live_[at] = bytes;
    return data;
  }
  void give(char* data) {
    std::lock_guard lock(mutex_);
    auto at = static_cast<std::size_t>(data - base_) - kZone;
    std::size_t bytes = live_.at(at);
    live_.erase(at);
    free_[(bytes + kZone - 1) / kZone * kZone + 2 * kZone].push_back(at);
  }
  bool holds(const void* p) const { return p >= base_ && p < base_ + kArena; }
  void open() {
    if (depth_++ == 0) protect(PROT_READ | PROT_WRITE);
  }
  void close() {
    if (--depth_ == 0) protect(PROT_NONE);
  }
  /// Whether a red zone of a live block was written; memory must be open.
  bool zones_hold() const {
    auto is_red = [](const char* from, const char* to) {
      for (; from != to; ++from)
        if (static_cast<unsigned char>(*from) != kRed) return false;
      return true;
    };
    for (auto [at, bytes] : live_) {
      const char* data = base_ + at + kZone;
      std::size_t rounded = (bytes + kZone - 1) / kZone * kZone;
      if (!is_red(base_ + at, data) || !is_red(data + bytes, data + rounded + kZone)) return false;
    }
    return true;
  }
  std::recursive_mutex& mutex() { return mutex_; }

 private:
  Arena()
      : base_(
            static_cast<char*>(mmap(nullptr, kArena, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0))) {
    if (base_ == MAP_FAILED) fail<OutOfMemoryError>("no address space for the simulated device");
  }
  void protect(int how) {
    std::size_t used = (end_ + kPage - 1) / kPage * kPage;
    if (used) mprotect(base_, used, how);
  }

  std::recursive_mutex mutex_;
  char* base_;
  std::size_t end_ = 0;
  int depth_ = 0;
  std::map<std::size_t, std::size_t> live_;
  std::map<std::size_t, std::vector<std::size_t>> free_;
};

/// Memory is open for one kernel or copy at a time.
void enter() {
  Arena::get().mutex().lock();
  Arena::get().open();
}
bool leave() {
  bool hold = Arena::get().zones_hold();
  Arena::get().close();
  Arena::get().mutex().unlock();
  return hold;
}
struct Access {
  Access() { enter(); }
  ~Access() {
    Arena::get().close();
    Arena::get().mutex().unlock();
  }
};

std::mutex pinned_mutex;
std::map<const char*, std::size_t> pinned;

thread_local std::int8_t current = 0;
std::int8_t exchange(std::int8_t index) {
  std::int8_t before = current;
  current = index;
  return before;
}
const DeviceHooks hooks{&exchange};
struct Install {
  Install() {
    Executor::settings().enter = &enter;
    Executor::settings().leave = &leave;
    set_device_hooks(DeviceType::CUDA, &hooks);
  }
};
const Install install;

}  // namespace

namespace simulated {
bool is_device_memory(const void* p) { return Arena::get().holds(p); }
}  // namespace simulated

namespace runtime {
int device_count() noexcept { return 1; }
std::int8_t current_device() { return current; }
void* current_stream() { return nullptr; }
std::int64_t resident_blocks(unsigned threads) { return 4096 / threads; }
void* allocate(std::size_t bytes) { return Arena::get().take(bytes); }
std::int8_t device_of(const void*) { return 0; }
void release(void* data) noexcept { Arena::get().give(static_cast<char*>(data)); }
void copy_to_device(void* to, const void* from, std::size_t bytes) {
  Access access;
  std::memcpy(to, from, bytes);
}
void copy_to_host(void* to, const void* from, std::size_t bytes) {
  Access access;
  std::memcpy(to, from, bytes);
}
void copy_on_device(void* to, const void* from, std::size_t bytes) {
  Access access;
  std::memcpy(to, from, bytes);
}
void* allocate_pinned(std::size_t bytes) {
  std::lock_guard lock(pinned_mutex);
  void* data = std::malloc(bytes);
  pinned[static_cast<char*>(data)] = bytes;
  return data;
}
void release_pinned(void* data) noexcept {
  std::lock_guard lock(pinned_mutex);
  pinned.erase(static_cast<char*>(data));
  std::free(data);
}
bool is_pinned(const void* data) {
  std::lock_guard lock(pinned_mutex);
  auto* p = static_cast<const char*>(data);
  auto next = pinned.upper_bound(p);
  return next != pinned.begin() && p < std::prev(next)->first + std::prev(next)->second;
}
void copy_pinned(void* to, const void* from, std::size_t bytes, const void*) { copy_on_device(to, from, bytes); }
void copy_across(void* to, std::int8_t, const void* from, std::int8_t, std::size_t bytes) {
  copy_on_device(to, from, bytes);
}
void record_stream(const void*, tenon::Stream) {}
bool is_capturing() { return false; }
GraphRandom* graph_random() { return nullptr; }
void set_random_source(void (*)(std::uint64_t, std::uint64_t (&)[2])) {}
void check_launch(std::string_view) {}
void synchronize() {}
}  // namespace runtime

}  // namespace tenon::cuda
