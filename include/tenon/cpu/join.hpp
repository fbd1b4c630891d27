// Joining tensors on the CPU.
#pragma once
#include <cstring>

#include <tenon/composite/join.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {

inline void cat_cpu(TensorList tensors, std::int64_t dim, const Tensor& out) {
  composite::CatPlan plan = composite::plan_cat(tensors, dim);
  if (!plan.first || out.numel() == 0) return;
  bool bytes = out.is_contiguous();
  for (const Tensor& t : tensors)
    bytes = bytes && (composite::is_legacy_empty(t) || (t.is_contiguous() && t.dtype() == out.dtype()));
  Cut cut(out.sizes(), plan.dim);
  auto row = static_cast<std::size_t>(cut.inner) * out.element_size();
  std::int64_t at = 0;
  for (const Tensor& t : tensors) {
    if (composite::is_legacy_empty(t)) continue;
    std::int64_t length = t.sizes()[plan.dim];
    if (length == 0) continue;
    std::size_t run = static_cast<std::size_t>(length) * row;
    // Short runs go through the strided copy, which works along the longer dimension.
    if (bytes && (cut.outer == 1 || run >= 64)) {
      auto to = static_cast<char*>(out.data_ptr()) + static_cast<std::size_t>(at) * row;
      auto from = static_cast<const char*>(t.data_ptr());
      std::size_t step = static_cast<std::size_t>(cut.size) * row;
      auto grain = static_cast<std::int64_t>((std::size_t{1} << 17) / (run + 1) + 1);
      constexpr std::int64_t most = 1 << 18;  // bytes that one thread copies
      if (cut.outer == 1 && run <= std::size_t{most})
        std::memcpy(to, from, run);
      else if (cut.outer == 1)
        parallel_for(0, static_cast<std::int64_t>(run), most, [&](std::int64_t a, std::int64_t b) {
          std::memcpy(to + a, from + a, static_cast<std::size_t>(b - a));
        });
      else
        parallel_for(0, cut.outer, grain, [&](std::int64_t a, std::int64_t b) {
          for (std::int64_t i = a; i < b; ++i)
            std::memcpy(to + static_cast<std::size_t>(i) * step, from + static_cast<std::size_t>(i) * run, run);
        });
    } else
      copy_elements(narrowed(out, plan.dim, at, length), t);
    at += length;
  }
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) { install_kernels<&KernelTables::copy>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(cat_base, CPU, cpu::detail::cat_cpu);

}  // namespace tenon::ops
