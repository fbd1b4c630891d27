// Variances and logarithms of sums on the CPU.
#pragma once
#include <cmath>
#include <limits>

#include <tenon/composite/moments.hpp>
#include <tenon/cpu/reduction.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::cpu::detail {

/// A complex tensor's real or imaginary parts as a real tensor over the same memory.
inline Tensor part_of_complex(const Tensor& t, bool imaginary) {
  DimVector strides(t.strides());
  for (auto& s : strides) s *= 2;
  Tensor part = make_alias(t, t.sizes(), strides, 2 * t.storage_offset() + imaginary);
  part->set_dtype(to_real_type(t.dtype()));
  return part;
}
/// Variances into `out`, and the means into `means` where it is given.
inline void find_moments(bool root, const Tensor& self, composite::OptionalDims dims,
                         const composite::OptionalNumber& correction, bool keepdim, const Tensor& out,
                         const Tensor* means) {
  if (out.numel() == 0) return;
  TENON_CHECK(has_arithmetic(self.dtype()), TypeError, "std_var_all: Unsupported dtype ",
              enumerator_name(self.dtype()));
  std::uint64_t mask = reduction::dim_mask(dims, self.dim());
  ScalarType compute = reduction::accumulation_dtype(to_real_type(self.dtype()));
  auto of = [&](const Tensor& real, bool rooted, const Tensor* mean) {
    Tensor to = make_tensor(out.sizes(), {}, compute);
    MomentsCall call{correction ? correction->to_double() : 1.0, rooted, mean ? mean->data_ptr() : nullptr};
    run_reduction(loops_of<cpu::variance>(), "std_var", compute, real, mask, keepdim, to, &call);
    return to;
  };
  if (!self.is_complex()) {
    Tensor mean = means ? make_tensor(out.sizes(), {}, compute) : Tensor();
    copy_elements(out, of(self, root, means ? &mean : nullptr));
    if (means) copy_elements(*means, mean);
    return;
  }
  Tensor a = of(part_of_complex(self, false), false, nullptr), b = of(part_of_complex(self, true), false, nullptr);
  visit_scalar_type(compute, [&]<class T>(type_tag<T>) {
    if constexpr (std::is_floating_point_v<T>) {
      auto x = static_cast<T*>(a.data_ptr());
      auto y = static_cast<const T*>(b.data_ptr());
      for (std::int64_t i = 0; i < a.numel(); ++i) x[i] = root ? std::sqrt(x[i] + y[i]) : x[i] + y[i];
    }
  });
  copy_elements(out, a);
  if (means) reduce_by<reduction::mean>(reduction::accumulation_dtype(self.dtype()), self, mask, keepdim, *means);
}
template <bool Root>
void variance_cpu(const Tensor& self, composite::OptionalDims dims, const composite::OptionalNumber& correction,
                  bool keepdim, const Tensor& out) {
  find_moments(Root, self, dims, correction, keepdim, out, nullptr);
}
template <bool Root>
void variance_mean_cpu(const Tensor& self, composite::OptionalDims dims, const composite::OptionalNumber& correction,
                       bool keepdim, const Tensor& out, const Tensor& mean) {
  find_moments(Root, self, dims, correction, keepdim, out, &mean);
}
/// Of real elements; into another dtype the sum is the first to have it: the steps before round as self's do, those
/// behind as out's.
inline void logsumexp_in_steps(const Tensor& self, IntArrayRef dims, bool keepdim, Tensor out) {
  AutoDispatchBelowADInplaceOrView guard;  // the caller counts the write
  Tensor top = ops::amax(self, dims, true);
  top = ops::masked_fill(top, ops::isinf(top), Scalar(0));
  Tensor shifted = ops::sub(self, top);
  ops::sum(ops::exp_(shifted), dims, keepdim, "out"_a = out);
  ops::log_(out);
  ops::add_(out, make_alias(top, out.sizes(), contiguous_strides(out.sizes()), 0));
}
inline void logsumexp_cpu(const Tensor& self, IntArrayRef dims, bool keepdim, const Tensor& out) {
  if (out.numel() == 0) return;
  if (!self.is_complex()) {
    if (self.numel() == 0) return fill_elements(out, Scalar(-std::numeric_limits<double>::infinity()));
    if (self.is_floating_point() && (self.dtype() != out.dtype() || self.dtype() == kFloat || self.dtype() == kDouble))
      return logsumexp_in_steps(self, dims, keepdim, out);
    // Integers are computed as float, and so are 16-bit floats, which are rounded once.
    Tensor wide = make_tensor(out.sizes(), {}, kFloat);
    logsumexp_in_steps(row_major(self, kFloat), dims, keepdim, wide);
    return copy_elements(out, wide);
  }
  std::uint64_t mask = reduction::dim_mask(dims, self.dim());
  ScalarType compute = reduction::accumulation_dtype(self.dtype()), real = to_real_type(compute);
  Tensor x = row_major(self, compute), top = make_tensor(reduction::reduced_sizes(self.sizes(), mask, true), {}, real),
         shifted = make_tensor(self.sizes(), {}, compute), total = make_tensor(top.sizes(), {}, compute);
  auto finish = [&]<class T>(type_tag<T>) {
    auto v = static_cast<const T*>(x.data_ptr());
    auto s = static_cast<T*>(shifted.data_ptr());
    std::int64_t n = shifted.numel();
    // The largest real part decides the size of an exponential.
    reduce_by<reduction::max>(real, part_of_complex(x, false), mask, true, top);
    auto m = static_cast<typename T::value_type*>(top.data_ptr());
    for (std::int64_t i = 0; i < top.numel(); ++i)
      if (std::isinf(m[i])) m[i] = 0;
    copy_elements(shifted, top);
    for (std::int64_t i = 0; i < n; ++i) s[i] = math::exp(v[i] - s[i]);
    reduce_by<reduction::sum>(compute, shifted, mask, true, total);
    auto t = static_cast<T*>(total.data_ptr());
    for (std::int64_t i = 0; i < top.numel(); ++i) t[i] = math::log(t[i]) + T(m[i]);
  };
  compute == kComplexDouble ? finish(type_tag<Complex<double>>{}) : finish(type_tag<Complex<float>>{});
  copy_elements(out, make_alias(total, out.sizes(), contiguous_strides(out.sizes()), 0));
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_reduce_kernels(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(var_correction, CPU, cpu::detail::variance_cpu<false>);
TENON_STRUCTURED_KERNEL(std_correction, CPU, cpu::detail::variance_cpu<true>);
TENON_STRUCTURED_KERNEL(var_mean_correction, CPU, cpu::detail::variance_mean_cpu<false>);
TENON_STRUCTURED_KERNEL(std_mean_correction, CPU, cpu::detail::variance_mean_cpu<true>);
TENON_STRUCTURED_KERNEL(logsumexp_base, CPU, cpu::detail::logsumexp_cpu);

}  // namespace tenon::ops
