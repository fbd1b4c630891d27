// The runtime library of the toolkit behind the table of its functions.
#include "cudart.hpp"

#include <cuda_runtime_api.h>

namespace tenon::cuda {

const Cudart& cudart() {
  static constexpr Cudart table{
      [](int* count) -> int { return cudaGetDeviceCount(count); },
      [](int* device) -> int { return cudaGetDevice(device); },
      [](int device) -> int { return cudaSetDevice(device); },
      [](int* multiprocessors, int* threads, int device) -> int {
        if (int error = cudaDeviceGetAttribute(multiprocessors, cudaDevAttrMultiProcessorCount, device)) return error;
        return cudaDeviceGetAttribute(threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
      },
      [](void** data, std::size_t bytes) -> int { return cudaMalloc(data, bytes); },
      [](void* data) -> int { return cudaFree(data); },
      [](void* to, const void* from, std::size_t bytes, void* stream) -> int {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, static_cast<cudaStream_t>(stream));
      },
      [](void* stream) -> int { return cudaStreamSynchronize(static_cast<cudaStream_t>(stream)); },
      []() -> int { return cudaGetLastError(); },
      [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); },
  };
  return table;
}

}  // namespace tenon::cuda
