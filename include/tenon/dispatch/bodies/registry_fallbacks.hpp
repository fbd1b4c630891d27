// Bodies of Registry: what serves a key of every operator.
#pragma once
#include <algorithm>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/bodies/registry_state.hpp>

namespace tenon {

namespace detail {
TENON_COLD_BODY void check_takes_stack(const Kernel& kernel, const Place& place) {
  if (const SignatureInfo* type = kernel.state()->type)
    fail<RegistrationError>(
        "fallback(...): a fallback serves operators of every type, so its kernel must take a stack: void(const OperatorHandle&, [KeySet,] Stack&); got a kernel of type ",
        cpp_type_name(*type->type), "; ", place);
}
}  // namespace detail

TENON_COLD_BODY Registration Registry::add_fallback(DispatchKey key, Kernel kernel, Place place) {
  detail::check_takes_stack(kernel, place);
  std::lock_guard lock(state_->mutex);
  KernelState state = detail::at_place(std::move(kernel).state(), std::move(place));
  std::vector<unsigned> slots;
  expand_alias(key).for_each([&](DispatchKey k) { slots.push_back(table_index(k)); });
  for (unsigned i : slots)
    if (state_->fallbacks[i])
      fail<RegistrationError>("Tried to register multiple backend fallbacks for the same dispatch key ",
                              detail::key_of_slot[i], "; previous registration ", state_->fallbacks[i]->place,
                              ", new registration ", state->place);
  return add_to_fallbacks(slots, std::move(state));
}

TENON_COLD_BODY Registration Registry::override_fallback(DispatchKey key, std::optional<Kernel> kernel, Place place) {
  if (kernel) detail::check_takes_stack(*kernel, place);
  std::lock_guard lock(state_->mutex);
  KernelState state;
  if (kernel) state = detail::at_place(std::move(*kernel).state(), std::move(place));
  std::vector<unsigned> slots;
  expand_alias(key).for_each([&](DispatchKey k) { slots.push_back(table_index(k)); });
  return add_to_fallbacks(slots, std::move(state));
}

TENON_COLD_BODY Registration Registry::add_to_fallbacks(const std::vector<unsigned>& slots, KernelState&& kernel) {
  auto& all = state_->all_fallbacks;
  all.reserve(all.size() + slots.size());
  invalidate_all();
  Registration done(What::Fallback, nullptr);
  done.number_ = state_->next_number++;
  for (unsigned i : slots) {
    all.push_back({done.number_, i, kernel});
    state_->settle_fallback(i);
  }
  done.kernel_ = std::move(kernel);
  return done;
}

}  // namespace tenon
