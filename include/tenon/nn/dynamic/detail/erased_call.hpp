// The call of a module whose type is known, with arguments whose types are found at run time.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/hooks.hpp>
#include <tenon/nn/dynamic/module_call.hpp>
#include <tenon/nn/recurrent.hpp>

namespace tenon::nn::detail {

/// The parameters of one way to call a module, without const and reference.
template <class... P>
struct CallForm {};

template <class F>
struct form_of {
  using type = CallForm<>;
};
template <class R, class... P>
struct form_of<R (*)(P...)> {
  using type = CallForm<std::remove_cvref_t<P>...>;
};
template <class R, class M, class... P>
struct form_of<R (M::*)(P...)> : form_of<R (*)(P...)> {};
template <class R, class M, class... P>
struct form_of<R (M::*)(P...) const> : form_of<R (*)(P...)> {};
template <class R, class M, class... P>
struct form_of<R (M::*)(P...) noexcept> : form_of<R (*)(P...)> {};
template <class R, class M, class... P>
struct form_of<R (M::*)(P...) const noexcept> : form_of<R (*)(P...)> {};

/// The only way to call a module; none where there are several.
template <class M>
struct only_form : form_of<M> {};
template <class M>
  requires requires { &M::operator(); }
struct only_form<M> : form_of<decltype(&M::operator())> {};
template <class M>
  requires(
      !requires { &M::operator(); } && requires { &M::forward; })
struct only_form<M> : form_of<decltype(&M::forward)> {};
template <class M>
struct only_form<Hooked<M>> : only_form<M> {};

/// Whether an argument of type S stands for a parameter of type P: no number is cut.
template <class S, class P>
inline constexpr bool stands_for = std::is_convertible_v<const S&, P> &&
                                   (std::is_same_v<S, bool> ||
                                    !std::is_same_v<P, bool>)&&(!std::is_floating_point_v<S> ||
                                                                std::is_floating_point_v<P> ||
                                                                std::is_same_v<P, std::optional<S>>);

/// Whether an argument is a P, or stands for one.
template <class P, class... S>
bool is_argument(const CallValue& value, const CallForm<S...>&) {
  return value.as<P>() || ((stands_for<S, P> && value.as<S>()) || ...);
}
template <class P, class... S>
P argument_as(const CallValue& value, const CallForm<S...>&) {
  if (const P* same = value.as<P>()) return *same;
  std::optional<P> out;
  auto try_as = [&]<class T>(const T* other) {
    if constexpr (stands_for<T, P>)
      if (other) out.emplace(static_cast<P>(*other));
  };
  (try_as(value.as<S>()), ...);
  return *std::move(out);
}
/// What may stand for something else.
using ConvertedArguments =
    CallForm<Tensor, bool, int, std::int64_t, double, const char*, std::string, std::vector<std::int64_t>>;

using TakeResult = std::function<void(CallValue result)>;

/// Calls a module with the first parameters of a form, if it can be and the arguments are such.
template <class M, class... P, std::size_t... At>
bool call_as(M& module, const CallForm<P...>&, std::index_sequence<At...>, const std::vector<CallValue>& arguments,
             const TakeResult& take) {
  using All = std::tuple<P...>;
  if constexpr (requires(const std::tuple_element_t<At, All>&... x) { run(module, x...); }) {
    constexpr ConvertedArguments converted{};
    if (arguments.size() != sizeof...(At) ||
        !(is_argument<std::tuple_element_t<At, All>>(arguments[At], converted) && ...))
      return false;
    auto call = [&](const auto&... x) -> decltype(auto) { return run(module, x...); };
    if constexpr (!std::is_void_v<decltype(call(std::declval<const std::tuple_element_t<At, All>&>()...))>) {
      auto result = call(argument_as<std::tuple_element_t<At, All>>(arguments[At], converted)...);
      take(CallValue(result));
      return true;
    }
  }
  return false;
}
template <class M, class... P>
bool call_with(M& module, const CallForm<P...>& form, const std::vector<CallValue>& arguments, const TakeResult& take) {
  return [&]<std::size_t... Less>(std::index_sequence<Less...>) {
    return (call_as(module, form, std::make_index_sequence<sizeof...(P) - Less>(), arguments, take) || ...);
  }
  (std::make_index_sequence<sizeof...(P) + 1>());
}
/// Calls a module in the only way that it has, or else with tensors or as a layer of this library can be called.
/// False, before it is called, if the arguments fit none.
template <class M>
bool call_erased(void* module, const std::vector<CallValue>& arguments, const TakeResult& take) {
  M& m = *static_cast<M*>(module);
  auto try_each = [&](const auto&... forms) { return (call_with(m, forms, arguments, take) || ...); };
  using State = std::tuple<Tensor, Tensor>;
  return try_each(typename only_form<M>::type(),
                  CallForm<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor>(), CallForm<Tensor, State>(),
                  CallForm<PackedSequence, Tensor>(), CallForm<PackedSequence, State>(),
                  CallForm<Tensor, Tensor, double>(), CallForm<Tensor, Tensor, IntArrayRef, IntArrayRef>());
}

}  // namespace tenon::nn::detail
