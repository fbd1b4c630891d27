// Tensors from numbers: nested braces, vectors and arrays.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <vector>

#include <tenon/base/dim_vector.hpp>
#include <tenon/base/scalar.hpp>
#include <tenon/base/sym_bool.hpp>
#include <tenon/base/sym_float.hpp>
#include <tenon/base/sym_int.hpp>
#include <tenon/library/keyword.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon {

/// The numbers that `tensor()` takes: one number, a braced list of such data, or a contiguous list of one element type.
/// Refers to what it was made from; meant as a parameter.
class TensorData {
 public:
  TensorData() : kind_(Kind::List) {}
  template <class T>
    requires(std::is_arithmetic_v<T> || is_complex_v<T> || small_float<T>)
  TensorData(T value) : kind_(Kind::Number), type_(type_of<T>()), number_(value) {}
  TensorData(const Scalar& value) : kind_(Kind::Number), type_(value.type()), number_(value) {}
  /// Symbolic numbers are taken for what they are known to be; a guard notes that. Throws as guard_int() does.
  TensorData(const SymInt& value) : TensorData(value.guard_int()) {}
  TensorData(const SymFloat& value) : TensorData(value.guard_float()) {}
  TensorData(const SymBool& value) : TensorData(value.guard_bool()) {}
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
  DimVector sizes() const;
  /// The dtype that holds every number, as PyTorch infers it: integers are int64, floating numbers the default dtype.
  ScalarType dtype() const;
  /// Writes the numbers to row-major memory of the shape `sizes()`.
  void store(IntArrayRef sizes, std::size_t dim, ScalarType type, char*& to) const;

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
  ScalarType joined() const;

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
  bool pin_memory = false;
};
template <fixed_string Name, class T>
void take_tensor_keyword(TensorKeywords& k, const keyword_value<Name, T>& given) {
  static_assert(Name.view() == "dtype" || Name.view() == "device" || Name.view() == "pin_memory" ||
                    Name.view() == "requires_grad",
                "tenon: tensor() has the keywords dtype, device, pin_memory and requires_grad");
  if constexpr (Name.view() == "dtype")
    k.dtype = given.value;
  else if constexpr (Name.view() == "device")
    k.device = Device(given.value);
  else if constexpr (Name.view() == "pin_memory")
    k.pin_memory = given.value;
}
template <class Result, fixed_string Name, class T>
void take_requires_grad(const Result& out, const keyword_value<Name, T>& given) {
  if constexpr (Name.view() == "requires_grad")
    if (given.value) out.set_requires_grad(true);
}
inline void take_tensor_keyword(TensorKeywords& k, const TensorOptions& given) {
  k = {given.dtype(), given.device(), given.pinned_memory().value_or(false)};
}
template <class Result>
void take_requires_grad(const Result& out, const TensorOptions& given) {
  if (given.requires_grad()) out.set_requires_grad(true);
}

Tensor tensor_from(const TensorData& data, const TensorKeywords& k);

}  // namespace detail

/// A new tensor of the given numbers: `tensor({{1., 2.}, {3., 4.}})`, `tensor(3.5)`, `tensor(a_vector)`.
/// Keywords: "dtype"_a (inferred: bool, int64, the default dtype, or its complex type), "device"_a, "pin_memory"_a,
/// "requires_grad"_a. In their place TensorOptions, `tensor({1, 2}, kFloat)`.
/// Shapes: one dimension per level of braces; a single number has none.
/// Errors: ValueError if lists of one level differ in length; TypeError if numbers and lists stand at one level.
/// Cost: one allocation; numbers are converted one by one, a vector of the result's dtype is copied at once.
template <class... Keywords>
Tensor tensor(const TensorData& data, const Keywords&... keywords) {
  static_assert(((is_keyword_v<Keywords> || std::is_convertible_v<const Keywords&, TensorOptions>)&&...),
                "tenon: tensor() takes the data, then TensorOptions or keywords such as \"dtype\"_a = kFloat");
  detail::TensorKeywords k;
  (detail::take_tensor_keyword(k, keywords), ...);
  Tensor out = detail::tensor_from(data, k);
  (detail::take_requires_grad(out, keywords), ...);
  return out;
}

}  // namespace tenon
