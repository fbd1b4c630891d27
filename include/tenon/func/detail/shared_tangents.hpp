// Tangents of what may be written, and what views share of them.
#pragma once
#include <memory>

#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>

namespace tenon::func::detail {

/// Whether a tensor is of a level that another is not of.
inline bool has_more_levels(Tensor t, Tensor than) {
  while (depth_of(t) > 0) {
    while (depth_of(than) > depth_of(t)) than = level_impl(than).value;
    if (depth_of(than) != depth_of(t)) return true;
    t = level_impl(t).value;
  }
  return false;
}
/// Memory below all levels.
inline const StorageImpl* memory_of(Tensor t) {
  while (depth_of(t) > 0) t = level_impl(t).value;
  return t.defined() ? t->storage().get() : nullptr;
}
/// Gives a tensor a tangent of its own, as large as its value.
inline void own_tangent(LevelTensor& t) {
  if (!t.shares_tangent && !has_more_levels(t.value, t.tangent)) return;
  t.tangent = ops::add(ops::zeros_like(t.value), t.tangent);
  t.shares_tangent = false;
}
/// Before a view is taken, so that writes into one reach the other. What does not change has zeros that count once a
/// change is written into one of them: till then derivatives that do not exist are not asked for.
inline void share_tangent(LevelTensor& t, const Level& level) {
  t.in_views = true;
  if (t.tangent.defined()) return own_tangent(t);
  t.unchanged = std::make_shared<bool>(true);
  t.tangent = ops::zeros_like(t.value);
  // Tangents alone may differ from example to example.
  for (const Level* l = level.outer; l; l = l->outer) {
    Tensor at = t.tangent;
    while (depth_of(at) > l->depth) at = level_impl(at).value;
    if (l->kind == LevelKind::Batch && depth_of(at) != l->depth)
      t.tangent = rewrap(ops::clone(batch_of(t.tangent, *l)), *l);
  }
}
/// Writes a tangent; an undefined one is zero.
inline void write_tangent(LevelTensor& self, const Tensor& written) {
  if (!self.change().defined() && !written.defined()) return;
  if (self.unchanged) *self.unchanged = false;
  bool alone = !self.in_views;
  if (!self.tangent.defined() || (alone && written.defined() && has_more_levels(written, self.tangent))) {
    self.tangent = ops::add(ops::zeros_like(self.value), written.to(self.dtype()));
    self.shares_tangent = false;
    return;
  }
  own_tangent(self);
  if (written.defined())
    ops::copy_(self.tangent, written);
  else
    ops::zero_(self.tangent);
}

}  // namespace tenon::func::detail
