// expect-error: a future holds a type that no operator schema can carry \(take double for float
#include <tenon/boxing/future.hpp>

using namespace tenon;

#ifdef FIXED
void use() { Future<double>().mark_completed(1.5); }
#else
void use() { Future<float>().mark_completed(1.5f); }
#endif
