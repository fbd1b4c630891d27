// Places repeated as often as a tensor says, on the CPU.
#pragma once
#include <algorithm>

#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/repeat.hpp>

namespace tenon::cpu::detail {

inline void check_repeats(const Tensor& repeats) {
  if (repeats.dtype() != kLong && repeats.dtype() != kInt)
    not_implemented_for("repeat_interleave_cpu", repeats.dtype());
  TENON_CHECK(repeats.dim() == 1, ValueError, "repeat_interleave only accept 1D vector as repeat");
}
inline Tensor repeat_interleave_cpu(const Tensor& repeats, std::optional<std::int64_t> output_size) {
  check_repeats(repeats);
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
inline Tensor repeat_interleave_meta(const Tensor& repeats, std::optional<SymInt> output_size) {
  check_repeats(repeats);
  TENON_CHECK(
      output_size, NotImplementedError,
      "repeat_interleave(): the shape of the result depends on data, which Meta tensors have not; give output_size");
  return ops::new_empty(repeats, SymIntArrayRef(SymDimVector{*output_size}));
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::repeat_interleave_Tensor);
  m.impl<ops::repeat_interleave_Tensor, &detail::repeat_interleave_cpu>(DispatchKey::CPU);
  m.impl<ops::repeat_interleave_Tensor, &detail::repeat_interleave_meta>(DispatchKey::Meta);
  composite::implement_out_by_copy<ops::repeat_interleave_Tensor_op>(m, CallSite::now());
}

}  // namespace tenon::cpu

namespace tenon::ops {
TENON_NOT_DIFFERENTIABLE(repeat_interleave_Tensor);
}
