// What a row may say of itself beside its cases.
#pragma once
#include <tenon/base/fixed_string.hpp>
#include <tenon/structured/pointwise.hpp>

namespace tenon {

namespace row_options {

/// Base of what a row may say of itself beside its cases.
struct option {};
template <Promote P>
struct promote_t : option {};
template <auto F>
struct check_t : option {};
template <auto F>
struct prepare_t : option {};
template <auto F>
struct refuse_t : option {};
template <fixed_string Name>
struct named_t : option {
  static constexpr auto name = Name;
};
template <OutputCast C>
struct cast_t : option {};
struct unary_t : option {};
struct row_major_t : option {};
struct reversed_t : option {};
struct not_differentiable_t : option {};
struct unrecorded_t : option {};
template <class... Cases>
struct in_place_t : option {};

using enum Promote;
/// How the dtypes of computation and result follow from the operands'; without it, both are the common dtype.
template <Promote P>
inline constexpr promote_t<P> promote{};
/// Refuses arguments; a PointwiseCheck.
template <auto F>
inline constexpr check_t<F> check{};
/// Puts numbers in the place of those that were not given, before a case is chosen: void(PointwiseArguments&).
template <auto F>
inline constexpr prepare_t<F> prepare{};
/// Throws where no case applies: void(const PointwiseArguments&).
template <auto F>
inline constexpr refuse_t<F> refuse{};
/// As errors name the operator, where that is not its name.
template <fixed_string Name>
inline constexpr named_t<Name> named{};
/// Whether an `out=` tensor may be of another dtype; without it, where the operator has several operands or a result of
/// another dtype than they.
template <OutputCast C>
inline constexpr cast_t<C> cast{};
/// Numbers do not count as operands where the result's strides are chosen.
inline constexpr unary_t unary{};
/// The result is row-major, however the operands lie in memory.
inline constexpr row_major_t row_major{};
/// The first two tensors change places before anything else, so that the second decides layouts first.
inline constexpr reversed_t reversed{};
/// Results never need a gradient.
inline constexpr not_differentiable_t not_differentiable{};
/// The same, and forms that write record nothing, even where they write to a leaf that requires grad.
inline constexpr unrecorded_t unrecorded{};
/// What the in-place form has of its own: cases, clauses of the derivative, or both.
template <class... Cases>
constexpr in_place_t<Cases...> in_place(Cases...) {
  return {};
}

}  // namespace row_options

}  // namespace tenon
