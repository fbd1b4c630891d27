// Sorting of long lines by CUB.
#include <cub/device/device_merge_sort.cuh>

#include <cstddef>

#include <tenon/base/error.hpp>
#include <tenon/cuda/libraries.hpp>

#include "workspace.hpp"

namespace tenon::cuda {
namespace {

struct Before {
  __host__ __device__ bool operator()(const SortItem& a, const SortItem& b) const { return a.key < b.key; }
};
void check(cudaError_t error) {
  if (error != cudaSuccess) fail<Error>("sort: CUDA error: ", cudaGetErrorString(error));
}

bool sort_lines(const LibrarySort& c, void* stream) {
  auto on = static_cast<cudaStream_t>(stream);
  std::size_t bytes = 0;
  check(cub::DeviceMergeSort::StableSortKeys(nullptr, bytes, c.items, c.size, Before{}, on));
  Workspace memory(bytes);
  for (std::int64_t line = 0; line < c.lines; ++line)
    check(cub::DeviceMergeSort::StableSortKeys(memory.data, bytes, c.items + line * c.size, c.size, Before{}, on));
  return true;
}

struct Install {
  Install() { libraries().sort = &sort_lines; }
};
const Install install;

}  // namespace
}  // namespace tenon::cuda
