// One kernel at several statements.
#pragma once
#include <utility>

#include <tenon/boxing/kernel.hpp>

namespace tenon::detail {

/// A kernel object at one of several statements: the same function and functor, a place of its own.
struct PlacedKernel final : Kernel::State {
  PlacedKernel(intrusive_ptr<Kernel::State>&& of, Place&& at) : origin(std::move(of)) {
    record = origin->record;
    type = origin->type;
    place = std::move(at);
    is_fallthrough = origin->is_fallthrough;
    overrides = origin->overrides;
  }
  intrusive_ptr<Kernel::State> origin;
};
/// A kernel that somebody still holds may be registered again: each statement has a place of its own.
inline intrusive_ptr<Kernel::State> at_place(intrusive_ptr<Kernel::State> kernel, Place&& place) {
  if (!kernel->place.empty()) return kernel;
  if (kernel->use_count() > 1) return make_intrusive<PlacedKernel>(std::move(kernel), std::move(place));
  kernel->place = std::move(place);
  return kernel;
}
/// The first word of an object with virtual functions leads to the code that made it.
inline const void* maker_of(const Kernel::State& kernel) {
  const auto* placed = dynamic_cast<const PlacedKernel*>(&kernel);
  return *reinterpret_cast<const void* const*>(placed ? placed->origin.get() : &kernel);
}

}  // namespace tenon::detail
