// Kernels of segments.
#include <tenon/cuda/segments.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {
namespace {

template <template <class> class Body>
bool run(const SegmentsCall& c, void* stream) {
  const Shape shape = shape_for(c.outer * c.segments * c.inner);
  return with_floating(c.dtype, [&]<class T>(type_tag<T>) { launch<Body<T>>(shape, stream, c); });
}

}  // namespace

bool reduce_segments(const SegmentsCall& c, void* stream) { return run<reduce_segment>(c, stream); }
bool reduce_segments_back(const SegmentsCall& c, void* stream) { return run<reduce_segment_back>(c, stream); }

}  // namespace tenon::cuda
