// What stands between the brackets of an index: numbers, slices, masks, tensors, None and Ellipsis.
#pragma once
#include <optional>
#include <string_view>

#include <tenon/base/sym_int.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// A new dimension of size 1 in an index; an end of a slice that is left out.
struct NoneType {
  constexpr operator std::nullopt_t() const { return std::nullopt; }
};
inline constexpr NoneType None{};

/// All dimensions that an index does not name, whole.
struct EllipsisType {};
inline constexpr EllipsisType Ellipsis{};

/// Part of a dimension, as Python's `start:stop:step`; negative ends count from behind.
class Slice {
 public:
  /// An end or a step: a number or None.
  class Part {
   public:
    Part(NoneType = None) {}
    Part(std::nullopt_t) {}
    template <class At>
      requires(std::is_integral_v<At> && !std::is_same_v<At, bool>)
    Part(At value) : value_(SymInt(value)) {}
    Part(SymInt value) : value_(std::move(value)) {}
    const std::optional<SymInt>& value() const { return value_; }

   private:
    std::optional<SymInt> value_;
  };
  Slice(const Part& start = None, const Part& stop = None, const Part& step = None)
      : start_(start.value()), stop_(stop.value()), step_(step.value()) {}
  const std::optional<SymInt>& start() const { return start_; }
  const std::optional<SymInt>& stop() const { return stop_; }
  const std::optional<SymInt>& step() const { return step_; }

 private:
  std::optional<SymInt> start_, stop_, step_;
};

/// One place of an index, `x.index({0, Slice(1, 5), None, mask, Ellipsis})`. A number, or a zero-dim tensor of one,
/// selects and drops a dimension; a bool is a mask without dimensions.
class TensorIndex {
 public:
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wshadow"  // GCC 12 takes enumerators for names that hide tenon::None
  enum class Kind : std::uint8_t { None, Ellipsis, Number, Boolean, Slice, Tensor };
#pragma GCC diagnostic pop
  TensorIndex(NoneType) : kind_(Kind::None) {}
  TensorIndex(std::nullopt_t) : kind_(Kind::None) {}
  TensorIndex(EllipsisType) : kind_(Kind::Ellipsis) {}
  template <class At>
    requires(std::is_integral_v<At> && !std::is_same_v<At, bool>)
  TensorIndex(At value) : kind_(Kind::Number), slice_(value) {}
  TensorIndex(SymInt value) : kind_(Kind::Number), slice_(std::move(value)) {}
  template <class B>
    requires(std::is_same_v<B, bool>)
  TensorIndex(B value) : kind_(Kind::Boolean), boolean_(value) {}
  TensorIndex(tenon::Slice slice) : kind_(Kind::Slice), slice_(std::move(slice)) {}
  TensorIndex(tenon::Tensor tensor) : kind_(Kind::Tensor), tensor_(std::move(tensor)) {}
  /// `"..."` is Ellipsis. Errors: ValueError for another text.
  TensorIndex(const char* text) : kind_(Kind::Ellipsis) {
    TENON_CHECK(std::string_view(text) == "...", ValueError,
                "Expected \"...\" to represent an ellipsis index, but got \"", text, "\"");
  }

  Kind kind() const { return kind_; }
  const SymInt& number() const { return *slice_.start(); }
  bool boolean() const { return boolean_; }
  const tenon::Slice& slice() const { return slice_; }
  const tenon::Tensor& tensor() const { return tensor_; }

 private:
  Kind kind_;
  bool boolean_ = false;
  tenon::Slice slice_;  ///< a number is its start
  tenon::Tensor tensor_;
};

}  // namespace tenon
