// Sorting of long lines by CUB.
#include <cub/device/device_radix_sort.cuh>

#include <cuda/std/tuple>

#include <cstddef>
#include <cstdint>

#include <tenon/base/error.hpp>
#include <tenon/cuda/libraries.hpp>

#include "workspace.hpp"

namespace tenon::cuda {
namespace {

struct KeyOfItem {
  __host__ __device__ ::cuda::std::tuple<std::uint64_t&> operator()(SortItem& item) const { return {item.key}; }
};
void check(cudaError_t error) {
  if (error != cudaSuccess) fail<Error>("sort: CUDA error: ", cudaGetErrorString(error));
}

bool sort_lines(const LibrarySort& c, void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  auto sort = [&](void* memory, std::size_t& bytes, std::int64_t line) {
    check(cub::DeviceRadixSort::SortKeys(memory, bytes, c.items + line * c.size, c.sorted + line * c.size, c.size,
                                         KeyOfItem{}, c.first_bit, 64, on));
  };
  std::size_t bytes = 0;
  sort(nullptr, bytes, 0);
  Workspace memory(bytes);
  for (std::int64_t line = 0; line < c.lines; ++line) sort(memory.data, bytes, line);
  return true;
}

struct Install {
  Install() { libraries().sort = &sort_lines; }
};
const Install install;

}  // namespace
}  // namespace tenon::cuda
