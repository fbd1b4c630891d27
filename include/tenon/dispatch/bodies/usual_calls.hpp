// The way to a kernel for the types of operators that most programs call.
#pragma once
#include <tenon/dispatch/usual_calls.hpp>

namespace tenon::detail {

#define TENON_INTERNAL_USUAL_CALL(R, ...) template R call_operator<R, __VA_ARGS__>(OperatorSlot&, __VA_ARGS__);
TENON_INTERNAL_USUAL_CALLS(TENON_INTERNAL_USUAL_CALL)
#undef TENON_INTERNAL_USUAL_CALL
#define TENON_INTERNAL_USUAL_FACTORY(...)                                                         \
  template Tensor call_path<Tensor(__VA_ARGS__)>::slow(OperatorSlot&, KeySet, bool, __VA_ARGS__); \
  template Tensor backend_select<Tensor(__VA_ARGS__)>::call(void*, KeySet, __VA_ARGS__);
TENON_INTERNAL_USUAL_FACTORIES(TENON_INTERNAL_USUAL_FACTORY)
#undef TENON_INTERNAL_USUAL_FACTORY

}  // namespace tenon::detail
