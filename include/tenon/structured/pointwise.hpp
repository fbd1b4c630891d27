// Pointwise operators: what their meta functions compute, for any signature; the operator itself arrives as data.
#pragma once
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon {

/// How a pointwise operator's compute and result dtypes follow from its operands.
enum class Promote : std::uint8_t {
  Same,           ///< computes and returns the common dtype
  IntToFloat,     ///< integers and bools compute as the default floating dtype
  Compare,        ///< computes in the common dtype, returns bool
  ComplexToReal,  ///< computes in the common dtype, complex returns its real type
};

namespace cpu {
struct LoopTable;
}

namespace detail {

struct PointwiseRule;

/// The arguments of one call: tensors and numbers apart, in the order of the signature.
struct PointwiseArguments {
  const Tensor** tensors;
  Scalar* numbers;
  const signed char* order;  ///< of the operands: k is tensor k, ~k is number k
  std::uint8_t n_tensors, n_numbers, n_operands;
  std::uint8_t absent;    ///< bit k: number k was not given
  std::string_view text;  ///< the string argument, empty if there is none
};

/// A pointwise operator as data.
struct PointwiseRule {
  const char* name;  ///< as errors name it
  Promote promote = Promote::Same;
  std::uint8_t number_operands =
      0;                   ///< so many leading numbers are operands that promote; later ones parametrise the loop
  std::uint8_t masks = 0;  ///< so many leading tensors do not take part in promotion
  std::uint16_t op = 0;    ///< the library's loops, by PointwiseOp
  const cpu::LoopTable* loops = nullptr;  ///< a user's loops
  /// Refuses arguments, in PyTorch's words.
  void (*check)(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) = nullptr;
  /// Chooses a rule by the arguments' values; may rewrite numbers and drop absent tensors.
  const PointwiseRule& (*select)(const PointwiseRule&, PointwiseArguments&) = nullptr;
  bool unary = false;      ///< numbers do not count as operands where strides are chosen
  bool row_major = false;  ///< the result is row-major, however the operands lie in memory
  /// The library's loops of the rules that `select` may choose.
  struct {
    std::uint8_t count = 0;
    std::uint16_t op[7] = {};
  } more{};
};

template <class T>
inline constexpr bool is_tensor_argument_v =
    std::is_same_v<std::remove_cvref_t<T>, Tensor> || std::is_same_v<std::remove_cvref_t<T>, std::optional<Tensor>>;
template <class T>
inline constexpr bool is_number_argument_v =
    std::is_same_v<std::remove_cvref_t<T>, Scalar> || std::is_same_v<std::remove_cvref_t<T>, std::optional<Scalar>> ||
    std::is_same_v<T, double> || std::is_same_v<T, std::int64_t> || std::is_same_v<T, bool> ||
    std::is_same_v<std::remove_cvref_t<T>, std::optional<double>>;
template <class T>
inline constexpr bool is_text_argument_v = std::is_same_v<std::remove_cvref_t<T>, std::string_view> ||
                                           std::is_same_v<std::remove_cvref_t<T>, std::optional<std::string_view>>;
inline const Tensor& tensor_of(const Tensor& t) { return t; }
inline const Tensor& tensor_of(const std::optional<Tensor>& t) {
  static const Tensor undefined;
  return t ? *t : undefined;
}

/// Sorts the arguments of a signature.
template <class... A>
struct pointwise_arguments {
  static constexpr unsigned n_tensors = (0u + ... + is_tensor_argument_v<A>),
                            n_numbers = (0u + ... + is_number_argument_v<A>);
  struct order_t {
    signed char at[sizeof...(A) + 1]{};
    unsigned n = 0;
  };
  static constexpr order_t make_order() {
    order_t o;
    constexpr bool tensor[] = {is_tensor_argument_v<A>...}, number[] = {is_number_argument_v<A>...};
    int t = 0, s = 0;
    for (unsigned i = 0; i < sizeof...(A); ++i) {
      if (tensor[i])
        o.at[o.n++] = static_cast<signed char>(t++);
      else if (number[i])
        o.at[o.n++] = static_cast<signed char>(~s++);
    }
    return o;
  }
  static constexpr order_t order = make_order();
  const Tensor* tensors[n_tensors + 1];
  Scalar numbers[n_numbers + 1];
  std::string_view text;
  std::uint8_t absent = 0;
  [[gnu::always_inline]] explicit pointwise_arguments(std::add_lvalue_reference_t<A>... args) {
    [[maybe_unused]] unsigned t = 0, s = 0;
    auto take = [&]([[maybe_unused]] const auto& x) {
      using X = std::remove_cvref_t<decltype(x)>;
      if constexpr (is_tensor_argument_v<X>)
        tensors[t++] = &tensor_of(x);
      else if constexpr (std::is_same_v<X, std::optional<Scalar>> || std::is_same_v<X, std::optional<double>>) {
        if (x)
          numbers[s] = Scalar(*x);
        else
          absent = static_cast<std::uint8_t>(absent | 1u << s);
        ++s;
      } else if constexpr (is_number_argument_v<X>)
        numbers[s++] = Scalar(x);
      else if constexpr (std::is_same_v<X, std::string_view>)
        text = x;
      else if constexpr (is_text_argument_v<X>) {
        if (x) text = x->empty() ? std::string_view("''") : *x;
      }
    };
    (take(args), ...);
  }
  [[gnu::always_inline]] PointwiseArguments view() {
    return {tensors, numbers, order.at, n_tensors, n_numbers, static_cast<std::uint8_t>(order.n), absent, text};
  }
};

inline ScalarType result_dtype(const PointwiseRule& rule, ScalarType compute) {
  return rule.promote == Promote::Compare         ? kBool
         : rule.promote == Promote::ComplexToReal ? to_real_type(compute)
                                                  : compute;
}

/// Strides of a fresh result: those of the operands if they agree, so that a permuted layout survives; else row-major.
DimVector result_strides(IntArrayRef sizes, const Tensor* const* tensors, unsigned n);
SymDimVector sym_result_strides(SymIntArrayRef sizes, const Tensor* const* tensors, unsigned n);
template <sym_list Sizes>
SymDimVector result_strides(const Sizes& sizes, const Tensor* const* tensors, unsigned n) {
  return sym_result_strides(sizes, tensors, n);
}

/// The meta function of every pointwise operator, for a rule that `select` has chosen. Gives the dtype to compute in.
ScalarType pointwise_meta(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a);
/// The same for Meta tensors, which may be symbolic.
ScalarType pointwise_meta_only(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a);

}  // namespace detail
}  // namespace tenon
