// Derivatives of the three Fourier transforms: the transforms in the other direction.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::ops {

namespace derivatives {

/// Half a spectrum of `n` points along `dim`, times a factor where a number stands for its mirrored one too.
inline Tensor scale_paired(const Tensor& half, std::int64_t dim, std::int64_t n, double factor) {
  DimVector shape(static_cast<std::size_t>(half.dim()), 1);
  shape[static_cast<std::size_t>(wrap_dim(dim, half.dim()))] = n / 2 + 1;
  Tensor factors = ones(IntArrayRef{n / 2 + 1}, "dtype"_a = to_real_type(half.dtype()), "device"_a = half.device());
  slice(factors, 0, 1, 1 + (n - 1) / 2).fill_(Scalar(factor));
  return mul(half, view(factors, IntArrayRef(shape)));
}
inline Tensor fft_r2c_gradient(const Tensor& grad, IntArrayRef sizes, IntArrayRef dim, std::int64_t normalization,
                               bool onesided) {
  const std::int64_t last = dim.back(), n = sizes[wrap_dim(last, static_cast<std::int64_t>(sizes.size()))];
  if (onesided) return _fft_c2r(scale_paired(grad, last, n, 0.5), dim, normalization, n);
  // Of the whole spectrum the part counts that is its own mirror image.
  std::vector<std::int64_t> one(dim.size(), 1);
  Tensor mirrored = roll(flip(grad, dim), IntArrayRef(one), dim), even = mul(add(grad, conj_of(mirrored)), Scalar(0.5));
  return _fft_c2r(narrow(even, last, 0, n / 2 + 1), dim, normalization, n);
}
inline Tensor fft_c2r_gradient(const Tensor& grad, IntArrayRef dim, std::int64_t normalization, std::int64_t n) {
  return scale_paired(_fft_r2c(grad, dim, normalization, true), dim.back(), n, 2);
}

}  // namespace derivatives

TENON_DERIVATIVE(_fft_c2c_base,
                 TENON_WRT((self), (grad, dim, normalization, forward), _fft_c2c(grad, dim, normalization, !forward)));
TENON_DERIVATIVE(_fft_r2c_base,
                 TENON_WRT((self), (grad, self_sizes, dim, normalization, onesided),
                           derivatives::fft_r2c_gradient(grad, self_sizes, dim, normalization, onesided)));
TENON_DERIVATIVE(_fft_c2r_base, TENON_WRT((self), (grad, dim, normalization, last_dim_size),
                                          derivatives::fft_c2r_gradient(grad, dim, normalization, last_dim_size)));

}  // namespace tenon::ops
