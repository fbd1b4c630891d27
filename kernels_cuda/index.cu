// Kernels that read and write along an index.
#include <tenon/cuda/index.hpp>

namespace tenon::cuda {

void move_by_indices(const IndexCall& c, void* stream) {
  Shape shape = shape_for(c.walk.count);
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
