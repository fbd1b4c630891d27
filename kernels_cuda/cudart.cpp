// The runtime library of the toolkit behind the table of its functions.
#include "cudart.hpp"

#include <cuda_runtime_api.h>

namespace tenon::cuda {

static_assert(kCudaOutOfMemory == cudaErrorMemoryAllocation && kCudaNotReady == cudaErrorNotReady);

namespace {
cudaStream_t stream_of(void* stream) { return static_cast<cudaStream_t>(stream); }
cudaEvent_t event_of(void* event) { return static_cast<cudaEvent_t>(event); }
}  // namespace

const Cudart& cudart() {
  static constexpr Cudart table{
      [](int* count) -> int { return cudaGetDeviceCount(count); },
      [](int* device) -> int { return cudaGetDevice(device); },
      [](int device) -> int { return cudaSetDevice(device); },
      [](int* multiprocessors, int* threads, int device) -> int {
        if (int error = cudaDeviceGetAttribute(multiprocessors, cudaDevAttrMultiProcessorCount, device)) return error;
        return cudaDeviceGetAttribute(threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
      },
      []() -> int { return cudaDeviceSynchronize(); },
      []() -> int { return cudaGetLastError(); },
      [](int error) { return cudaGetErrorString(static_cast<cudaError_t>(error)); },
      [](void** data, std::size_t bytes) -> int { return cudaMalloc(data, bytes); },
      [](void* data) -> int { return cudaFree(data); },
      [](int* device, const void* data) -> int {
        cudaPointerAttributes found;
        cudaError_t error = cudaPointerGetAttributes(&found, data);
        *device = found.device;
        return error;
      },
      [](std::size_t* unused, std::size_t* whole) -> int { return cudaMemGetInfo(unused, whole); },
      [](void** data, std::size_t bytes) -> int { return cudaHostAlloc(data, bytes, cudaHostAllocPortable); },
      [](void* data) -> int { return cudaFreeHost(data); },
      [](void* to, const void* from, std::size_t bytes, void* stream) -> int {
        return cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_of(stream));
      },
      [](void* to, int to_device, const void* from, int from_device, std::size_t bytes, void* stream) -> int {
        return cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, stream_of(stream));
      },
      [](void** stream, int priority) -> int {
        return cudaStreamCreateWithPriority(reinterpret_cast<cudaStream_t*>(stream), cudaStreamNonBlocking, priority);
      },
      [](int* least, int* greatest) -> int { return cudaDeviceGetStreamPriorityRange(least, greatest); },
      [](void* stream) -> int { return cudaStreamQuery(stream_of(stream)); },
      [](void* stream) -> int { return cudaStreamSynchronize(stream_of(stream)); },
      [](void* stream, void* event) -> int { return cudaStreamWaitEvent(stream_of(stream), event_of(event), 0); },
      [](void** event, bool timed, bool blocks) -> int {
        unsigned flags = (timed ? 0u : cudaEventDisableTiming) | (blocks ? cudaEventBlockingSync : 0u);
        return cudaEventCreateWithFlags(reinterpret_cast<cudaEvent_t*>(event), flags);
      },
      [](void* event, void* stream) -> int { return cudaEventRecord(event_of(event), stream_of(stream)); },
      [](void* event) -> int { return cudaEventQuery(event_of(event)); },
      [](void* event) -> int { return cudaEventSynchronize(event_of(event)); },
      [](float* milliseconds, void* from, void* to) -> int {
        return cudaEventElapsedTime(milliseconds, event_of(from), event_of(to));
      },
      [](void* event) -> int { return cudaEventDestroy(event_of(event)); },
      [](void* stream, int mode) -> int {
        return cudaStreamBeginCapture(stream_of(stream), static_cast<cudaStreamCaptureMode>(mode));
      },
      [](void* stream, void** graph) -> int {
        return cudaStreamEndCapture(stream_of(stream), reinterpret_cast<cudaGraph_t*>(graph));
      },
      [](int* mode) -> int {
        auto m = static_cast<cudaStreamCaptureMode>(*mode);
        cudaError_t error = cudaThreadExchangeStreamCaptureMode(&m);
        *mode = m;
        return error;
      },
      [](void** executable, void* graph) -> int {
        return cudaGraphInstantiate(reinterpret_cast<cudaGraphExec_t*>(executable), static_cast<cudaGraph_t>(graph), 0);
      },
      [](void* executable, void* stream) -> int {
        return cudaGraphLaunch(static_cast<cudaGraphExec_t>(executable), stream_of(stream));
      },
      [](void* graph) -> int { return cudaGraphDestroy(static_cast<cudaGraph_t>(graph)); },
      [](void* executable) -> int { return cudaGraphExecDestroy(static_cast<cudaGraphExec_t>(executable)); },
  };
  return table;
}

}  // namespace tenon::cuda
