// The functions of NVIDIA's runtime that the component calls, as a table: the real ones, or those of a test.
#pragma once
#include <cstddef>

namespace tenon::cuda {

/// What the component tells apart among `cudaError_t`.
inline constexpr int kCudaOutOfMemory = 2, kCudaNotReady = 600;

/// Each returns 0, or a `cudaError_t`. Streams, events and graphs are NVIDIA's handles; a null stream is the default
/// one.
struct Cudart {
  int (*device_count)(int* count);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  /// Multiprocessors, and the threads that each of them runs at a time.
  int (*resident)(int* multiprocessors, int* threads, int device);
  int (*device_synchronize)();
  int (*last_error)();  ///< and forgets it
  const char* (*error_text)(int error);

  int (*malloc)(void** data, std::size_t bytes);
  int (*free)(void* data);
  int (*memory_device)(int* device, const void* data);
  int (*memory_info)(std::size_t* unused, std::size_t* whole);
  int (*host_alloc)(void** data, std::size_t bytes);
  int (*host_free)(void* data);
  /// The direction follows from the addresses.
  int (*memcpy_async)(void* to, const void* from, std::size_t bytes, void* stream);
  int (*memcpy_peer_async)(void* to, int to_device, const void* from, int from_device, std::size_t bytes, void* stream);

  /// Of the current device, apart from the default stream.
  int (*stream_create)(void** stream, int priority);
  int (*stream_priorities)(int* least, int* greatest);
  int (*stream_query)(void* stream);
  int (*stream_synchronize)(void* stream);
  int (*stream_wait)(void* stream, void* event);

  int (*event_create)(void** event, bool timed, bool blocks);
  int (*event_record)(void* event, void* stream);
  int (*event_query)(void* event);
  int (*event_synchronize)(void* event);
  int (*event_elapsed)(float* milliseconds, void* from, void* to);
  int (*event_destroy)(void* event);

  /// Modes of capture: 0 global, 1 of the thread, 2 relaxed.
  int (*capture_begin)(void* stream, int mode);
  int (*capture_end)(void* stream, void** graph);
  int (*capture_mode)(int* mode);  ///< of the thread; becomes the one that was
  int (*graph_instantiate)(void** executable, void* graph);
  int (*graph_launch)(void* executable, void* stream);
  int (*graph_destroy)(void* graph);
  int (*executable_destroy)(void* executable);
};

/// The table in force.
const Cudart& cudart();

}  // namespace tenon::cuda
