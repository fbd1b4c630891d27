// Rules of pointwise operators that depend on values or dtypes, with PyTorch's words where they refuse.
#pragma once
#include <tenon/cpu/pointwise_run.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>

namespace tenon::cpu::detail {

constexpr std::uint16_t index_of(PointwiseOp op) { return static_cast<std::uint16_t>(op); }

// Checks.
inline void check_abs(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm form) {
  TENON_CHECK(form != StructuredForm::InPlace || !a.tensors[0]->is_complex(), ValueError,
              "In-place abs is not supported for complex tensors.");
}
inline void check_neg(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(
      compute != kBool, TypeError,
      "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
}
inline void check_relu(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(compute != kBool, TypeError, "Boolean inputs not supported for relu");
}
inline void check_no_complex(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError, rule.name, " is not supported for complex inputs");
}
inline void check_not_for_complex(const PointwiseRule& rule, const PointwiseArguments&, ScalarType compute,
                                  StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError, rule.name, " not implemented for complex tensors.");
}
inline void check_sign(const PointwiseRule&, const PointwiseArguments&, ScalarType compute, StructuredForm) {
  TENON_CHECK(!is_complex_type(compute), TypeError,
              "Unlike NumPy, torch.sign is not intended to support complex numbers. Please use torch.sgn instead.");
}
/// `alpha` must fit the dtype that is computed in.
inline void check_alpha_value(const Scalar& alpha, ScalarType compute) {
  TENON_CHECK(!alpha.is_boolean() || compute == kBool, TypeError, "Boolean alpha only supported for Boolean results.");
  TENON_CHECK(is_floating_type(compute) || is_complex_type(compute) || alpha.is_integral(true), TypeError,
              "For integral input tensors, argument alpha must not be a floating point number.");
  TENON_CHECK(is_complex_type(compute) || !alpha.is_complex(), TypeError,
              "For non-complex input tensors, argument alpha must not be a complex number.");
  visit_scalar_type(compute, [&]<class T>(type_tag<T>) { (void)checked_element<T>(alpha); });
}
inline void check_alpha(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  check_alpha_value(a.numbers[rule.number_operands], compute);
}
inline void check_sub(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute, StructuredForm) {
  bool first = a.tensors[0]->dtype() == kBool;
  bool second = rule.number_operands ? a.numbers[0].is_boolean() : a.tensors[1]->dtype() == kBool;
  TENON_CHECK(
      !(first && second), TypeError,
      "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.");
  TENON_CHECK(
      !first && !second, TypeError,
      "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use the `~` or `logical_not()` operator instead.");
  check_alpha_value(a.numbers[rule.number_operands], compute);
}
inline void check_power(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  TENON_CHECK(!(is_integral_type(a.tensors[0]->dtype(), true) && a.numbers[0].is_integral(true) &&
                a.numbers[0].to<std::int64_t>() < 0),
              ValueError, "Integers to negative integer powers are not allowed.");
}
inline void check_condition(const PointwiseRule&, const PointwiseArguments& a, ScalarType, StructuredForm) {
  ScalarType type = a.tensors[0]->dtype();
  TENON_CHECK(type == kBool || type == kByte, TypeError,
              "where expected condition to be a boolean tensor, but got a tensor with dtype ", type);
}

// Rules that arguments choose.
/// Whether the factor of a sum changes nothing. Complex infinities become NaN in any product, as in PyTorch.
inline bool is_unit(const PointwiseRule& rule, const PointwiseArguments& a) {
  const Scalar& factor = a.numbers[rule.number_operands];
  if (factor.kind() != Scalar::Kind::Int || factor.to<std::int64_t>() != 1) return false;
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (a.tensors[i]->is_complex()) return false;
  return rule.number_operands == 0 || !a.numbers[0].is_complex();
}

inline constexpr PointwiseRule add_unit_rule{.name = "add", .op = index_of(PointwiseOp::add)};
inline constexpr PointwiseRule add_rule{
    .name = "add",
    .op = index_of(PointwiseOp::add_scaled),
    .check = check_alpha,
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return is_unit(rule, a) ? add_unit_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::add)}}};
inline constexpr PointwiseRule add_number_unit_rule{
    .name = "add", .number_operands = 1, .op = index_of(PointwiseOp::add)};
inline constexpr PointwiseRule add_number_rule{
    .name = "add",
    .number_operands = 1,
    .op = index_of(PointwiseOp::add_scaled),
    .check = check_alpha,
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return is_unit(rule, a) ? add_number_unit_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::add)}}};
inline constexpr PointwiseRule sub_unit_rule{.name = "sub", .op = index_of(PointwiseOp::sub), .check = check_sub};
inline constexpr PointwiseRule sub_rule{
    .name = "sub",
    .op = index_of(PointwiseOp::sub_scaled),
    .check = check_sub,
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return is_unit(rule, a) ? sub_unit_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::sub)}}};
/// The operands change places before anything else, so that the result's layout is that of a difference too.
inline constexpr PointwiseRule rsub_rule{
    .name = "rsub",
    .select = [](const PointwiseRule&, PointwiseArguments& a) -> const PointwiseRule& {
      std::swap(a.tensors[0], a.tensors[1]);
      return sub_rule.select(sub_rule, a);
    },
    .more = {2, {index_of(PointwiseOp::sub), index_of(PointwiseOp::sub_scaled)}}};
inline constexpr PointwiseRule sub_number_unit_rule{
    .name = "sub", .number_operands = 1, .op = index_of(PointwiseOp::sub), .check = check_sub};
inline constexpr PointwiseRule sub_number_rule{
    .name = "sub",
    .number_operands = 1,
    .op = index_of(PointwiseOp::sub_scaled),
    .check = check_sub,
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return is_unit(rule, a) ? sub_number_unit_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::sub)}}};

template <int Numbers>
inline constexpr PointwiseRule div_by_mode[] = {
    {.name = "div_true", .promote = Promote::IntToFloat, .number_operands = Numbers, .op = index_of(PointwiseOp::div)},
    {.name = "div_trunc", .number_operands = Numbers, .op = index_of(PointwiseOp::div_trunc)},
    {.name = "div_floor", .number_operands = Numbers, .op = index_of(PointwiseOp::div_floor)}};
template <int Numbers>
const PointwiseRule& select_mode(const PointwiseRule&, PointwiseArguments& a) {
  if (a.text.empty()) return div_by_mode<Numbers>[0];
  if (a.text == "trunc") return div_by_mode<Numbers>[1];
  if (a.text == "floor") return div_by_mode<Numbers>[2];
  fail<ValueError>("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '", a.text, "'");
}
inline constexpr PointwiseRule div_mode_rule{
    .name = "div",
    .select = select_mode<0>,
    .more = {3, {index_of(PointwiseOp::div), index_of(PointwiseOp::div_trunc), index_of(PointwiseOp::div_floor)}}};
inline constexpr PointwiseRule div_mode_number_rule{
    .name = "div",
    .number_operands = 1,
    .select = select_mode<1>,
    .more = {3, {index_of(PointwiseOp::div), index_of(PointwiseOp::div_trunc), index_of(PointwiseOp::div_floor)}}};

inline constexpr signed char number_first[] = {~0, 0};
inline Scalar one_like(const Scalar& s) {
  if (s.is_boolean()) return true;
  if (s.is_complex()) return Complex<double>(1.0);
  return s.is_floating_point() ? Scalar(1.0) : Scalar(1);
}
/// Powers with common exponents have loops of their own, those of 0 and of the base 1 are ones whatever the other
/// operand is, also not-a-number. Integers know no fractions: theirs stay general.
const PointwiseRule& select_power(const PointwiseRule& rule, PointwiseArguments& a);
inline constexpr PointwiseRule pow_number_rule{
    .name = "pow",
    .number_operands = 1,
    .op = index_of(PointwiseOp::pow),
    .check = check_power,
    .select = select_power,
    .unary = true,
    .more = {7,
             {index_of(PointwiseOp::identity), index_of(PointwiseOp::square), index_of(PointwiseOp::cube),
              index_of(PointwiseOp::sqrt), index_of(PointwiseOp::rsqrt), index_of(PointwiseOp::reciprocal),
              index_of(PointwiseOp::one_over_square)}}};
constexpr PointwiseRule power(PointwiseOp op) {
  return {.name = "pow", .number_operands = 1, .op = index_of(op), .check = check_power, .unary = true};
}
inline constexpr PointwiseRule pow_identity = power(PointwiseOp::identity), pow_square = power(PointwiseOp::square),
                               pow_cube = power(PointwiseOp::cube), pow_root = power(PointwiseOp::sqrt),
                               pow_one_over_root = power(PointwiseOp::rsqrt),
                               pow_reciprocal = power(PointwiseOp::reciprocal),
                               pow_one_over_square = power(PointwiseOp::one_over_square);
inline const PointwiseRule& select_power(const PointwiseRule& rule, PointwiseArguments& a) {
  ScalarType type = a.tensors[0]->dtype();
  const Scalar& e = a.numbers[0];
  if (e.equal(1)) return pow_identity;
  if (e.equal(0)) {
    // The loop's first operand is a number, which counts in promotion as the exponent did.
    a.numbers[0] = one_like(e);
    a.order = number_first;
    return pow_identity;
  }
  if (type == kBool) return rule;
  if (e.equal(2)) return pow_square;
  if (e.equal(3)) return pow_cube;
  if (is_integral_type(type, true)) return rule;
  // PyTorch takes no roots of Half: they differ from powers at -infinity and -0.
  if (e.equal(0.5) && type != kHalf) return pow_root;
  if (e.equal(-0.5) && type != kHalf) return pow_one_over_root;
  if (e.equal(-1)) return pow_reciprocal;
  if (e.equal(-2)) return pow_one_over_square;
  return rule;
}

inline constexpr PointwiseRule mul_number_rule{.name = "mul", .number_operands = 1, .op = index_of(PointwiseOp::mul)};
/// In place PyTorch multiplies the number by the tensor: only a number behind it keeps digits that 16 bits do not hold.
inline constexpr PointwiseRule mul_number_inplace_rule{
    .name = "mul",
    .number_operands = 1,
    .op = index_of(PointwiseOp::mul),
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      a.order = number_first;
      return rule;
    },
    .more = {1, {index_of(PointwiseOp::mul)}}};
/// A loop of one operand takes the first: the base.
inline constexpr PointwiseRule pow_of_one{
    .name = "pow", .number_operands = 1, .op = index_of(PointwiseOp::identity), .row_major = true};
inline constexpr PointwiseRule pow_base_rule{
    .name = "pow",
    .number_operands = 1,
    .op = index_of(PointwiseOp::pow),
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return a.numbers[0].equal(1) && !a.numbers[0].is_boolean() ? pow_of_one : rule;
    },
    .row_major = true,
    .more = {1, {index_of(PointwiseOp::identity)}}};

inline constexpr PointwiseRule where_rule{
    .name = "where", .masks = 1, .op = index_of(PointwiseOp::where), .check = check_condition};
inline constexpr PointwiseRule conj_complex_rule{.name = "conj_physical", .op = index_of(PointwiseOp::conj)};
inline constexpr PointwiseRule conj_rule{
    .name = "conj_physical",
    .op = index_of(PointwiseOp::identity),
    .select = [](const PointwiseRule& rule, PointwiseArguments& a) -> const PointwiseRule& {
      return a.tensors[0]->is_complex() ? conj_complex_rule : rule;
    },
    .more = {1, {index_of(PointwiseOp::conj)}}};

// Composites.
/// A real tensor is its own conjugate: no copy is made of it.
inline Tensor conj_physical(const Tensor& self) { return self.is_complex() ? ops::_conj_physical(self) : self; }
inline Tensor square(const Tensor& self) { return ops::pow_Tensor_Scalar(self, 2); }
inline Tensor& square_(Tensor& self) { return ops::pow_Tensor_Scalar_(self, 2); }
inline Tensor& square_out(const Tensor& self, Tensor& out) { return ops::pow_Tensor_Scalar_out(self, 2, out); }
inline Tensor number_like(const Scalar& s) { return wrapped_scalar_tensor(s); }
inline Tensor where_ScalarOther(const Tensor& condition, const Tensor& self, const Scalar& other) {
  return ops::where_self(condition, self, number_like(other));
}
inline Tensor where_ScalarSelf(const Tensor& condition, const Scalar& self, const Tensor& other) {
  return ops::where_self(condition, number_like(self), other);
}
inline Tensor where_Scalar(const Tensor& condition, const Scalar& self, const Scalar& other) {
  return ops::where_self(condition, number_like(self), number_like(other));
}

}  // namespace tenon::cpu::detail
