// Functions that take numbers in place of tensors where none of their operators does: `ops::sub(2, t)`.
#pragma once
#include <tenon/library/operators.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace detail {

template <class G>
inline constexpr bool is_number_v = std::is_convertible_v<G, Scalar> && !is_keyword_v<std::remove_cvref_t<G>>;

/// A number as a tensor that counts as one in type promotion; anything else as it is.
template <class G>
decltype(auto) number_as_tensor(G&& given) {
  if constexpr (is_number_v<G>)
    return wrapped_scalar_tensor(given);
  else
    return static_cast<G&&>(given);
}

template <class List, class... G>
struct takes;
template <class... Ops, class... G>
struct takes<operator_list<Ops...>, G...> {
  static constexpr bool value = ((fit<Ops, typename canonical_given<G>::type...>::score() >= 0) || ...);
};

}  // namespace detail

template <class Self, class Operators, bool Lists = true>
struct numbers_as_tensors : basic_overload_set<Self, Operators, Lists> {
  using set = basic_overload_set<Self, Operators, Lists>;
  using set::operator();
  // The condition trails: one in the template's head would not keep Clang 14 from hiding the set's own function.
  template <class... G>
  [[gnu::always_inline]] decltype(auto) operator()(G&&... args) const requires(detail::is_number_v<G> || ...) {
    constexpr bool keywords = (is_keyword_v<std::remove_cvref_t<G>> || ...);
    using list = typename Operators::template type<keywords>;
    if constexpr (!detail::takes<list, G...>::value &&
                  detail::takes<list, std::conditional_t<detail::is_number_v<G>, Tensor, G>...>::value)
      return set::operator()(detail::number_as_tensor(static_cast<G&&>(args))...);
    else
      return set::operator()(static_cast<G&&>(args)...);
  }
};

}  // namespace tenon

/// As TENON_OPERATORS.
#define TENON_OPERATORS_OF_NUMBERS(NAME, ...)                                                         \
  TENON_INTERNAL_SPECS(TENON_INTERNAL_TAG, all, NAME, __VA_ARGS__)                                    \
  struct NAME##_function                                                                              \
      : ::tenon::numbers_as_tensors<NAME##_function,                                                  \
                                    ::tenon::declared_operators<NAME##_function TENON_INTERNAL_SPECS( \
                                        TENON_INTERNAL_TYPE, , NAME, __VA_ARGS__)>,                   \
                                    ::tenon::detail::name_a_list(#__VA_ARGS__)> {};                   \
  inline constexpr NAME##_function NAME{};                                                            \
  TENON_INTERNAL_FUNCTION_INPLACE(NAME, __VA_ARGS__)
