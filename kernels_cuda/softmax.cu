// Kernels of softmax.
#include <tenon/cuda/softmax.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {
bool softmax(const SoftmaxCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    if (c.inner == 1 && can_hold<T>(c.size, c.in, c.out))
      return launch<softmax_held_row<T>>({c.outer, lanes_to_hold<T>(c.size)}, stream, c);
    launch<softmax_row<T>>({c.outer * c.inner, threads_for(c.size, kRowLanes)}, stream, c);
  });
}
bool softmax_backward(const SoftmaxCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<softmax_backward_row<T>>({c.outer * c.inner, threads_for(c.size, kRowLanes)}, stream, c);
  });
}
}  // namespace tenon::cuda
