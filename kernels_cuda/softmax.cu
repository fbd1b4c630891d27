// Kernels of softmax and layer norm.
#include <tenon/cuda/softmax.hpp>

namespace tenon::cuda {
namespace {

/// Whole warps, as many as a row keeps busy.
unsigned threads_for(std::int64_t size) {
  unsigned threads = 32;
  while (threads < 512 && threads < size) threads *= 2;
  return threads;
}
/// Calls f(type_tag<T>) for the floating dtype; false for another.
template <class F>
bool with_floating(ScalarType dtype, F f) {
  switch (dtype) {
    case kFloat: return f(type_tag<float>{}), true;
    case kDouble: return f(type_tag<double>{}), true;
    case kHalf: return f(type_tag<Half>{}), true;
    case kBFloat16: return f(type_tag<BFloat16>{}), true;
    default: return false;
  }
}

}  // namespace

bool softmax(const SoftmaxCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<softmax_row<T>>({c.outer * c.inner, threads_for(c.size)}, stream, c);
  });
}
bool softmax_backward(const SoftmaxCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<softmax_backward_row<T>>({c.outer * c.inner, threads_for(c.size)}, stream, c);
  });
}
bool layer_norm(const LayerNormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<layer_norm_row<T>>({c.rows, threads_for(c.size)}, stream, c);
  });
}

}  // namespace tenon::cuda
