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
#include <tenon/nn/loss.hpp>
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

/// Whether a number of type S is one of type P, too: no digit is lost.
template <class S, class P>
constexpr bool keeps_digits() {
  if constexpr (std::is_same_v<S, bool> || std::is_same_v<P, bool>)
    return std::is_same_v<S, P>;
  else if constexpr (std::is_integral_v<S>)
    return std::is_floating_point_v<P> || (std::is_signed_v<S> == std::is_signed_v<P> && sizeof(P) >= sizeof(S));
  else
    return std::is_floating_point_v<P> && sizeof(P) >= sizeof(S);
}
/// Whether an argument of type S stands for a parameter of type P.
template <class S, class P>
constexpr bool stands_for() {
  if constexpr (std::is_arithmetic_v<S> && std::is_arithmetic_v<P>)
    return keeps_digits<S, P>();
  else
    return std::is_convertible_v<const S&, P>;
}

/// Whether an argument is a P, or stands for one.
template <class P, class... S>
bool is_argument(const CallValue& value, const CallForm<S...>&) {
  return value.as<P>() || ((stands_for<S, P>() && value.as<S>()) || ...);
}
template <class P, class... S>
P argument_as(const CallValue& value, const CallForm<S...>&) {
  if (const P* same = value.as<P>()) return *same;
  std::optional<P> out;
  auto try_as = [&]<class T>(const T* other) {
    if constexpr (stands_for<T, P>())
      if (other) out.emplace(static_cast<P>(*other));
  };
  (try_as(value.as<S>()), ...);
  return *std::move(out);
}
/// What may stand for something else.
using ConvertedArguments = CallForm<Tensor, bool, int, std::int64_t, float, double, const char*, std::string,
                                    std::vector<std::int64_t>, std::vector<Tensor>>;

using TakeResult = std::function<void(CallValue result)>;

/// Calls a module with the first parameters of a form, if it can be and the arguments are such.
template <class M, class... P, std::size_t... At>
bool call_as(M& module, const CallForm<P...>&, std::index_sequence<At...>, const std::vector<CallValue>& arguments,
             const TakeResult& take) {
  using All = std::tuple<P...>;
  if constexpr (!(std::is_copy_constructible_v<std::tuple_element_t<At, All>> && ...)) {
    return false;  // of what cannot be copied the call has none of its own
  } else if constexpr (requires(const std::tuple_element_t<At, All>&... x) { run(module, x...); }) {
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
template <class... Form>
struct CallForms {};
/// How layers of this library can be called otherwise than with tensors alone. Nothing of the kind is tried with other
/// modules: what a template makes of it need not compile.
template <class M>
struct further_forms : std::type_identity<CallForms<>> {};
template <>
struct further_forms<RNN> : std::type_identity<CallForms<CallForm<PackedSequence, Tensor>>> {};
template <>
struct further_forms<GRU> : further_forms<RNN> {};
template <>
struct further_forms<LSTM>
    : std::type_identity<CallForms<CallForm<Tensor, LSTM::State>, CallForm<PackedSequence, LSTM::State>>> {};
template <>
struct further_forms<LSTMCell> : std::type_identity<CallForms<CallForm<Tensor, LSTM::State>>> {};
template <>
struct further_forms<GaussianNLLLoss> : std::type_identity<CallForms<CallForm<Tensor, Tensor, double>>> {};
template <>
struct further_forms<CTCLoss> : std::type_identity<CallForms<CallForm<Tensor, Tensor, IntArrayRef, IntArrayRef>>> {};
template <class M>
struct further_forms<Hooked<M>> : further_forms<M> {};

/// Calls a module in the only way that it has, or else with tensors or as a layer of this library can be called.
/// False, before it is called, if the arguments fit none.
template <class M>
bool call_erased(void* module, const std::vector<CallValue>& arguments, const TakeResult& take) {
  M& m = *static_cast<M*>(module);
  auto try_each = [&]<class... Form>(CallForms<Form...>) { return (call_with(m, Form(), arguments, take) || ...); };
  return try_each(CallForms<typename only_form<M>::type,
                            CallForm<Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor, Tensor>>()) ||
         try_each(typename further_forms<M>::type());
}

}  // namespace tenon::nn::detail
