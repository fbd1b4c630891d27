// Kernels of sampling at the points of a grid.
#include <tenon/cuda/grid_sampler.hpp>

namespace tenon::cuda {
namespace {

template <class C>
Shape shape_of(const GridCall<C>& c) {
  return shape_for(c.shape.batch * c.shape.points);
}

}  // namespace

void sample_grid(const GridCall<float>& c, void* stream) { launch<sample_points<float>>(shape_of(c), stream, c); }
void sample_grid(const GridCall<double>& c, void* stream) { launch<sample_points<double>>(shape_of(c), stream, c); }
void sample_grid_back(const GridCall<float>& c, void* stream) {
  launch<sample_points_back<float>>(shape_of(c), stream, c);
}
void sample_grid_back(const GridCall<double>& c, void* stream) {
  launch<sample_points_back<double>>(shape_of(c), stream, c);
}

}  // namespace tenon::cuda
