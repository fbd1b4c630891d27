// Kernels of convolutions.
#include <tenon/cuda/convolution.hpp>

namespace tenon::cuda {
namespace {

template <class T, class S>
bool run(const ConvolutionCall& c, Convolution what, void* stream) {
  typename convolve_tiles<T, S>::Geometry g(c, what);
  constexpr unsigned lanes = ProductTile<S>::kTile * ProductTile<S>::kTile;
  launch<convolve_tiles<T, S>>({g.products * g.tiles(), lanes}, stream, c, what);
  return true;
}

}  // namespace

bool convolve(const ConvolutionCall& c, Convolution what, void* stream) {
  switch (c.dtype) {
    case kFloat: return run<float, float>(c, what, stream);
    case kDouble: return run<double, double>(c, what, stream);
    case kHalf: return run<Half, float>(c, what, stream);
    case kBFloat16: return run<BFloat16, float>(c, what, stream);
    case kComplexFloat: return run<Complex<float>, Complex<float>>(c, what, stream);
    case kComplexDouble: return run<Complex<double>, Complex<double>>(c, what, stream);
    case kLong: return run<std::int64_t, std::int64_t>(c, what, stream);
    default: return false;
  }
}

}  // namespace tenon::cuda
