// Reverse mode below the levels.
#pragma once
#include <unordered_set>

#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func {

namespace detail {

TENON_COLD_BODY bool is_recorded(const Tensor& t) {
  if (!t.defined()) return false;
  if (!is_level_tensor(t)) return t.requires_grad();
  const LevelTensor& of = level_impl(t);
  return is_recorded(of.value) || is_recorded(of.change());
}

/// A tensor of the same level as another: its value, and for a tangent level its tangent, by `f`.
template <class F>
Tensor inside(const Tensor& t, F&& f) {
  const LevelTensor& of = level_impl(t);
  const Level& level = level_of(t);
  if (of.kind == LevelKind::Batch) return make_batched(f(of.value), level);
  Tensor change = of.change();
  return change.defined() ? make_dual(f(of.value), f(change), level) : make_constant(f(of.value), level);
}
inline Tensor repeated(const Tensor& t, std::int64_t n) {
  DimVector sizes{n};
  for (std::int64_t s : t.sizes()) sizes.push_back(s);
  return ops::expand(t, IntArrayRef(sizes));
}

TENON_COLD_BODY Tensor batch_of(const Tensor& t, const Level& level) {
  if (belongs(t, level)) return level_impl(t).value;
  if (depth_of(t) < level.depth) return repeated(t, level.size);
  // A level further in: its examples stay in front.
  bool batch = level_impl(t).kind == LevelKind::Batch;
  return inside(t, [&](const Tensor& v) {
    Tensor all = batch_of(v, level);
    return batch ? ops::transpose(all, 0, 1) : all;
  });
}
TENON_COLD_BODY Tensor rewrap(const Tensor& t, const Level& level) {
  if (depth_of(t) <= level.depth) return make_batched(t, level);
  bool batch = level_impl(t).kind == LevelKind::Batch;
  return inside(t, [&](const Tensor& v) { return rewrap(batch ? ops::transpose(v, 0, 1) : v, level); });
}

/// The value and the tangent at a level, undefined if there is none, of a tensor that levels further in may wrap.
inline std::pair<Tensor, Tensor> parts_of(const Tensor& t, const Level& level) {
  if (belongs(t, level)) return {level_impl(t).value, level_impl(t).change()};
  if (depth_of(t) < level.depth) return {t, Tensor()};
  Tensor tangent;
  bool any = false;
  Tensor value = inside(t, [&](const Tensor& v) {
    auto parts = parts_of(v, level);
    any = any || parts.second.defined();
    return parts.first;
  });
  if (any)
    tangent = inside(t, [&](const Tensor& v) {
      auto parts = parts_of(v, level);
      return parts.second.defined() ? parts.second : ops::zeros_like(parts.first);
    });
  return {value, tangent};
}
inline Tensor join_parts(const Tensor& value, const Tensor& tangent, const Level& level) {
  const Tensor& inner = depth_of(value) >= depth_of(tangent) ? value : tangent;
  if (depth_of(inner) <= level.depth) return make_dual(value, tangent, level);
  const Level& at = level_of(inner);
  if (at.kind == LevelKind::Batch)
    return make_batched(join_parts(batch_of(value, at), batch_of(tangent, at), level), at);
  auto v = parts_of(value, at), t = parts_of(tangent, at);
  auto or_zero = [](const std::pair<Tensor, Tensor>& p) {
    return p.second.defined() ? p.second : ops::zeros_like(p.first);
  };
  return make_dual(join_parts(v.first, t.first, level), join_parts(or_zero(v), or_zero(t), level), at);
}

}  // namespace detail

TENON_COLD_BODY ReversePass::ReversePass()
    : level_(detail::innermost_level),
      outer_grad_mode_(is_grad_enabled()),
      first_sequence_(tenon::detail::last_sequence + 1) {}

TENON_COLD_BODY Tensor ReversePass::enter(const Tensor& x) {
  TENON_CHECK(is_floating_type(x.dtype()) || is_complex_type(x.dtype()), TypeError,
              "gradients: expected a tensor of floating or complex numbers, got one of ", x.dtype());
  EnableGradGuard grad;
  ForwardModeGuard own_work(0);
  return enter_at(x, level_);
}

TENON_COLD_BODY Tensor ReversePass::enter_at(const Tensor& x, const Level* level) {
  if (!level) {
    if (outer_grad_mode_ && x.requires_grad()) return ops::alias(x);
    Tensor leaf = ops::alias(ops::detach(x)).set_requires_grad(true);
    leaves_.push_back(leaf);
    return leaf;
  }
  bool own = belongs(x, *level);
  if (level->kind == LevelKind::Batch)
    return make_batched(enter_at(own ? level_impl(x).value : detail::repeated(x, level->size), level->outer), *level);
  Tensor value = own ? level_impl(x).value : x, tangent = own ? level_impl(x).change() : Tensor();
  if (!tangent.defined()) tangent = ops::zeros_like(value);
  return make_dual(enter_at(value, level->outer), enter_at(tangent, level->outer), *level);
}

TENON_COLD_BODY std::vector<Tensor> ReversePass::gradients(const std::vector<Tensor>& results,
                                                           const std::vector<Tensor>& weights,
                                                           const std::vector<Tensor>& entered, bool keep,
                                                           bool record) const {
  ForwardModeGuard own_work(0);
  return at(results, weights, entered, level_, keep, record);
}

TENON_COLD_BODY std::vector<Tensor> ReversePass::at(std::vector<Tensor> results, std::vector<Tensor> weights,
                                                    std::vector<Tensor> entered, const Level* level, bool keep,
                                                    bool record) const {
  if (!level) {
    std::vector<Tensor> roots, given;
    for (std::size_t i = 0; i < results.size(); ++i)
      if (results[i].requires_grad()) {
        roots.push_back(results[i]);
        given.push_back(weights[i]);
      }
    if (roots.empty()) return std::vector<Tensor>(entered.size());
    if (outer_grad_mode_ && !record) {
      record = leads_outside(roots);
      for (const Tensor& w : given) record = record || detail::is_recorded(w);
    }
    return autograd::grad(roots, entered, given, keep || record, record, true);
  }
  std::vector<Tensor> inner, inner_weights, inner_entered;
  if (level->kind == LevelKind::Batch) {
    for (std::size_t i = 0; i < results.size(); ++i) {
      if (!belongs(results[i], *level)) continue;
      inner.push_back(level_impl(results[i]).value);
      inner_weights.push_back(detail::batch_of(weights[i], *level));
    }
    for (const Tensor& x : entered) inner_entered.push_back(level_impl(x).value);
    std::vector<Tensor> found = at(inner, inner_weights, inner_entered, level->outer, keep, record);
    for (Tensor& g : found)
      if (g.defined()) g = detail::rewrap(g, *level);
    return found;
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    if (!belongs(results[i], *level)) continue;
    auto weight = detail::parts_of(weights[i], *level);
    if (Tensor change = level_impl(results[i]).change(); change.defined()) {
      inner.push_back(change);
      inner_weights.push_back(weight.first);
    }
    if (!weight.second.defined()) continue;
    inner.push_back(level_impl(results[i]).value);
    inner_weights.push_back(weight.second);
  }
  for (const Tensor& x : entered) {
    inner_entered.push_back(level_impl(x).tangent);
    inner_entered.push_back(level_impl(x).value);
  }
  std::vector<Tensor> parts = at(inner, inner_weights, inner_entered, level->outer, keep, record), found;
  for (std::size_t i = 0; i < entered.size(); ++i) {
    Tensor value = parts[2 * i], tangent = parts[2 * i + 1];
    if (!value.defined() && !tangent.defined()) {
      found.emplace_back();
      continue;
    }
    if (!value.defined()) value = ops::zeros_like(tangent);
    found.push_back(tangent.defined() ? detail::join_parts(value, tangent, *level) : value);
  }
  return found;
}

TENON_COLD_BODY bool ReversePass::leads_outside(const std::vector<Tensor>& roots) const {
  std::unordered_set<const Node*> seen;
  std::vector<const Node*> next;
  for (const Tensor& leaf : leaves_) seen.insert(autograd::gradient_edge(leaf).node.get());
  for (const Tensor& t : roots) next.push_back(autograd::gradient_edge(t).node.get());
  while (!next.empty()) {
    const Node* node = next.back();
    next.pop_back();
    if (!node || !seen.insert(node).second) continue;
    if (node->sequence() < first_sequence_) return true;
    for (unsigned i = 0; i < node->n_edges(); ++i) next.push_back(node->edges()[i].node.get());
  }
  return false;
}

TENON_COLD_BODY Tensor ReversePass::leave(const Tensor& result) const {
  if (!result.defined() || !detail::is_recorded(result)) return result;
  ForwardModeGuard own_work(0);
  if (is_level_tensor(result)) {
    const LevelTensor& of = level_impl(result);
    const Level& level = level_of(result);
    if (of.kind == LevelKind::Batch) return make_batched(leave(of.value), level);
    Tensor change = of.change();
    return change.defined() ? make_dual(leave(of.value), leave(change), level) : make_constant(leave(of.value), level);
  }
  return outer_grad_mode_ && leads_outside({result}) ? result : ops::detach(result);
}

}  // namespace tenon::func
