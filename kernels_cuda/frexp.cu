// The kernel that takes numbers apart.
#include <tenon/cuda/frexp.hpp>

namespace tenon::cuda {

void take_apart(const FrexpCall& c, void* stream) {
  if (c.dtype == kDouble)
    launch<split_numbers<double>>(shape_for(c.walk.count), stream, c);
  else
    launch<split_numbers<float>>(shape_for(c.walk.count), stream, c);
}

}  // namespace tenon::cuda
