// Rows of truth: whether all or any elements differ from zero.
#pragma once
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/row.hpp>

namespace tenon::reduction {

struct truth : same_dtype {
  static ScalarType result(std::string_view name, const Outputs& out, const Arguments& a) {
    const Tensor& given = out.maybe_get_output();
    TENON_CHECK(!given.defined() || given.dtype() == kBool || given.dtype() == kByte, TypeError, name,
                " only supports bool tensor for result, got: ", given.dtype());
    return given.defined() ? given.dtype() : a.self.dtype() == kByte ? kByte : kBool;
  }
  static ScalarType accumulates(ScalarType, ScalarType) { return kBool; }
  static constexpr bool empty_list_is_none = true;
};

}  // namespace tenon::reduction

namespace tenon::ops {

TENON_REDUCTION(all_base, reduction::all, reduction::truth, reduction::no_gradient{});
TENON_REDUCTION(all_dim, reduction::all, reduction::truth, reduction::no_gradient{});
TENON_REDUCTION(all_dims, reduction::all, reduction::truth, reduction::no_gradient{});
TENON_REDUCTION(any_base, reduction::any, reduction::truth, reduction::no_gradient{});
TENON_REDUCTION(any_dim, reduction::any, reduction::truth, reduction::no_gradient{});
TENON_REDUCTION(any_dims, reduction::any, reduction::truth, reduction::no_gradient{});

}  // namespace tenon::ops
