// Runs kernel bodies on the host, lane by lane, and finds what a device would do in silence: lanes that miss a barrier
// or a mask, misaligned packs, shared memory that nobody set.
#pragma once
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <type_traits>

#include <tenon/cuda/detail/fibres.hpp>
#include <tenon/cuda/detail/threads.hpp>
#include <tenon/cuda/pack.hpp>

namespace tenon::cuda {

/// A mistake of a kernel that the executor found; the text names lanes and lines.
struct KernelDefect : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A lane on the host. The functions are those of a device's lane, and say where they were called.
class HostLane {
 public:
  using Site = detail::Site;
  static constexpr std::size_t kSharedBytes = detail::kSharedBytes;  ///< of a block, as every device has
  HostLane(detail::Block& block, unsigned thread) : block_(&block), thread_(thread) {}

  unsigned thread() const { return thread_; }
  unsigned threads() const { return block_->threads; }
  std::int64_t block() const { return block_->index; }
  std::int64_t blocks() const { return block_->blocks; }

  void sync(Site site = Site::here()) { block_->wait(thread_, {detail::Wait::Barrier, 0, 0, site}); }
  void sync_warp(unsigned mask, Site site = Site::here()) {
    block_->wait(thread_, {detail::Wait::Warp, mask, 0, site});
  }
  template <class T>
  T shfl_xor(unsigned mask, T value, unsigned other, Site site = Site::here()) {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= detail::Wait::kValue);
    detail::Wait wait{detail::Wait::Xor, mask, other, site};
    std::memcpy(wait.value, static_cast<const void*>(&value), sizeof(T));
    block_->wait(thread_, wait);
    std::memcpy(static_cast<void*>(&value), block_->result(thread_), sizeof(T));
    return value;
  }
  unsigned ballot(unsigned mask, bool condition, Site site = Site::here()) {
    detail::Wait wait{detail::Wait::Ballot, mask, condition, site};
    block_->wait(thread_, wait);
    unsigned bits;
    std::memcpy(&bits, block_->result(thread_), sizeof bits);
    return bits;
  }
  template <class S>
  S& shared(Site site = Site::here()) {
    static constexpr char type = 0;
    return *static_cast<S*>(block_->shared(thread_, sizeof(S), &type, site));
  }
  template <int N, class T>
  Pack<T, N> load(const T* from, Site site = Site::here()) {
    check_aligned(from, alignof(Pack<T, N>), sizeof(Pack<T, N>), site);
    Pack<T, N> pack;
    std::memcpy(static_cast<void*>(&pack), from, sizeof pack);
    return pack;
  }
  template <class T, int N>
  void store(T* to, const Pack<T, N>& pack, Site site = Site::here()) {
    check_aligned(to, alignof(Pack<T, N>), sizeof pack, site);
    std::memcpy(static_cast<void*>(to), static_cast<const void*>(&pack), sizeof pack);
  }
  void sincos(float x, float& sine, float& cosine) {
    sine = std::sin(x);
    cosine = std::cos(x);
  }
  template <class T>
  void atomic_add(T* to, T value) {
    std::atomic_ref<T>(*to).fetch_add(value, std::memory_order_relaxed);
  }

 private:
  void check_aligned(const void* p, std::size_t multiple, std::size_t bytes, Site site) {
    if (reinterpret_cast<std::uintptr_t>(p) % multiple != 0)
      block_->stop(thread_, site, "moves %zu bytes at an address that is no multiple of %zu", bytes, multiple);
  }
  detail::Block* block_;
  unsigned thread_;
};

/// How kernels run on the host; of the process.
struct ExecutorSettings {
  /// Fibres: one lane at a time, the next one drawn by the seed whenever a lane waits or ends. Threads: one for each
  /// lane of a block, for a sanitizer of threads; masks must then name the whole warp.
  enum class Mode : std::uint8_t { Fibres, Threads } mode = Mode::Fibres;
  std::uint64_t seed = 1;
  /// Called before and behind every launch; false says that memory was written that is no tensor's.
  void (*enter)() = nullptr;
  bool (*leave)() = nullptr;
  /// Sees the bytes of each argument of a launch before it runs.
  void (*argument)(const void* data, std::size_t bytes) = nullptr;
  /// Takes a launch to run it later, in the order of its stream; without one launches run at once.
  void (*submit)(void* stream, std::function<void()> run) = nullptr;
};

class Executor {
 public:
  static constexpr unsigned kMostThreads = 1024;
  static ExecutorSettings& settings() {
    static ExecutorSettings s;
    return s;
  }
  /// Runs every lane of every block; throws KernelDefect.
  template <class Call>
  static void run(std::int64_t blocks, unsigned threads, Call call) {
    if (blocks < 1 || blocks > INT32_MAX || threads < 1 || threads > kMostThreads)
      throw KernelDefect("a grid of " + std::to_string(blocks) + " blocks of " + std::to_string(threads) + " lanes");
    if (settings().enter) settings().enter();
    detail::Body body{[](void* data, detail::Block& block, unsigned thread) {
                        HostLane lane(block, thread);
                        (*static_cast<Call*>(data))(lane);
                      },
                      &call};
    std::string defect = settings().mode == ExecutorSettings::Mode::Threads
                             ? detail::run_threads(blocks, threads, body)
                             : detail::run_fibres(blocks, threads, body, settings().seed);
    if (settings().leave && !settings().leave() && defect.empty())
      defect = "a kernel wrote beside the memory of a tensor";
    if (!defect.empty()) throw KernelDefect(defect);
  }
};

}  // namespace tenon::cuda
