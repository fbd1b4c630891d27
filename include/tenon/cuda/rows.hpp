// Rows of one's own as kernels: in a unit for a device TENON_POINTWISE, TENON_FUSED and TENON_COMPUTES give their
// formulas alone. The host's compiler reads the same rows from a unit of its own, which registers the operators.
#pragma once
#include <string_view>

// What lists formulas is meant as it says; nvcc hands it to GCC, which asks.
#if defined(__CUDACC__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
#include <tenon/cuda/own_kernels.hpp>
#if defined(__CUDACC__) && defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif
#include <tenon/math/dual.hpp>
#include <tenon/pointwise/math_names.hpp>
#include <tenon/pointwise/row.hpp>

namespace tenon::math {
/// The larger of x and 0.
template <class V>
  requires std::is_arithmetic_v<V> TENON_HOST_DEVICE V relu(V x) { return x <= V(0) ? V(0) : x; }

// Elements beside numbers that the lambda writes, which for the host's vectors become elements.
namespace detail {
template <class... T>
using own_common_t = std::conditional_t<(std::is_same_v<T, float> || ...), float, std::common_type_t<T...>>;
template <class... T>
concept mixed_numbers = (std::is_arithmetic_v<T> && ...) && !(std::is_same_v<T, own_common_t<T...>> && ...);
}  // namespace detail
#define TENON_INTERNAL_MIXED(NAME)                                             \
  template <class A, class B>                                                  \
  requires detail::mixed_numbers<A, B> TENON_HOST_DEVICE auto NAME(A a, B b) { \
    using C = detail::own_common_t<A, B>;                                      \
    return math::NAME(static_cast<C>(a), static_cast<C>(b));                   \
  }
TENON_INTERNAL_MIXED(maximum)
TENON_INTERNAL_MIXED(minimum)
TENON_INTERNAL_MIXED(max)
TENON_INTERNAL_MIXED(min)
TENON_INTERNAL_MIXED(pow)
TENON_INTERNAL_MIXED(atan2)
TENON_INTERNAL_MIXED(hypot)
TENON_INTERNAL_MIXED(copysign)
TENON_INTERNAL_MIXED(fmod)
TENON_INTERNAL_MIXED(remainder)
#undef TENON_INTERNAL_MIXED
template <class A, class B>
requires detail::mixed_numbers<A, B> TENON_HOST_DEVICE auto select(bool condition, A a, B b) {
  using C = detail::own_common_t<A, B>;
  return math::select(condition, static_cast<C>(a), static_cast<C>(b));
}
template <class A, class B, class C>
requires detail::mixed_numbers<A, B, C> TENON_HOST_DEVICE auto fma(A a, B b, C c) {
  using D = detail::own_common_t<A, B, C>;
  return math::fma(static_cast<D>(a), static_cast<D>(b), static_cast<D>(c));
}

}  // namespace tenon::math

namespace tenon::cuda {

/// The arguments of a schema that a host's compiler has judged: k is tensor k, ~k number k.
struct OwnArguments {
  static constexpr int kMost = 8;
  int order[kMost] = {}, count = 0, tensors = 0, numbers = 0;
};
consteval OwnArguments own_arguments(std::string_view schema) {
  OwnArguments out;
  std::size_t i = schema.find('(') + 1;
  while (i < schema.size() && schema[i] != ')') {
    if (schema[i] == ' ' || schema[i] == ',' || schema[i] == '*') {
      ++i;
      continue;
    }
    out.order[out.count++] = schema.substr(i).starts_with("Tensor") ? out.tensors++ : ~out.numbers++;
    for (int depth = 0; depth > 0 || (schema[i] != ',' && schema[i] != ')'); ++i)
      depth += schema[i] == '(' ? 1 : schema[i] == ')' ? -1 : 0;
  }
  return out;
}

/// Those of a lambda over elements alone, as many as it takes.
template <class F>
consteval OwnArguments own_elements() {
  OwnArguments out;
  if constexpr (std::is_invocable_v<F, float>)
    out.count = 1;
  else if constexpr (std::is_invocable_v<F, float, float>)
    out.count = 2;
  else if constexpr (std::is_invocable_v<F, float, float, float>)
    out.count = 3;
  else
    out.count = 4;
  for (out.tensors = 0; out.tensors < out.count; ++out.tensors) out.order[out.tensors] = out.tensors;
  return out;
}

template <class Source>
consteval OwnArguments arguments_of() {
  if constexpr (Source::fused)
    return own_elements<decltype(Source::lambda())>();
  else
    return own_arguments(Source::text());
}

/// The formula of a lambda over the arguments of a schema, or over elements.
template <class Source>
struct own_formula {
  static constexpr bool fused = Source::fused;
  static constexpr OwnArguments arguments = arguments_of<Source>();
  static constexpr int elements = arguments.tensors, numbers = arguments.numbers;
  static constexpr const char* name() { return Source::text(); }

  /// Where argument I is among the elements and the numbers behind them.
  template <int I>
  static constexpr int place = arguments.order[I] >= 0 ? arguments.order[I] : elements + ~arguments.order[I];
  /// out[k] = grad times the derivative by element k of x, which has the numbers behind the elements.
  template <class E>
  TENON_HOST_DEVICE static void gradients(E grad, const E* x, E* out) {
    gradients(grad, x, out, std::make_integer_sequence<int, arguments.count>{}, std::make_index_sequence<elements>{});
  }
  template <class E, int... I>
  TENON_HOST_DEVICE static auto call(const E* x, std::integer_sequence<int, I...>) {
    return Source::lambda()(x[place<I>]...);
  }
  template <class T, class E, class... More>
  TENON_HOST_DEVICE static auto of(E first, More... more) {
    const E x[] = {first, more...};
    auto y = call(x, std::make_integer_sequence<int, arguments.count>{});
    if constexpr (std::is_same_v<decltype(y), bool>)
      return y;
    else
      return static_cast<E>(y);
  }
  static constexpr bool compares =
      std::is_same_v<decltype(call(static_cast<const float*>(nullptr),
                                   std::make_integer_sequence<int, arguments_of<Source>().count>{})),
                     bool>;
  using types = std::conditional_t<compares, over::real, over::fast_float>;

  template <class T>
  static void add_kernels(TypedFormula& typed) {
    if constexpr (!compares) typed.gradients = &detail::run_gradients<own_formula, T>;
    if constexpr (fused) typed.sum = &detail::run_sum<own_formula, T>;
  }

 private:
  template <class E, int... I, std::size_t... K>
  TENON_HOST_DEVICE static void gradients(E grad, const E* x, E* out, std::integer_sequence<int, I...>,
                                          std::index_sequence<K...>) {
    auto y = Source::lambda()(argument<place<I>>(x)...);
    if constexpr (math::is_dual_v<decltype(y)>)
      ((out[K] = math::along(grad, std::get<K>(y.tangents))), ...);
    else  // it depends on no element
      ((out[K] = E(0)), ...);
  }
  template <int P, class E>
  TENON_HOST_DEVICE static auto argument(const E* x) {
    if constexpr (P < elements)
      return math::dual_input<P, elements>(x[P]);
    else
      return x[P];
  }
};

/// Enters a table as long as the program, or the plugin that holds it, lasts.
class EnterFormulas {
 public:
  explicit EnterFormulas(FormulaTable table) : own_{table, own_formulas()} { own_formulas() = &own_; }
  EnterFormulas(const EnterFormulas&) = delete;
  EnterFormulas& operator=(const EnterFormulas&) = delete;
  ~EnterFormulas() {
    for (OwnFormulas** at = &own_formulas(); *at; at = &(*at)->next)
      if (*at == &own_) {
        *at = own_.next;
        return;
      }
  }

 private:
  OwnFormulas own_;
};

}  // namespace tenon::cuda

#define TENON_INTERNAL_OWN_FORMULA(NAME, FUSED, TEXT, ...) \
  struct NAME##_lambda {                                   \
    static constexpr bool fused = FUSED;                   \
    static constexpr const char* text() { return TEXT; }   \
    static constexpr auto lambda() {                       \
      TENON_INTERNAL_MATH_NAMES                            \
      return __VA_ARGS__;                                  \
    }                                                      \
  };                                                       \
  using NAME##_formula = ::tenon::cuda::own_formula<NAME##_lambda> TENON_INTERNAL_LIST_FORMULA(NAME##_formula)

/// Of the operator that the host's compiler makes of the same words (cpu/pointwise_operator.hpp), the formula.
#define TENON_POINTWISE(NAME, SCHEMA, ...) TENON_INTERNAL_OWN_FORMULA(NAME, false, SCHEMA, __VA_ARGS__)

/// Of what the host's compiler fuses (cpu/fuse.hpp), the formula.
#define TENON_FUSED(NAME, ...) TENON_INTERNAL_OWN_FORMULA(NAME, true, #NAME ": " #__VA_ARGS__, __VA_ARGS__)

/// Puts the rows above it, in this unit, among the kernels; NAME is any name that the unit has once.
#define TENON_CUDA_ROWS(NAME)                                                                                        \
  namespace {                                                                                                        \
  TENON_INTERNAL_FORMULA_TABLE(NAME)                                                                                 \
  const ::tenon::cuda::EnterFormulas NAME##_entered(NAME##_table(::std::make_integer_sequence<int, __COUNTER__>{})); \
  }                                                                                                                  \
  static_assert(true)
