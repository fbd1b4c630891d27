// Shapes, dtypes and out forms of the three transforms that torch.fft is made of.
#pragma once
#include <tenon/composite/fft_checks.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/fft.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon::composite {

inline Tensor fft_c2c_meta(const Tensor& self, SymIntArrayRef dim, std::int64_t, bool) {
  check_fft_complex(self);
  DimVector plain;
  for (const SymInt& d : dim) plain.push_back(d.guard_int(__FILE__, __LINE__));
  DimVector dims = fft_dims(self, plain);
  const SymDimVector sizes(self.sym_sizes());
  return make_tensor_symbolic(
      sizes, dims.empty() ? preserved_strides<SymInt>(self) : fft_c2c_strides(sizes, dims, fft_order<SymInt>(self)),
      self.dtype(), self.device());
}
inline Tensor fft_r2c_meta(const Tensor& self, IntArrayRef dim, std::int64_t, bool onesided) {
  check_fft_real(self);
  DimVector dims = fft_dims(self, dim);
  check_fft_any(dims);
  const SymDimVector sizes = half_sizes<SymInt>(self, dims, onesided);
  return make_tensor_symbolic(sizes, fft_r2c_strides(sizes, dims, fft_order<SymInt>(self)),
                              to_complex_type(self.dtype()), self.device());
}
inline Tensor fft_c2r_meta(const Tensor& self, IntArrayRef dim, std::int64_t, SymInt last) {
  check_fft_complex(self);
  DimVector dims = fft_dims(self, dim);
  check_fft_any(dims);
  const SymDimVector sizes = whole_sizes<SymInt>(self, dims, last);
  return make_tensor_symbolic(sizes, fft_c2r_strides<SymInt>(self, sizes, dims), to_real_type(self.dtype()),
                              self.device());
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
