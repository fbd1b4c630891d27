// Rules of the further pointwise operators that depend on values or dtypes.
#pragma once
#include <limits>

#include <tenon/cpu/detail/pointwise_rules.hpp>

namespace tenon::cpu::detail {

inline void check_addcdiv(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                          StructuredForm form) {
  TENON_CHECK(
      !is_integral_type(a.tensors[1]->dtype(), true) || !is_integral_type(a.tensors[2]->dtype(), true), TypeError,
      "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * tensor1 / tensor2), for all dtypes.");
  check_numbers(rule, a, compute, form);
}
inline void check_same_dtype(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute,
                             StructuredForm form) {
  for (unsigned i = 1; i < a.n_tensors; ++i)
    TENON_CHECK(a.tensors[i]->dtype() == a.tensors[0]->dtype(), TypeError, rule.name,
                "(): expected all tensors to have dtype ", a.tensors[0]->dtype(), ", but got ", a.tensors[i]->dtype(),
                " for argument ", i);
  check_numbers(rule, a, compute, form);
}
inline void check_bits(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(is_integral_type(compute, true), TypeError, rule.name,
              " is only implemented on integer and boolean types, got ", compute);
}

/// No bool has a sign: what asks for not-a-number says so.
inline constexpr PointwiseRule signbit_of_bool{
    .name = "signbit", .promote = Promote::Compare, .op = index_of(PointwiseOp::isnan)};
inline constexpr PointwiseRule signbit_rule{
    .name = "signbit",
    .promote = Promote::Compare,
    .op = index_of(PointwiseOp::signbit),
    .check = check_no_complex,
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return a.tensors[0]->dtype() == kBool ? signbit_of_bool : rule;
    },
    .more = {1, {index_of(PointwiseOp::isnan)}}};

// Limits.
/// Refuses limits that floating types cannot hold. Integers beyond the far end of an integer type bound nothing and
/// become its end; beyond the near end they leave no element. `First`: 0 if the first limit is the lower one, else 1.
template <unsigned First>
void check_limits(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm form) {
  check_not_for_complex(rule, a, compute, form);
  for (unsigned i = 0; i < a.n_numbers && First + i < 2; ++i) {
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
template <int Numbers>
inline constexpr PointwiseRule clamp_by[] = {{.name = "clamp",
                                              .number_operands = Numbers,
                                              .op = index_of(PointwiseOp::clamp),
                                              .check = check_limits<0>,
                                              .unary = true},
                                             {.name = "clamp_min",
                                              .number_operands = Numbers ? 1 : 0,
                                              .op = index_of(PointwiseOp::maximum),
                                              .check = check_limits<0>,
                                              .unary = true},
                                             {.name = "clamp_max",
                                              .number_operands = Numbers ? 1 : 0,
                                              .op = index_of(PointwiseOp::minimum),
                                              .check = check_limits<1>,
                                              .unary = true}};
[[noreturn]] inline void no_limits() {
  fail<ValueError>("torch.clamp: At least one of 'min' or 'max' must not be None");
}
inline const PointwiseRule& select_clamp(const PointwiseRule&, PointwiseArguments& a) {
  if (a.absent == 3) no_limits();
  if (a.absent == 2) return clamp_by<2>[1];
  if (a.absent == 0) return clamp_by<2>[0];
  a.numbers[0] = a.numbers[1];
  return clamp_by<2>[2];
}
inline const PointwiseRule& select_clamp_tensors(const PointwiseRule&, PointwiseArguments& a) {
  bool min = a.n_tensors > 1 && a.tensors[1]->defined(), max = a.n_tensors > 2 && a.tensors[2]->defined();
  if (min && max) return clamp_by<0>[0];
  if (!min && !max) no_limits();
  if (max) a.tensors[1] = a.tensors[2];
  a.n_tensors = a.n_operands = 2;
  return clamp_by<0>[min ? 1 : 2];
}
inline constexpr PointwiseRule clamp_rule{
    .name = "clamp",
    .select = select_clamp,
    .more = {3, {index_of(PointwiseOp::clamp), index_of(PointwiseOp::maximum), index_of(PointwiseOp::minimum)}}},
    clamp_tensors_rule{
        .name = "clamp",
        .select = select_clamp_tensors,
        .more = {3, {index_of(PointwiseOp::clamp), index_of(PointwiseOp::maximum), index_of(PointwiseOp::minimum)}}};

// Replacements of NaN and infinities that were not given follow from the dtype.
inline constexpr PointwiseRule nan_to_num_float_rule{.name = "nan_to_num", .op = index_of(PointwiseOp::nan_to_num)};
inline constexpr PointwiseRule copy_rule{.name = "copy", .op = index_of(PointwiseOp::identity)};
inline const PointwiseRule& select_nan_to_num(const PointwiseRule&, PointwiseArguments& a) {
  ScalarType type = a.tensors[0]->dtype();
  if (is_integral_type(type, true)) return copy_rule;
  ScalarType real = to_real_type(type);
  double largest = real == kHalf       ? 65504.0
                   : real == kBFloat16 ? 3.3895313892515355e38
                   : real == kFloat    ? static_cast<double>(std::numeric_limits<float>::max())
                                       : std::numeric_limits<double>::max();
  if (a.absent & 1) a.numbers[0] = 0.0;
  if (a.absent & 2) a.numbers[1] = largest;
  if (a.absent & 4) a.numbers[2] = -largest;
  return nan_to_num_float_rule;
}
inline constexpr PointwiseRule nan_to_num_rule{
    .name = "nan_to_num",
    .select = select_nan_to_num,
    .more = {2, {index_of(PointwiseOp::nan_to_num), index_of(PointwiseOp::identity)}}};

inline constexpr PointwiseRule polygamma_rule{
    .name = "polygamma",
    .promote = Promote::IntToFloat,
    .op = index_of(PointwiseOp::polygamma),
    .check = [](const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
      TENON_CHECK(a.numbers[0].to<std::int64_t>() >= 0, ValueError, "polygamma(n, x) does not support negative n.");
    }};
inline constexpr PointwiseRule logit_clamped_rule{
    .name = "logit", .promote = Promote::IntToFloat, .op = index_of(PointwiseOp::logit_clamped)};
inline constexpr PointwiseRule logit_rule{
    .name = "logit",
    .promote = Promote::IntToFloat,
    .op = index_of(PointwiseOp::logit),
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      // A negative limit is none.
      return a.absent || a.numbers[0].to_double() < 0 ? rule : logit_clamped_rule;
    },
    .more = {1, {index_of(PointwiseOp::logit_clamped)}}};
inline constexpr PointwiseRule gelu_tanh_rule{.name = "gelu", .op = index_of(PointwiseOp::gelu_tanh)};
inline constexpr PointwiseRule gelu_rule{
    .name = "gelu",
    .op = index_of(PointwiseOp::gelu),
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      TENON_CHECK(a.text == "none" || a.text == "tanh", ValueError,
                  "approximate argument must be either none or tanh.");
      return a.text == "tanh" ? gelu_tanh_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::gelu_tanh)}}};
/// A kernel that is another operator's call, for a second name.
template <auto Target, class Sig>
struct alias_kernel;
template <auto Target, class R, class... A>
struct alias_kernel<Target, R(A...)> {
  static R call(A... args) { return Target(args...); }
};
template <auto Op, auto Target>
void add_alias(Library& m) {
  using O = std::remove_const_t<decltype(Op)>;
  using T = std::remove_const_t<decltype(Target)>;
  define_forms(m, Op);
  m.impl<Op, &alias_kernel<Target, signature_of_t<O>>::call>();
  if constexpr (O::has_inplace)
    m.impl<typename O::inplace{}, &alias_kernel<typename T::inplace{}, signature_of_t<typename O::inplace>>::call>();
  if constexpr (O::has_out)
    m.impl<typename O::out{}, &alias_kernel<typename T::out{}, signature_of_t<typename O::out>>::call>();
}

}  // namespace tenon::cpu::detail
