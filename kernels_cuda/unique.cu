// Kernels that order rows.
#include <tenon/cuda/row_order.hpp>

namespace tenon::cuda {

int order_rows(const RowOrderCall& c, void* stream) {
  auto run = [&]<class T>(type_tag<T>) {
    int in = 0;
    for (std::int64_t width = 1; width < c.count; width *= 2, in = 1 - in)
      launch<merge_row_runs<T>>(shape_for(c.count), stream, c, static_cast<const std::int64_t*>(c.order[in]),
                                c.order[1 - in], width);
    return in;
  };
  switch (c.dtype) {
    case kFloat: return run(type_tag<float>{});
    case kDouble: return run(type_tag<double>{});
    case kLong: return run(type_tag<std::int64_t>{});
    case kUInt64: return run(type_tag<std::uint64_t>{});
    default: return -1;
  }
}

}  // namespace tenon::cuda
