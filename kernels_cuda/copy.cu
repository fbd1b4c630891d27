// Kernels of copies, conversions and fills.
#include <cstring>

#include <tenon/cuda/copy.hpp>

namespace tenon::cuda {
namespace {

bool is_aligned(const void* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; }

/// The walk as a batch of matrices that are turned over; false if it is none.
bool find_transposition(const Elementwise& c, std::int64_t item, Transposition& t) {
  const Walk& w = c.walk;
  if (!c.at[1].data || w.dims < 2 || w.dims > 3) return false;
  int last = w.dims - 1, row = last - 1;
  if (w.step[0][last] != item || w.step[1][row] != item) return false;
  if (w.size[last] < 8 || w.size[row] < 8) return false;
  t = {c.at[0].data, c.at[1].data, w.size[row], w.size[last], 1, w.step[0][row], w.step[1][last], 0, 0};
  if (w.dims == 3) t.count = w.size[0], t.out_batch = w.step[0][0], t.in_batch = w.step[1][0];
  return true;
}

template <class Bytes>
void move(const Elementwise& c, void* stream) {
  Transposition t;
  if (find_transposition(c, sizeof(Bytes), t)) {
    std::int64_t tiles = ((t.rows + 31) / 32) * ((t.columns + 31) / 32) * t.count;
    if (tiles < INT32_MAX) return launch<transpose_tile<Bytes>>({tiles, 256}, stream, t);
  }
  std::int64_t bytes = c.walk.count * static_cast<std::int64_t>(sizeof(Bytes));
  if (c.dense && bytes % 16 == 0 && is_aligned(c.at[0].data) && is_aligned(c.at[1].data)) {
    Pack<std::uint32_t, 4> pattern;
    for (std::size_t at = 0; at < 16; at += sizeof(Bytes))
      std::memcpy(reinterpret_cast<char*>(&pattern) + at, c.at[1].element, sizeof(Bytes));
    return launch<move_packs>(shape_for(bytes / 16), stream, c.at[0].data, static_cast<const char*>(c.at[1].data),
                              pattern, bytes / 16);
  }
  launch<move_elements<Bytes>>(shape_for(c.walk.count), stream, c);
}

/// Calls f(type_tag<Bytes>) for the size of an element.
template <class F>
void with_bytes(ScalarType dtype, F f) {
  switch (item_size(dtype)) {
    case 1: return f(type_tag<std::uint8_t>{});
    case 2: return f(type_tag<std::uint16_t>{});
    case 4: return f(type_tag<std::uint32_t>{});
    case 8: return f(type_tag<std::uint64_t>{});
    default: return f(type_tag<Bytes16>{});
  }
}

}  // namespace

void copy(const CopyCall& call, void* stream) {
  const Elementwise& c = call.elements;
  ScalarType to = c.at[0].dtype, from = c.at[1].dtype;
  if (to == from && !call.conjugate && !call.negate)
    return with_bytes(to, [&]<class Bytes>(type_tag<Bytes>) { move<Bytes>(c, stream); });
  if (is_complex_type(from))
    launch<convert_elements<Complex<double>>>(shape_for(c.walk.count), stream, call);
  else if (from == kDouble)
    launch<convert_elements<double>>(shape_for(c.walk.count), stream, call);
  else if (is_floating_type(from))
    launch<convert_elements<float>>(shape_for(c.walk.count), stream, call);
  else if (from == kUInt64)
    launch<convert_elements<std::uint64_t>>(shape_for(c.walk.count), stream, call);
  else
    launch<convert_elements<std::int64_t>>(shape_for(c.walk.count), stream, call);
}
void cut_triangle(const TriangleCall& call, void* stream) {
  with_bytes(call.elements.at[0].dtype, [&]<class Bytes>(type_tag<Bytes>) {
    launch<keep_triangle<Bytes>>(shape_for(call.elements.walk.count), stream, call);
  });
}

}  // namespace tenon::cuda
