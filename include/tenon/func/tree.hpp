// Trees of tensors: what transformed functions take and return.
#pragma once
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>

namespace tenon::func::detail {

/// Calls `f` with every tensor in a tensor, an optional, a container, a map, a pair, a tuple, a module or another plain
/// struct, at any depth; undefined ones too. Values that hold no tensors are passed over.
template <class T, class F>
void for_tensors(T& tree, F&& f) {
  auto visit = [&](const std::string&, auto& t) { f(static_cast<Tensor&>(t)); };
  nn::detail::walk(tree, {}, visit);
}
/// The defined tensors of a tree, in order, behind others; how many there are.
template <class T, class Found>
std::size_t append_tensors(const T& tree, Found& found) {
  std::size_t before = found.size();
  auto visit = [&](const std::string&, const Tensor& t) {
    if (t.defined()) found.push_back(t);
  };
  nn::detail::walk(tree, {}, visit);
  return found.size() - before;
}
template <class T>
std::vector<Tensor> tensors_of(const T& tree) {
  std::vector<Tensor> found;
  append_tensors(tree, found);
  return found;
}
template <class T>
std::size_t count_tensors(const T& tree) {
  std::size_t n = 0;
  auto visit = [&](const std::string&, const Tensor& t) { n += t.defined(); };
  nn::detail::walk(tree, {}, visit);
  return n;
}
/// Every tensor of a tree by its place, undefined ones too.
template <class T>
nn::NamedTensors places_of(const T& tree) {
  nn::NamedTensors found;
  auto visit = [&](const std::string& name, const Tensor& t) { found.emplace_back(name, t); };
  nn::detail::walk(tree, {}, visit);
  return found;
}
/// The same tree with other tensors in the places of the defined ones.
template <class T, class F>
T map_tree(const T& tree, F&& f) {
  if constexpr (std::is_same_v<T, Tensor>)
    if (tree.defined()) return f(tree);
  T out = tree;
  for_tensors(out, [&](Tensor& t) {
    if (t.defined()) t = f(std::as_const(t));
  });
  return out;
}

/// A tree with `at(tensor)`, a tree itself, in the place of each tensor, undefined ones too: the same type where that
/// is a tensor. Else lists become vectors, maps std::maps, and what may be absent an optional; a struct, whose fields
/// cannot hold trees, becomes a std::map by the names of its tensors.
template <class T, class F>
auto grown_tree(const T& tree, F& at) {
  using X = std::remove_cvref_t<std::invoke_result_t<F&, const Tensor&>>;
  if constexpr (std::is_base_of_v<Tensor, T>) {
    return X(at(tree));
  } else if constexpr (std::is_same_v<X, Tensor>) {
    T out = tree;
    for_tensors(out, [&](Tensor& t) {
      if (t.defined()) t = at(std::as_const(t));
    });
    return out;
  } else if constexpr (nn::detail::map_by_name<T>) {
    std::map<std::string, decltype(grown_tree(tree.begin()->second, at))> out;
    for (const auto& [name, item] : tree) out.emplace(name, grown_tree(item, at));
    return out;
  } else if constexpr (nn::detail::is_list<T>) {
    std::vector<decltype(grown_tree(*tree.begin(), at))> out;
    for (const auto& item : tree) out.push_back(grown_tree(item, at));
    return out;
  } else if constexpr (nn::detail::is_holder<T>) {
    std::optional<decltype(grown_tree(*tree, at))> out;
    if (tree) out.emplace(grown_tree(*tree, at));
    return out;
  } else if constexpr (requires { typename T::first_type; }) {
    auto first = grown_tree(tree.first, at);
    return std::pair(std::move(first), grown_tree(tree.second, at));
  } else if constexpr (nn::detail::is_tuple<T>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      // Braces keep the order.
      return std::tuple<decltype(grown_tree(std::get<I>(tree), at))...>{grown_tree(std::get<I>(tree), at)...};
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (nn::named_fields<T> || nn::detail::plain_struct<T>) {
    std::map<std::string, X> out;
    auto visit = [&](const std::string& name, const Tensor& t) { out.emplace(name, at(t)); };
    nn::detail::walk(tree, {}, visit);
    return out;
  } else {
    return tree;
  }
}

/// One value as itself, several as a tuple.
template <class T>
T one_or_all(std::tuple<T> all) {
  return std::get<0>(std::move(all));
}
template <class... T>
  requires(sizeof...(T) != 1)
std::tuple<T...> one_or_all(std::tuple<T...> all) { return all; }

template <class F, class... A>
using result_of_t = std::remove_cvref_t<std::invoke_result_t<F&, const A&...>>;

}  // namespace tenon::func::detail
