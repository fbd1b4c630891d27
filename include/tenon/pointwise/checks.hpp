// What rows refuse, in PyTorch's words, and what their cases ask.
#pragma once
#include <limits>
#include <utility>

#include <tenon/base/checked_element.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/tensor/type_info.hpp>

namespace tenon::ops {

// Conditions of cases.
/// Whether a factor of a real sum changes nothing. Complex infinities become NaN in any product, as in PyTorch.
inline bool is_unit(const Scalar& factor) {
  return factor.kind() == Scalar::Kind::Int && factor.to<std::int64_t>() == 1;
}
inline bool has_fractions(const Tensor& self) { return !is_integral_type(self.dtype(), true); }
/// PyTorch takes no roots of Half: they differ from powers at -infinity and -0.
inline bool has_roots(const Tensor& self) { return has_fractions(self) && self.dtype() != kHalf; }

namespace checks {

using tenon::detail::PointwiseArguments;
using tenon::detail::PointwiseRule;

inline void abs_in_place(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm form) {
  TENON_CHECK(form != StructuredForm::InPlace || !a.tensors[0]->is_complex(), ValueError,
              "In-place abs is not supported for complex tensors.");
}
inline void negation(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(
      compute != kBool, TypeError,
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}
inline void relu(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(compute != kBool, TypeError, "Boolean inputs not supported for relu");
}
inline void no_complex(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError, rule.name, " is not supported for complex inputs");
}
inline void not_for_complex(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError, rule.name, " not implemented for complex tensors.");
}
inline void no_half(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  if (is_reduced_floating_type(compute)) not_implemented_for(rule.name, compute);
}
inline void sign_of_complex(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError,
              "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
}
inline void bits(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(is_integral_type(compute, true), TypeError, rule.name,
              " is only implemented on integer and boolean types, got ", compute);
}
inline void condition(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  ScalarType type = a.tensors[0]->dtype();
  TENON_CHECK(type == kBool || type == kByte, TypeError,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ", type);
}

// Numbers.
/// Refuses numbers of the formula that its type cannot hold; 16-bit floats compute as float.
inline void numbers(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  for (unsigned i = rule.number_operands; i < a.n_numbers; ++i) {
    const Scalar& number = a.numbers[i];
    if (compute == kDouble)
      (void)checked_element<double>(number);
    else if (is_floating_type(compute))
      (void)checked_element<float>(number);
    else if (!is_complex_type(compute))
      visit_scalar_type(compute, [&]<class T>(type_tag<T>) { (void)checked_element<T>(number); });
  }
}
/// A factor must fit the dtype that is computed in.
inline void alpha_value(const Scalar& alpha, ScalarType compute) {
  TENON_CHECK(!alpha.is_boolean() || compute == kBool, TypeError, "Boolean alpha only supported for Boolean results.");
  TENON_CHECK(is_floating_type(compute) || is_complex_type(compute) || alpha.is_integral(true), TypeError,
              "For integral input tensors, argument alpha must not be a floating point number.");
  TENON_CHECK(is_complex_type(compute) || !alpha.is_complex(), TypeError,
              "For non-complex input tensors, argument alpha must not be a complex number.");
  visit_scalar_type(compute, [&]<class T>(type_tag<T>) { (void)checked_element<T>(alpha); });
}
inline void alpha(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  alpha_value(a.numbers[rule.number_operands], compute);
}
inline void subtraction(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  bool first = a.tensors[0]->dtype() == kBool;
  bool second = rule.number_operands ? a.numbers[0].is_boolean() : a.tensors[1]->dtype() == kBool;
  TENON_CHECK(
      !(first && second), TypeError,
      "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
  TENON_CHECK(
      !first && !second, TypeError,
      "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  alpha_value(a.numbers[rule.number_operands], compute);
}
inline void power(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  TENON_CHECK(!(is_integral_type(a.tensors[0]->dtype(), true) && a.numbers[0].is_integral(true) &&
                a.numbers[0].to<std::int64_t>() < 0),
              ValueError, "Integers to negative integer powers are not allowed.");
}
inline void polygamma(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  TENON_CHECK(a.numbers[0].to<std::int64_t>() >= 0, ValueError, "polygamma(n, x) does not support negative n.");
}
inline void mvlgamma(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  TENON_CHECK(a.tensors[0]->dtype() != kBool, TypeError, "The input tensor may not be a boolean tensor.");
  TENON_CHECK(a.numbers[0].to<std::int64_t>() >= 1, ValueError, "p has to be greater than or equal to 1");
}
inline void complex_parts(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  ScalarType first = a.tensors[0]->dtype(), second = a.tensors[1]->dtype();
  auto has_complex = [](ScalarType t) { return t == kHalf || t == kFloat || t == kDouble; };
  TENON_CHECK(has_complex(first) && has_complex(second), NotImplementedError,
              "Expected both inputs to be Half, Float or Double tensors but got ", enumerator_name(first), " and ",
              enumerator_name(second));
  TENON_CHECK(first == second, TypeError, "Expected object of scalar type ", enumerator_name(first),
              " but got scalar type ", enumerator_name(second), " for second argument");
}
inline void addcdiv(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm form) {
  TENON_CHECK(
      !is_integral_type(a.tensors[1]->dtype(), true) || !is_integral_type(a.tensors[2]->dtype(), true), TypeError,
      "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.");
  numbers(rule, a, compute, form);
}
inline void same_dtype(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                       StructuredForm form) {
  for (unsigned i = 1; i < a.n_tensors; ++i)
    TENON_CHECK(a.tensors[i]->dtype() == a.tensors[0]->dtype(), TypeError, rule.name,
                "(): expected all tensors to have dtype ", a.tensors[0]->dtype(), ", but got ", a.tensors[i]->dtype(),
                " for argument ", i);
  numbers(rule, a, compute, form);
}
/// Refuses limits that floating types cannot hold. Integers beyond the far end of an integer type bound nothing and
/// become its end; beyond the near end they leave no element. `First`: 0 if the first limit is the lower one, else 1.
template <unsigned First>
void limits(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm form) {
  not_for_complex(rule, a, compute, form);
  for (unsigned i = 0; i < a.n_numbers && First + i < 2; ++i) {
    if (!a.is_given(i)) continue;
    Scalar& limit = a.numbers[i];
    bool upper = First + i == 1;
    visit_scalar_type(compute, [&]<class T>(type_tag<T>) {
      if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
        bool over =
            limit.kind() == Scalar::Kind::UInt || std::cmp_greater(limit.to_int(), std::numeric_limits<T>::max());
        bool under = !over && std::cmp_less(limit.to_int(), std::numeric_limits<T>::lowest());
        TENON_CHECK(!(upper ? under : over), ValueError, "Clamp ", upper ? "max" : "min", " value ", limit.to_double(),
                    " is outside the representable range of ", compute);
        if (over) limit = Scalar(std::numeric_limits<T>::max());
        if (under) limit = Scalar(std::numeric_limits<T>::lowest());
      } else {
        (void)checked_element<T>(limit);
      }
    });
  }
}
/// Shrinking is by a number from 0 that the elements can hold.
inline void shrinking(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  const ScalarType type = a.tensors[0]->dtype();
  const auto by = checked_element<double>(a.numbers[0]);
  if (!is_floating_type(type)) return;  // no formula takes them
  const double most = finfo(type).max;
  TENON_CHECK(by >= 0 && by <= most, ValueError, "lambda must be in range [0, ", most, "] for input dtype ",
              enumerator_name(type), ", but found ", by);
}

/// The sign of a result tells that of the argument only if the slope is not negative.
inline void slope_of_result(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                            StructuredForm form) {
  TENON_CHECK(
      a.numbers[1].equal(0) || a.numbers[0].to_double() >= 0, ValueError,
      "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead. File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward calculation with negative slope");
  numbers(rule, a, compute, form);
}
inline void alpha_of_result(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                            StructuredForm form) {
  TENON_CHECK(
      a.numbers[3].equal(0) || a.numbers[0].to_double() >= 0, ValueError,
      "In-place elu backward calculation is triggered with a negative slope which is not supported. This is caused by calling in-place forward function with a negative slope, please call out-of-place version instead.");
  numbers(rule, a, compute, form);
}

// Where no case applies.
[[noreturn]] inline void no_limits(const PointwiseArguments&) {
  fail<ValueError>("torch.clamp: At least one of 'min' or 'max' must not be None");
}
[[noreturn]] inline void rounding_mode(const PointwiseArguments& a) {
  fail<ValueError>("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", a.text, "'");
}
[[noreturn]] inline void approximate(const PointwiseArguments&) {
  fail<ValueError>("approximate argument must be either none or tanh.");
}

/// Replacements of NaN and infinities that were not given follow from the dtype.
inline void replacements(PointwiseArguments& a) {
  ScalarType real = to_real_type(a.tensors[0]->dtype());
  double largest = real == kHalf       ? 65504.0
                   : real == kBFloat16 ? 3.3895313892515355e38
                   : real == kFloat    ? static_cast<double>(std::numeric_limits<float>::max())
                                       : std::numeric_limits<double>::max();
  if (!a.is_given(0)) a.numbers[0] = 0.0;
  if (!a.is_given(1)) a.numbers[1] = largest;
  if (!a.is_given(2)) a.numbers[2] = -largest;
}

}  // namespace checks
}  // namespace tenon::ops
