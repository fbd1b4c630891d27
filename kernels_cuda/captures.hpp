// Captures of graphs as the allocators see them.
#pragma once
#include <atomic>
#include <cstdint>

#include "cudart.hpp"

namespace tenon::cuda {

/// Memory of a graph, or of several that share it; 0 is everybody's.
using GraphPool = std::uint64_t;

/// The pool of the graph that this thread captures; 0: it captures none.
inline GraphPool& captured_pool() {
  thread_local GraphPool pool = 0;
  return pool;
}
/// Captures of all threads that are under way. An event that a stream is given then may become part of a graph.
inline std::atomic<int>& captures_under_way() {
  static std::atomic<int> captures{0};
  return captures;
}

/// Taking memory is no work of a stream, nor is waiting for one that is not captured, yet the driver refuses both to a
/// thread that captures unless told so.
class MayTakeMemory {
 public:
  MayTakeMemory() {
    if (captures_) cudart().capture_mode(&mode_);
  }
  MayTakeMemory(const MayTakeMemory&) = delete;
  MayTakeMemory& operator=(const MayTakeMemory&) = delete;
  ~MayTakeMemory() {
    if (captures_) cudart().capture_mode(&mode_);
  }

 private:
  bool captures_ = captured_pool() != 0;
  int mode_ = 2;
};

}  // namespace tenon::cuda
