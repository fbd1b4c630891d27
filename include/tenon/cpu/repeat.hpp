// Places repeated as often as a tensor says, on the CPU.
#pragma once
#include <algorithm>

#include <tenon/composite/repeat_shapes.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>

namespace tenon::cpu::detail {
inline Tensor repeat_interleave_cpu(const Tensor& repeats, std::optional<std::int64_t> output_size) {
  composite::check_repeats("repeat_interleave_cpu", repeats);
  Tensor counts = row_major(repeats, kLong);
  auto count = static_cast<const std::int64_t*>(counts.data_ptr());
  std::int64_t n = counts.numel(), total = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    TENON_CHECK(count[i] >= 0, ValueError, "repeats can not be negative");
    total += count[i];
  }
  TENON_CHECK(!output_size || *output_size == total, ValueError, "allocated size does not match required size");
  std::int64_t sizes[] = {total};
  Tensor out = make_tensor(sizes, {}, repeats.dtype());
  visit_item_size(out.element_size(), [&]<class T>(type_tag<T>) {
    if constexpr (std::is_integral_v<T>) {
      auto y = static_cast<T*>(out.data_ptr());
      for (std::int64_t i = 0; i < n; ++i) y = std::fill_n(y, count[i], static_cast<T>(i));
    }
  });
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) { m.impl<ops::repeat_interleave_Tensor, &detail::repeat_interleave_cpu>(); }

}  // namespace tenon::cpu
