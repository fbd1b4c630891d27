// Derivatives of functions as functions: grad, vjp, jacrev.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/func/has_aux.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/func/tree.hpp>

namespace tenon::func {

namespace detail {

/// What a function that is differentiated returns: a tensor of one element, or a pair of one and anything else.
Tensor one_element(const Tensor& value);
Tensor ones_of(const Tensor& like);
Tensor or_zeros(const Tensor& gradient, const Tensor& of);
/// The Jacobians of `y` with respect to tensors that entered, each of size (y's size, x's size), by at most `chunk`
/// rows at once.
std::vector<Tensor> jacobian_rows(const ReversePass& pass, const Tensor& y, const std::vector<Tensor>& entered,
                                  std::optional<std::int64_t> chunk);
void check_chunk(std::optional<std::int64_t> chunk_size);
/// Throws ValueError, of `what` in `function`, unless two trees have tensors in the same places.
void check_places(const char* function, const char* what, const nn::NamedTensors& expected,
                  const nn::NamedTensors& got);
/// The defined tensors of a result in `results`, and their weights. Throws ValueError unless there is one for each.
std::vector<Tensor> weights_for(const nn::NamedTensors& result, const nn::NamedTensors& weights,
                                std::vector<Tensor>& results);
bool takes_gradient(const Tensor& t);

/// While the function of a pass runs: what it computes is recorded.
class RecordedFunctionGuard {
 public:
  RecordedFunctionGuard() { recorded_functions = recorded_functions + 1; }
  RecordedFunctionGuard(const RecordedFunctionGuard&) = delete;
  RecordedFunctionGuard& operator=(const RecordedFunctionGuard&) = delete;
  ~RecordedFunctionGuard() { recorded_functions = recorded_functions - 1; }

 private:
  EnableGradGuard grad_;
};

/// A tree whose tensors entered a pass; those of integers stay.
template <class T>
T entered_tree(ReversePass& pass, const T& tree, std::vector<Tensor>& entered) {
  return map_tree(tree, [&](const Tensor& t) {
    if (!takes_gradient(t)) return t;
    entered.push_back(pass.enter(t));
    return entered.back();
  });
}
template <class T>
T gradient_tree(const T& tree, const std::vector<Tensor>& gradients, std::size_t& next) {
  return map_tree(tree, [&](const Tensor& t) { return takes_gradient(t) ? or_zeros(gradients.at(next++), t) : t; });
}
/// A tree with its Jacobians in the places of the tensors that have one.
template <class T>
T jacobian_tree(const T& tree, const std::vector<Tensor>& jacobians, std::size_t& next) {
  return map_tree(
      tree, [&](const Tensor& t) { return takes_gradient(t) || std::is_same_v<T, Tensor> ? jacobians.at(next++) : t; });
}

template <bool WithValue, class F, std::size_t... I>
class Gradient {
 public:
  explicit Gradient(F f) : f_(std::move(f)) {}

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(((I < sizeof...(A)) && ...), "tenon: grad is asked for an argument that the call does not have");
    using R = result_of_t<F, A...>;
    std::tuple<A...> own{args...};
    std::tuple<const A&...> given{args...};
    ReversePass pass;
    std::vector<Tensor> entered;
    ((std::get<I>(own) = entered_tree(pass, std::get<I>(own), entered)), ...);
    R result = [&] {
      detail::RecordedFunctionGuard recorded;
      return std::apply(f_, std::as_const(own));
    }();
    Tensor value;
    if constexpr (std::is_same_v<R, Tensor>)
      value = one_element(result);
    else
      value = one_element(std::get<0>(result));
    std::vector<Tensor> found = pass.gradients({value}, {ones_of(value)}, entered, false);
    std::size_t next = 0;
    // Braces keep the order.
    auto gradients = one_or_all(
        std::tuple<std::tuple_element_t<I, std::tuple<A...>>...>{gradient_tree(std::get<I>(given), found, next)...});
    if constexpr (WithValue)
      return std::pair(std::move(gradients), map_tree(result, [&](const Tensor& t) { return pass.leave(t); }));
    else if constexpr (std::is_same_v<R, Tensor>)
      return gradients;
    else
      return std::pair(std::move(gradients),
                       map_tree(std::get<1>(result), [&](const Tensor& t) { return pass.leave(t); }));
  }

 private:
  mutable F f_;
};
/// By the first argument if none is named.
template <bool WithValue, std::size_t... I, class F>
auto gradient(F&& f) {
  if constexpr (sizeof...(I) == 0)
    return Gradient<WithValue, std::decay_t<F>, 0>(static_cast<F&&>(f));
  else
    return Gradient<WithValue, std::decay_t<F>, I...>(static_cast<F&&>(f));
}

}  // namespace detail

/// The gradient of `f`, a function of tensors, with respect to its arguments number I (the first if none is named):
/// a function of the same arguments that returns what it differentiates, one tree or a tuple of them, with gradients
/// in the places of its tensors of floating or complex numbers; zeros where `f` does not depend on one.
/// `f` returns a tensor of one element; or a pair of one and anything else, and then so does the gradient.
/// What `f` computes with and does not take as an argument is constant, and may itself be differentiated outside.
/// Source: torch.func.grad of PyTorch 2.15.
template <std::size_t... I, class F>
auto grad(F&& f) {
  return detail::gradient<false, I...>(static_cast<F&&>(f));
}
/// As grad(), but the function returns a pair: the gradient, and what `f` returned.
template <std::size_t... I, class F>
auto grad_and_value(F&& f) {
  return detail::gradient<true, I...>(static_cast<F&&>(f));
}

/// The result of a function, and the products of its Jacobian with weights of that result.
template <class R, class... A>
class Vjp {
 public:
  template <class F>
  Vjp(F&& f, const A&... args) : args_(args...) {
    std::tuple<A...> own{detail::entered_tree(pass_, args, entered_)...};
    detail::RecordedFunctionGuard recorded;
    result_ = std::apply(f, std::as_const(own));
    value = leave(result_);
  }

  /// What the arguments' gradients are if the result's are `weights`: a tree like the argument, or a tuple of them.
  /// May be called any number of times, also by vmap. Errors: ValueError unless each tensor of the result has a weight.
  auto operator()(const R& weights) const {
    std::vector<Tensor> results,
        given = detail::weights_for(detail::places_of(result_), detail::places_of(weights), results),
        found = pass_.gradients(results, given, entered_);
    std::size_t next = 0;
    return detail::one_or_all(std::apply(
        [&](const A&... args) { return std::tuple<A...>{detail::gradient_tree(args, found, next)...}; }, args_));
  }

  R value;

 protected:
  template <class T>
  T leave(const T& tree) const {
    return detail::map_tree(tree, [&](const Tensor& t) { return pass_.leave(t); });
  }

 private:
  ReversePass pass_;
  std::tuple<A...> args_;
  std::vector<Tensor> entered_;
  R result_;
};

/// The same of a function of has_aux(), with what else that returned.
template <class R, class Aux, class... A>
class VjpWithAux : public Vjp<R, A...> {
 public:
  template <class F>
  explicit VjpWithAux(F&& f, const A&... args) : VjpWithAux(std::optional<Aux>(), f, args...) {}

  Aux aux;

 private:
  template <class F>
  VjpWithAux(std::optional<Aux> more, F& f, const A&... args)
      : Vjp<R, A...>(
            [&](const A&... own) {
              auto both = f(own...);
              more = std::move(both.second);
              return std::move(both.first);
            },
            args...),
        aux(this->leave(*more)) {}
};

/// Runs `f`; the result is in `value`, and a call of what is returned gives vector-Jacobian products. If `f` is of
/// has_aux(), what else it returned is in `aux`.
/// Source: torch.func.vjp of PyTorch 2.15.
template <class F, class... A>
auto vjp(F&& f, const A&... args) {
  using R = detail::result_of_t<F, A...>;
  if constexpr (detail::has_aux_v<F>)
    return VjpWithAux<typename R::first_type, typename R::second_type, A...>(f, args...);
  else
    return Vjp<R, A...>(f, args...);
}

/// How jacrev() computes.
struct JacrevOptions {
  /// At most so many rows at once: memory for them against time. Nothing: all rows of a tensor.
  std::optional<std::int64_t> chunk_size = std::nullopt;
};

namespace detail {
template <class F, std::size_t... I>
class Jacrev {
 public:
  Jacrev(F f, const JacrevOptions& options) : f_(std::move(f)), options_(options) { check_chunk(options.chunk_size); }

  template <class... A>
  auto operator()(const A&... args) const {
    static_assert(((I < sizeof...(A)) && ...), "tenon: jacrev is asked for an argument that the call does not have");
    std::tuple<A...> own{args...};
    std::tuple<const A&...> given{args...};
    ReversePass pass;
    std::vector<Tensor> entered;
    auto enter = [&]<class T>(T& argument) {
      if constexpr (std::is_same_v<T, Tensor>)  // integers are refused
        entered.push_back(argument = pass.enter(argument));
      else
        argument = entered_tree(pass, argument, entered);
    };
    (enter(std::get<I>(own)), ...);
    auto result = [&] {
      RecordedFunctionGuard recorded;
      return std::apply(f_, std::as_const(own));
    }();
    auto rows = [&](const Tensor& y) {
      std::vector<Tensor> found(entered.size());
      if (y.defined()) found = jacobian_rows(pass, y, entered, options_.chunk_size);
      std::size_t next = 0;
      return one_or_all(
          std::tuple<std::tuple_element_t<I, std::tuple<A...>>...>{jacobian_tree(std::get<I>(given), found, next)...});
    };
    if constexpr (has_aux_v<F>) {
      auto jacobians = grown_tree(result.first, rows);
      return std::pair(std::move(jacobians), map_tree(result.second, [&](const Tensor& t) { return pass.leave(t); }));
    } else {
      return grown_tree(result, rows);
    }
  }

 private:
  mutable F f_;
  JacrevOptions options_;
};
}  // namespace detail

/// The Jacobian of `f` with respect to its arguments number I (the first if none is named), row by row: all rows of a
/// tensor by one vmap of its vjp. In the place of each tensor that `f` returns stands what is differentiated, one tree
/// or a tuple of them, with Jacobians for its tensors of floating or complex numbers, of shape (result's size, tensor's
/// size). The results of `f` keep their form (see detail::grown_tree for structs and lists of trees).
/// If `f` is of has_aux(), a pair: the Jacobian, and what else `f` returned.
/// Errors: TypeError for a tensor of integers as the argument; ValueError for a `chunk_size` below 1.
/// Source: torch.func.jacrev of PyTorch 2.15.
template <std::size_t... I, class F>
auto jacrev(F&& f, const JacrevOptions& options = {}) {
  if constexpr (sizeof...(I) == 0)
    return detail::Jacrev<std::decay_t<F>, 0>(static_cast<F&&>(f), options);
  else
    return detail::Jacrev<std::decay_t<F>, I...>(static_cast<F&&>(f), options);
}

/// Runs a module's call, or `forward`, with other tensors in the places of some of its own, by their names. Afterwards
/// the module has its own again.
/// Errors: ValueError for a name that the module does not have.
/// Source: torch.func.functional_call of PyTorch 2.15.
template <class M, class... A>
auto functional_call(const M& module, const nn::NamedTensors& tensors, const A&... args) {
  M own = module;
  std::vector<std::pair<Tensor*, Tensor>> before;
  for (const auto& tensor : tensors) {
    const std::string& name = tensor.first;  // no structured binding: Clang 14 does not capture those
    std::size_t known = before.size();
    auto visit = [&](const std::string& path, auto& field) {
      if (path != name) return;
      before.emplace_back(&field, field);
      static_cast<Tensor&>(field) = tensor.second;
    };
    nn::detail::walk(own, {}, visit);
    TENON_CHECK(before.size() != known, ValueError, "functional_call: the module has no tensor '", name, "'");
  }
  // What pointers lead to is the module's own.
  struct Restore {
    std::vector<std::pair<Tensor*, Tensor>>& list;
    ~Restore() {
      for (auto it = list.rbegin(); it != list.rend(); ++it) *it->first = it->second;
    }
  } restore{before};
  if constexpr (requires { own(args...); })
    return own(args...);
  else
    return own.forward(args...);
}

}  // namespace tenon::func
