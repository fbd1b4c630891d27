// Forward mode by scope: tensors with tangents, through any code that is called while the scope lasts.
#pragma once
#include <tenon/func/level.hpp>

namespace tenon::func {

/// A dual tensor's two parts. The tangent is undefined if the tensor does not change along the direction.
struct UnpackedDual {
  Tensor primal, tangent;
};

/// While it lives, what is computed from a tensor of make_dual() carries a tangent along. For code that is no function
/// of its tensors (a module whose parameters change, a simulator's step); jvp() is the shorter form for a function.
/// Levels nest with one another and with every transform; a tensor made in one is to be unpacked before its end and
/// refused after that (ValueError). Belongs to the thread and scope that made it. Source:
/// torch.autograd.forward_ad.dual_level of PyTorch 2.15, whose levels do not nest.
class DualLevel {
 public:
  DualLevel() : guard_(LevelKind::Tangent) {}

  /// A view of `primal`, which may be a dual tensor of an outer level, with a tangent of its shape and dtype. Costs no
  /// copy. Errors: TypeError for numbers that are neither floating nor complex and for other dtypes, ValueError for
  /// other shapes and within a transform that began after the level.
  Tensor make_dual(const Tensor& primal, const Tensor& tangent) const;
  /// The parts of a tensor; one that was made without the level is its own primal. Costs no copy.
  UnpackedDual unpack_dual(const Tensor& t) const;

 private:
  LevelGuard guard_;
};

}  // namespace tenon::func
