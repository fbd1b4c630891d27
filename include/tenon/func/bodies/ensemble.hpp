// How the tensors of many modules become one.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/func/ensemble.hpp>
#include <tenon/ops/join.hpp>

namespace tenon::func::detail {

TENON_COLD_BODY void check_models(std::size_t count, bool some_train, bool some_do_not) {
  TENON_CHECK(count != 0, ValueError, "stack_module_state: expected at least one model, got 0");
  TENON_CHECK(!some_train || !some_do_not, ValueError,
              "stack_module_state: expected all models to be in the same mode, got some in training and some not");
}
TENON_COLD_BODY void held_by_pointer(const std::string& name) {
  fail<ValueError>("stack_module_state: expected a module that can be copied, got one whose '", name,
                   "' is held by a pointer");
}

TENON_COLD_BODY Tensor stacked_leaf(const std::string& name, const std::vector<Tensor>& of, StackedLeaves& known) {
  const Tensor& first = of.front();
  for (const Tensor& t : of) {
    bool alike = t.defined() == first.defined() &&
                 (!t.defined() || (t.sizes() == first.sizes() && t.requires_grad() == first.requires_grad()));
    TENON_CHECK(alike, ValueError, "stack_module_state: expected models whose tensors '", name,
                "' have one shape and one requires_grad, got others");
  }
  if (!first.defined()) return first;
  for (const auto& [own, stacked] : known)
    if (own.is_same(first)) return stacked;
  NoGradGuard no_grad;
  Tensor leaf = ops::stack(of);
  leaf.set_requires_grad(first.requires_grad());
  known.emplace_back(first, leaf);
  return leaf;
}

}  // namespace tenon::func::detail
