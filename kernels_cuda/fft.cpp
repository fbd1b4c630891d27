// Registers Fourier transforms on CUDA.
#include <cmath>
#include <vector>

#include <tenon/composite/fft_checks.hpp>
#include <tenon/cuda/fft.hpp>
#include <tenon/cuda/libraries.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/fft.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// The factors of a number of points, fours before all others.
std::vector<std::int64_t> factors_of(std::int64_t n) {
  std::vector<std::int64_t> out;
  for (; n % 4 == 0; n /= 4) out.push_back(4);
  for (std::int64_t p = 2; p * p <= n; ++p)
    for (; n % p == 0; n /= p) out.push_back(p);
  if (n > 1 || out.empty()) out.push_back(n);
  return out;
}
/// The elements of `t` as those of a dtype in row-major order, but for `dim`, which is last; and the way back.
Tensor with_last(const Tensor& t, std::int64_t dim, ScalarType dtype) {
  DimVector sizes(t.sizes()), strides(t.strides());
  sizes.push_back(sizes[dim]), strides.push_back(strides[dim]);
  sizes.erase(static_cast<std::size_t>(dim)), strides.erase(static_cast<std::size_t>(dim));
  return row_major(make_alias(t, sizes, strides, t.storage_offset()), dtype);
}
Tensor with_dim(const Tensor& t, std::int64_t dim) {
  DimVector sizes(t.sizes()), strides(t.strides());
  std::int64_t size = sizes.back(), stride = strides.back();
  sizes.pop_back(), strides.pop_back();
  sizes.insert(static_cast<std::size_t>(dim), size), strides.insert(static_cast<std::size_t>(dim), stride);
  return make_alias(t, sizes, strides, t.storage_offset());
}

/// The transform of the last dimension of a row-major complex tensor, which may be written.
template <class T>
Tensor transformed(Tensor x, bool backward, double scale) {
  const std::int64_t n = x.sizes().back();
  void* stream = runtime::current_stream();
  auto numbers = [](const Tensor& t) { return static_cast<Complex<T>*>(t.data_ptr()); };
  Tensor to = make_tensor(x.sizes(), {}, x.dtype(), x.device());
  if (auto library = libraries().transform.load())
    if (library({x.dtype(), n, x.numel() / n, x.data_ptr(), to.data_ptr(), backward}, stream)) {
      AutoDispatchBelowADInplaceOrView below;
      return scale == 1 ? to : Tensor(ops::mul(to, Scalar(scale)));
    }
  Tensor roots = make_tensor(IntArrayRef(&n, 1), {}, x.dtype(), x.device());
  fft(FftRoots<T>{n, backward, numbers(roots)}, stream);
  runtime::check_launch("fft");
  std::int64_t stride = 1;
  for (std::int64_t radix : factors_of(n)) {
    bool last = stride * radix == n;
    fft(FftPass<T>{x.numel() / n, n, radix, stride, numbers(x), numbers(roots), numbers(to),
                   last ? static_cast<T>(scale) : T(1)},
        stream);
    runtime::check_launch("fft");
    std::swap(x, to);
    stride *= radix;
  }
  return x;
}
/// Complex transforms along the dimensions, the last one first; `scale` with the first.
template <class T>
Tensor along(Tensor t, IntArrayRef dims, bool backward, double scale) {
  for (std::size_t i = dims.size(); i-- > 0;) {
    Tensor line = with_last(t, dims[i], scalar_type_v<Complex<T>>);
    if (line->storage() == t->storage()) {
      // What was given is not written.
      Tensor copied = make_tensor(line.sizes(), {}, line.dtype(), line.device());
      copy_elements(copied, line);
      line = copied;
    }
    t = with_dim(transformed<T>(line, backward, i == 0 ? scale : 1), dims[i]);
  }
  return t;
}
/// Calls f(type_tag<T>) for the real type of a dtype.
template <class F>
void with_real(ScalarType type, F f) {
  ScalarType real = to_real_type(type);
  composite::check_fft_dtype(real);
  real == kFloat ? f(type_tag<float>{}) : f(type_tag<double>{});
}

Tensor c2c(const Tensor& self, IntArrayRef dim, std::int64_t normalization, bool forward) {
  composite::check_fft_complex(self);
  DimVector dims = composite::fft_dims(self, dim);
  DeviceGuard guard(self.device());
  Tensor out = make_tensor(self.sizes(), {}, self.dtype(), self.device());
  double scale = composite::fft_scale(normalization, self.sizes(), dims);
  with_real(self.dtype(), [&]<class T>(type_tag<T>) {
    if (out.numel() > 0) copy_elements(out, dims.empty() ? self : along<T>(self, dims, !forward, scale));
  });
  return out;
}
Tensor r2c(const Tensor& self, IntArrayRef dim, std::int64_t normalization, bool onesided) {
  composite::check_fft_real(self);
  DimVector dims = composite::fft_dims(self, dim);
  composite::check_fft_any(dims);
  DeviceGuard guard(self.device());
  Tensor out = make_tensor(composite::half_sizes<std::int64_t>(self, dims, onesided), {}, to_complex_type(self.dtype()),
                           self.device());
  double scale = composite::fft_scale(normalization, self.sizes(), dims);
  with_real(self.dtype(), [&]<class T>(type_tag<T>) {
    if (out.numel() == 0) return;
    if (self.numel() == 0) return fill_elements(out, operand_of(Scalar(0), out.dtype()));
    // The last dimension is the first to be transformed, and only half of it goes on.
    DimVector others(dims.begin(), dims.end() - 1);
    Tensor half = along<T>(self, IntArrayRef(&dims.back(), 1), false, others.empty() ? scale : 1);
    half = make_alias(half, out.sizes(), half.strides(), half.storage_offset());
    copy_elements(out, others.empty() ? half : along<T>(half, others, false, scale));
  });
  return out;
}
Tensor c2r(const Tensor& self, IntArrayRef dim, std::int64_t normalization, std::int64_t last) {
  composite::check_fft_complex(self);
  DimVector dims = composite::fft_dims(self, dim);
  composite::check_fft_any(dims);
  DeviceGuard guard(self.device());
  Tensor out = make_tensor(composite::whole_sizes<std::int64_t>(self, dims, last), {}, to_real_type(self.dtype()),
                           self.device());
  double scale = composite::fft_scale(normalization, out.sizes(), dims);
  with_real(self.dtype(), [&]<class T>(type_tag<T>) {
    if (out.numel() == 0) return;
    DimVector others(dims.begin(), dims.end() - 1);
    Tensor half = with_last(along<T>(self, others, true, 1), dims.back(), self.dtype());
    DimVector sizes(half.sizes());
    sizes.back() = last;
    Tensor whole = make_tensor(sizes, {}, self.dtype(), self.device());
    fft(FftWhole<T>{whole.numel() / last, last, static_cast<const Complex<T>*>(half.data_ptr()),
                    static_cast<Complex<T>*>(whole.data_ptr())},
        runtime::current_stream());
    runtime::check_launch("fft");
    copy_elements(out, with_dim(transformed<T>(whole, true, scale), dims.back()));
  });
  return out;
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::_fft_c2c_base, &cuda::c2c>()
      .impl<ops::_fft_r2c_base, &cuda::r2c>()
      .impl<ops::_fft_c2r_base, &cuda::c2r>();
}
