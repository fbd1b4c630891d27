// Dual tensors of a scope.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/dual_level.hpp>

namespace tenon::func {

TENON_COLD_BODY Tensor DualLevel::make_dual(const Tensor& primal, const Tensor& tangent) const {
  TENON_CHECK(
      innermost_level() == &guard_.level(), ValueError,
      "make_dual(): a transform (vmap, jvp, a dual level) began after the level; make the dual tensor before it");
  TENON_CHECK(primal.defined() && tangent.defined(), ValueError, "make_dual(): expected a tensor and its tangent, got ",
              primal.defined() ? "no tangent" : "an undefined tensor");
  for (const Tensor* t : {&primal, &tangent})
    TENON_CHECK(is_differentiable_type(t->dtype()), TypeError, "make_dual(): expected ",
                t == &primal ? "primal" : "tangent", " to be floating point or complex, but got: ", t->dtype());
  return func::make_dual(primal, tangent, guard_.level());
}

TENON_COLD_BODY UnpackedDual DualLevel::unpack_dual(const Tensor& t) const {
  TENON_CHECK(t.defined(), ValueError, "unpack_dual(): expected a tensor, got an undefined one");
  if (!belongs(t, guard_.level())) return {t, Tensor()};
  level_of(t);  // refuses a tensor of a level that has ended
  const LevelTensor& dual = level_impl(t);
  return {dual.value, dual.change()};
}

}  // namespace tenon::func
