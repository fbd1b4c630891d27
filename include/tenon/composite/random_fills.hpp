// Random numbers in place: what is refused, and tensors without data, for every back end.
#pragma once
#include <limits>
#include <optional>

#include <tenon/composite/random_bounds.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::composite {

[[noreturn]] inline void refuse_random(const char* op, ScalarType type) {
  fail<NotImplementedError>(op, ": dtype ", type, " is not implemented");
}
/// The numbers that uniform_ draws between, in the dtype of the tensor's parts.
inline void check_uniform(const Tensor& self, double from, double to) {
  ScalarType type = to_real_type(self.dtype());
  visit_floating_type(
      type, [](auto) {}, [&] { refuse_random("uniform_()", type); });
  double most = type == kDouble ? std::numeric_limits<double>::max()
                : type == kHalf ? 65504.0
                                : static_cast<double>(std::numeric_limits<float>::max());
  TENON_CHECK(from >= -most && from <= most, ValueError, "from is out of bounds for ", type);
  TENON_CHECK(to >= -most && to <= most, ValueError, "to is out of bounds for ", type);
  TENON_CHECK(from <= to, ValueError, "uniform_ expects to return a [from, to) range, but found from=", from,
              " > to=", to);
  TENON_CHECK(to - from <= most, ValueError, "uniform_ expects to-from <= std::numeric_limits<", type,
              ">::max(), but found to=", to, " and from=", from, " which result in to-from to exceed the limit");
}
inline void check_normal(const Tensor& self, double std) {
  TENON_CHECK(std >= 0, ValueError, "normal expects std >= 0.0, but found std ", std);
  ScalarType type = to_real_type(self.dtype());
  visit_floating_type(
      type, [](auto) {}, [&] { refuse_random("normal_()", type); });
}
/// None where the full range is asked for of no elements: it is refused where numbers are drawn, as in PyTorch.
inline std::optional<RandomBounds> bounds_to_draw(const Tensor& self, std::int64_t from,
                                                  std::optional<std::int64_t> to) {
  if (from == INT64_MIN && !to && self.sym_numel() == 0) return std::nullopt;
  return random_bounds(self.dtype(), from, to);
}

inline Tensor& uniform_meta(Tensor& self, double from, double to, const std::optional<Generator>&) {
  check_uniform(self, from, to);
  return self;
}
inline Tensor& normal_meta(Tensor& self, double, double std, const std::optional<Generator>&) {
  check_normal(self, std);
  return self;
}
inline Tensor& random_meta(Tensor& self, const std::optional<Generator>&) {
  visit_random(self.dtype(), [](auto) {});
  return self;
}
inline Tensor& random_from_meta(Tensor& self, std::int64_t from, std::optional<std::int64_t> to,
                                const std::optional<Generator>&) {
  bounds_to_draw(self, from, to);
  return self;
}
inline Tensor& random_to_meta(Tensor& self, std::int64_t to, const std::optional<Generator>&) {
  bounds_to_draw(self, 0, to);
  return self;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::normal_base_>()
      .def<ops::uniform_base_>()
      .def<ops::random_base_>()
      .def<ops::random_from_>()
      .def<ops::random_to_>();
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  m.impl<ops::normal_base_, &normal_meta>()
      .impl<ops::uniform_base_, &uniform_meta>()
      .impl<ops::random_base_, &random_meta>()
      .impl<ops::random_from_, &random_from_meta>()
      .impl<ops::random_to_, &random_to_meta>();
}

}  // namespace tenon::composite
