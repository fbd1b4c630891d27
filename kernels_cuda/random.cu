// Kernels of random numbers.
#include <tenon/cuda/random.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

void draw(const RandomCall& c, std::int64_t blocks, void* stream) {
  Shape shape = shape_for(c.walk.count, 256, blocks);
  if (c.what == Draw::Whole)
    launch<draw_whole>(shape, stream, c);
  else if (c.dtype == kDouble)
    launch<draw_real<double>>(shape, stream, c);
  else
    launch<draw_real<float>>(shape, stream, c);
}
void draw_each(const BernoulliCall& c, void* stream) {
  Shape shape = shape_for((c.walk.count + 3) / 4);
  if (c.dtype == kDouble)
    launch<draw_bernoulli<double>>(shape, stream, c);
  else
    launch<draw_bernoulli<float>>(shape, stream, c);
}
bool dropout(const DropoutCall& c, std::int64_t blocks, void* stream) {
  return with_floating(c.dtype,
                       [&]<class T>(type_tag<T>) { launch<drop_elements<T>>(shape_for(c.n, 256, blocks), stream, c); });
}

}  // namespace tenon::cuda
