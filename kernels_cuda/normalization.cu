// Kernels of normalisation.
#include <tenon/cuda/normalization.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {

bool normalize_rows(const NormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    if (c.inner == 1 && c.groups == 1 && can_hold<T>(c.channels, c.in, c.out))
      return launch<normalize_held_row<T>>({c.rows, lanes_to_hold<T>(c.channels)}, stream, c);
    launch<normalize_row<T>>({c.rows, threads_for(c.channels * c.inner, kRowLanes)}, stream, c);
  });
}
bool normalize_rows_back(const NormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<normalize_row_back<T>>({c.rows, threads_for(c.channels * c.inner, kRowLanes)}, stream, c);
  });
}
bool normalize_rows_parameters(const NormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<normalize_parameters<T>>({c.groups * c.channels, threads_for(c.rows / c.groups * c.inner, kRowLanes)},
                                    stream, c);
  });
}
bool batch_norm(const BatchNormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<normalize_channel<T>>({c.channels, threads_for(c.outer * c.inner, kRowLanes)}, stream, c);
  });
}
bool batch_norm_backward(const BatchNormCall& c, void* stream) {
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) {
    launch<normalize_channel_back<T>>({c.channels, threads_for(c.outer * c.inner, kRowLanes)}, stream, c);
  });
}

}  // namespace tenon::cuda
