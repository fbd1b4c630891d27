// Type promotion: the dtype that two dtypes have in common, and what may be stored in which.
#pragma once
#include <tenon/base/scalar_type.hpp>

namespace tenon {

namespace detail {
/// Throws TypeError for a pair of different dtypes that never promote, in PyTorch's words where it has any.
constexpr void check_promotes(ScalarType a, ScalarType b) {
  auto stored_only = [](ScalarType t) { return is_floating_type(t) && !has_arithmetic(t); };
  if (is_quantized_type(a) || is_quantized_type(b))
    fail<TypeError>(
        "promoteTypes with quantized numbers is not handled yet; figure out what the correct rules should be, offending types: ",
        enumerator_name(a), " ", enumerator_name(b));
  if (stored_only(a) || stored_only(b))
    fail<TypeError>("Promotion for Float8 Types is not supported, attempted to promote ", enumerator_name(a), " and ",
                    enumerator_name(b));
}
}  // namespace detail

/// The result dtype of two tensors with dimensions. Throws TypeError for mixes of unsigned types that no type holds,
/// and for dtypes without arithmetic.
constexpr ScalarType promote_types(ScalarType a, ScalarType b) {
  if (a == b) return a;
  if (a == ScalarType::Undefined || b == ScalarType::Undefined) return ScalarType::Undefined;
  detail::check_promotes(a, b);
  DtypeCategory ca = category_of(a), cb = category_of(b);
  if (ca < cb) return promote_types(b, a);
  if (ca == DtypeCategory::Complex) {
    ScalarType real = to_real_type(a);
    ScalarType other = cb == ca ? to_real_type(b) : cb == DtypeCategory::Floating ? b : real;
    ScalarType joined = promote_types(real, other);
    return to_complex_type(joined == kBFloat16 ? kFloat : joined);
  }
  if (ca > cb) return a;
  int ra = detail::rank_within(a), rb = detail::rank_within(b);
  if (ca == DtypeCategory::Floating) {
    if (ra == rb) return kFloat;  // float16 and bfloat16: neither holds the other
    return ra > rb ? a : b;
  }
  bool sa = is_signed_type(a), sb = is_signed_type(b);
  if (sa == sb) return ra > rb ? a : b;
  ScalarType with_sign = sa ? a : b, without = sa ? b : a;
  if (without != kByte) {
    // PyTorch defines no promotion between the wider unsigned types and signed integers.
    fail<TypeError>("no promotion is defined for dtypes ", to_string(a), " and ", to_string(b),
                    "; cast one of them first");
  }
  return with_sign == kChar ? kShort : with_sign;
}

/// Whether a computation in `from` may be stored in `to`: never complex to real, floating to integral, or
/// anything but bool to bool.
constexpr bool can_cast(ScalarType from, ScalarType to) {
  DtypeCategory f = category_of(from), t = category_of(to);
  if (f == DtypeCategory::Complex && t != f) return false;
  if (f == DtypeCategory::Floating && (t == DtypeCategory::Bool || t == DtypeCategory::Integer)) return false;
  return f == DtypeCategory::Bool || t != DtypeCategory::Bool;
}
/// Throws TypeError unless elements of a dtype may be written to a tensor of another: what PyTorch calls its result
/// type and the desired output type.
inline void check_can_cast(ScalarType result, ScalarType out) {
  TENON_CHECK(can_cast(result, out), TypeError, "result type ", result, " can't be cast to the desired output type ",
              out);
}

}  // namespace tenon
