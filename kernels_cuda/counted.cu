// Kernels of numbers that are counted from their places.
#include <tenon/cuda/counted.hpp>

namespace tenon::cuda {
namespace {

template <class P>
void space(const SpacedCall<P>& c, void* stream) {
  launch<write_spaced<P>>(shape_for(c.count), stream, c);
}

}  // namespace

void count_up(const CountedCall& c, void* stream) { launch<write_counted>(shape_for(c.count), stream, c); }
void space_evenly(const SpacedCall<float>& c, void* stream) { space(c, stream); }
void space_evenly(const SpacedCall<double>& c, void* stream) { space(c, stream); }
void space_evenly(const SpacedCall<Complex<float>>& c, void* stream) { space(c, stream); }
void space_evenly(const SpacedCall<Complex<double>>& c, void* stream) { space(c, stream); }

}  // namespace tenon::cuda
