// What the library's macros ask the preprocessor.
#pragma once

#define TENON_INTERNAL_JOIN_(A, B) A##B
#define TENON_INTERNAL_JOIN(A, B) TENON_INTERNAL_JOIN_(A, B)

// 1 for `(a, b)`, 0 for `a`.
#define TENON_INTERNAL_SECOND(A, B, ...) B
#define TENON_INTERNAL_CHOOSE(...) TENON_INTERNAL_SECOND(__VA_ARGS__)
#define TENON_INTERNAL_MARK(...) ~, 1
#define TENON_INTERNAL_IS_LIST(X) TENON_INTERNAL_CHOOSE(TENON_INTERNAL_MARK X, 0, ~)
