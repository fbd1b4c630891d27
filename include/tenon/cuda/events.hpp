// Events: places in the work of a stream, to wait for and to measure between.
#pragma once
#include <tenon/cuda/streams.hpp>

namespace tenon::cuda {

struct EventOptions {
  bool timed = false;   ///< can measure
  bool blocks = false;  ///< who waits for it sleeps
};

/// A place in a stream's work. It belongs to the device of the stream that it is first recorded in, and is made then.
class Event {
 public:
  explicit Event(EventOptions options = {}) : options_(options) {}
  Event(Event&& o) noexcept : options_(o.options_), device_(o.device_), event_(std::exchange(o.event_, nullptr)) {}
  Event& operator=(Event&& o) noexcept {
    std::swap(options_, o.options_);
    std::swap(device_, o.device_);
    std::swap(event_, o.event_);
    return *this;
  }
  ~Event() {
    if (event_) detail::runtime_calls().event_destroy(device_, event_);
  }
  bool is_created() const { return event_ != nullptr; }

  /// Marks the end of what the stream was given so far; a place marked before is forgotten.
  /// Errors: ValueError for a stream of another device than before.
  void record(Stream stream) {
    if (!event_) {
      device_ = stream.device.index;
      event_ = detail::runtime_calls().event_create(device_, options_.timed, options_.blocks);
    }
    TENON_CHECK(device_ == stream.device.index, ValueError, "Event device ", int{device_},
                " does not match recording stream's device ", int{stream.device.index}, ".");
    detail::runtime_calls().event_record(event_, stream);
  }
  void record() { record(current_stream()); }
  /// What the stream is given later begins behind the place; nothing waits on the host. An event that was never
  /// recorded is no place, and holds up nothing, here and below.
  void wait(Stream stream) const {
    if (event_) detail::runtime_calls().event_wait(event_, stream);
  }
  bool query() const { return !event_ || detail::runtime_calls().event_query(device_, event_); }
  void synchronize() const {
    if (event_) detail::runtime_calls().event_synchronize(device_, event_);
  }
  /// Milliseconds from this place to another. Errors: ValueError unless both are timed, recorded and done.
  float elapsed_time(const Event& end) const {
    TENON_CHECK(options_.timed && end.options_.timed, ValueError,
                "Both events must be created with argument 'enable_timing=True'.");
    TENON_CHECK(event_ && end.event_, ValueError, "Both events must be recorded before calculating elapsed time.");
    TENON_CHECK(query() && end.query(), ValueError, "Both events must be completed before calculating elapsed time.");
    return detail::runtime_calls().event_elapsed(device_, event_, end.event_);
  }

 private:
  EventOptions options_;
  std::int8_t device_ = 0;
  void* event_ = nullptr;
};

}  // namespace tenon::cuda
