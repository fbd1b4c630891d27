// Options of a factory's call that are no arguments of its schema: `"requires_grad"_a = true`, and TensorOptions.
#pragma once
#include <tuple>

#include <tenon/library/operator.hpp>
#include <tenon/tensor/tensor_options.hpp>

namespace tenon::detail {

template <class... Ops>
struct operator_list;

template <class G>
consteval bool is_leaf_keyword() {
  if constexpr (is_keyword_v<G>)
    return G::name() == "requires_grad";
  else
    return false;
}
template <class G>
inline constexpr bool is_factory_option_v = is_leaf_keyword<G>() || std::is_same_v<G, TensorOptions>;

template <class Op>
consteval bool has_argument(std::string_view name) {
  if constexpr (parsed_v<Op>.head.ok()) {
    constexpr schema::SchemaView s = view_of<Op>();
    for (std::size_t i = 0; i < s.n_args(); ++i)
      if (s.arg_name(i) == name) return true;
  }
  return false;
}
/// Whether an operator makes a tensor from options.
template <class Op>
consteval bool is_factory() {
  return has_argument<Op>("pin_memory");
}

[[noreturn, gnu::cold]] inline void refuse_format(bool given_twice) {
  if (given_twice)
    fail<ValueError>(
        "Cannot set memory_format both in TensorOptions and explicit argument; please delete the redundant setter.");
  fail<ValueError>("memory_format of TensorOptions: this function makes tensors in row-major order only");
}
/// How a call takes a memory format among its options: as the operator's own argument, unless that is given too.
enum class FormatOption { Passed, GivenTwice, None };
template <class List, class... G>
struct format_option;
template <class... Ops, class... G>
struct format_option<operator_list<Ops...>, G...> {
  template <class T>
  static consteval bool gives_format() {
    if constexpr (is_keyword_v<T>)
      return T::name() == "memory_format";
    else
      return false;
  }
  static constexpr FormatOption value = !(has_argument<Ops>("memory_format") || ...)      ? FormatOption::None
                                        : (gives_format<std::remove_cvref_t<G>>() || ...) ? FormatOption::GivenTwice
                                                                                          : FormatOption::Passed;
};

/// An argument as the operator's own arguments; notes whether a leaf is wanted.
template <FormatOption Format, class G>
auto own_arguments(G&& x, bool& leaf) {
  using T = std::remove_cvref_t<G>;
  if constexpr (std::is_same_v<T, TensorOptions>) {
    leaf = leaf || x.requires_grad();
    auto own = std::make_tuple(keyword_value<"dtype", std::optional<ScalarType>>{x.dtype()},
                               keyword_value<"layout", std::optional<Layout>>{x.layout()},
                               keyword_value<"device", std::optional<Device>>{x.device()},
                               keyword_value<"pin_memory", std::optional<bool>>{x.pinned_memory()});
    using format = std::optional<MemoryFormat>;
    if constexpr (Format == FormatOption::Passed) {
      return std::tuple_cat(own, std::make_tuple(keyword_value<"memory_format", format>{x.memory_format()}));
    } else {
      if (x.memory_format()) refuse_format(Format == FormatOption::GivenTwice);
      return own;
    }
  } else if constexpr (is_leaf_keyword<T>()) {
    leaf = x.value;
    return std::tuple<>();
  } else
    return std::forward_as_tuple(static_cast<G&&>(x));
}
/// Calls a factory, of operators in a list, without these options, and makes its result what they say.
template <class Call, class List, class... G>
Tensor call_factory(G&&... args) {
  bool leaf = false;
  constexpr FormatOption format = format_option<List, G...>::value;
  auto all = std::tuple_cat(own_arguments<format>(static_cast<G&&>(args), leaf)...);
  Tensor out = std::apply([](auto&&... given) -> Tensor { return Call::run(static_cast<decltype(given)>(given)...); },
                          std::move(all));
  if (leaf) out.set_requires_grad(true);
  return out;
}

}  // namespace tenon::detail
