// Between tensors and the containers of C++.
#pragma once
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include <tenon/base/promote_types.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/tensor.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon {

namespace detail {
/// The tensor on the CPU, row-major, of the dtype; throws TypeError where numbers would be lost.
Tensor plain_elements(const Tensor& given, ScalarType dtype);
}  // namespace detail

/// All elements in row-major order, whatever shape, strides and device. Numbers are converted as by `to`; a conversion
/// to a lesser category, such as float to integer, throws TypeError.
template <class T>
std::vector<T> Tensor::to_vector() const {
  static_assert(!std::is_same_v<T, bool>, "tenon: to_vector<bool>() has no memory of its own; ask for char");
  Tensor from = detail::plain_elements(*this, scalar_type_v<T>);
  std::vector<T> out(static_cast<std::size_t>(from.numel()));
  if (!out.empty()) std::memcpy(out.data(), from.data_ptr(), out.size() * sizeof(T));
  return out;
}

/// The elements of a row-major CPU tensor, as memory. Throws ValueError for other strides, TypeError for another dtype.
template <class T>
std::span<T> as_span(const Tensor& given) {
  T* data = given.data_ptr<T>();
  TENON_CHECK(given.is_cpu() && given.is_contiguous(), ValueError,
              "as_span(): expected a row-major tensor on the CPU, got shape ", given.sizes(), " with strides ",
              given.strides(), " on ", given.device(), "; use contiguous() first");
  TENON_CHECK(!given.is_conj() && !given.is_neg() && !given._is_zerotensor(), ValueError,
              "as_span(): expected a tensor that shows its memory as it is, got a conjugated or negated view or zeros "
              "without memory; use clone() first");
  return {data, static_cast<std::size_t>(given.numel())};
}

/// A tensor over the memory of a contiguous container, which must outlive it: `from_blob(numbers, {2, 3})`.
/// Throws ValueError unless the shape has as many elements as the container.
template <class List>
  requires requires(List& l) {
    scalar_type_v<std::remove_cvref_t<decltype(*l.data())>>;
    l.size();
  }
Tensor from_blob(List& list, IntArrayRef sizes) {
  using T = std::remove_pointer_t<decltype(list.data())>;
  static_assert(!std::is_const_v<T>, "tenon: from_blob() makes a tensor that can be written; copy with tensor(..)");
  std::int64_t count = 1;
  for (std::int64_t s : sizes) count *= s;
  TENON_CHECK(count == static_cast<std::int64_t>(list.size()), ValueError, "from_blob(): shape ", sizes, " has ", count,
              " elements, the container ", list.size());
  return from_blob(static_cast<void*>(list.data()), sizes, scalar_type_v<T>);
}
/// The same of an array, and over the memory behind a pointer, whose size nobody checks.
template <class T>
  requires requires { scalar_type_v<T>; }
Tensor from_blob(T* data, IntArrayRef sizes, IntArrayRef strides = {}) {
  return from_blob(static_cast<void*>(data), sizes, strides, scalar_type_v<T>);
}
/// The same with dtype, device and gradient as options say: `from_blob(p, {2, 3}, TensorOptions(kFloat))`. A dtype that
/// they do not say is the default one.
Tensor from_blob(void* data, IntArrayRef sizes, IntArrayRef strides, const TensorOptions& options);
inline Tensor from_blob(void* data, IntArrayRef sizes, const TensorOptions& options) {
  return from_blob(data, sizes, {}, options);
}
template <class List>
  requires requires(List& l) { l.data(), l.size(); }
Tensor from_blob(const List&& list, IntArrayRef sizes) = delete;  // the memory would be gone

/// The rows of a tensor, its parts along dimension 0, as views: `for (Tensor row : x)`.
class RowIterator {
 public:
  using value_type = Tensor;
  using difference_type = std::ptrdiff_t;
  RowIterator() = default;
  RowIterator(const Tensor& of, std::int64_t at) : of_(of), at_(at) {}
  Tensor operator*() const;
  RowIterator& operator++() {
    ++at_;
    return *this;
  }
  RowIterator operator++(int) {
    RowIterator before = *this;
    ++at_;
    return before;
  }
  bool operator==(const RowIterator& other) const { return at_ == other.at_; }

 private:
  Tensor of_;
  std::int64_t at_ = 0;
};
/// Throws TypeError for a tensor without dimensions.
RowIterator begin(const Tensor& given);
inline RowIterator end(const Tensor& given) { return {{}, given.dim() ? given.size(0) : 0}; }

}  // namespace tenon
