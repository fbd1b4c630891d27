// Kernels that read and write along an index.
#include <tenon/cuda/index.hpp>

namespace tenon::cuda {

namespace {
/// Elements of 16 bytes where those of the last dimension lie side by side at all places and share an index.
bool join_elements(IndexCall& c) {
  auto item = static_cast<std::int64_t>(item_size(c.dtype));
  int last = c.walk.dims - 1, joined = static_cast<int>(16 / item);
  if (last < 0 || !c.in || joined == 1 || c.walk.size[last] % joined != 0 || c.walk.step[0][last] != item ||
      c.walk.step[1][last] != item || c.walk.step[2][last] != 0 || c.step % 16 != 0)
    return false;
  Walk walk = c.walk;
  walk.count /= joined;
  walk.size[last] /= joined;
  walk.step[0][last] = walk.step[1][last] = 16;
  if (!is_on_packs(c.out, walk, 0) || !is_on_packs(c.in, walk, 1)) return false;
  c.walk = walk;
  c.joined = joined;
  return true;
}
}  // namespace

void move_by_indices(const IndexCall& call, void* stream) {
  IndexCall c = call;
  bool joined = join_elements(c);
  Shape shape = shape_for(c.walk.count);
  if (joined) return launch<move_by_index<Bytes16>>(shape, stream, c);
  switch (item_size(c.dtype)) {
    case 1: return launch<move_by_index<std::uint8_t>>(shape, stream, c);
    case 2: return launch<move_by_index<std::uint16_t>>(shape, stream, c);
    case 4: return launch<move_by_index<std::uint32_t>>(shape, stream, c);
    case 8: return launch<move_by_index<std::uint64_t>>(shape, stream, c);
    default: return launch<move_by_index<Bytes16>>(shape, stream, c);
  }
}
bool add_by_indices(const IndexCall& c, void* stream) {
  Shape shape = shape_for(c.walk.count);
  switch (c.dtype) {
    case kFloat: return launch<add_by_index<float>>(shape, stream, c), true;
    case kDouble: return launch<add_by_index<double>>(shape, stream, c), true;
    case kInt: return launch<add_by_index<std::int32_t>>(shape, stream, c), true;
    case kLong: return launch<add_by_index<std::int64_t>>(shape, stream, c), true;
    default: return false;
  }
}
void add_offsets(const OffsetsCall& c, void* stream) { launch<add_index_offsets>(shape_for(c.walk.count), stream, c); }
void write_places(const PlacesCall& c, void* stream) { launch<write_chosen_places>(shape_for(c.count), stream, c); }

}  // namespace tenon::cuda
