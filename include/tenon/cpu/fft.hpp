// The three transforms that torch.fft is made of, on the CPU.
#pragma once
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/fft_plan.hpp>
#include <tenon/composite/fft_shapes.hpp>

namespace tenon::cpu::detail {

// --- one dimension ---

template <class T>
void run_fft(const FftCall<T>& call) {
  if constexpr (std::is_same_v<T, float>)
    active_tables().fft->run_float(call);
  else
    active_tables().fft->run_double(call);
}

/// Transforms along `dim` from `in` to `out`, of which complex ones may be the same tensor.
template <class T>
void transform_along(const Tensor& in, const Tensor& out, std::int64_t dim, typename FftCall<T>::Kind kind,
                     bool backward, bool two_sided, double scale) {
  using Kind = typename FftCall<T>::Kind;
  FftCall<T> call;
  auto at = static_cast<std::size_t>(dim);
  const std::int64_t in_item = kind == Kind::FromReal ? 1 : 2, out_item = kind == Kind::ToReal ? 1 : 2;
  call.kind = kind;
  call.backward = backward;
  call.two_sided = two_sided;
  call.n = kind == Kind::ToReal ? out.sizes()[at] : in.sizes()[at];
  call.scale = static_cast<T>(scale);
  const bool halved = kind != Kind::Complex && call.n % 2 == 0;
  auto plan = FftPlanOwner<T>::get(halved ? call.n / 2 : call.n);
  auto twist = halved ? recently_used<FftTwist<T>>(call.n) : nullptr;
  call.plan = &plan->plan();
  call.twist = halved ? twist->data() : nullptr;
  call.in = static_cast<const T*>(in.data_ptr());
  call.out = static_cast<T*>(out.data_ptr());
  call.in_step = in.strides()[at] * in_item;
  call.out_step = out.strides()[at] * out_item;
  DimVector sizes, from, to;
  for (std::size_t d = 0; d < in.sizes().size(); ++d) {
    if (d == at || in.sizes()[d] == 1) continue;
    call.lines *= in.sizes()[d];
    sizes.push_back(in.sizes()[d]);
    from.push_back(in.strides()[d] * in_item);
    to.push_back(out.strides()[d] * out_item);
  }
  call.dims = static_cast<int>(sizes.size());
  call.sizes = sizes.data();
  call.in_strides = from.data();
  call.out_strides = to.data();
  run_fft(call);
}

/// Complex transforms along the dimensions, the first from `in` to `out`, the others in place; `scale` with the last.
template <class T>
void transform_complex(Tensor in, const Tensor& out, IntArrayRef dims, bool backward, double scale) {
  for (std::size_t i = dims.size(); i-- > 0;) {
    transform_along<T>(in, out, dims[i], FftCall<T>::Kind::Complex, backward, false, i == 0 ? scale : 1);
    in = out;
  }
}
/// Calls `f(type_tag<T>)` for the real type of a dtype.
template <class F>
void visit_fft(ScalarType type, F f) {
  ScalarType real = to_real_type(type);
  composite::check_fft_dtype(real);
  real == kFloat ? f(type_tag<float>{}) : f(type_tag<double>{});
}

// --- operators ---

inline Tensor fft_c2c_cpu(const Tensor& self, IntArrayRef dim, std::int64_t normalization, bool forward) {
  composite::check_fft_complex(self);
  DimVector dims = composite::fft_dims(self, dim);
  const DimVector sizes(self.sizes());
  Tensor out = make_tensor(sizes,
                           dims.empty() ? preserved_strides<std::int64_t>(self)
                                        : composite::fft_c2c_strides(sizes, dims, DimVector(self.strides())),
                           self.dtype());
  double scale = composite::fft_scale(normalization, self.sizes(), dims);
  visit_fft(self.dtype(), [&]<class T>(type_tag<T>) {
    if (dims.empty())
      copy_elements(out, self);
    else if (out.numel() > 0)
      transform_complex<T>(self, out, dims, !forward, scale);
  });
  return out;
}
inline Tensor fft_r2c_cpu(const Tensor& self, IntArrayRef dim, std::int64_t normalization, bool onesided) {
  composite::check_fft_real(self);
  DimVector dims = composite::fft_dims(self, dim);
  composite::check_fft_any(dims);
  const DimVector sizes = composite::half_sizes<std::int64_t>(self, dims, onesided);
  Tensor out = make_tensor(sizes, composite::fft_r2c_strides(sizes, dims, DimVector(self.strides())),
                           to_complex_type(self.dtype()));
  double scale = composite::fft_scale(normalization, self.sizes(), dims);
  visit_fft(self.dtype(), [&]<class T>(type_tag<T>) {
    if (self.numel() == 0) return fill_elements(out, 0);
    DimVector others(dims.begin(), dims.end() - 1);
    transform_along<T>(self, out, dims.back(), FftCall<T>::Kind::FromReal, false, !onesided,
                       others.empty() ? scale : 1);
    transform_complex<T>(out, out, others, false, scale);
  });
  return out;
}
inline Tensor fft_c2r_cpu(const Tensor& self, IntArrayRef dim, std::int64_t normalization, std::int64_t last) {
  composite::check_fft_complex(self);
  DimVector dims = composite::fft_dims(self, dim);
  composite::check_fft_any(dims);
  const DimVector sizes = composite::whole_sizes<std::int64_t>(self, dims, last);
  Tensor out =
      make_tensor(sizes, composite::fft_c2r_strides<std::int64_t>(self, sizes, dims), to_real_type(self.dtype()));
  double scale = composite::fft_scale(normalization, out.sizes(), dims);
  visit_fft(self.dtype(), [&]<class T>(type_tag<T>) {
    if (self.numel() == 0) return;
    DimVector others(dims.begin(), dims.end() - 1);
    Tensor half = self;
    if (!others.empty()) {
      DimVector whole(self.sizes()), sorted = others;
      half = make_tensor(whole, composite::fft_c2c_strides(whole, sorted, DimVector(self.strides())), self.dtype());
      transform_complex<T>(self, half, others, true, 1);
    }
    transform_along<T>(half, out, dims.back(), FftCall<T>::Kind::ToReal, true, false, scale);
  });
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) {
  install_kernels_for<&KernelTables::fft, ops::_fft_c2c_base, ops::_fft_r2c_base, ops::_fft_c2r_base>();
  m.impl<ops::_fft_c2c_base, &detail::fft_c2c_cpu>()
      .impl<ops::_fft_r2c_base, &detail::fft_r2c_cpu>()
      .impl<ops::_fft_c2r_base, &detail::fft_c2r_cpu>();
}

}  // namespace tenon::cpu
