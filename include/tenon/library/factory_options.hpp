// Options of a factory's call that are no arguments of its schema: `"requires_grad"_a = true`, and TensorOptions.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

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
  if constexpr (is_well_formed_v<Op>) {
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

/// Calls `f` with an argument as the operator's own arguments; notes whether a leaf is wanted.
template <FormatOption Format, class G, class F>
Tensor with_own_arguments(G&& x, bool& leaf, F f) {
  using T = std::remove_cvref_t<G>;
  if constexpr (std::is_same_v<T, TensorOptions>) {
    leaf = leaf || x.requires_grad();
    auto call = [&](auto... format) {
      return f(keyword_value<"dtype", std::optional<ScalarType>>{x.dtype()},
               keyword_value<"layout", std::optional<Layout>>{x.layout()},
               keyword_value<"device", std::optional<Device>>{x.device()},
               keyword_value<"pin_memory", std::optional<bool>>{x.pinned_memory()},
               static_cast<decltype(format)&&>(format)...);
    };
    if constexpr (Format == FormatOption::Passed) {
      return call(keyword_value<"memory_format", std::optional<MemoryFormat>>{x.memory_format()});
    } else {
      if (x.memory_format()) refuse_format(Format == FormatOption::GivenTwice);
      return call();
    }
  } else if constexpr (is_leaf_keyword<T>()) {
    leaf = x.value;
    return f();
  } else {
    return f(static_cast<G&&>(x));
  }
}
/// The way of a factory's call from the arguments that were given to the operator's own.
template <class Call, class List, class... G>
struct own_arguments_of_factory {
  bool leaf = false;

  /// `Left` arguments are still as they were given, in front of those that are the operator's own: the first becomes
  /// one of these, or several, or none.
  template <std::size_t Left, class... X>
  Tensor run(X&&... all) {
    if constexpr (Left == 0)
      return Call::run(static_cast<X&&>(all)...);
    else
      return take<Left - 1>(static_cast<X&&>(all)...);
  }

 private:
  template <std::size_t Left, class First, class... Rest>
  Tensor take(First&& first, Rest&&... rest) {
    return with_own_arguments<format_option<List, G...>::value>(
        static_cast<First&&>(first), leaf, [&](auto&&... own) -> Tensor {
          return run<Left>(static_cast<Rest&&>(rest)..., static_cast<decltype(own)>(own)...);
        });
  }
};
/// Calls a factory, of operators in a list, without these options, and makes its result what they say.
template <class Call, class List, class... G>
Tensor call_factory(G&&... args) {
  own_arguments_of_factory<Call, List, G...> call;
  Tensor out = call.template run<sizeof...(G)>(static_cast<G&&>(args)...);
  if (call.leaf) out.set_requires_grad(true);
  return out;
}

}  // namespace tenon::detail
