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

}  // namespace tenon::optim::detail
