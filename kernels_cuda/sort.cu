// Kernels of sorting.
#include <utility>

#include <tenon/cuda/libraries.hpp>
#include <tenon/cuda/sort.hpp>

namespace tenon::cuda {

namespace {
template <class T>
int sort_by(const SortCall& c, void* stream) {
  std::int64_t lines = c.lines.lines.count, size = c.lines.size;
  unsigned threads = threads_for(size, 256);
  if (auto library = libraries().sort.load())
    if (auto asked = library_sort(c, threads, kFirstKeyBit<T>)) {
      launch<make_items<T>>(shape_for(lines * size), stream, c);
      if (library(*asked, stream)) return 1;
    }
  std::int64_t runs = (size + threads - 1) / threads;
  launch<sort_runs<T>>({lines * runs, threads}, stream, c, runs);
  int in = 0;
  for (std::int64_t width = threads; width < size; width *= 2, in = 1 - in)
    launch<merge_runs>(shape_for(lines * size), stream, static_cast<const SortItem*>(c.items[in]), c.items[1 - in],
                       lines, size, width);
  return in;
}
}  // namespace

int sort(const SortCall& c, void* stream) {
  ScalarType dtype = c.lines.dtype;
  if (dtype == kDouble) return sort_by<double>(c, stream);
  if (is_floating_type(dtype)) return sort_by<float>(c, stream);
  if (dtype == kUInt64) return sort_by<std::uint64_t>(c, stream);
  return dtype == kInt || item_size(dtype) < 4 ? sort_by<std::int32_t>(c, stream) : sort_by<std::int64_t>(c, stream);
}
void take_sorted(const LinesCall& c, const SortItem* items, std::int64_t first, std::int64_t count, void* stream) {
  launch<write_sorted>(shape_for(c.lines.count * count), stream, c, items, first, count);
}
void take_medians(const LinesCall& c, const SortItem* items, bool ignores_nan, void* stream) {
  launch<write_medians>(shape_for(c.lines.count), stream, c, items, ignores_nan);
}

}  // namespace tenon::cuda
