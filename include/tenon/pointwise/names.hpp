// The functions that lambdas over elements call by name.
#pragma once
#include <tenon/pointwise/math_names.hpp>
#include <tenon/pointwise/symbol.hpp>

namespace tenon::math {

/// The larger of x and 0; its slope at 0 is 0.
template <class V>
  requires is_vec_v<V>
auto relu(V x) { return select(x <= V(0), V(0), x); }
inline symbol relu(const symbol& x) { return select(x <= symbol(0), symbol(0), x); }

}  // namespace tenon::math
