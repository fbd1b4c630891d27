// Tensors that a function made and writes, where it runs for all columns of a Jacobian.
#pragma once
#include <tenon/func/reverse.hpp>
#include <tenon/func/tangents.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::func::detail {

/// Whether the values of a tensor differ from example to example of a level.
inline bool differs_by(Tensor t, const Level& level) {
  while (depth_of(t) > level.depth) t = Tensor(level_impl(t).value);
  return t.defined() && belongs(t, level);
}
/// Before a write to `self`, the first argument of `c`: where what is written differs from column to column, so does
/// what takes it from now on. Nobody made that batch, so that nobody is to make a tensor of it. Not where somebody
/// else, a view among them, has the memory too: the write is refused then.
inline void take_columns(TangentCall& c, LevelTensor& self) {
  if (self.in_views || self.value.use_count() != 2) return;  // here and among the arguments
  for (const Level* l = c.level.outer; l && l->depth > depth_of(self.value); l = l->outer) {
    if (!l->directions) continue;
    bool differs = false;
    for (const Value& v : c.primals) each_tensor(v, [&](const Tensor& t) { differs = differs || differs_by(t, *l); });
    if (!differs) continue;
    self.value = make_batched(ops::contiguous(batch_of(self.value, *l)), *l);
    c.primals[0] = Value(self.value);
    return;
  }
}

}  // namespace tenon::func::detail
