// The functions of NVIDIA's runtime that the component calls, as a table: the real ones, or those of a test.
#pragma once
#include <cstddef>

namespace tenon::cuda {

/// Each returns 0, or a `cudaError_t`.
struct Cudart {
  int (*device_count)(int* count);
  int (*get_device)(int* device);
  int (*set_device)(int device);
  /// Multiprocessors, and the threads that each of them runs at a time.
  int (*resident)(int* multiprocessors, int* threads, int device);
  int (*malloc)(void** data, std::size_t bytes);
  int (*free)(void* data);
  /// The direction follows from the addresses.
  int (*memcpy_async)(void* to, const void* from, std::size_t bytes, void* stream);
  int (*stream_synchronize)(void* stream);
  int (*last_error)();  ///< and forgets it
  const char* (*error_text)(int error);
};

/// The table in force.
const Cudart& cudart();

}  // namespace tenon::cuda
