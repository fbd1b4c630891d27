// Functions of one's own (autograd::Function) at levels: each level makes of a function one for the tensors below it.
#pragma once
#include <memory>

#include <tenon/autograd/graph/function.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

using autograd::AutogradContext;
using autograd::detail::PlainFunction;

inline std::vector<Tensor> run_function(const PlainFunction& f, const std::vector<Tensor>& tensors);

inline bool is_of(const Tensor& t, const Level& level) { return t.defined() && belongs(t, level); }
inline void refuse_writes(const PlainFunction& f, AutogradContext& ctx) {
  TENON_CHECK(PlainFunction::kept(ctx).dirty.empty(), NotImplementedError, "function ", f.name,
              " writes to its arguments (mark_dirty), which transforms of functions cannot do for it; return new "
              "tensors instead");
}

/// A function of one example for whole tensors of all examples.
class ForAllExamples {
 public:
  ForAllExamples(const PlainFunction& f, const Level& level, const std::vector<Tensor>& tensors)
      : f_(f), size_(level.size), randomness_(level.randomness) {
    for (const Tensor& t : tensors) {
      batched_.push_back(is_of(t, level));
      sizes_.emplace_back(t.defined() ? DimVector(t.sizes()) : DimVector());
    }
  }

  std::vector<Tensor> forward(AutogradContext& all, const std::vector<Tensor>& tensors, const Level& level) {
    OutsideGuard within(&level);
    auto mine = PlainFunction::kept(ctx_), theirs = PlainFunction::kept(all);
    mine.needs = theirs.needs;
    std::vector<Tensor> results = f_.forward(ctx_, wrapped(tensors, batched_, level));
    refuse_writes(f_, ctx_);
    const std::vector<Tensor> of_jvp = mine.for_forward.value_or(mine.to_save);
    theirs.to_save = values(mine.to_save, saved_, level);
    if (f_.jvp) theirs.for_forward = values(of_jvp, saved_for_jvp_, level);
    std::vector<char> unused;
    theirs.non_differentiable = values(mine.non_differentiable, unused, level);
    theirs.materialize = mine.materialize;
    mine.to_save.clear();
    mine.for_forward.reset();
    mine.non_differentiable.clear();
    for (Tensor& t : results)
      if (t.defined()) t = is_of(t, level) ? level_impl(t).value : ops::clone(batch_of(t, level));
    return results;
  }

  std::vector<Tensor> backward(AutogradContext& all, TensorList grads) {
    LevelGuard guard(LevelKind::Batch, size_, randomness_);
    Restored restored(ctx_, wrapped(all.saved_tensors(), saved_, guard.level()));
    std::vector<char> each(grads.size(), true);
    std::vector<Tensor> list = f_.backward(ctx_, wrapped({grads.begin(), grads.end()}, each, guard.level()));
    list = autograd::detail::gradient_of_each(std::move(list), f_.counts, f_.name);
    for (std::size_t i = 0; i < list.size(); ++i) {
      Tensor& g = list[i];
      if (!g.defined()) continue;
      if (g.sizes() != IntArrayRef(sizes_[i])) g = g.sum_to_size(IntArrayRef(sizes_[i]));
      // What all examples share has the gradient of them all.
      if (batched_[i])
        g = batch_of(g, guard.level());
      else
        g = is_of(g, guard.level()) ? ops::sum(level_impl(g).value, {0}) : ops::mul(g, size_);
    }
    return list;
  }

  std::vector<Tensor> jvp(AutogradContext& all, TensorList tangents) {
    LevelGuard guard(LevelKind::Batch, size_, randomness_);
    Restored restored(ctx_, wrapped(all.saved_tensors(), saved_for_jvp_, guard.level()));
    std::vector<Tensor> list = f_.jvp(ctx_, wrapped({tangents.begin(), tangents.end()}, batched_, guard.level()));
    for (Tensor& t : list)
      if (t.defined()) t = batch_of(t, guard.level());
    return list;
  }

 private:
  /// What a context gives as saved, for a scope.
  class Restored {
   public:
    Restored(AutogradContext& ctx, std::vector<Tensor> saved) : ctx_(ctx) {
      PlainFunction::kept(ctx_).restored = std::move(saved);
    }
    Restored(const Restored&) = delete;
    Restored& operator=(const Restored&) = delete;
    ~Restored() { PlainFunction::kept(ctx_).restored.reset(); }

   private:
    AutogradContext& ctx_;
  };
  static std::vector<Tensor> wrapped(std::vector<Tensor> list, const std::vector<char>& which, const Level& level) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (which[i] && list[i].defined()) list[i] = make_batched(list[i], level);
    return list;
  }
  static std::vector<Tensor> values(const std::vector<Tensor>& list, std::vector<char>& which, const Level& level) {
    std::vector<Tensor> all;
    for (const Tensor& t : list) {
      which.push_back(is_of(t, level));
      all.push_back(which.back() ? level_impl(t).value : t);
    }
    return all;
  }

  PlainFunction f_;
  std::int64_t size_;
  Randomness randomness_;
  std::vector<char> batched_, saved_, saved_for_jvp_;
  std::vector<DimVector> sizes_;
  AutogradContext ctx_;
};

inline std::vector<Tensor> run_for_examples(const PlainFunction& f, const Level& level,
                                            const std::vector<Tensor>& tensors) {
  std::vector<Tensor> all;
  PlainFunction::Dims in_dims;
  for (const Tensor& t : tensors) {
    all.push_back(is_of(t, level) ? level_impl(t).value : t);
    in_dims.push_back(is_of(t, level) ? std::optional<std::int64_t>(0) : std::nullopt);
  }
  OutsideGuard outside(level.outer);
  if (f.vmap) {
    auto [results, dims] = f.vmap(level.size, in_dims, all);
    TENON_CHECK(dims.size() == results.size(), ValueError, "function ", f.name, ": its vmap returned ", results.size(),
                " results and ", dims.size(), " places of examples in them");
    for (std::size_t i = 0; i < results.size(); ++i)
      if (dims[i] && results[i].defined()) results[i] = make_batched(ops::movedim(results[i], *dims[i], 0), level);
    return results;
  }
  auto examples = std::make_shared<ForAllExamples>(f, level, tensors);
  PlainFunction of_all{f.name, f.once, f.counts, {}, {}};
  of_all.forward = [examples, &level](AutogradContext& ctx, const std::vector<Tensor>& now) {
    return examples->forward(ctx, now, level);
  };
  of_all.backward = [examples](AutogradContext& ctx, TensorList grads) { return examples->backward(ctx, grads); };
  if (f.jvp)
    of_all.jvp = [examples](AutogradContext& ctx, TensorList tangents) { return examples->jvp(ctx, tangents); };
  std::vector<Tensor> results = run_function(of_all, all);
  for (Tensor& t : results)
    if (t.defined()) t = make_batched(t, level);
  return results;
}

inline std::vector<Tensor> run_with_jvp(const PlainFunction& f, const std::vector<Tensor>& tensors,
                                        std::vector<Tensor>& tangents) {
  AutogradContext ctx;
  auto kept = PlainFunction::kept(ctx);
  PlainFunction watched = f;
  watched.jvp = {};
  watched.vmap = {};  // which tells nothing of what is saved
  watched.forward = [&](AutogradContext& inner, const std::vector<Tensor>& now) {
    std::vector<Tensor> results = f.forward(inner, now);
    refuse_writes(f, inner);
    auto theirs = PlainFunction::kept(inner);
    kept.restored = theirs.for_forward.value_or(theirs.to_save);
    kept.needs = theirs.needs;
    kept.materialize = theirs.materialize;
    ctx.saved_data = inner.saved_data;
    return results;
  };
  std::vector<Tensor> results = run_function(watched, tensors);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (kept.materialize && !tangents[i].defined() && tensors[i].defined() && takes_gradient(tensors[i]))
      tangents[i] = ops::zeros_like(tensors[i]);
  tangents = f.jvp(ctx, tangents);
  TENON_CHECK(tangents.size() == results.size(), ValueError, "function ", f.name, ": its jvp returned ",
              tangents.size(), " tangents for ", results.size(), " results");
  return results;
}
inline std::vector<Tensor> run_by_gradients(const PlainFunction& f, const std::vector<Tensor>& tensors,
                                            std::vector<Tensor>& tangents) {
  TENON_CHECK(!f.once, NotImplementedError, "jvp: function ", f.name,
              " is differentiable once and has no jvp, so that its tangents are unknown; give it one");
  ReversePass pass;
  std::vector<Tensor> own = tensors, entered, directions;
  for (std::size_t i = 0; i < own.size(); ++i)
    if (tangents[i].defined()) {
      own[i] = pass.enter(own[i]);
      entered.push_back(own[i]);
      directions.push_back(tangents[i]);
    }
  EnableGradGuard grad;
  std::vector<Tensor> results = run_function(f, own);
  tangents = Linear(pass, results, entered).along(pass, directions);
  for (std::size_t i = 0; i < results.size(); ++i) {
    bool changes = is_recorded(results[i]);
    results[i] = pass.leave(results[i]);
    tangents[i] = changes ? pass.leave(tangents[i]) : Tensor();
  }
  return results;
}

inline std::vector<Tensor> run_with_tangents(const PlainFunction& f, const Level& level,
                                             const std::vector<Tensor>& tensors) {
  std::vector<Tensor> primals, tangents;
  for (const Tensor& t : tensors) {
    primals.push_back(is_of(t, level) ? level_impl(t).value : t);
    tangents.push_back(is_of(t, level) ? level_impl(t).change() : Tensor());
  }
  OutsideGuard outside(level.outer);
  std::vector<Tensor> results = f.jvp ? run_with_jvp(f, primals, tangents) : run_by_gradients(f, primals, tangents);
  for (std::size_t i = 0; i < results.size(); ++i)
    if (results[i].defined() && tangents[i].defined()) results[i] = make_dual(results[i], tangents[i], level);
  return results;
}

/// Runs a function of one's own on tensors of levels: for a batch on all examples at once, with a backward pass that
/// does so too; for tangents by its jvp, or else by the gradient of its gradient.
inline std::vector<Tensor> run_function(const PlainFunction& f, const std::vector<Tensor>& tensors) {
  Tensor top;
  for (const Tensor& t : tensors)
    if (depth_of(t) > depth_of(top)) top = t;
  if (depth_of(top) == 0) return f(tensors);
  const Level& level = level_of(top);
  return level.kind == LevelKind::Batch ? run_for_examples(f, level, tensors) : run_with_tangents(f, level, tensors);
}

}  // namespace tenon::func::detail
