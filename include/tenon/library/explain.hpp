// `explain(ops::add_Tensor, a, b)`: why a call of a declared operator goes where it goes.
#pragma once
#include <tenon/dispatch/explain.hpp>
#include <tenon/library/operator.hpp>

namespace tenon {

namespace detail {
template <class Op, class Sig>
struct explain_call;
template <class Op, class R, class... A>
struct explain_call<Op, R(A...)> {
  template <class... G>
  static Explanation run(const G&... given) {
    constexpr const auto& binding = binding_of<Op, G...>;
    std::uint64_t bits[] = {given_bits(given)..., 0};
    std::vector<Explanation::Argument> arguments;
    for (std::size_t i = 0; i < sizeof...(A); ++i)
      arguments.push_back(
          {std::string(view_of<Op>().arg_name(i)), KeySet(binding.source[i] < 0 ? 0 : bits[binding.source[i]])});
    return explain_keys(handle_of(Op{}).entry(), std::move(arguments));
  }

 private:
  template <class T>
  static std::uint64_t given_bits(const T& x) {
    if constexpr (is_keyword_v<T>)
      return given_bits(x.value);
    else if constexpr (carries_keys_v<T> || !requires {
                         typename T::value_type;
                         x.size();
                       })
      return key_bits(x);
    else if constexpr (carries_keys_v<typename T::value_type>)
      return key_bits(ArrayRef<typename T::value_type>(x));
    else
      return 0;
  }
};
}  // namespace detail

/// Explains the call of `op` with these arguments, given as to the call itself; nothing is called.
template <class Op, class... G>
  requires(requires { Op::text(); })
Explanation explain(Op, const G&... args) { return detail::explain_call<Op, signature_of_t<Op>>::run(args...); }

}  // namespace tenon
