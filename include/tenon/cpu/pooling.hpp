// Pooling on the CPU.
#pragma once
#include <tenon/composite/pooling_shapes.hpp>
#include <tenon/cpu/detail/pooling_windows.hpp>
#include <tenon/cpu/detail/results.hpp>
#include <tenon/math/fractional_pooling.hpp>

namespace tenon::cpu::detail {

using composite::pooling::PoolingLists;

template <class F>
void visit_real(ScalarType dtype, const char* name, F f) {
  if (is_floating_type(dtype) && has_arithmetic(dtype)) return visit_floating_type(dtype, f, [] {});
  switch (dtype) {
    case kByte: return f(type_tag<std::uint8_t>{});
    case kChar: return f(type_tag<std::int8_t>{});
    case kShort: return f(type_tag<std::int16_t>{});
    case kInt: return f(type_tag<std::int32_t>{});
    case kLong: return f(type_tag<std::int64_t>{});
    default: not_implemented_for(name, dtype);
  }
}
template <class F>
void visit_float_or_long(ScalarType dtype, const char* name, F f) {
  if (dtype == kLong) return f(type_tag<std::int64_t>{});
  visit_floating_type(dtype, f, [&] { not_implemented_for(name, dtype); });
}
/// The windows along the last `dims` dimensions, by f(dimension, size of the input, size of the result).
template <class F>
Windows windows_along(IntArrayRef in, IntArrayRef out, std::size_t dims, F f) {
  Windows g;
  for (std::size_t i = 0; i < dims; ++i) {
    std::int64_t size = in[in.size() - dims + i];
    g.in[3 - dims + i] = size;
    g.of[3 - dims + i] = f(i, size, out[out.size() - dims + i]);
  }
  return g;
}
inline Windows windows_of(const PoolingLists& p, IntArrayRef in, IntArrayRef out) {
  return windows_along(in, out, p.kernel.size(), [&](std::size_t i, std::int64_t from, std::int64_t to) {
    return pooling_windows(from, to, p.kernel[i], p.stride[i], p.padding[i], p.dilation[i]);
  });
}
inline Windows adaptive_windows_of(IntArrayRef in, IntArrayRef out, std::size_t dims) {
  return windows_along(in, out, dims,
                       [](std::size_t, std::int64_t from, std::int64_t to) { return adaptive_windows(from, to); });
}
inline std::int64_t planes_of(const Tensor& t, std::size_t dims) {
  std::int64_t n = 1;
  for (std::size_t d = 0; d < t.sizes().size() - dims; ++d) n *= t.sizes()[d];
  return n;
}
inline void find_means(const char* name, const Windows& g, const Divisor& divisor, std::size_t dims, const Tensor& self,
                       const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor x = row_major(self);
  Result y(out, self.dtype());
  visit_float_or_long(self.dtype(), name, [&]<class T>(type_tag<T>) {
    mean_planes<T>(g, divisor, planes_of(self, dims), static_cast<const T*>(x.data_ptr()), y.data<T>());
  });
  y.done();
}
inline void spread_means(const char* name, const Windows& g, const Divisor& divisor, std::size_t dims,
                         const Tensor& grad, const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor x = row_major(grad);
  Result y(out, grad.dtype());
  visit_float_or_long(grad.dtype(), name, [&]<class T>(type_tag<T>) {
    mean_planes_back<T>(g, divisor, planes_of(out, dims), static_cast<const T*>(x.data_ptr()), y.data<T>());
  });
  y.done();
}
template <std::size_t Dims>
void avg_pool_cpu(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, bool,
                  bool include_padding, std::optional<std::int64_t> divisor, const Tensor& out) {
  PoolingLists p("avg_pool", Dims, kernel, stride, padding, {});
  find_means(Dims == 2 ? "avg_pool2d" : "avg_pool3d_out_frame", windows_of(p, self.sizes(), out.sizes()),
             {include_padding, divisor.value_or(0)}, Dims, self, out);
}
template <std::size_t Dims>
void avg_pool_backward_cpu(const Tensor& grad, const Tensor&, IntArrayRef kernel, IntArrayRef stride,
                           IntArrayRef padding, bool, bool include_padding, std::optional<std::int64_t> divisor,
                           const Tensor& out) {
  PoolingLists p("avg_pool", Dims, kernel, stride, padding, {});
  spread_means(Dims == 2 ? "avg_pool2d_backward" : "avg_pool3d_backward_out_frame",
               windows_of(p, out.sizes(), grad.sizes()), {include_padding, divisor.value_or(0)}, Dims, grad, out);
}
template <std::size_t Dims>
void adaptive_avg_pool_cpu(const Tensor& self, IntArrayRef, const Tensor& out) {
  const char* name = Dims == 2 ? "adaptive_avg_pool2d" : "adaptive_avg_pool3d_cpu";
  if (!self.is_floating_point()) not_implemented_for(name, self.dtype());
  Divisor divisor{.in_turn = true, .stepwise = Dims == 3};
  find_means(name, adaptive_windows_of(self.sizes(), out.sizes(), Dims), divisor, Dims, self, out);
}
template <std::size_t Dims>
void adaptive_avg_pool_backward_cpu(const Tensor& grad, const Tensor&, const Tensor& out) {
  const char* name = Dims == 2 ? "adaptive_avg_pool2d_backward" : "adaptive_avg_pool3d_backward_cpu";
  if (!grad.is_floating_point()) not_implemented_for(name, grad.dtype());
  spread_means(name, adaptive_windows_of(out.sizes(), grad.sizes(), Dims), {.in_turn = true}, Dims, grad, out);
}

template <class WindowsOf>
void find_maxima(const char* name, WindowsOf of, std::size_t dims, const Tensor& self, const Tensor& out,
                 const Tensor& indices) {
  if (out.numel() == 0) return;
  Tensor x = row_major(self);
  Result y(out, self.dtype()), at(indices, kLong);
  visit_real(self.dtype(), name, [&]<class T>(type_tag<T>) {
    max_planes<T>(of, planes_of(self, dims), static_cast<const T*>(x.data_ptr()), y.data<T>(), at.data<std::int64_t>());
  });
  y.done();
  at.done();
}
inline void check_places_in(const Tensor& places, std::int64_t plane, IntArrayRef sizes, const char* volumes) {
  auto p = static_cast<const std::int64_t*>(places.data_ptr());
  bool inside = true;
  for (std::int64_t i = 0, n = places.numel(); i < n; ++i)
    inside &= static_cast<std::uint64_t>(p[i]) < static_cast<std::uint64_t>(plane);
  if (inside) return;
  for (std::int64_t i = 0, n = places.numel(); i < n; ++i)
    TENON_CHECK(p[i] >= 0 && p[i] < plane, ValueError, "Found an invalid max index: ", p[i], " (", volumes, sizes, ")");
}
/// Each element of `from` added to its place in the planes of `out`.
inline void bring_to_places(const char* name, std::size_t dims, const Tensor& from, const Tensor& indices,
                            const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor g = row_major(from, out.dtype()), at = row_major(indices);
  std::int64_t planes = planes_of(out, dims), in = out.numel() / planes, each = from.numel() / planes;
  check_places_in(at, in, out.sizes(), "output volumes are of size ");
  Result to(out, out.dtype());
  visit_real(out.dtype(), name, [&]<class T>(type_tag<T>) {
    add_to_places<T>(planes, in, each, static_cast<const T*>(g.data_ptr()),
                     static_cast<const std::int64_t*>(at.data_ptr()), to.data<T>());
  });
  to.done();
}
template <std::size_t Dims>
void max_pool_cpu(const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding, IntArrayRef dilation,
                  bool, const Tensor& out, const Tensor& indices) {
  PoolingLists p("max_pool", Dims, kernel, stride, padding, dilation);
  Windows g = windows_of(p, self.sizes(), out.sizes());
  find_maxima(
      Dims == 2 ? "max_pool2d" : "max_pool3d_with_indices_cpu", [&](std::int64_t) -> const Windows& { return g; }, Dims,
      self, out, indices);
}
template <std::size_t Dims>
void max_pool_backward_cpu(const Tensor& grad, const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, bool,
                           const Tensor& indices, const Tensor& out) {
  bring_to_places("max_pool_backward", Dims, grad, indices, out);
}
template <std::size_t Dims>
void adaptive_max_pool_cpu(const Tensor& self, IntArrayRef, const Tensor& out, const Tensor& indices) {
  Windows g = adaptive_windows_of(self.sizes(), out.sizes(), Dims);
  const char* name = Dims == 2 ? "adaptive_max_pool2d" : "adaptive_max_pool3d_cpu";
  if (!self.is_floating_point()) not_implemented_for(name, self.dtype());
  find_maxima(
      name, [&](std::int64_t) -> const Windows& { return g; }, Dims, self, out, indices);
}
template <std::size_t Dims>
void adaptive_max_pool_backward_cpu(const Tensor& grad, const Tensor&, const Tensor& indices, const Tensor& out) {
  bring_to_places("adaptive_max_pool_backward", Dims, grad, indices, out);
}
/// The windows that a random number spreads over a dimension.
template <class C>
std::vector<Window> fractional_windows(C sample, std::int64_t in, std::int64_t out, std::int64_t kernel) {
  std::vector<Window> w;
  for (std::int64_t i = 0; i < out; ++i) {
    std::int64_t first = math::fractional_start(i, sample, in, out, kernel);
    w.push_back({first, first + kernel, 1, kernel});
  }
  return w;
}
template <std::size_t Dims>
void fractional_max_pool_cpu(const Tensor& self, IntArrayRef kernel, IntArrayRef, const Tensor& samples,
                             const Tensor& out, const Tensor& indices) {
  const char* name = Dims == 2 ? "fractional_max_pool2d_out_frame" : "fractional_max_pool3d_out_frame";
  visit_floating_type(
      self.dtype(),
      [&]<class T>(type_tag<T>) {
        using C = compute_t<T>;
        Tensor list = row_major(samples, scalar_type_v<C>);
        auto random = static_cast<const C*>(list.data_ptr());
        auto of = [&](std::int64_t plane) {
          return windows_along(self.sizes(), out.sizes(), Dims, [&](std::size_t i, std::int64_t in, std::int64_t to) {
            C u = random[plane * static_cast<std::int64_t>(Dims) + math::fractional_sample(Dims, i)];
            return fractional_windows(u, in, to, kernel[i]);
          });
        };
        find_maxima(name, of, Dims, self, out, indices);
      },
      [&] { not_implemented_for(name, self.dtype()); });
}
template <std::size_t Dims>
void fractional_max_pool_backward_cpu(const Tensor& grad, const Tensor&, IntArrayRef, IntArrayRef,
                                      const Tensor& indices, const Tensor& out) {
  bring_to_places("fractional_max_pool_backward", Dims, grad, indices, out);
}
/// Elements at their places among zeros; of several for one place the last stays.
inline void unpool(std::size_t dims, const Tensor& self, const Tensor& indices, const Tensor& out) {
  if (out.numel() == 0) return;
  Tensor x = row_major(self), at = row_major(indices);
  std::int64_t planes = planes_of(out, dims), in = out.numel() / planes, each = self.numel() / planes;
  check_places_in(at, in, out.sizes(), "output volumes are of size ");
  Result to(out, out.dtype());
  auto p = static_cast<const std::int64_t*>(at.data_ptr());
  visit_real(out.dtype(), "max_unpool", [&]<class T>(type_tag<T>) {
    auto from = static_cast<const T*>(x.data_ptr());
    each_plane(planes, in, [&](std::int64_t plane) {
      T* y = to.data<T>() + plane * in;
      std::fill_n(y, in, T(0));
      for (std::int64_t i = plane * each; i < (plane + 1) * each; ++i) y[p[i]] = from[i];
    });
  });
  to.done();
}
inline void unpool2d_cpu(const Tensor& self, const Tensor& indices, IntArrayRef, const Tensor& out) {
  unpool(2, self, indices, out);
}
inline void unpool3d_cpu(const Tensor& self, const Tensor& indices, IntArrayRef, IntArrayRef, IntArrayRef,
                         const Tensor& out) {
  unpool(3, self, indices, out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {
TENON_LIBRARY_FRAGMENT(aten, m) {
  (void)m;
  install_kernels<&KernelTables::copy>();
}
}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(avg_pool2d_base, CPU, cpu::detail::avg_pool_cpu<2>);
TENON_STRUCTURED_KERNEL(avg_pool3d_base, CPU, cpu::detail::avg_pool_cpu<3>);
TENON_STRUCTURED_KERNEL(avg_pool2d_backward_base, CPU, cpu::detail::avg_pool_backward_cpu<2>);
TENON_STRUCTURED_KERNEL(avg_pool3d_backward_base, CPU, cpu::detail::avg_pool_backward_cpu<3>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool2d_base, CPU, cpu::detail::adaptive_avg_pool_cpu<2>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool3d_base, CPU, cpu::detail::adaptive_avg_pool_cpu<3>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool2d_backward_base, CPU, cpu::detail::adaptive_avg_pool_backward_cpu<2>);
TENON_STRUCTURED_KERNEL(_adaptive_avg_pool3d_backward_base, CPU, cpu::detail::adaptive_avg_pool_backward_cpu<3>);
TENON_STRUCTURED_KERNEL(max_pool2d_with_indices_base, CPU, cpu::detail::max_pool_cpu<2>);
TENON_STRUCTURED_KERNEL(max_pool3d_with_indices_base, CPU, cpu::detail::max_pool_cpu<3>);
TENON_STRUCTURED_KERNEL(max_pool2d_with_indices_backward_base, CPU, cpu::detail::max_pool_backward_cpu<2>);
TENON_STRUCTURED_KERNEL(max_pool3d_with_indices_backward_base, CPU, cpu::detail::max_pool_backward_cpu<3>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool2d_base, CPU, cpu::detail::adaptive_max_pool_cpu<2>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool3d_base, CPU, cpu::detail::adaptive_max_pool_cpu<3>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool2d_backward_base, CPU, cpu::detail::adaptive_max_pool_backward_cpu<2>);
TENON_STRUCTURED_KERNEL(adaptive_max_pool3d_backward_base, CPU, cpu::detail::adaptive_max_pool_backward_cpu<3>);
TENON_STRUCTURED_KERNEL(fractional_max_pool2d_base, CPU, cpu::detail::fractional_max_pool_cpu<2>);
TENON_STRUCTURED_KERNEL(fractional_max_pool3d_base, CPU, cpu::detail::fractional_max_pool_cpu<3>);
TENON_STRUCTURED_KERNEL(fractional_max_pool2d_backward_base, CPU, cpu::detail::fractional_max_pool_backward_cpu<2>);
TENON_STRUCTURED_KERNEL(fractional_max_pool3d_backward_base, CPU, cpu::detail::fractional_max_pool_backward_cpu<3>);
TENON_STRUCTURED_KERNEL(max_unpool2d_base, CPU, cpu::detail::unpool2d_cpu);
TENON_STRUCTURED_KERNEL(max_unpool3d_base, CPU, cpu::detail::unpool3d_cpu);

}  // namespace tenon::ops
