// What dropout refuses.
#pragma once
#include <tenon/base/error.hpp>

namespace tenon::composite {

inline void check_dropout(double p) {
  TENON_CHECK(p >= 0 && p <= 1, ValueError, "dropout probability has to be between 0 and 1, but got ", p);
}

}  // namespace tenon::composite
