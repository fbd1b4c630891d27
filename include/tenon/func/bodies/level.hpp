// Levels and their tensors.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/interpret.hpp>
#include <tenon/func/level.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::func {

namespace detail {
inline intrusive_ptr<StorageImpl> no_memory(const Tensor& like) {
  return StorageImpl::adopt(DataPtr(nullptr, like.device()), 0, nullptr);
}
inline DispatchKey key_of(LevelKind kind) {
  return kind == LevelKind::Batch ? DispatchKey::FuncTorchBatched : DispatchKey::FuncTorchGradWrapper;
}
/// Whether a value shows its memory conjugated or negated is asked of what stands for it.
inline KeySet keys_of(LevelKind kind, const Tensor& value) {
  constexpr KeySet shown{DispatchKey::Conjugate, DispatchKey::Negative};
  return (value.keys() & shown).add(key_of(kind));
}
}  // namespace detail

TENON_COLD_BODY LevelTensor::LevelTensor(const Level& level, Tensor v, Tensor t)
    : TensorImpl(detail::no_memory(v), detail::keys_of(level.kind, v), v.dtype(), v.device()),
      value(std::move(v)),
      tangent(std::move(t)),
      kind(level.kind),
      depth(level.depth),
      id(level.id) {
  set_layout(value.layout());
  set_wrapped_number(kind == LevelKind::Tangent && value->is_wrapped_number());
  if (!value->is_short()) {
    follow_value();
    return;
  }
  std::size_t skip = kind == LevelKind::Batch, all = static_cast<std::size_t>(value.dim()), rest = all - skip;
  const std::int64_t* from = value->sizes().data() + skip;
  std::int64_t* to = place_extents(rest, 0);
  for (std::size_t d = 0; d < rest; ++d) {
    to[d] = from[d];
    to[rest + d] = from[all + d];
  }
  extents_are_placed();
}

TENON_COLD_BODY void LevelTensor::follow_value() {
  std::size_t skip = kind == LevelKind::Batch, rest = static_cast<std::size_t>(value.dim()) - skip;
  set_geometry(value.sizes().slice(skip, rest), value.strides().slice(skip, rest), 0);
}

TENON_COLD_BODY void LevelTensor::release_resources() noexcept {
  value = Tensor();
  tangent = Tensor();
  TensorImpl::release_resources();
}

TENON_COLD_BODY Tensor make_batched(Tensor value, const Level& level) {
  TENON_CHECK(value.dim() > 0 && value.sizes()[0] == level.size, InternalError, "vmap: a value of sizes ",
              value.sizes(), " has no batch of ", level.size);
  return Tensor(make_intrusive<LevelTensor>(level, std::move(value), Tensor()));
}

TENON_COLD_BODY Tensor make_dual(const Tensor& primal, const Tensor& tangent, const Level& level) {
  TENON_CHECK(primal.sizes() == tangent.sizes(), ValueError, "jvp: expected a tangent of the shape of its tensor, ",
              primal.sizes(), ", got ", tangent.sizes());
  TENON_CHECK(primal.dtype() == tangent.dtype(), TypeError, "jvp: expected a tangent of the dtype of its tensor, ",
              primal.dtype(), ", got ", tangent.dtype());
  return Tensor(make_intrusive<LevelTensor>(level, primal, tangent));
}

TENON_COLD_BODY Tensor make_constant(const Tensor& value, const Level& level) {
  return Tensor(make_intrusive<LevelTensor>(level, value, Tensor()));
}

TENON_COLD_BODY const Level& level_of(const Tensor& t) {
  const LevelTensor& of = level_impl(t);
  for (const Level* l = detail::innermost_level; l; l = l->outer)
    if (l->id == of.id) return *l;
  fail<ValueError>("a tensor of shape ", t.sizes(),
                   " was made within a transform (vmap, jvp) that has ended, or is used outside of it; return it from "
                   "the function instead");
}

TENON_COLD_BODY LevelGuard::LevelGuard(LevelKind kind, std::int64_t size, Randomness randomness, bool directions) {
  detail::install_interpreter();
  level_.outer = detail::innermost_level;
  level_.depth = level_depth() + 1;
  level_.id = ++detail::last_level;
  level_.kind = kind;
  level_.size = size;
  level_.randomness = randomness;
  level_.directions = directions;
  detail::innermost_level = &level_;
  detail::watch_plain_calls();
}

TENON_COLD_BODY ForwardModeGuard::ForwardModeGuard(int depth) : before_(detail::forward_depth) {
  detail::forward_depth = depth;
  detail::watch_plain_calls();
}

}  // namespace tenon::func
