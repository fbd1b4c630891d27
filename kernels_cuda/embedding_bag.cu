// Kernels of bags of rows.
#include <tenon/cuda/embedding_bag.hpp>

namespace tenon::cuda {

bool sum_bags(const BagCall& c, void* stream) {
  Shape shape = shape_for(c.bags * c.width);
  switch (c.dtype) {
    case kFloat: return launch<bag_column<float, float>>(shape, stream, c), true;
    case kDouble: return launch<bag_column<double, double>>(shape, stream, c), true;
    case kHalf: return launch<bag_column<Half, float>>(shape, stream, c), true;
    case kBFloat16: return launch<bag_column<BFloat16, float>>(shape, stream, c), true;
    default: return false;
  }
}

}  // namespace tenon::cuda
