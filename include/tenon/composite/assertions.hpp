// Assertions that graphs of programs carry, each with a form that orders it by a token.
#pragma once
#include <limits>
#include <optional>
#include <string_view>

#include <tenon/composite/factory.hpp>
#include <tenon/ops/assertions.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/truth.hpp>

namespace tenon::composite {

/// What a tensor must be like, of which nothing is asked that is not given.
inline void assert_tensor_metadata(const Tensor& a, std::optional<SymIntArrayRef> size,
                                   std::optional<SymIntArrayRef> stride, std::optional<ScalarType> dtype,
                                   std::optional<Device> device, std::optional<Layout> layout) {
  TENON_CHECK(!size || a.sym_sizes() == *size, ValueError, "Tensor sizes mismatch! Expected: ", *size,
              ", Got: ", a.sym_sizes());
  TENON_CHECK(!stride || a.sym_strides() == *stride, ValueError, "Tensor strides mismatch! Expected: ", *stride,
              ", Got: ", a.sym_strides());
  TENON_CHECK(!dtype || a.dtype() == *dtype, TypeError, "Tensor dtype mismatch! Expected: ", *dtype,
              ", Got: ", a.dtype());
  // A Meta tensor may stand for one of any device.
  TENON_CHECK(!device || a.is_meta() || a.device() == *device, ValueError,
              "Tensor device mismatch! Expected: ", *device, ", Got: ", a.device());
  TENON_CHECK(!layout || a.layout() == *layout, ValueError, "Tensor layout mismatch! Expected: ", *layout,
              ", Got: ", a.layout());
}
inline Tensor functional_assert_scalar(const Scalar& self, std::string_view message, const Tensor& token) {
  ops::_assert_scalar(self, message);
  return ops::clone(token);
}

inline void check_range(const Scalar& size, std::int64_t min, std::int64_t max) {
  TENON_CHECK(max >= min, ValueError, "Max must be greater than or equal to min. Got min=", min, " max=", max);
  const std::int64_t n = size.to_int();
  TENON_CHECK(min <= n && n <= max, ValueError, "Invalid value range for ", n, " between [", min, ", ", max, "].");
}
inline void sym_constrain_range(const Scalar& size, std::optional<std::int64_t> min, std::optional<std::int64_t> max) {
  using Limits = std::numeric_limits<std::int64_t>;
  check_range(size, min.value_or(Limits::min()), max.value_or(Limits::max()));
}
inline void sym_constrain_range_for_size(const Scalar& size, std::optional<std::int64_t> min,
                                         std::optional<std::int64_t> max) {
  TENON_CHECK(!max || *max > 2, ValueError,
              "Max value to constrain_range_for_size must be greater than 2. got: ", max.value_or(0));
  sym_constrain_range(size, min.value_or(0), max);
}
template <auto Constrain>
Tensor constrain_and_pass(const Scalar& size, std::optional<std::int64_t> min, std::optional<std::int64_t> max,
                          const Tensor& token) {
  Constrain(size, min, max);
  return ops::clone(token);
}
inline Tensor make_dep_token(std::optional<ScalarType> dtype, std::optional<Layout> layout,
                             std::optional<Device> device, std::optional<bool> pin_memory,
                             std::optional<MemoryFormat> format) {
  return ops::empty(SymIntArrayRef(), dtype, layout, device, pin_memory, format);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::_assert_tensor_metadata_base>().def<ops::_functional_assert_scalar_base>();
  m.def<ops::sym_constrain_range_base>().def<ops::sym_constrain_range_for_size_base>();
  m.def<ops::_functional_sym_constrain_range_base>().def<ops::_functional_sym_constrain_range_for_size_base>();
  m.def<ops::_make_dep_token_base>();
  m.impl<ops::_assert_tensor_metadata_base, &assert_tensor_metadata>()
      .impl<ops::_functional_assert_scalar_base, &functional_assert_scalar>()
      .impl<ops::sym_constrain_range_base, &sym_constrain_range>()
      .impl<ops::sym_constrain_range_for_size_base, &sym_constrain_range_for_size>()
      .impl<ops::_functional_sym_constrain_range_base, &constrain_and_pass<&sym_constrain_range>>()
      .impl<ops::_functional_sym_constrain_range_for_size_base, &constrain_and_pass<&sym_constrain_range_for_size>>();
  m.impl<ops::_make_dep_token_base, &make_dep_token>(DispatchKey::CompositeExplicitAutograd);
}
TENON_LIBRARY_IMPL(aten, BackendSelect, m) { select_back_end<ops::_make_dep_token_base>(m); }

}  // namespace tenon::composite
