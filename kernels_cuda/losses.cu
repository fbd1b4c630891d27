// Kernels of losses.
#include <tenon/cuda/losses.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

void losses(const LossCall& c, void* stream) {
  Shape shape = shape_for(c.elements.walk.count);
  if (c.elements.at[0].dtype == kDouble)
    launch<loss_elements<double>>(shape, stream, c);
  else
    launch<loss_elements<float>>(shape, stream, c);
}
bool likelihood(const LikelihoodCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    if (c.each)
      launch<likelihood_of_rows<T>>(shape_for(c.n), stream, c);
    else
      launch<likelihood_of_all<T>>({1, threads_for(c.n, kRowLanes)}, stream, c);
  });
}
bool likelihood_back(const LikelihoodCall& c, void* stream) {
  return with_floating(c.dtype,
                       [&]<class T>(type_tag<T>) { launch<likelihood_back_to_rows<T>>(shape_for(c.n), stream, c); });
}

}  // namespace tenon::cuda
