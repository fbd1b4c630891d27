// expect-error: no_overload_accepts<filled__function>
#include <tenon/library/operators.hpp>

// An in-place form exists where a tensor comes first.
#ifdef FIXED
TENON_OPERATORS(filled, "my::filled(Tensor self, int n) -> Tensor");
void call(tenon::Tensor x) { filled_(x, 3); }
#else
TENON_OPERATORS(filled, "my::filled(int n, Tensor self) -> Tensor");
void call(tenon::Tensor x) { filled_(3, x); }
#endif
