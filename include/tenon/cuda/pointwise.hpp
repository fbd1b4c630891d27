// Formulas as kernels: packs of 16 bytes where operands lie densely, else any strides and dtypes.
#pragma once
#include <cstdint>
#include <type_traits>
#include <utility>

#include <tenon/base/scalar.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/grid.hpp>
#include <tenon/cuda/launch.hpp>
#include <tenon/pointwise/formula.hpp>

namespace tenon::cuda {

/// What a formula sees of an element in memory: small floats arrive as float.
template <class T>
using seen_t = typename element_type<compute_type_of(scalar_type_v<T>)>::type;

template <class N>
struct Numbers {
  N at[3];
};

namespace detail {
template <class F, class T, int... E, int... I>
TENON_HOST_DEVICE auto evaluate(const T* x, const bool* mask, const Numbers<seen_t<T>>& n,
                                std::integer_sequence<int, E...>, std::integer_sequence<int, I...>) {
  if constexpr (pointwise::element_types<typename F::types>::masked)
    return F::template of<T>(mask[0], seen_t<T>(x[1]), seen_t<T>(x[2]));
  else
    return F::template of<T>(seen_t<T>(x[E])..., n.at[I]...);
}
}  // namespace detail
template <class F, class T>
TENON_HOST_DEVICE auto evaluate(const T* x, const bool* mask, const Numbers<seen_t<T>>& n) {
  return detail::evaluate<F, T>(x, mask, n, std::make_integer_sequence<int, F::elements>{},
                                std::make_integer_sequence<int, F::numbers>{});
}
/// What a formula writes: float for small floats means these.
template <class F, class T>
using result_t = std::conditional_t<
    std::is_same_v<decltype(evaluate<F, T>(nullptr, nullptr, std::declval<const Numbers<seen_t<T>>&>())), seen_t<T>>, T,
    decltype(evaluate<F, T>(nullptr, nullptr, std::declval<const Numbers<seen_t<T>>&>()))>;

/// Any strides, any dtypes: each operand is converted when it is loaded, the result when it is stored.
template <class F, class T>
struct strided_formula {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const Elementwise& c, const Numbers<seen_t<T>>& numbers) const {
    constexpr int N = F::elements;
    constexpr bool masked = pointwise::element_types<typename F::types>::masked;
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      Offsets<N + 1> offsets(c.walk, i);
      T x[N];
      bool mask[1] = {};
      for (int k = 0; k < N; ++k) {
        const Operand& o = c.at[k + 1];
        const void* from = o.data ? static_cast<const void*>(o.data + offsets.at[k + 1]) : o.element;
        if (masked && k == 0)
          mask[0] = load_as<bool>(from, o.dtype);
        else
          x[k] = load_as<T>(from, o.dtype);
      }
      store_as(c.at[0].data + offsets.at[0], c.at[0].dtype, evaluate<F, T>(x, mask, numbers));
    });
  }
};

/// Operands of type T side by side, or single ones, and a result side by side.
template <class F, class T>
struct dense_formula {
  static constexpr int kPack = 16 / sizeof(T);
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const DenseCall& c, const Numbers<seen_t<T>>& numbers) const {
    using R = result_t<F, T>;
    constexpr int N = F::elements;
    R* out = reinterpret_cast<R*>(c.at[0].data);
    each_of_grid(lane, (c.count + kPack - 1) / kPack, [&](std::int64_t pack) {
      std::int64_t i = pack * kPack;
      int most = c.count - i < kPack ? static_cast<int>(c.count - i) : kPack;
      Pack<T, kPack> x[N];
      for (int k = 0; k < N; ++k) {
        const Operand& o = c.at[k + 1];
        const T* from = reinterpret_cast<const T*>(o.data);
        if (!from)
          for (int p = 0; p < kPack; ++p) x[k].at[p] = *reinterpret_cast<const T*>(o.element);
        else if (most == kPack)
          x[k] = lane.template load<kPack>(from + i);
        else
          for (int p = 0; p < most; ++p) x[k].at[p] = from[i + p];
      }
      Pack<R, kPack> y;
      for (int p = 0; p < most; ++p) {
        T one[N];
        for (int k = 0; k < N; ++k) one[k] = x[k].at[p];
        y.at[p] = cast<R>(evaluate<F, T>(one, nullptr, numbers));
      }
      if (most == kPack)
        lane.store(out + i, y);
      else
        for (int p = 0; p < most; ++p) out[i + p] = y.at[p];
    });
  }
};

/// Whether a formula has kernels of packs for a type: for what training is made of.
template <class F, class T>
inline constexpr bool has_packs = !pointwise::element_types<typename F::types>::masked &&
                                  !pointwise::element_types<typename F::types>::one_at_a_time &&
                                  (std::is_same_v<T, float> || std::is_same_v<T, Half> || std::is_same_v<T, BFloat16>);

namespace detail {

template <class F, class T>
bool can_pack(const Elementwise& c) {
  if (!c.dense || c.at[0].dtype != scalar_type_v<result_t<F, T>>) return false;
  for (int k = 0; k < c.operands; ++k) {
    std::uintptr_t pack = k == 0 ? alignof(Pack<result_t<F, T>, 16 / sizeof(T)>) : 16;
    if (reinterpret_cast<std::uintptr_t>(c.at[k].data) % pack != 0) return false;
    if (k > 0 && c.at[k].dtype != scalar_type_v<T>) return false;
  }
  return true;
}
template <class F, class T>
void run_formula(const Elementwise& c, const Scalar* given, void* stream) {
  Numbers<seen_t<T>> numbers{};
  for (int i = 0; i < F::numbers && i < 3; ++i) numbers.at[i] = given[i].template to<seen_t<T>>();
  if constexpr (has_packs<F, T>)
    if (can_pack<F, T>(c)) {
      DenseCall dense{c.walk.count, c.operands, {}};
      for (int k = 0; k < c.operands; ++k) dense.at[k] = c.at[k];
      return launch<dense_formula<F, T>>(shape_for((dense.count + 16 / sizeof(T) - 1) / (16 / sizeof(T))), stream,
                                         dense, numbers);
    }
  launch<strided_formula<F, T>>(shape_for(c.walk.count), stream, c, numbers);
}
template <class F, class T>
TypedFormula typed_formula() {
  TypedFormula typed{scalar_type_v<T>, scalar_type_v<result_t<F, T>>, &run_formula<F, T>};
  if constexpr (requires { F::template add_kernels<T>(typed); }) F::template add_kernels<T>(typed);
  return typed;
}
template <class F, class... T>
const NamedFormula& named_formula(types<T...>) {
  static const TypedFormula typed[] = {typed_formula<F, T>()...};
  static const NamedFormula named{F::name(), typed, sizeof...(T), F::elements};
  return named;
}

}  // namespace detail
}  // namespace tenon::cuda

/// NAME_table(all places of the unit): the formulas of the rows above it.
#define TENON_INTERNAL_FORMULA_TABLE(NAME)                                                    \
  template <int... I>                                                                         \
  ::tenon::cuda::FormulaTable NAME##_table(::std::integer_sequence<int, I...>) {              \
    static ::tenon::cuda::NamedFormula all[sizeof...(I) + 1];                                 \
    int n = 0;                                                                                \
    auto add = [&]<class F>(::std::type_identity<F>) {                                        \
      if constexpr (!::std::is_void_v<F>)                                                     \
        if constexpr (F::elements > 0)                                                        \
          all[n++] = ::tenon::cuda::detail::named_formula<F>(                                 \
              typename ::tenon::pointwise::element_types<typename F::types>::list{});         \
    };                                                                                        \
    (add(::std::type_identity<typename ::tenon::pointwise::listed_formula<I>::type>{}), ...); \
    return {all, n};                                                                          \
  }
/// Defines the table of the formulas of the rows above it, at the end of a unit that takes formulas alone.
#define TENON_CUDA_FORMULAS(NAME)                                                                     \
  namespace {                                                                                         \
  TENON_INTERNAL_FORMULA_TABLE(NAME)                                                                  \
  }                                                                                                   \
  namespace tenon::cuda {                                                                             \
  FormulaTable formulas_##NAME() {                                                                    \
    static const FormulaTable table = NAME##_table(::std::make_integer_sequence<int, __COUNTER__>{}); \
    return table;                                                                                     \
  }                                                                                                   \
  }
