// What keys do for operators without a kernel there: pass on, or record that a derivative is missing. In one unit of a
// program.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/not_implemented.hpp>

namespace tenon::autograd {

TENON_LIBRARY_IMPL(_, BackendSelect, m) { m.fallback(fallthrough()); }
TENON_LIBRARY_IMPL(_, ADInplaceOrView, m) { m.fallback(fallthrough()); }
TENON_LIBRARY_IMPL(_, Autograd, m) { m.fallback(&not_implemented); }

}  // namespace tenon::autograd
