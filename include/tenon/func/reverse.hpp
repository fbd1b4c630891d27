// Reverse mode at any depth of transforms: gradients with respect to tensors of levels.
#pragma once
#include <vector>

#include <tenon/func/level.hpp>

namespace tenon::func {

/// One pass backwards through a function: its inputs enter, its results leave, and gradients may be asked for any
/// number of times. What a level hides is undone: examples of a batch do not depend on each other, so their gradients
/// are those of the sum of all; the gradient of a tensor with a tangent is that of the tangent's part, and how that
/// changes along the direction. Gradients are recorded themselves where something outside of the pass needs it.
class ReversePass {
 public:
  ReversePass();
  /// The same tensor, at which gradients can be asked for. Throws TypeError for integers and booleans.
  Tensor enter(const Tensor& x);
  /// The gradients of the weighted sum of `results` with respect to tensors that entered; undefined where there is
  /// none. Results that do not depend on any count nothing. `keep`: the pass may be asked again.
  std::vector<Tensor> gradients(const std::vector<Tensor>& results, const std::vector<Tensor>& weights,
                                const std::vector<Tensor>& entered, bool keep = true, bool record = false) const;
  /// A result for use outside: without this pass's graph, unless something outside needs it.
  Tensor leave(const Tensor& result) const;

 private:
  Tensor enter_at(const Tensor& x, const Level* level);
  std::vector<Tensor> at(std::vector<Tensor> results, std::vector<Tensor> weights, std::vector<Tensor> entered,
                         const Level* level, bool keep, bool record) const;
  bool leads_outside(const std::vector<Tensor>& roots) const;

  const Level* level_;
  bool outer_grad_mode_;
  std::uint64_t first_sequence_;
  std::vector<Tensor> leaves_;
};

namespace detail {
/// Whether gradients are recorded for what a tensor shows, below all levels.
bool is_recorded(const Tensor& t);
/// All of a batch, by the examples of `level`, of a tensor that levels further in may wrap.
Tensor batch_of(const Tensor& t, const Level& level);
/// The reverse.
Tensor rewrap(const Tensor& t, const Level& level);
}  // namespace detail

}  // namespace tenon::func
