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
  ToReal,         ///< as both of these: integers as the default floating dtype, complex returns its real type
  RealToComplex,  ///< computes in the common dtype, returns the complex type of it
};

/// How a 16-bit loop meets a single number behind it. PyTorch keeps the digits of such a number in products and
/// quotients, not in sums, and rounds a quotient before it is cut to an integer.
enum class WideNumber : std::uint8_t { No, Operand, RoundedQuotient };
/// How a loop of int64 serves uint64: not at all, as it is, or with the highest bit of elements turned.
enum class ServesUnsigned : std::uint8_t { No, AsIs, Turned };

namespace detail {

/// What a formula is at run time; one for each formula of a program.
struct PointwiseFormula {
  const char* name;
  WideNumber wide = WideNumber::No;
  ServesUnsigned serves_unsigned = ServesUnsigned::No;
  mutable const void* loops = nullptr;  ///< its loops on the CPU, as its engine knows them; null until they are linked
};

struct PointwiseRule;

/// The arguments of one call: tensors and numbers apart, in the order of the signature.
struct PointwiseArguments {
  const Tensor** tensors;
  Scalar* numbers;
  std::uint8_t n_tensors, n_numbers;
  std::uint8_t absent;    ///< bit k: number k was not given
  std::string_view text;  ///< the string argument, empty if there is none
  bool is_given(unsigned number) const { return !(absent >> number & 1); }
};

/// Refuses arguments, in PyTorch's words; may replace a number by one that means the same.
using PointwiseCheck = void (*)(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm);

/// What a pointwise operator computes once its case is known; constant data.
struct PointwiseRule {
  static constexpr int kMostElements = 4;
  const PointwiseFormula* formula = nullptr;
  const char* name = nullptr;  ///< as errors name it
  PointwiseCheck check = nullptr;
  Promote promote = Promote::Same;
  std::uint8_t number_operands = 0;  ///< so many leading numbers promote as operands do
  std::uint8_t masks = 0;            ///< so many leading tensors do not take part in promotion
  std::uint8_t n_elements = 0, first_number = 0, n_numbers = 0;  ///< the numbers of the formula are first_number, ...
  signed char elements[kMostElements] = {};  ///< what its elements are taken from: k is tensor k, ~k is number k
  bool unary = false;                        ///< numbers do not count as operands where strides are chosen
  bool row_major = false;                    ///< the result is row-major, however the operands lie in memory
  OutputCast cast = OutputCast::Allowed;     ///< whether a given result may be of another dtype
};

/// One case of an operator: the first that applies is computed.
struct PointwiseCase {
  bool (*applies)(const PointwiseArguments&) = nullptr;  ///< null: always
  PointwiseRule rule;
  signed char tensors[PointwiseRule::kMostElements] = {};  ///< the tensors that are left where some were not given
  std::uint8_t n_tensors = 0;                              ///< 0: all
  /// Whether it is the case of these arguments as they lie.
  bool is_chosen(const PointwiseArguments& a) const { return n_tensors == 0 && applies && applies(a); }
};

/// A pointwise operator as data.
struct PointwiseRow {
  const PointwiseCase* cases;
  std::uint8_t n_cases;
  bool reversed = false;                                ///< the first two tensors change places before anything else
  void (*prepare)(PointwiseArguments&) = nullptr;       ///< puts numbers in the place of those that were not given
  void (*refuse)(const PointwiseArguments&) = nullptr;  ///< throws: no case applies
  /// The rule of a call; rearranges its arguments as the rule wants them.
  [[gnu::always_inline]] const PointwiseRule& choose(PointwiseArguments& a) const {
    if (!prepare && !reversed && (n_cases == 1 || cases[0].is_chosen(a))) [[likely]]
      return cases[0].rule;
    return choose_case(a);
  }
  const PointwiseRule& choose_case(PointwiseArguments& a) const;
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
  static constexpr bool has_text = (false || ... || is_text_argument_v<A>);
  const Tensor* tensors[n_tensors + 1];
  Scalar numbers[n_numbers ? n_numbers : 1];
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
      } else if constexpr (std::is_same_v<X, Scalar>)
        numbers[s++].copy_parts(x);
      else if constexpr (is_number_argument_v<X>)
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
    // A text that nobody gave is not read back: the processor waits for words that were just written in two parts.
    return {tensors, numbers, n_tensors, n_numbers, absent, has_text ? text : std::string_view()};
  }
};

inline ScalarType result_dtype(const PointwiseRule& rule, ScalarType compute) {
  switch (rule.promote) {
    case Promote::Compare: return kBool;
    case Promote::ComplexToReal:
    case Promote::ToReal: return to_real_type(compute);
    case Promote::RealToComplex: return to_complex_type(compute);
    default: return compute;
  }
}
inline bool computes_as_float(const PointwiseRule& rule, ScalarType type) {
  return (rule.promote == Promote::IntToFloat || rule.promote == Promote::ToReal) && is_integral_type(type, true);
}

/// Strides of a fresh result: those of the operands if they agree, so that a permuted layout survives; else row-major.
DimVector result_strides(IntArrayRef sizes, const Tensor* const* tensors, unsigned n);
SymDimVector sym_result_strides(SymIntArrayRef sizes, const Tensor* const* tensors, unsigned n);
template <sym_list Sizes>
SymDimVector result_strides(const Sizes& sizes, const Tensor* const* tensors, unsigned n) {
  return sym_result_strides(sizes, tensors, n);
}

/// The meta function of every pointwise operator, for the rule of its case. Gives the dtype to compute in.
ScalarType pointwise_meta(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a);
/// The same for Meta tensors, which may be symbolic.
ScalarType pointwise_meta_only(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a);

}  // namespace detail
}  // namespace tenon
