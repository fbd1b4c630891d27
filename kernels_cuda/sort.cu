// Kernels of sorting.
#include <utility>

#include <tenon/cuda/libraries.hpp>
#include <tenon/cuda/sort.hpp>

namespace tenon::cuda {

int sort(const SortCall& c, void* stream) {
  std::int64_t lines = c.lines.lines.count, size = c.lines.size;
  unsigned threads = threads_for(size, 256);
  std::int64_t runs = (size + threads - 1) / threads;
  Shape shape{lines * runs, threads};
  if (is_floating_type(c.lines.dtype))
    launch<sort_runs<double>>(shape, stream, c, runs);
  else if (c.lines.dtype == kUInt64)
    launch<sort_runs<std::uint64_t>>(shape, stream, c, runs);
  else
    launch<sort_runs<std::int64_t>>(shape, stream, c, runs);
  if (auto library = libraries().sort.load())
    if (auto asked = library_sort(c, threads); asked && library(*asked, stream)) return 0;
  int in = 0;
  for (std::int64_t width = threads; width < size; width *= 2, in = 1 - in)
    launch<merge_runs>(shape_for(lines * size), stream, static_cast<const SortItem*>(c.items[in]), c.items[1 - in],
                       lines, size, width);
  return in;
}
void take_sorted(const LinesCall& c, const SortItem* items, std::int64_t first, std::int64_t count, void* stream) {
  launch<write_sorted>(shape_for(c.lines.count * count), stream, c, items, first, count);
}
void take_medians(const LinesCall& c, const SortItem* items, bool ignores_nan, void* stream) {
  launch<write_medians>(shape_for(c.lines.count), stream, c, items, ignores_nan);
}

}  // namespace tenon::cuda
