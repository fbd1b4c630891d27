// Tensors from numbers: nested braces, vectors and arrays.
#pragma once
#include <cstring>
#include <initializer_list>

#include <tenon/base/checked_element.hpp>
#include <tenon/base/dim_vector.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/default_dtype.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

/// The numbers that `tensor()` takes: one number, a braced list of such data, or a contiguous list of one element type.
/// Refers to what it was made from; meant as a parameter.
class TensorData {
 public:
  TensorData() : kind_(Kind::List) {}
  template <class T>
    requires(std::is_arithmetic_v<T> || is_complex_v<T> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>)
  TensorData(T value) : kind_(Kind::Number), type_(type_of<T>()), number_(value) {}
  TensorData(const Scalar& value) : kind_(Kind::Number), type_(value.type()), number_(value) {}
  TensorData(std::initializer_list<TensorData> items)
      : kind_(Kind::List), items_(items.begin()), count_(items.size()) {}
  template <class List>
    requires requires(const List& l) {
      scalar_type_v<std::remove_cvref_t<decltype(*l.data())>>;
      l.size();
    }
  TensorData(const List& list)
      : kind_(Kind::Elements),
        type_(type_of<std::remove_cvref_t<decltype(*list.data())>>()),
        stored_(scalar_type_v<std::remove_cvref_t<decltype(*list.data())>>),
        items_(list.data()),
        count_(list.size()) {}
  TensorData(const std::vector<bool>&) = delete;

  /// The shape by the first element of each level. Throws TypeError or ValueError where the data has another shape.
  DimVector sizes() const {
    DimVector out;
    for (const TensorData* d = this; d->kind_ != Kind::Number; d = d->children()) {
      out.push_back(static_cast<std::int64_t>(d->count_));
      if (d->kind_ == Kind::Elements || d->count_ == 0) break;
    }
    return out;
  }
  /// The dtype that holds every number, as PyTorch infers it: integers are int64, floating numbers the default dtype.
  ScalarType dtype() const {
    ScalarType found = joined();
    if (found == ScalarType::Undefined) return get_default_dtype();
    if (found == kDouble || found == kFloat) return get_default_dtype();
    if (found == kComplexDouble || found == kComplexFloat) return to_complex_type(get_default_dtype());
    return found;
  }
  /// Writes the numbers to row-major memory of the shape `sizes()`.
  void store(IntArrayRef sizes, std::size_t dim, ScalarType type, char*& to) const {
    if (kind_ == Kind::Number) {
      TENON_CHECK(dim == sizes.size(), TypeError, "tensor(): not a sequence: a number stands where dim ", dim,
                  " has a list");
      put(number_, type, to);
      return;
    }
    TENON_CHECK(dim < sizes.size(), TypeError, "tensor(): a list stands where dim ", dim, " has a number");
    TENON_CHECK(static_cast<std::int64_t>(count_) == sizes[dim], ValueError, "expected sequence of length ", sizes[dim],
                " at dim ", dim, " (got ", count_, ")");
    if (kind_ == Kind::List) {
      for (std::size_t i = 0; i < count_; ++i) children()[i].store(sizes, dim + 1, type, to);
      return;
    }
    TENON_CHECK(dim + 1 == sizes.size(), TypeError, "tensor(): not a sequence: a number stands where dim ", dim + 1,
                " has a list");
    if (stored_ == type) {
      std::size_t bytes = count_ * item_size(type);
      if (bytes) std::memcpy(to, items_, bytes);
      to += bytes;
      return;
    }
    visit_scalar_type(stored_, [&]<class T>(type_tag<T>) {
      for (std::size_t i = 0; i < count_; ++i) put(Scalar(static_cast<const T*>(items_)[i]), type, to);
    });
  }

 private:
  enum class Kind : std::uint8_t { Number, List, Elements };
  template <class T>
  static constexpr ScalarType type_of() {
    if constexpr (std::is_same_v<T, bool>)
      return kBool;
    else if constexpr (std::is_integral_v<T> && (sizeof(T) == 4 || sizeof(T) == 8))
      return kLong;
    else if constexpr (std::is_integral_v<T>)
      return sizeof(T) == 1 ? (std::is_signed_v<T> ? kChar : kByte) : (std::is_signed_v<T> ? kShort : kUInt16);
    else if constexpr (std::is_floating_point_v<T>)
      return kDouble;
    else
      return scalar_type_v<T>;
  }
  const TensorData* children() const { return static_cast<const TensorData*>(items_); }
  ScalarType joined() const {
    if (kind_ != Kind::List) return type_;
    ScalarType out = ScalarType::Undefined;
    for (std::size_t i = 0; i < count_; ++i) {
      ScalarType t = children()[i].joined();
      if (t != ScalarType::Undefined) out = out == ScalarType::Undefined ? t : promote_types(out, t);
    }
    return out;
  }
  static void put(const Scalar& value, ScalarType type, char*& to) {
    TENON_CHECK(!value.is_complex() || is_complex_type(type), TypeError, "tensor(): expected real numbers for dtype ",
                type, ", got a complex one");
    visit_scalar_type(type, [&]<class T>(type_tag<T>) {
      T element = checked_element<T>(value);
      std::memcpy(to, &element, sizeof element);
      to += sizeof element;
    });
  }

  Kind kind_;
  ScalarType type_ = ScalarType::Undefined, stored_ = ScalarType::Undefined;
  Scalar number_;
  const void* items_ = nullptr;
  std::size_t count_ = 0;
};

namespace detail {

struct TensorKeywords {
  std::optional<ScalarType> dtype;
  std::optional<Device> device;
};
template <fixed_string Name, class T>
void take_tensor_keyword(TensorKeywords& k, const keyword_value<Name, T>& given) {
  static_assert(Name.view() == "dtype" || Name.view() == "device" || Name.view() == "requires_grad",
                "tenon: tensor() has the keywords dtype, device and requires_grad");
  if constexpr (Name.view() == "dtype")
    k.dtype = given.value;
  else if constexpr (Name.view() == "device")
    k.device = Device(given.value);
}
template <class Result, fixed_string Name, class T>
void take_requires_grad(const Result& out, const keyword_value<Name, T>& given) {
  if constexpr (Name.view() == "requires_grad")
    if (given.value) out.set_requires_grad(true);
}

inline Tensor tensor_from(const TensorData& data, const TensorKeywords& k) {
  DimVector sizes = data.sizes();
  ScalarType dtype = k.dtype ? *k.dtype : data.dtype();
  Device device = k.device.value_or(kCPU);
  Tensor out;
  {
    // Making a tensor is no step of a computation: nothing of it is recorded.
    AutoDispatchBelowADInplaceOrView guard;
    if (device.is_meta()) {
      out = ops::empty(sizes, "dtype"_a = dtype, "device"_a = device);
    } else {
      out = ops::empty(sizes, "dtype"_a = dtype);
      char* to = static_cast<char*>(out.data_ptr());
      data.store(sizes, 0, dtype, to);
      out = ops::to_device(out, device, dtype);
      out = ops::lift_fresh(out);
    }
  }
  ops::detach_(out);
  return out;
}

}  // namespace detail

/// A new tensor of the given numbers: `tensor({{1., 2.}, {3., 4.}})`, `tensor(3.5)`, `tensor(a_vector)`.
/// Keywords: "dtype"_a (inferred: bool, int64, the default dtype, or its complex type), "device"_a, "requires_grad"_a.
/// Shapes: one dimension per level of braces; a single number has none.
/// Errors: ValueError if lists of one level differ in length; TypeError if numbers and lists stand at one level.
/// Cost: one allocation; numbers are converted one by one, a vector of the result's dtype is copied at once.
template <class... Keywords>
Tensor tensor(const TensorData& data, const Keywords&... keywords) {
  static_assert((is_keyword_v<Keywords> && ...),
                "tenon: tensor() takes the data, then keywords such as \"dtype\"_a = kFloat");
  detail::TensorKeywords k;
  (detail::take_tensor_keyword(k, keywords), ...);
  Tensor out = detail::tensor_from(data, k);
  (detail::take_requires_grad(out, keywords), ...);
  return out;
}

}  // namespace tenon
