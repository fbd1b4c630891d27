// Declarations of operators: from the schemas of one name its tags, their forms and the functions that users call.
#pragma once
#include <tenon/base/preprocessor.hpp>
#include <tenon/library/function.hpp>

// M(F, N, spec) for each of up to twelve specs.
#define TENON_INTERNAL_SPECS(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS2(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS2(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS3(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS3(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS4(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS4(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS5(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS5(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS6(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS6(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS7(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS7(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS8(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS8(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS9(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS9(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS10(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS10(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS11(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS11(M, F, N, S, ...) M(F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS12(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS12(M, F, N, S) M(F, N, S)

// M_F(tag, schema, options...) for a spec: a schema, or (Overload, schema, options...).
#define TENON_INTERNAL_SPEC(F, N, S) TENON_INTERNAL_JOIN(TENON_INTERNAL_SPEC_, TENON_INTERNAL_IS_LIST(S))(F, N, S)
#define TENON_INTERNAL_SPEC_0(F, N, S) TENON_INTERNAL_TAG_##F(N##_base, S)
#define TENON_INTERNAL_SPEC_1(F, N, S) TENON_INTERNAL_SPEC_2(F, N, TENON_INTERNAL_UNPACK S)
#define TENON_INTERNAL_SPEC_2(...) TENON_INTERNAL_SPEC_3(__VA_ARGS__)
#define TENON_INTERNAL_SPEC_3(F, N, OVERLOAD, ...) TENON_INTERNAL_TAG_##F(N##_##OVERLOAD, __VA_ARGS__)
#define TENON_INTERNAL_UNPACK(...) __VA_ARGS__

// The functions are templates so that the compiler looks into them when somebody asks.
#define TENON_INTERNAL_TAG(NAME, INPLACE, OUT, SCHEMA, ...)                                                            \
  struct NAME##_op : ::tenon::operator_with_forms<NAME##_op, INPLACE, OUT> {                                           \
    template <class = void>                                                                                            \
    static constexpr ::std::string_view text() {                                                                       \
      return SCHEMA;                                                                                                   \
    }                                                                                                                  \
    __VA_OPT__(template <class = void> static constexpr ::tenon::operator_options options() { return {__VA_ARGS__}; }) \
  };                                                                                                                   \
  [[maybe_unused]] inline constexpr NAME##_op NAME{};
#define TENON_INTERNAL_TAG_all(NAME, ...)                                     \
  TENON_INTERNAL_TAG(NAME, true, true, __VA_ARGS__)                           \
  [[maybe_unused]] inline constexpr ::tenon::inplace_op<NAME##_op> NAME##_{}; \
  [[maybe_unused]] inline constexpr ::tenon::out_op<NAME##_op> NAME##_out{};
#define TENON_INTERNAL_TAG_out(NAME, ...)            \
  TENON_INTERNAL_TAG(NAME, false, true, __VA_ARGS__) \
  [[maybe_unused]] inline constexpr ::tenon::out_op<NAME##_op> NAME##_out{};
#define TENON_INTERNAL_TAG_plain(NAME, ...) TENON_INTERNAL_TAG(NAME, false, false, __VA_ARGS__)
#define TENON_INTERNAL_TAG_inplace(NAME, ...) TENON_INTERNAL_TAG(NAME##_, false, false, __VA_ARGS__)
#define TENON_INTERNAL_TAG_type(NAME, ...) , NAME##_op
#define TENON_INTERNAL_TAG_inplace_type(NAME, ...) , NAME##__op

// The object is of the base's type: one of a class with a base costs the compiler more.
#define TENON_INTERNAL_FUNCTION(NAME, TYPES, N, ...)                                                                   \
  struct NAME##_function                                                                                               \
      : ::tenon::basic_overload_set<NAME##_function, ::tenon::declared_operators<NAME##_function TENON_INTERNAL_SPECS( \
                                                         TENON_INTERNAL_SPEC, TYPES, N, __VA_ARGS__)>> {};             \
  inline constexpr NAME##_function::basic_overload_set NAME {}

/// The tags alone, for a function made by hand over `declared_operators`. FORMS: all, out, plain or inplace.
#define TENON_OPERATOR_TAGS(FORMS, NAME, ...) TENON_INTERNAL_SPECS(TENON_INTERNAL_SPEC, FORMS, NAME, __VA_ARGS__)

/// Declares operators of one name with their in-place and out forms. Each is a schema, or (Overload, schema,
/// options...): `TENON_OPERATORS(eq, (Tensor, "aten::eq.Tensor(...) -> Tensor", "Tensor_out"), (Scalar, "..."))` makes
/// the tags eq_Tensor, eq_Tensor_, eq_Tensor_out, eq_Scalar, ... and the functions eq and eq_. A schema alone makes
/// NAME_base, NAME_base_, NAME_base_out. Options: the out form's overload name or schema where it is not the usual one,
/// and `operator_words`. At namespace scope, in a header.
#define TENON_OPERATORS(NAME, ...)                                                                            \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_SPEC, all, NAME, __VA_ARGS__)                                           \
  TENON_INTERNAL_FUNCTION(NAME, type, NAME, __VA_ARGS__);                                                     \
  struct NAME##__function                                                                                     \
      : ::tenon::basic_overload_set<NAME##__function, ::tenon::detail::inplace_forms_of<NAME##_function>> {}; \
  inline constexpr NAME##__function::basic_overload_set NAME##_ {}
/// The same for operators that have out forms only.
#define TENON_OPERATORS_OUT(NAME, ...)                              \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_SPEC, out, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(NAME, type, NAME, __VA_ARGS__)
/// The same for operators without other forms.
#define TENON_OPERATORS_PLAIN(NAME, ...)                              \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_SPEC, plain, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(NAME, type, NAME, __VA_ARGS__)
/// Operators in place that are no forms of others: `TENON_OPERATORS_INPLACE(copy, "aten::copy_(Tensor(a!) self, ...)")`
/// makes copy_base_ and the function copy_.
#define TENON_OPERATORS_INPLACE(NAME, ...)                              \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_SPEC, inplace, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(NAME##_, inplace_type, NAME, __VA_ARGS__)
