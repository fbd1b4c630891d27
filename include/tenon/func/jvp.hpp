// Forward mode: jvp, jacfwd, hessian, linearize.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/func/grad.hpp>
#include <tenon/func/tangents.hpp>

namespace tenon::func {

namespace detail {

Tensor with_tangent(const Tensor& primal, const Tensor& tangent, const Level& level);
Tensor primal_of(const Tensor& t, const Level& level);
Tensor tangent_of(const Tensor& t, const Level& level);
/// One example for each of `all` directions: those along the elements of `x` from number `before` on, else zeros.
Tensor directions_among(const Tensor& x, std::int64_t before, std::int64_t all);
/// The tangents along all of them as Jacobians, each of size (y's size, x's size).
std::vector<Tensor> jacobian_columns(const Tensor& y, const std::vector<Tensor>& xs, const Level& directions,
                                     const Level& tangents);
/// What is computed beside, which is the same along all directions.
Tensor beside(const Tensor& t, const Level& directions, const Level& tangents);
/// The change of `results` along `directions`, by the gradients of weighted gradients.
class Linear {
 public:
  Linear(ReversePass& pass, const std::vector<Tensor>& results, const std::vector<Tensor>& entered);
  /// `directions` are those of the tensors that entered.
  std::vector<Tensor> along(const ReversePass& pass, const std::vector<Tensor>& directions) const;

 private:
  std::vector<Tensor> results_, weights_, gradients_;
};

/// The directions of those arguments of linearize() that entered; zeros for undefined ones. Throws ValueError and
/// TypeError for tangents of another form, shape or dtype.
std::vector<Tensor> directions_for(const nn::NamedTensors& arguments, const nn::NamedTensors& tangents);

}  // namespace detail

/// Runs `f` on `primals`, a tuple of its arguments, and pushes `tangents`, a tuple of the same form, through it: the
/// result, and how it changes along the tangents. An undefined tensor among the tangents stands for no change. If `f`
/// is of has_aux(), a tuple of three: these two of the first that it returns, and the second.
/// Errors: ValueError for a tangent too few, too many or of another shape, TypeError for one of another dtype.
/// Source: torch.func.jvp of PyTorch 2.15.
template <class F, class... A>
auto jvp(F&& f, const std::tuple<A...>& primals, const std::tuple<A...>& tangents) {
  nn::NamedTensors along = detail::places_of(tangents);
  detail::check_places("jvp", "a tangent", detail::places_of(primals), along);
  LevelGuard guard(LevelKind::Tangent);
  std::tuple<A...> own = primals;
  std::size_t next = 0;
  detail::for_tensors(own, [&](Tensor& t) {
    const Tensor& tangent = along[next++].second;
    if (t.defined() && tangent.defined()) t = detail::with_tangent(t, tangent, guard.level());
  });
  auto result = [&] {
    ForwardModeGuard forward(guard.level().depth);
    return std::apply(f, std::as_const(own));
  }();
  auto primal = [&](const Tensor& t) { return detail::primal_of(t, guard.level()); };
  auto tangent = [&](const Tensor& t) { return detail::tangent_of(t, guard.level()); };
  if constexpr (detail::has_aux_v<F>)
    return std::tuple(detail::map_tree(result.first, primal), detail::map_tree(result.first, tangent),
                      detail::map_tree(result.second, primal));
  else
    return std::pair(detail::map_tree(result, primal), detail::map_tree(result, tangent));
}
/// The same for one argument.
template <class F>
auto jvp(F&& f, const Tensor& primal, const Tensor& tangent) {
  return jvp(f, std::tuple(primal), std::tuple(tangent));
}

/// What random numbers are along the columns of a Jacobian.
struct JacfwdOptions {
  Randomness randomness = Randomness::Same;
};

namespace detail {
template <class F, std::size_t... I>
class Jacfwd {
 public:
  Jacfwd(F f, JacfwdOptions options) : f_(std::move(f)), options_(options) {}

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(((I < sizeof...(A)) && ...), "tenon: jacfwd is asked for an argument that the call does not have");
    std::tuple<A...> own{args...};
    std::tuple<const A&...> given{args...};
    std::vector<Tensor> xs;
    std::int64_t all = 0, before = 0;
    auto changes = []<class T>(const T&, const Tensor& t) { return takes_gradient(t) || std::is_same_v<T, Tensor>; };
    auto collect = [&](const auto& tree) {
      for (const Tensor& t : tensors_of(tree))
        if (changes(tree, t)) {
          xs.push_back(t);
          all += t.numel();
        }
    };
    (collect(std::get<I>(given)), ...);
    LevelGuard directions(LevelKind::Batch, all, options_.randomness, true);
    std::vector<Tensor> along;
    for (const Tensor& x : xs) {
      along.push_back(make_batched(directions_among(x, before, all), directions.level()));
      before += x.numel();
    }
    LevelGuard tangents(LevelKind::Tangent);
    std::size_t next = 0;
    auto enter = [&](auto& tree) {
      tree = map_tree(tree, [&](const Tensor& t) {
        return changes(tree, t) ? with_tangent(t, along.at(next++), tangents.level()) : t;
      });
    };
    (enter(std::get<I>(own)), ...);
    auto result = [&] {
      ForwardModeGuard forward(tangents.level().depth);
      return std::apply(f_, std::as_const(own));
    }();
    auto columns = [&](const Tensor& y) {
      std::vector<Tensor> found(xs.size());
      if (y.defined()) found = jacobian_columns(y, xs, directions.level(), tangents.level());
      std::size_t at = 0;
      return one_or_all(
          std::tuple<std::tuple_element_t<I, std::tuple<A...>>...>{jacobian_tree(std::get<I>(given), found, at)...});
    };
    if constexpr (has_aux_v<F>) {
      auto jacobians = grown_tree(result.first, columns);
      return std::pair(std::move(jacobians), map_tree(result.second, [&](const Tensor& t) {
                         return beside(t, directions.level(), tangents.level());
                       }));
    } else {
      return grown_tree(result, columns);
    }
  }

 private:
  mutable F f_;
  JacfwdOptions options_;
};
}  // namespace detail

/// The Jacobian of `f` with respect to its arguments number I (the first if none is named), column by column: all
/// columns by one vmap of its jvp. Shapes, forms and has_aux(): as jacrev(). Better than that where `f` returns more
/// numbers than it takes. `f` sees the same random numbers in all columns unless the options refuse them or draw them
/// for each. Errors: RandomnessError where they refuse. Source: torch.func.jacfwd of PyTorch 2.15, which refuses.
template <std::size_t... I, class F>
auto jacfwd(F&& f, JacfwdOptions options = {}) {
  if constexpr (sizeof...(I) == 0)
    return detail::Jacfwd<std::decay_t<F>, 0>(static_cast<F&&>(f), options);
  else
    return detail::Jacfwd<std::decay_t<F>, I...>(static_cast<F&&>(f), options);
}

/// The second derivatives of `f` with respect to its arguments number I: forward over reverse mode. A tree of trees
/// for each tensor that `f` returns: of shape (result's size, first tensor's size, second tensor's size). A struct's
/// are a std::map from the names of its tensors to structs.
/// Source: torch.func.hessian of PyTorch 2.15.
template <std::size_t... I, class F>
auto hessian(F&& f) {
  return jacfwd<I...>(jacrev<I...>(static_cast<F&&>(f)));
}

/// The result of a function, and its change along any directions, without running it again.
template <class R, class... A>
class Linearized {
 public:
  template <class F>
  Linearized(F& f, const A&... args) {
    std::vector<Tensor> entered;
    std::tuple<A...> own{detail::entered_tree(pass_, args, entered)...};
    arguments_ = detail::places_of(own);
    detail::RecordedFunctionGuard recorded;
    R result = std::apply(f, std::as_const(own));
    value = detail::map_tree(result, [&](const Tensor& t) { return pass_.leave(t); });
    linear_.emplace(pass_, detail::tensors_of(result), entered);
  }
  /// How the result changes along the tangents of all arguments; undefined ones and those of integers count nothing.
  /// Errors: as of jvp().
  R operator()(const A&... tangents) const {
    std::vector<Tensor> along = detail::directions_for(arguments_, detail::places_of(std::tuple<A...>(tangents...))),
                        found = linear_->along(pass_, along);
    std::size_t next = 0;
    return detail::map_tree(value, [&](const Tensor&) { return found.at(next++); });
  }

  R value;

 private:
  ReversePass pass_;
  nn::NamedTensors arguments_;
  std::optional<detail::Linear> linear_;
};

/// Runs `f` once; a call of what is returned gives Jacobian-vector products there.
/// Source: torch.func.linearize of PyTorch 2.15.
template <class F, class... A>
auto linearize(F&& f, const A&... args) {
  return Linearized<detail::result_of_t<F, A...>, A...>(f, args...);
}

}  // namespace tenon::func
