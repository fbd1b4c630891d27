// The kernel of resampling and padding.
#include <tenon/cuda/taps.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

bool apply_taps(const TapsCall& c, void* stream) {
  Shape shape = shape_for(c.outer * c.out * c.inner);
  if (c.dtype == kComplexFloat) return launch<sum_taps<Complex<float>>>(shape, stream, c), true;
  if (c.dtype == kComplexDouble) return launch<sum_taps<Complex<double>>>(shape, stream, c), true;
  return with_wide(c.dtype, [&]<class S>(type_tag<S>) { launch<sum_taps<S>>(shape, stream, c); });
}

}  // namespace tenon::cuda
