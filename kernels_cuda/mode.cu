// The kernel of modes.
#include <tenon/cuda/mode.hpp>

namespace tenon::cuda {

void take_modes(const LinesCall& c, const SortItem* items, void* stream) {
  launch<write_modes>({c.lines.count, threads_for(c.size, 256)}, stream, c, items);
}

}  // namespace tenon::cuda
