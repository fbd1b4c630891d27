// What the library's macros ask the preprocessor.
#pragma once

#define TENON_INTERNAL_JOIN_(A, B) A##B
#define TENON_INTERNAL_JOIN(A, B) TENON_INTERNAL_JOIN_(A, B)

// 1 for `(a, b)`, 0 for `a`.
#define TENON_INTERNAL_SECOND(A, B, ...) B
#define TENON_INTERNAL_CHOOSE(...) TENON_INTERNAL_SECOND(__VA_ARGS__)
#define TENON_INTERNAL_MARK(...) ~, 1
#define TENON_INTERNAL_IS_LIST(X) TENON_INTERNAL_CHOOSE(TENON_INTERNAL_MARK X, 0, ~)
// `TENON_INTERNAL_UNPACK (a, b)` is a, b.
#define TENON_INTERNAL_UNPACK(...) __VA_ARGS__

// TENON_INTERNAL_EACH(M, a, b) is M(a), M(b); up to 250 elements.
#define TENON_INTERNAL_PARENS ()
#define TENON_INTERNAL_EXPAND(...) TENON_INTERNAL_EXPAND3(TENON_INTERNAL_EXPAND3(TENON_INTERNAL_EXPAND3(__VA_ARGS__)))
#define TENON_INTERNAL_EXPAND3(...) TENON_INTERNAL_EXPAND2(TENON_INTERNAL_EXPAND2(TENON_INTERNAL_EXPAND2(__VA_ARGS__)))
#define TENON_INTERNAL_EXPAND2(...) TENON_INTERNAL_EXPAND1(TENON_INTERNAL_EXPAND1(TENON_INTERNAL_EXPAND1(__VA_ARGS__)))
#define TENON_INTERNAL_EXPAND1(...) __VA_ARGS__
#define TENON_INTERNAL_EACH(M, ...) __VA_OPT__(TENON_INTERNAL_EXPAND(TENON_INTERNAL_EACH_(M, __VA_ARGS__)))
#define TENON_INTERNAL_EACH_(M, X, ...) \
  M(X) __VA_OPT__(, TENON_INTERNAL_EACH_AGAIN TENON_INTERNAL_PARENS(M, __VA_ARGS__))
#define TENON_INTERNAL_EACH_AGAIN() TENON_INTERNAL_EACH_

// The number of elements, up to 8; 0 for none.
#define TENON_INTERNAL_COUNT(...) TENON_INTERNAL_COUNT_(__VA_ARGS__ __VA_OPT__(, ) 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define TENON_INTERNAL_COUNT_(A, B, C, D, E, F, G, H, N, ...) N

// Parameters with the names that an operator's arguments have: some are those of operators, too, of which Clang tells.
#ifdef __clang__
#define TENON_INTERNAL_ANY_NAMES_BEGIN _Pragma("clang diagnostic push") _Pragma("clang diagnostic ignored \"-Wshadow\"")
#define TENON_INTERNAL_ANY_NAMES_END _Pragma("clang diagnostic pop")
#else
#define TENON_INTERNAL_ANY_NAMES_BEGIN
#define TENON_INTERNAL_ANY_NAMES_END
#endif
#define TENON_INTERNAL_SHADOWS(...) TENON_INTERNAL_ANY_NAMES_BEGIN __VA_ARGS__ TENON_INTERNAL_ANY_NAMES_END
