// Kernels of pooling.
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

}  // namespace tenon::cuda
