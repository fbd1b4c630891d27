// Options of a factory's call that are no arguments of its schema: `"requires_grad"_a = true`, and TensorOptions.
#pragma once
#include <tuple>

#include <tenon/library/operator.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon::detail {

template <class G>
consteval bool is_leaf_keyword() {
  if constexpr (is_keyword_v<G>)
    return G::name() == "requires_grad";
  else
    return false;
}
template <class G>
inline constexpr bool is_factory_option_v = is_leaf_keyword<G>() || std::is_same_v<G, TensorOptions>;

/// Whether an operator makes a tensor from options.
template <class Op>
consteval bool is_factory() {
  if constexpr (parsed_v<Op>.head.ok()) {
    constexpr schema::SchemaView s = view_of<Op>();
    for (std::size_t i = 0; i < s.n_args(); ++i)
      if (s.arg_name(i) == "pin_memory") return true;
  }
  return false;
}

/// An argument as the operator's own arguments; notes whether a leaf is wanted.
template <class G>
auto own_arguments(G&& x, bool& leaf) {
  using T = std::remove_cvref_t<G>;
  if constexpr (std::is_same_v<T, TensorOptions>) {
    leaf = leaf || x.requires_grad();
    return std::make_tuple(keyword_value<"dtype", std::optional<ScalarType>>{x.dtype()},
                           keyword_value<"layout", std::optional<Layout>>{x.layout()},
                           keyword_value<"device", std::optional<Device>>{x.device()},
                           keyword_value<"pin_memory", std::optional<bool>>{x.pinned_memory()});
  } else if constexpr (is_leaf_keyword<T>()) {
    leaf = x.value;
    return std::tuple<>();
  } else
    return std::forward_as_tuple(static_cast<G&&>(x));
}
/// Calls a factory without these options, and makes its result what they say.
template <class Call, class... G>
Tensor call_factory(G&&... args) {
  bool leaf = false;
  auto all = std::tuple_cat(own_arguments(static_cast<G&&>(args), leaf)...);
  Tensor out = std::apply([](auto&&... given) -> Tensor { return Call::run(static_cast<decltype(given)>(given)...); },
                          std::move(all));
  if (leaf) out.set_requires_grad(true);
  return out;
}

}  // namespace tenon::detail
