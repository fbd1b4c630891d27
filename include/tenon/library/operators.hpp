// Declarations of operators: from the schemas of one name its tags, their forms and the functions that users call.
#pragma once
#include <tenon/base/preprocessor.hpp>
#include <tenon/library/function.hpp>

// M(F, N, overload, schema, options...) for each of up to twelve specs: a schema, or (Overload, schema, options...).
// Each level of macros reads all tokens again, a thousand declarations long: there are few.
#define TENON_INTERNAL_SPECS(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS2(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS2(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS3(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS3(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS4(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS4(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS5(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS5(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS6(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS6(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS7(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS7(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS8(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS8(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS9(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS9(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS10(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS10(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS11(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS11(M, F, N, S, ...) \
  TENON_INTERNAL_SPEC(S)(M, F, N, S) __VA_OPT__(TENON_INTERNAL_SPECS12(M, F, N, __VA_ARGS__))
#define TENON_INTERNAL_SPECS12(M, F, N, S) TENON_INTERNAL_SPEC(S)(M, F, N, S)
#define TENON_INTERNAL_SPEC(S) TENON_INTERNAL_JOIN(TENON_INTERNAL_SPEC_, TENON_INTERNAL_IS_LIST(S))
#define TENON_INTERNAL_SPEC_0(M, F, N, S) M(F, N, base, S)
#define TENON_INTERNAL_SPEC_1(M, F, N, S) TENON_INTERNAL_SPEC_2(M, F, N, TENON_INTERNAL_UNPACK S)
#define TENON_INTERNAL_SPEC_2(M, ...) M(__VA_ARGS__)

// The functions are templates so that the compiler looks into them when somebody asks.
#define TENON_INTERNAL_TAG(F, N, OVERLOAD, SCHEMA, ...)                                                                \
  struct N##_##OVERLOAD##_op : ::tenon::operator_with_forms<N##_##OVERLOAD##_op, TENON_INTERNAL_FORMS_##F> {           \
    template <class = void>                                                                                            \
    static constexpr ::std::string_view text() {                                                                       \
      return SCHEMA;                                                                                                   \
    }                                                                                                                  \
    __VA_OPT__(template <class = void> static constexpr ::tenon::operator_options options() { return {__VA_ARGS__}; }) \
  };                                                                                                                   \
  [[maybe_unused]] inline constexpr N##_##OVERLOAD##_op N##_##OVERLOAD{};                                              \
  TENON_INTERNAL_OBJECTS_##F(N##_##OVERLOAD)
#define TENON_INTERNAL_TAG_INPLACE(F, N, OVERLOAD, ...) TENON_INTERNAL_TAG(F, N, OVERLOAD##_, __VA_ARGS__)
#define TENON_INTERNAL_TYPE(F, N, OVERLOAD, ...) , N##_##OVERLOAD##_op
#define TENON_INTERNAL_TYPE_INPLACE(F, N, OVERLOAD, ...) , N##_##OVERLOAD##__op

// Which forms a declaration makes.
#define TENON_INTERNAL_FORMS_all true, true
#define TENON_INTERNAL_FORMS_out false, true
#define TENON_INTERNAL_FORMS_plain false, false
#define TENON_INTERNAL_OBJECTS_all(NAME)                                      \
  [[maybe_unused]] inline constexpr ::tenon::inplace_op<NAME##_op> NAME##_{}; \
  TENON_INTERNAL_OBJECTS_out(NAME)
#define TENON_INTERNAL_OBJECTS_out(NAME) [[maybe_unused]] inline constexpr ::tenon::out_op<NAME##_op> NAME##_out{};
#define TENON_INTERNAL_OBJECTS_plain(NAME)

// The object is of the base's type: one of a class with a base costs the compiler more.
#define TENON_INTERNAL_FUNCTION(TYPE, NAME, N, ...)                                                    \
  struct NAME##_function                                                                               \
      : ::tenon::basic_overload_set<                                                                   \
            NAME##_function,                                                                           \
            ::tenon::declared_operators<NAME##_function TENON_INTERNAL_SPECS(TYPE, , N, __VA_ARGS__)>, \
            ::tenon::detail::name_a_list(#__VA_ARGS__)> {};                                            \
  [[maybe_unused]] inline constexpr NAME##_function::basic_overload_set NAME {}
#define TENON_INTERNAL_FUNCTION_INPLACE(NAME, ...)                                                        \
  struct NAME##__function                                                                                 \
      : ::tenon::basic_overload_set<NAME##__function, ::tenon::detail::inplace_forms_of<NAME##_function>, \
                                    ::tenon::detail::name_a_list(#__VA_ARGS__)> {};                       \
  [[maybe_unused]] inline constexpr NAME##__function::basic_overload_set NAME##_ {}

/// The tags alone, for a function made by hand over `declared_operators`. FORMS: all, out or plain.
#define TENON_OPERATOR_TAGS(FORMS, NAME, ...) TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG, FORMS, NAME, __VA_ARGS__)

/// Declares operators of one name with their in-place and out forms. Each is a schema, or (Overload, schema,
/// options...): `TENON_OPERATORS(eq, (Tensor, "aten::eq.Tensor(...) -> Tensor", "Tensor_out"), (Scalar, "..."))` makes
/// the tags eq_Tensor, eq_Tensor_, eq_Tensor_out, eq_Scalar, ... and the functions eq and eq_. A schema alone makes
/// NAME_base, NAME_base_, NAME_base_out. Options: the out form's overload name or schema where it is not the usual one,
/// and `operator_words`. At namespace scope, in a header. Of many headers each better has an inline namespace of its
/// own: GCC walks all names of the open namespaces for each class that it instantiates.
#define TENON_OPERATORS(NAME, ...)                                       \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG, all, NAME, __VA_ARGS__)       \
  TENON_INTERNAL_FUNCTION(TENON_INTERNAL_TYPE, NAME, NAME, __VA_ARGS__); \
  TENON_INTERNAL_FUNCTION_INPLACE(NAME, __VA_ARGS__)
/// The same for operators that have out forms only.
#define TENON_OPERATORS_OUT(NAME, ...)                             \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG, out, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(TENON_INTERNAL_TYPE, NAME, NAME, __VA_ARGS__)
/// The same for operators without other forms.
#define TENON_OPERATORS_PLAIN(NAME, ...)                             \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG, plain, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(TENON_INTERNAL_TYPE, NAME, NAME, __VA_ARGS__)
/// Operators in place that are no forms of others: `TENON_OPERATORS_INPLACE(copy, "aten::copy_(Tensor(a!) self, ...)")`
/// makes copy_base_ and the function copy_.
#define TENON_OPERATORS_INPLACE(NAME, ...)                                   \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG_INPLACE, plain, NAME, __VA_ARGS__) \
  TENON_INTERNAL_FUNCTION(TENON_INTERNAL_TYPE_INPLACE, NAME##_, NAME, __VA_ARGS__)
