// Options of optimisers as tensors.
#pragma once
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/optim/options.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::optim::detail {

namespace option_values {

template <class T>
Tensor make(IntArrayRef sizes, const T* values) {
  Tensor t = make_tensor(sizes, {}, scalar_type_v<T>);
  if (t.numel() > 0) std::memcpy(t.data_ptr(), values, t.nbytes());
  return t;
}
template <class T>
const T* read(const Tensor& t, std::int64_t dims, const char* what) {
  TENON_CHECK(t.defined() && t.dtype() == scalar_type_v<T> && t.dim() == dims && t.is_contiguous(), ValueError,
              "load_state(): expected ", what, " for an option, got ", t.defined() ? t.sizes() : IntArrayRef(),
              " elements of another kind");
  return static_cast<const T*>(t.data_ptr());
}

}  // namespace option_values

TENON_BODY Tensor as_tensor(double v) { return option_values::make({}, &v); }
TENON_BODY Tensor as_tensor(bool v) { return option_values::make({}, &v); }
TENON_BODY Tensor as_tensor(std::int64_t v) { return option_values::make({}, &v); }
TENON_BODY Tensor as_tensor(const std::string& v) {
  return option_values::make({static_cast<std::int64_t>(v.size())}, reinterpret_cast<const std::uint8_t*>(v.data()));
}
TENON_BODY Tensor as_tensor(const std::vector<double>& v) {
  return option_values::make({static_cast<std::int64_t>(v.size())}, v.data());
}
TENON_BODY void from_tensor(const Tensor& t, double& v) { v = *option_values::read<double>(t, 0, "a float64"); }
TENON_BODY void from_tensor(const Tensor& t, bool& v) { v = *option_values::read<bool>(t, 0, "a bool"); }
TENON_BODY void from_tensor(const Tensor& t, std::int64_t& v) {
  v = *option_values::read<std::int64_t>(t, 0, "an int64");
}
TENON_BODY void from_tensor(const Tensor& t, std::string& v) {
  const auto* text = option_values::read<std::uint8_t>(t, 1, "a list of uint8");
  v.assign(text, text + t.numel());
}
TENON_BODY std::vector<double> numbers_of(const Tensor& t, std::size_t least, std::size_t most) {
  const double* values = option_values::read<double>(t, 1, "a list of float64");
  auto count = static_cast<std::size_t>(t.numel());
  TENON_CHECK(count >= least && count <= most, ValueError, "load_state(): expected an option of ", least, " to ", most,
              " numbers, got ", count);
  return {values, values + count};
}

TENON_BODY Tensor as_tensor(const std::pair<double, double>& v) { return as_tensor(std::vector{v.first, v.second}); }
TENON_BODY Tensor as_tensor(const std::array<double, 3>& v) { return as_tensor(std::vector(v.begin(), v.end())); }
TENON_BODY Tensor as_tensor(const std::optional<double>& v) {
  return as_tensor(v ? std::vector{*v} : std::vector<double>());
}
TENON_BODY Tensor as_tensor(const std::optional<std::int64_t>& v) {
  return as_tensor(v ? std::vector{static_cast<double>(*v)} : std::vector<double>());
}
TENON_BODY Tensor as_tensor(const std::pair<std::optional<double>, double>& v) {
  return as_tensor(v.first ? std::vector{*v.first, v.second} : std::vector{v.second});
}
TENON_BODY void from_tensor(const Tensor& t, std::pair<double, double>& v) {
  auto numbers = numbers_of(t, 2, 2);
  v = {numbers[0], numbers[1]};
}
TENON_BODY void from_tensor(const Tensor& t, std::array<double, 3>& v) {
  auto numbers = numbers_of(t, 3, 3);
  v = {numbers[0], numbers[1], numbers[2]};
}
TENON_BODY void from_tensor(const Tensor& t, std::optional<double>& v) {
  auto numbers = numbers_of(t, 0, 1);
  v = numbers.empty() ? std::nullopt : std::optional(numbers[0]);
}
TENON_BODY void from_tensor(const Tensor& t, std::optional<std::int64_t>& v) {
  auto numbers = numbers_of(t, 0, 1);
  v = numbers.empty() ? std::nullopt : std::optional(static_cast<std::int64_t>(numbers[0]));
}
TENON_BODY void from_tensor(const Tensor& t, std::pair<std::optional<double>, double>& v) {
  auto numbers = numbers_of(t, 1, 2);
  v = {numbers.size() == 2 ? std::optional(numbers[0]) : std::nullopt, numbers.back()};
}

}  // namespace tenon::optim::detail
