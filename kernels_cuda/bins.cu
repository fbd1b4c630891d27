// Kernels that count in bins.
#include <tenon/cuda/bins.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {
namespace {

template <class Bin>
bool run(const BinsCall& c, void* stream) {
  // Blocks that count by themselves have much to count each.
  const Shape shape = shape_for(c.count, 256, 1024);
  if (c.weights)
    launch<weigh_bins<Bin>>(shape, stream, c);
  else
    launch<count_bins<Bin>>(shape, stream, c);
  return true;
}

}  // namespace

bool count_in_bins(const BinsCall& c, void* stream) {
  switch (c.by) {
    case BinsCall::By::Number: return run<number_bin>(c, stream);
    case BinsCall::By::Width:
      return with_floating(c.dtype, [&]<class T>(type_tag<T>) { run<width_bin<T>>(c, stream); });
    default:
      return c.dtype == kFloat ? run<edges_bin<float>>(c, stream)
                               : c.dtype == kDouble && run<edges_bin<double>>(c, stream);
  }
}

}  // namespace tenon::cuda
