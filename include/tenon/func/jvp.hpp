// Forward mode: jvp, jacfwd, hessian, linearize.
#pragma once
#include <tenon/func/grad.hpp>
#include <tenon/func/tangents.hpp>

namespace tenon::func {

namespace detail {

Tensor with_tangent(const Tensor& primal, const Tensor& tangent, const Level& level);
Tensor primal_of(const Tensor& t, const Level& level);
Tensor tangent_of(const Tensor& t, const Level& level);
/// One example for each element of `x`: the direction along it.
Tensor directions_of(const Tensor& x);
/// The tangents along all of them as a Jacobian, of size (y's size, x's size).
Tensor jacobian_columns(const Tensor& y, const Tensor& x, const Level& directions, const Level& tangents);
/// The change of `results` along `directions`, by the gradients of weighted gradients.
class Linear {
 public:
  Linear(ReversePass& pass, const std::vector<Tensor>& results, const std::vector<Tensor>& entered);
  std::vector<Tensor> along(const ReversePass& pass, const std::vector<Tensor>& directions) const;

 private:
  std::vector<Tensor> results_, weights_, gradients_;
};

}  // namespace detail

/// Runs `f` on `primals`, a tuple of its arguments, and pushes `tangents`, a tuple of the same form, through it: the
/// result, and how it changes along the tangents. An undefined tensor among the tangents stands for no change.
/// Source: torch.func.jvp of PyTorch 2.15.
template <class F, class... A>
auto jvp(F&& f, const std::tuple<A...>& primals, const std::tuple<A...>& tangents) {
  LevelGuard guard(LevelKind::Tangent);
  std::vector<Tensor> along;
  std::tuple<A...> copy = tangents, own = primals;
  detail::for_tensors(copy, [&](Tensor& t) { along.push_back(t); });
  std::size_t next = 0;
  detail::for_tensors(own, [&](Tensor& t) {
    TENON_CHECK(next < along.size(), ValueError, "jvp: expected a tangent for every tensor, got ", along.size());
    const Tensor& tangent = along[next++];
    if (t.defined() && tangent.defined()) t = detail::with_tangent(t, tangent, guard.level());
  });
  auto result = [&] {
    ForwardModeGuard forward(guard.level().depth);
    return std::apply(f, std::as_const(own));
  }();
  auto value = detail::map_tree(result, [&](const Tensor& t) { return detail::primal_of(t, guard.level()); });
  auto change = detail::map_tree(result, [&](const Tensor& t) { return detail::tangent_of(t, guard.level()); });
  return std::pair(std::move(value), std::move(change));
}
/// The same for one argument.
template <class F>
auto jvp(F&& f, const Tensor& primal, const Tensor& tangent) {
  return jvp(f, std::tuple(primal), std::tuple(tangent));
}

/// The Jacobian of `f` with respect to its argument number I, a tensor, column by column: all columns by one vmap of
/// its jvp. Shapes: as jacrev(). Better than that where `f` returns more numbers than it takes.
/// Source: torch.func.jacfwd of PyTorch 2.15.
template <std::size_t I = 0, class F>
auto jacfwd(F&& f) {
  return [f = std::decay_t<F>(static_cast<F&&>(f))](const auto&... args) mutable {
    std::tuple<std::remove_cvref_t<decltype(args)>...> own{args...};
    Tensor x = std::get<I>(own);
    LevelGuard directions(LevelKind::Batch, x.numel(), Randomness::Same, true);
    Tensor along = make_batched(detail::directions_of(x), directions.level());
    LevelGuard tangents(LevelKind::Tangent);
    std::get<I>(own) = detail::with_tangent(x, along, tangents.level());
    auto result = [&] {
      ForwardModeGuard forward(tangents.level().depth);
      return std::apply(f, std::as_const(own));
    }();
    return detail::map_tree(
        result, [&](const Tensor& y) { return detail::jacobian_columns(y, x, directions.level(), tangents.level()); });
  };
}

/// The second derivatives of `f` with respect to its argument number I, a tensor: forward over reverse mode.
/// Shapes: (result's size, argument's size, argument's size). Source: torch.func.hessian of PyTorch 2.15.
template <std::size_t I = 0, class F>
auto hessian(F&& f) {
  return jacfwd<I>(jacrev<I>(static_cast<F&&>(f)));
}

/// The result of a function, and its change along any directions, without running it again.
template <class R, class... A>
class Linearized {
 public:
  template <class F>
  Linearized(F& f, const A&... args) {
    std::tuple<A...> own{detail::entered_tree(pass_, args, entered_)...};
    detail::RecordedFunctionGuard recorded;
    R result = std::apply(f, std::as_const(own));
    value = detail::map_tree(result, [&](const Tensor& t) { return pass_.leave(t); });
    linear_.emplace(pass_, detail::tensors_of(result), entered_);
  }
  /// How the result changes along the tangents of all arguments.
  R operator()(const A&... tangents) const {
    std::vector<Tensor> along;
    auto add = [&](const auto& tree) {
      for (const Tensor& t : detail::tensors_of(tree)) along.push_back(t);
    };
    (add(tangents), ...);
    std::vector<Tensor> found = linear_->along(pass_, along);
    std::size_t next = 0;
    return detail::map_tree(value, [&](const Tensor&) { return found.at(next++); });
  }

  R value;

 private:
  ReversePass pass_;
  std::vector<Tensor> entered_;
  std::optional<detail::Linear> linear_;
};

/// Runs `f` once; a call of what is returned gives Jacobian-vector products there.
/// Source: torch.func.linearize of PyTorch 2.15.
template <class F, class... A>
auto linearize(F&& f, const A&... args) {
  return Linearized<detail::result_of_t<F, A...>, A...>(f, args...);
}

}  // namespace tenon::func
