// Derivatives of functions as functions: grad, vjp, jacrev.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/func/tree.hpp>

namespace tenon::func {

namespace detail {

/// What a function that is differentiated returns: a tensor of one element, or a pair of one and anything else.
Tensor one_element(const Tensor& value);
Tensor ones_of(const Tensor& like);
Tensor or_zeros(const Tensor& gradient, const Tensor& of);
/// The Jacobian of `y` with respect to `x`, of size (y's size, x's size).
Tensor jacobian_rows(const ReversePass& pass, const Tensor& y, const Tensor& entered);
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
template <std::size_t... I>
constexpr bool is_among(std::size_t i) {
  return ((i == I) || ...);
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
  Vjp(F& f, const A&... args) : args_(args...) {
    std::tuple<A...> own{detail::entered_tree(pass_, args, entered_)...};
    detail::RecordedFunctionGuard recorded;
    result_ = std::apply(f, std::as_const(own));
    value = detail::map_tree(result_, [&](const Tensor& t) { return pass_.leave(t); });
  }

  /// What the arguments' gradients are if the result's are `weights`: a tree like the argument, or a tuple of them.
  /// May be called any number of times, also by vmap.
  auto operator()(const R& weights) const {
    std::vector<Tensor> found = pass_.gradients(detail::tensors_of(result_), detail::tensors_of(weights), entered_);
    std::size_t next = 0;
    return detail::one_or_all(std::apply(
        [&](const A&... args) { return std::tuple<A...>{detail::gradient_tree(args, found, next)...}; }, args_));
  }

  R value;

 private:
  ReversePass pass_;
  std::tuple<A...> args_;
  std::vector<Tensor> entered_;
  R result_;
};

/// Runs `f`; the result is in `value`, and a call of what is returned gives vector-Jacobian products.
/// Source: torch.func.vjp of PyTorch 2.15.
template <class F, class... A>
auto vjp(F&& f, const A&... args) {
  return Vjp<detail::result_of_t<F, A...>, A...>(f, args...);
}

/// The Jacobian of `f` with respect to its argument number I, a tensor, row by row: all rows by one vmap of its vjp.
/// Shapes: (result's size, argument's size), in the place of each tensor that `f` returns.
/// Source: torch.func.jacrev of PyTorch 2.15.
template <std::size_t I = 0, class F>
auto jacrev(F&& f) {
  return [f = std::decay_t<F>(static_cast<F&&>(f))](const auto&... args) mutable {
    std::tuple<std::remove_cvref_t<decltype(args)>...> own{args...};
    ReversePass pass;
    std::get<I>(own) = pass.enter(std::get<I>(own));
    auto result = [&] {
      detail::RecordedFunctionGuard recorded;
      return std::apply(f, std::as_const(own));
    }();
    return detail::map_tree(result, [&](const Tensor& y) { return detail::jacobian_rows(pass, y, std::get<I>(own)); });
  };
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
