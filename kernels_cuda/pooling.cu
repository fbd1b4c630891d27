// Kernels of pooling.
#include <tenon/cuda/fractional_pooling.hpp>
#include <tenon/cuda/pooling.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

bool pool(const PoolCall& c, Pool what, void* stream) {
  return with_wide(c.dtype, [&]<class S>(type_tag<S>) {
    Shape shape = shape_for(c.planes * volume(what == Pool::MeanBack ? c.in : c.out));
    switch (what) {
      case Pool::Mean: return launch<pool_means<S>>(shape, stream, c);
      case Pool::MeanBack: return launch<pool_means_back<S>>(shape, stream, c);
      default: return launch<pool_maxima<S>>(shape, stream, c);
    }
  });
}
bool fractional_pool(const FractionalPoolCall& c, void* stream) {
  Shape shape = shape_for(c.pool.planes * volume(c.pool.out));
  if (c.pool.dtype == kDouble)
    launch<fractional_maxima<double>>(shape, stream, c);
  else if (is_floating_type(c.pool.dtype))
    launch<fractional_maxima<float>>(shape, stream, c);
  return is_floating_type(c.pool.dtype);
}

}  // namespace tenon::cuda
