// Kernels of distributions that take as many words as they need, and of random slopes.
#include <tenon/cuda/samplers.hpp>

namespace tenon::cuda {
namespace {

template <class S>
void draw_in(const SamplerCall& c, void* stream) {
  switch (c.what) {
    case Sampler::Poisson: return launch<draw_poisson<S>>(shape_for(c.n), stream, c);
    case Sampler::Gamma: return launch<draw_gamma<S>>(shape_for(c.n), stream, c);
    default: return launch<draw_binomial<S>>(shape_for((c.n + 3) / 4, draw_binomial<S>::kLanes), stream, c);
  }
}

}  // namespace

void draw_samples(const SamplerCall& c, void* stream) {
  c.dtype == kDouble ? draw_in<double>(c, stream) : draw_in<float>(c, stream);
}
void gamma_slopes(const SamplerCall& c, void* stream) { launch<find_gamma_slopes>(shape_for(c.n), stream, c); }
void random_slopes(const SlopesCall& c, std::int64_t blocks, void* stream) {
  Shape shape = shape_for(c.n, 256, blocks);
  if (c.dtype == kDouble)
    launch<slope_elements<double>>(shape, stream, c);
  else
    launch<slope_elements<float>>(shape, stream, c);
}

}  // namespace tenon::cuda
