// Shapes, dtypes and out forms of the three transforms that torch.fft is made of.
#pragma once
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline void check_fft_complex(const Tensor& self) {
  TENON_CHECK(self.is_complex(), TypeError, "Only supports complex dtypes, but found: ", enumerator_name(self.dtype()));
}
inline void check_fft_real(const Tensor& self) {
  TENON_CHECK(self.is_floating_point(), TypeError,
              "Only supports floating-point dtypes, but found: ", enumerator_name(self.dtype()));
}
inline void check_fft_dtype(ScalarType type) {
  TENON_CHECK(type == kFloat || type == kDouble, NotImplementedError, "Unsupported dtype ", enumerator_name(type));
}
inline DimVector fft_dims(const Tensor& self, IntArrayRef dim) {
  DimVector out;
  for (std::int64_t d : dim) {
    std::int64_t at = wrap_dim(d, self.dim(), false);
    for (std::int64_t before : out) TENON_CHECK(before != at, ValueError, "FFT dims must be unique");
    out.push_back(at);
  }
  return out;
}
inline void check_fft_any(const DimVector& dims) {
  TENON_CHECK(!dims.empty(), ValueError, "a Fourier transform of real numbers needs a dimension, got none");
}
/// The sizes of the result of a transform to the first half, or from it to `last` points.
template <class Int>
dims_t<Int> half_sizes(const Tensor& self, const DimVector& dims, bool onesided) {
  dims_t<Int> sizes(sizes_of<Int>(self));
  auto at = static_cast<std::size_t>(dims.back());
  if (onesided) sizes[at] = sizes[at] / Int(2) + Int(1);
  return sizes;
}
template <class Int>
dims_t<Int> whole_sizes(const Tensor& self, const DimVector& dims, const Int& last) {
  dims_t<Int> sizes(sizes_of<Int>(self));
  auto at = static_cast<std::size_t>(dims.back());
  TENON_CHECK(last >= Int(1), ValueError, "Invalid number of data points (", last, ") specified");
  TENON_CHECK(sizes[at] == last / Int(2) + Int(1), ValueError, "_fft_c2r: expected ", last / Int(2) + Int(1),
              " numbers along dimension ", dims.back(), " for ", last, " points, got ", sizes[at]);
  sizes[at] = last;
  return sizes;
}

inline Tensor fft_c2c_meta(const Tensor& self, SymIntArrayRef dim, std::int64_t, bool) {
  check_fft_complex(self);
  DimVector plain;
  for (const SymInt& d : dim) plain.push_back(d.guard_int(__FILE__, __LINE__));
  fft_dims(self, plain);
  return make_tensor_symbolic(self.sym_sizes(), {}, self.dtype(), self.device());
}
inline Tensor fft_r2c_meta(const Tensor& self, IntArrayRef dim, std::int64_t, bool onesided) {
  check_fft_real(self);
  DimVector dims = fft_dims(self, dim);
  check_fft_any(dims);
  return make_tensor_symbolic(half_sizes<SymInt>(self, dims, onesided), {}, to_complex_type(self.dtype()),
                              self.device());
}
inline Tensor fft_c2r_meta(const Tensor& self, IntArrayRef dim, std::int64_t, SymInt last) {
  check_fft_complex(self);
  DimVector dims = fft_dims(self, dim);
  check_fft_any(dims);
  return make_tensor_symbolic(whole_sizes<SymInt>(self, dims, last), {}, to_real_type(self.dtype()), self.device());
}

/// Out forms convert to the dtype of `out`.
inline Tensor& fft_to_out(const Tensor& result, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  resize_out(out, result.sym_sizes());
  return ops::copy_(out, result);
}
inline Tensor& fft_c2c_out(const Tensor& self, SymIntArrayRef dim, std::int64_t normalization, bool forward,
                           Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return fft_to_out(ops::_fft_c2c(self, dim, normalization, forward), out);
}
inline Tensor& fft_r2c_out(const Tensor& self, IntArrayRef dim, std::int64_t normalization, bool onesided,
                           Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return fft_to_out(ops::_fft_r2c(self, dim, normalization, onesided), out);
}
inline Tensor& fft_c2r_out(const Tensor& self, IntArrayRef dim, std::int64_t normalization, SymInt last, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return fft_to_out(ops::_fft_c2r(self, dim, normalization, last), out);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::_fft_c2c_base>().def<ops::_fft_r2c_base>().def<ops::_fft_c2r_base>();
  m.def<ops::_fft_c2c_base_out>().def<ops::_fft_r2c_base_out>().def<ops::_fft_c2r_base_out>();
  m.impl<ops::_fft_c2c_base, &fft_c2c_meta>(DispatchKey::Meta)
      .impl<ops::_fft_r2c_base, &fft_r2c_meta>(DispatchKey::Meta)
      .impl<ops::_fft_c2r_base, &fft_c2r_meta>(DispatchKey::Meta);
  m.impl<ops::_fft_c2c_base_out, &fft_c2c_out>(all)
      .impl<ops::_fft_r2c_base_out, &fft_r2c_out>(all)
      .impl<ops::_fft_c2r_base_out, &fft_c2r_out>(all);
}

}  // namespace tenon::composite
