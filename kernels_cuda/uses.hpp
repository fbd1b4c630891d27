// Streams that use a block beside the one that it belongs to, and when they are done with it.
#pragma once
#include <algorithm>
#include <utility>
#include <vector>

#include "cudart.hpp"

namespace tenon::cuda {

/// Streams that a block was given to, by device and handle; and, when its owner has ended, events behind what they had
/// been given until then.
class Uses {
 public:
  using Use = std::pair<int, void*>;
  void add(int device, void* stream) {
    if (std::find(streams_.begin(), streams_.end(), Use(device, stream)) == streams_.end())
      streams_.emplace_back(device, stream);
  }
  bool any() const { return !streams_.empty() || !events_.empty(); }
  /// Marks where the streams are now. A stream without an event to be had is waited for.
  void mark() noexcept {
    int before = 0;
    cudart().get_device(&before);
    for (auto [device, stream] : streams_) {
      void* event = nullptr;
      cudart().set_device(device);
      if (cudart().event_create(&event, false, false) == 0 && cudart().event_record(event, stream) == 0) {
        events_.push_back(event);
        continue;
      }
      cudart().last_error();
      cudart().stream_synchronize(stream);
      if (event) cudart().event_destroy(event);
    }
    streams_.clear();
    cudart().set_device(before);
  }
  /// Whether the streams have come past the marks. A lost device uses nothing.
  bool over() noexcept {
    while (!events_.empty()) {
      int state = cudart().event_query(events_.back());
      if (state == kCudaNotReady) {
        cudart().last_error();
        return false;
      }
      cudart().event_destroy(events_.back());
      events_.pop_back();
    }
    return true;
  }
  void wait() noexcept {
    for (void* event : events_) {
      cudart().event_synchronize(event);
      cudart().event_destroy(event);
    }
    events_.clear();
  }

 private:
  std::vector<Use> streams_;
  std::vector<void*> events_;
};

}  // namespace tenon::cuda
