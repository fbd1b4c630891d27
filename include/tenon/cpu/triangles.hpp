// Triangles and traces of matrices on the CPU.
#pragma once
#include <cstring>

#include <tenon/composite/triangles.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

template <bool Upper>
void triangle_cpu(const Tensor& self, std::int64_t diagonal, const Tensor& out) {
  if (out.numel() == 0) return;
  std::int64_t last_dim = self.dim() - 1, rows = self.sizes()[last_dim - 1], n = self.sizes().back(),
               a = self.strides().back(), b = out.strides().back();
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    parallel_for(0, line_count(self.sizes(), last_dim), (1 << 15) / n + 1, [&](std::int64_t first, std::int64_t last) {
      each_line(self.sizes(), last_dim, {self.strides(), out.strides()}, first, last,
                [&](const std::int64_t* at, std::int64_t line) {
                  // Columns below `edge` belong to the lower triangle.
                  std::int64_t edge = line % rows + diagonal + (Upper ? 0 : 1);
                  if (a == 1 && b == 1) {
                    edge = edge < 0 ? 0 : edge > n ? n : edge;
                    const T* from = x + at[0];
                    T* to = y + at[1];
                    const std::size_t lower = static_cast<std::size_t>(edge) * sizeof(T),
                                      upper = static_cast<std::size_t>(n - edge) * sizeof(T);
                    std::memmove(Upper ? to + edge : to, Upper ? from + edge : from, Upper ? upper : lower);
                    std::memset(static_cast<void*>(Upper ? to : to + edge), 0, Upper ? lower : upper);
                    return;
                  }
                  for (std::int64_t k = 0; k < n; ++k) y[at[1] + k * b] = (k < edge) != Upper ? x[at[0] + k * a] : T{};
                });
    });
  });
}
inline void trace_cpu(const Tensor& self, const Tensor& out) {
  std::int64_t n = self.sizes()[0] < self.sizes()[1] ? self.sizes()[0] : self.sizes()[1],
               step = self.strides()[0] + self.strides()[1];
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    using A = std::conditional_t<is_integral_type(scalar_type_v<T>, true), std::int64_t, compute_t<T>>;
    auto x = static_cast<const T*>(self.data_ptr());
    A sum{};
    for (std::int64_t i = 0; i < n; ++i) sum = sum + static_cast<A>(x[i * step]);
    if constexpr (std::is_same_v<A, std::int64_t>)
      *static_cast<A*>(out.data_ptr()) = sum;
    else
      *static_cast<T*>(out.data_ptr()) = static_cast<T>(sum);
  });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(tril_base, CPU, cpu::detail::triangle_cpu<false>);
TENON_STRUCTURED_KERNEL(triu_base, CPU, cpu::detail::triangle_cpu<true>);
TENON_STRUCTURED_KERNEL(trace_base, CPU, cpu::detail::trace_cpu);

}  // namespace tenon::ops
