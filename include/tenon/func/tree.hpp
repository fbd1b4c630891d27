// Trees of tensors: what transformed functions take and return.
#pragma once
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
template <class T>
std::size_t append_tensors(const T& tree, std::vector<Tensor>& found) {
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
/// The same tree with other tensors in the places of the defined ones.
template <class T, class F>
T map_tree(const T& tree, F&& f) {
  T out = tree;
  for_tensors(out, [&](Tensor& t) {
    if (t.defined()) t = f(std::as_const(t));
  });
  return out;
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
