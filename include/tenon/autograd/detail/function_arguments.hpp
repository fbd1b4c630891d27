// The tensors in what functions of one's own take and return.
#pragma once
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/tensor/tensor.hpp>

namespace tenon::autograd::detail {

template <class T>
struct tensors_in {
  static constexpr bool any = false;
  static void add(const T&, std::vector<Tensor>&, std::vector<int>& counts) { counts.push_back(-1); }
};
using TensorIterator = std::vector<Tensor>::const_iterator;
template <>
struct tensors_in<Tensor> {
  static constexpr bool any = true;
  static void add(const Tensor& t, std::vector<Tensor>& to, std::vector<int>& counts) {
    to.push_back(t);
    counts.push_back(1);
  }
  static Tensor replaced(const Tensor&, TensorIterator& from) { return *from++; }
};
template <>
struct tensors_in<std::optional<Tensor>> {
  static constexpr bool any = true;
  static void add(const std::optional<Tensor>& t, std::vector<Tensor>& to, std::vector<int>& counts) {
    to.push_back(t ? *t : Tensor());
    counts.push_back(1);
  }
  static std::optional<Tensor> replaced(const std::optional<Tensor>& t, TensorIterator& from) {
    const Tensor& now = *from++;
    return t ? std::optional<Tensor>(now) : std::nullopt;
  }
};
template <class T>
  requires(std::is_convertible_v<const T&, TensorList> && !std::is_same_v<T, Tensor>)
struct tensors_in<T> {
  static constexpr bool any = true;
  static void add(const T& list, std::vector<Tensor>& to, std::vector<int>& counts) {
    TensorList tensors = list;
    to.insert(to.end(), tensors.begin(), tensors.end());
    counts.push_back(static_cast<int>(tensors.size()));
  }
  static T replaced(const T& list, TensorIterator& from) {
    auto first = from;
    std::size_t n = TensorList(list).size();
    from += static_cast<std::ptrdiff_t>(n);
    if constexpr (std::is_constructible_v<T, TensorIterator, TensorIterator>) {
      return T(first, from);
    } else if constexpr (requires { std::tuple_size<T>::value; }) {
      T copy = list;
      std::copy(first, from, copy.begin());
      return copy;
    } else {
      return T(TensorList(n == 0 ? nullptr : &*first, n));
    }
  }
};

/// The tensors of what a forward pass returns.
template <class R>
constexpr bool is_function_result = std::is_same_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>;
template <std::size_t N>
constexpr bool is_function_result<std::array<Tensor, N>> = true;
template <class... R>
constexpr bool is_function_result<std::tuple<R...>> = (std::is_same_v<R, Tensor> || ...);
template <class R>
std::vector<Tensor*> results_in(R& result) {
  std::vector<Tensor*> list;
  if constexpr (std::is_same_v<R, Tensor>) {
    list.push_back(&result);
  } else if constexpr (requires { std::tuple_size<R>::value; }) {
    std::apply(
        [&](auto&... x) {
          auto one = [&]<class X>(X& value) {
            if constexpr (std::is_same_v<X, Tensor>) list.push_back(&value);
          };
          (one(x), ...);
        },
        result);
  } else {
    for (Tensor& t : result) list.push_back(&t);
  }
  return list;
}
template <class R>
std::vector<Tensor> gradient_list(R result) {
  if constexpr (std::is_same_v<R, std::vector<Tensor>>)
    return result;
  else if constexpr (std::is_convertible_v<R, Tensor>)
    return {Tensor(std::move(result))};
  else if constexpr (requires { std::tuple_size<R>::value; })
    return std::apply([](auto&&... x) { return std::vector<Tensor>{Tensor(std::move(x))...}; }, std::move(result));
  else
    return {};  // asserted elsewhere
}
template <class R>
constexpr bool is_gradient_list = std::is_convertible_v<R, Tensor> || std::is_same_v<R, std::vector<Tensor>>;
template <std::size_t N>
constexpr bool is_gradient_list<std::array<Tensor, N>> = true;
template <class... R>
constexpr bool is_gradient_list<std::tuple<R...>> = (std::is_convertible_v<R, Tensor> && ...);

/// The arguments of a call with other tensors; what holds none stays where it is.
template <class... A>
auto replaced_arguments(const std::vector<Tensor>& tensors, A&... args) {
  auto from = tensors.begin();
  auto one = [&]<class X>(X& arg) -> decltype(auto) {
    using T = std::remove_cv_t<X>;
    if constexpr (tensors_in<T>::any)
      return tensors_in<T>::replaced(arg, from);
    else
      return static_cast<X&>(arg);
  };
  // Braces keep the order.
  return std::tuple<decltype(one(args))...>{one(args)...};
}
template <class R>
std::vector<Tensor> copies_of_results(R& result) {
  std::vector<Tensor> list;
  for (Tensor* t : results_in(result)) list.push_back(*t);
  return list;
}

}  // namespace tenon::autograd::detail
