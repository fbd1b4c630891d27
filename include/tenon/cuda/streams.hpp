// Streams: queues of work of a device, the current one of a thread on each device, and guards that change it.
#pragma once
#include <initializer_list>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/cuda/component.hpp>
#include <tenon/dispatch/device_guard.hpp>

namespace tenon::cuda {

/// A queue of work of one device. Kernels of one stream run in order; those of different streams in any. A value; the
/// queue itself lives as long as the process.
class Stream : public tenon::Stream {
 public:
  Stream(tenon::Stream stream) : tenon::Stream(stream) {
    TENON_CHECK(stream.device.type == DeviceType::CUDA, ValueError, "expected a stream of CUDA, got one of ",
                stream.device);
  }
  /// NVIDIA's `cudaStream_t`.
  void* handle() const { return detail::runtime_calls().stream_handle(*this); }
  /// Whether all that it was given is done.
  bool query() const { return detail::runtime_calls().stream_query(*this); }
  /// Comes back when it is.
  void synchronize() const { detail::runtime_calls().stream_synchronize(*this); }
  /// Lower numbers go first; 0 is the least.
  int priority() const { return detail::runtime_calls().stream_priority(*this); }
};

/// A stream from the device's pool of 32 for each priority, in turn: the 33rd is the first one again. A priority below
/// zero goes first; devices have few of them, and take the nearest. Device -1 is the current one.
/// Errors: ValueError for a priority above 0.
inline Stream stream_from_pool(int priority = 0, std::int8_t device = -1) {
  return detail::runtime_calls().stream_from_pool(device, priority);
}
/// The one that every thread begins with.
inline Stream default_stream(std::int8_t device = -1) {
  return tenon::Stream{0, detail::runtime_calls().current_stream(device).device};
}
/// A stream that somebody else made, and keeps as long as it is used: a `cudaStream_t` of the device.
inline Stream stream_from_handle(void* handle, std::int8_t device) {
  return tenon::Stream{static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(handle)),
                       Device(DeviceType::CUDA, device)};
}
/// Where this thread's kernels for the device go.
inline Stream current_stream(std::int8_t device = -1) { return detail::runtime_calls().current_stream(device); }
/// Makes a stream the thread's current one on its device; the current device stays.
inline void set_current_stream(Stream stream) { detail::runtime_calls().exchange_stream(stream); }
/// Comes back when a device has done all that it was given, on every stream.
inline void synchronize(std::int8_t device = -1) { detail::runtime_calls().synchronize(device); }

/// Makes a stream current, and its device, for a scope.
class StreamGuard {
 public:
  explicit StreamGuard(Stream stream)
      : device_(stream.device), before_(detail::runtime_calls().exchange_stream(stream)) {}
  StreamGuard(const StreamGuard&) = delete;
  StreamGuard& operator=(const StreamGuard&) = delete;
  ~StreamGuard() { detail::runtime_calls().exchange_stream(before_); }
  /// The one that was current on the stream's device.
  Stream original_stream() const { return before_; }

 private:
  DeviceGuard device_;
  tenon::Stream before_;
};

/// The same for a stream that may be absent, or is told later.
class OptionalStreamGuard {
 public:
  OptionalStreamGuard() = default;
  explicit OptionalStreamGuard(std::optional<Stream> stream) {
    if (stream) guard_.emplace(*stream);
  }
  /// Goes back from the stream that was set before, if any.
  void reset_stream(Stream stream) {
    reset();
    guard_.emplace(stream);
  }
  void reset() { guard_.reset(); }
  std::optional<Stream> original_stream() const {
    return guard_ ? std::optional(guard_->original_stream()) : std::nullopt;
  }

 private:
  std::optional<StreamGuard> guard_;
};

/// Makes streams of several devices current, each on its own; the current device stays.
class MultiStreamGuard {
 public:
  explicit MultiStreamGuard(const std::vector<Stream>& streams) {
    before_.reserve(streams.size());
    for (const Stream& s : streams) before_.push_back(detail::runtime_calls().exchange_stream(s));
  }
  MultiStreamGuard(const MultiStreamGuard&) = delete;
  MultiStreamGuard& operator=(const MultiStreamGuard&) = delete;
  ~MultiStreamGuard() {
    while (!before_.empty()) {
      detail::runtime_calls().exchange_stream(before_.back());
      before_.pop_back();
    }
  }

 private:
  std::vector<tenon::Stream> before_;
};

}  // namespace tenon::cuda
