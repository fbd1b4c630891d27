// Kernels of Fourier transforms.
#include <tenon/cuda/fft.hpp>

namespace tenon::cuda {
namespace {

template <class T>
void run(const FftPass<T>& c, void* stream) {
  launch<fft_pass<T>>(shape_for(c.lines * c.n), stream, c);
}
template <class T>
void run(const FftRoots<T>& c, void* stream) {
  launch<fft_roots<T>>(shape_for(c.n), stream, c);
}
template <class T>
void run(const FftWhole<T>& c, void* stream) {
  launch<fft_whole<T>>(shape_for(c.lines * c.n), stream, c);
}

}  // namespace

void fft(const FftPass<float>& c, void* stream) { run(c, stream); }
void fft(const FftPass<double>& c, void* stream) { run(c, stream); }
void fft(const FftRoots<float>& c, void* stream) { run(c, stream); }
void fft(const FftRoots<double>& c, void* stream) { run(c, stream); }
void fft(const FftWhole<float>& c, void* stream) { run(c, stream); }
void fft(const FftWhole<double>& c, void* stream) { run(c, stream); }

}  // namespace tenon::cuda
