// Kernels of reductions into the places that an index names.
#include <tenon/cuda/reduce_into.hpp>

namespace tenon::cuda {

bool reduce_into_places(const ReduceIntoCall& c, void* stream) {
  Shape shape = shape_for(c.lines.count);
  if (is_complex_type(c.dtype)) {
    if (c.what != Into::Product) return false;
    return launch<reduce_line_into<Complex<double>>>(shape, stream, c), true;
  }
  if (is_integral_type(c.dtype, true)) return launch<reduce_line_into<std::int64_t>>(shape, stream, c), true;
  if (c.dtype == kDouble) return launch<reduce_line_into<double>>(shape, stream, c), true;
  return launch<reduce_line_into<float>>(shape, stream, c), true;
}

}  // namespace tenon::cuda
