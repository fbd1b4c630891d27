// Kernels of distributions that take as many words as they need, and of random slopes.
#include <tenon/cuda/samplers.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

bool draw_samples(const SamplerCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    switch (c.what) {
      case Sampler::Poisson: return launch<draw_poisson<T>>(shape_for(c.n), stream, c);
      case Sampler::Gamma: return launch<draw_gamma<T>>(shape_for(c.n), stream, c);
      default: return launch<draw_binomial<T>>(shape_for((c.n + 3) / 4, draw_binomial<T>::kLanes), stream, c);
    }
  });
}
bool gamma_slopes(const SamplerCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) { launch<find_gamma_slopes<T>>(shape_for(c.n), stream, c); });
}
bool random_slopes(const SlopesCall& c, std::int64_t blocks, void* stream) {
  return with_floating(
      c.dtype, [&]<class T>(type_tag<T>) { launch<slope_elements<T>>(shape_for(c.n, 256, blocks), stream, c); });
}

}  // namespace tenon::cuda
