// Variances, norms and logarithms of sums on the CPU.
#pragma once
#include <cmath>

#include <tenon/cpu/reduce_ops.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::cpu::detail {

using OptionalNumber = std::optional<Scalar>;

template <class Int>
void variance_meta(Outputs& out, const Tensor& self, OptionalDims dims, const OptionalNumber&, bool keepdim) {
  TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
              "std and var only support floating point and complex dtypes");
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), dim_mask(dims, self.dim()), keepdim), {},
                             to_real_type(self.dtype()), self.device(), OutputCast::Allowed);
}
/// A complex tensor's real or imaginary parts as a real tensor over the same memory.
inline Tensor part_of_complex(const Tensor& t, bool imaginary) {
  DimVector strides(t.strides());
  for (auto& s : strides) s *= 2;
  Tensor part = make_alias(t, t.sizes(), strides, 2 * t.storage_offset() + imaginary);
  part->set_dtype(to_real_type(t.dtype()));
  return part;
}
template <bool Root>
void variance_cpu(const Tensor& self, OptionalDims dims, const OptionalNumber& correction, bool keepdim,
                  const Tensor& out) {
  if (out.numel() == 0) return;
  TENON_CHECK(has_arithmetic(self.dtype()), TypeError, "std_var_all: Unsupported dtype ",
              enumerator_name(self.dtype()));
  std::uint64_t mask = dim_mask(dims, self.dim());
  ScalarType compute = accumulation_dtype(to_real_type(self.dtype()));
  auto of = [&](const Tensor& real, bool root) {
    Tensor to = make_tensor(out.sizes(), {}, compute);
    DimVector strides;
    MomentsCall call{correction ? correction->to_double() : 1.0, root, to.data_ptr(), nullptr};
    active_tables().reduce->moments(compute, reduction_of(real, to, mask, keepdim, strides), call);
    return to;
  };
  if (!self.is_complex()) return copy_elements(out, of(self, Root));
  Tensor a = of(part_of_complex(self, false), false), b = of(part_of_complex(self, true), false);
  visit_scalar_type(compute, [&]<class T>(type_tag<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      auto x = static_cast<T*>(a.data_ptr());
      auto y = static_cast<const T*>(b.data_ptr());
      for (std::int64_t i = 0; i < a.numel(); ++i) x[i] = Root ? std::sqrt(x[i] + y[i]) : x[i] + y[i];
    }
  });
  copy_elements(out, a);
}
inline Tensor var_all(const Tensor& self, bool unbiased) {
  return ops::var(self, std::nullopt, "correction"_a = Scalar(unbiased ? 1 : 0));
}
inline Tensor var_dim(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim) {
  return ops::var(self, dims, "correction"_a = Scalar(unbiased ? 1 : 0), "keepdim"_a = keepdim);
}
inline Tensor std_all(const Tensor& self, bool unbiased) {
  return ops::std(self, std::nullopt, "correction"_a = Scalar(unbiased ? 1 : 0));
}
inline Tensor std_dim(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim) {
  return ops::std(self, dims, "correction"_a = Scalar(unbiased ? 1 : 0), "keepdim"_a = keepdim);
}
inline Tensor& var_out(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim, Tensor& out) {
  return ops::var_correction_out(self, dims, Scalar(unbiased ? 1 : 0), keepdim, out);
}
inline Tensor& std_out(const Tensor& self, OptionalDims dims, bool unbiased, bool keepdim, Tensor& out) {
  return ops::std_correction_out(self, dims, Scalar(unbiased ? 1 : 0), keepdim, out);
}

template <class Int>
void norm_meta(Outputs& out, const Tensor& self, const Scalar& ord, OptionalDims dims, bool keepdim,
               std::optional<ScalarType> dtype) {
  TENON_CHECK(self.is_floating_point() || self.is_complex(), TypeError,
              "linalg.vector_norm: Expected a floating point or complex tensor as input. Got ", self.dtype());
  std::uint64_t mask = dim_mask(dims, self.dim());
  double p = ord.to_double();
  if ((p < 0 || std::isinf(p)) && numel_of<Int>(self) == 0)
    for (std::int64_t d = 0; d < self.dim(); ++d)
      TENON_CHECK(!(mask >> d & 1) || sizes_of<Int>(self)[d] != 0, ValueError, "linalg.vector_norm cannot compute the ",
                  p, " norm on an empty tensor because the operation does not have an identity");
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), mask, keepdim), {},
                             to_real_type(dtype.value_or(self.dtype())), self.device());
}
inline void norm_cpu(const Tensor& self, const Scalar& ord, OptionalDims dims, bool keepdim,
                     std::optional<ScalarType> dtype, const Tensor& out) {
  double p = ord.to_double();
  ReduceKind kind = !std::isinf(p) ? ReduceKind::Norm : p > 0 ? ReduceKind::MaxAbs : ReduceKind::MinAbs;
  Tensor from = dtype && *dtype != self.dtype() ? row_major(self, *dtype) : self;
  if (from.is_complex()) {
    // Magnitudes first; the sums then run over real numbers.
    Tensor wide = row_major(from, from.dtype() == kComplexDouble ? kComplexDouble : kComplexFloat),
           size = make_tensor(self.sizes(), {}, to_real_type(wide.dtype()));
    auto magnitudes = [&]<class T>(type_tag<T>) {
      auto z = static_cast<const Complex<T>*>(wide.data_ptr());
      auto m = static_cast<T*>(size.data_ptr());
      for (std::int64_t i = 0; i < size.numel(); ++i) m[i] = std::hypot(z[i].re, z[i].im);
    };
    if (wide.dtype() == kComplexDouble)
      magnitudes(type_tag<double>{});
    else
      magnitudes(type_tag<float>{});
    from = size;
  }
  run_reduction(kind, accumulation_dtype(from.dtype()), from, dim_mask(dims, self.dim()), keepdim, out, p);
}
inline Tensor norm_all(const Tensor& self, const Scalar& p) { return ops::linalg_vector_norm(self, p); }
inline Tensor norm_dims(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim);
}
inline Tensor& norm_all_out(const Tensor& self, const Scalar& p, Tensor& out) {
  return ops::linalg_vector_norm(self, p, "out"_a = out);
}
inline Tensor& norm_dims_out(const Tensor& self, const OptionalNumber& p, IntArrayRef dims, bool keepdim, Tensor& out) {
  return ops::linalg_vector_norm(self, p.value_or(Scalar(2)), dims, keepdim, "out"_a = out);
}

template <class Int>
void logsumexp_meta(Outputs& out, const Tensor& self, IntArrayRef dims, bool keepdim) {
  ScalarType dtype = is_integral_type(self.dtype(), true) ? get_default_dtype() : self.dtype();
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), dim_mask(dims, self.dim()), keepdim), {}, dtype,
                             self.device());
}
inline void logsumexp_cpu(const Tensor& self, IntArrayRef dims, bool, const Tensor& out) {
  if (out.numel() == 0) return;
  std::uint64_t mask = dim_mask(dims, self.dim());
  ScalarType compute = is_integral_type(self.dtype(), true) ? kFloat : accumulation_dtype(self.dtype()),
             real = to_real_type(compute);
  Tensor x = row_major(self, compute), top = make_tensor(reduced_sizes(self.sizes(), mask, true), {}, real),
         shifted = make_tensor(self.sizes(), {}, compute), total = make_tensor(top.sizes(), {}, compute);
  auto finish = [&]<class T>(type_tag<T>) {
    auto v = static_cast<const T*>(x.data_ptr());
    auto s = static_cast<T*>(shifted.data_ptr());
    std::int64_t n = shifted.numel();
    // The largest real part: that of a complex number is what decides the size of its exponential.
    run_reduction(ReduceKind::Max, real, x.is_complex() ? part_of_complex(x, false) : x, mask, true, top);
    using R = decltype(math::abs(T()));
    auto m = static_cast<R*>(top.data_ptr());
    for (std::int64_t i = 0; i < top.numel(); ++i)
      if (std::isinf(m[i])) m[i] = 0;
    copy_elements(shifted, top);
    for (std::int64_t i = 0; i < n; ++i) s[i] = math::exp(v[i] - s[i]);
    run_reduction(ReduceKind::Sum, compute, shifted, mask, true, total);
    auto t = static_cast<T*>(total.data_ptr());
    for (std::int64_t i = 0; i < top.numel(); ++i) t[i] = math::log(t[i]) + T(m[i]);
  };
  switch (compute) {
    case kDouble: finish(type_tag<double>{}); break;
    case kComplexFloat: finish(type_tag<Complex<float>>{}); break;
    case kComplexDouble: finish(type_tag<Complex<double>>{}); break;
    default: finish(type_tag<float>{});
  }
  copy_elements(out, make_alias(total, out.sizes(), contiguous_strides(out.sizes()), 0));
}

template <class Int>
void count_dims_meta(Outputs& out, const Tensor& self, IntArrayRef dims) {
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), dim_mask(dims, self.dim()), false), {}, kLong,
                             self.device());
}
inline void count_dims_cpu(const Tensor& self, IntArrayRef dims, const Tensor& out) {
  run_reduction(ReduceKind::Sum, kLong, row_major(self, kBool), dim_mask(dims, self.dim()), false, out);
}
inline IntArrayRef listed(const std::optional<std::int64_t>& dim) { return dim ? IntArrayRef(*dim) : IntArrayRef(); }
template <class Int>
void count_meta(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim) {
  count_dims_meta<Int>(out, self, listed(dim));
}
inline void count_cpu(const Tensor& self, std::optional<std::int64_t> dim, const Tensor& out) {
  count_dims_cpu(self, listed(dim), out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_structured<ops::var_correction, &detail::variance_meta<std::int64_t>, &detail::variance_cpu<false>,
                    &detail::variance_meta<SymInt>>(m);
  define_structured<ops::std_correction, &detail::variance_meta<std::int64_t>, &detail::variance_cpu<true>,
                    &detail::variance_meta<SymInt>>(m);
  define_structured<ops::linalg_vector_norm_base, &detail::norm_meta<std::int64_t>, &detail::norm_cpu,
                    &detail::norm_meta<SymInt>>(m);
  define_structured<ops::logsumexp_base, &detail::logsumexp_meta<std::int64_t>, &detail::logsumexp_cpu,
                    &detail::logsumexp_meta<SymInt>>(m);
  define_structured<ops::count_nonzero_base, &detail::count_meta<std::int64_t>, &detail::count_cpu,
                    &detail::count_meta<SymInt>>(m);
  define_structured<ops::count_nonzero_dim_IntList, &detail::count_dims_meta<std::int64_t>, &detail::count_dims_cpu,
                    &detail::count_dims_meta<SymInt>>(m);
  m.def<ops::var_base>()
      .def<ops::var_dim>()
      .def<ops::std_base>()
      .def<ops::std_dim>()
      .def<ops::norm_Scalar>()
      .def<ops::norm_ScalarOpt_dim>();
  m.impl<ops::var_base, &detail::var_all>()
      .impl<ops::var_dim, &detail::var_dim>()
      .impl<ops::std_base, &detail::std_all>()
      .impl<ops::std_dim, &detail::std_dim>();
  m.def<ops::var_out>().def<ops::std_out>().def<ops::norm_Scalar_out>().def<ops::norm_out>();
  m.impl<ops::var_out, &detail::var_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::std_out, &detail::std_out>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::norm_Scalar_out, &detail::norm_all_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::norm_out, &detail::norm_dims_out>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::norm_Scalar, &detail::norm_all>().impl<ops::norm_ScalarOpt_dim, &detail::norm_dims>();
}

}  // namespace tenon::cpu
