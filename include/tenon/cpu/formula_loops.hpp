// The inner loops of formulas for one instruction set, and the group of them that a unit of one set exports.
#pragma once
#include <tenon/base/scalar.hpp>
#include <tenon/base/selection.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/pointwise/formula.hpp>

/// The formulas, `;` between them, whose loops a unit of an instruction set has: those that the unit of their rows asks
/// for, as `tenon-kernels` finds out. Not set: all.
#ifndef TENON_SELECTED_FORMULAS
#define TENON_SELECTED_FORMULAS nullptr
#endif

namespace tenon::cpu {

/// The closure of a loop with numbers; a loop sees them in its compute type.
struct PointwiseNumbers {
  static constexpr int kMost = 3;
  const Scalar* numbers;
  int count;
  template <class T>
  struct typed {
    T value[kMost];
    T operator[](int i) const { return value[i]; }
  };
  template <class T>
  typed<T> as() const {
    typed<T> t{};
    for (int i = 0; i < count && i < kMost; ++i) t.value[i] = numbers[i].to<T>();
    return t;
  }
};

/// The loops of one formula under its name.
struct NamedLoops {
  const char* name;
  LoopTable loops;
};
/// The formulas of a library for one instruction set.
struct PointwiseKernels {
  const NamedLoops* formulas;
  int count;
  /// `cpu::run` of the set.
  void (*run)(const Loop& loop, const void* closure, const Operands& operands);
};

namespace detail {

/// A formula as the function of an inner loop over elements that are E in memory.
template <class F, class E>
struct formula_body {
  template <class... X>
  auto operator()(X... x) const requires(F::numbers == 0) {
    return F::template of<E>(x...);
  }
  template <class N, class... X>
  auto operator()(const N& n, X... x) const requires(F::numbers != 0) {
    return [&]<int... I>(std::integer_sequence<int, I...>) { return F::template of<E>(x..., n[I]...); }
    (std::make_integer_sequence<int, F::numbers>{});
  }
};

template <class F, class Arch>
struct formula_loops {
  using element = pointwise::element_types<typename F::types>;
  using params = std::conditional_t<F::numbers == 0, no_params, PointwiseNumbers>;
  template <class... T>
  static constexpr auto make(types<T...>) {
    return loops_for<T...>([]<class U>(type_tag<U>) {
      if constexpr (element::masked)
        return make_mixed_loop<Arch, types<bool, U, U>, 1, params>(formula_body<F, U>{});
      else if constexpr (element::one_at_a_time)
        return make_scalar_loop<U, Arch, F::elements, 1, params>(formula_body<F, U>{});
      else
        return make_loop<U, Arch, F::elements, 1, params>(formula_body<F, U>{});
    });
  }
  static constexpr auto array = make(typename element::list{});
  static constexpr LoopTable table = make_table(array);
};

/// Whether a unit of an instruction set has loops of what was found at a place: not of formulas that compute element by
/// element, whose loops the unit of their rows has.
template <class F>
inline constexpr bool has_loops_per_set = [] {
  if constexpr (requires { typename F::types; })
    return !pointwise::element_types<typename F::types>::one_at_a_time;
  else
    return false;
}();
template <class F>
consteval bool is_listed_formula() {
  if constexpr (has_loops_per_set<F>) {
    constexpr const char* list = TENON_SELECTED_FORMULAS;
    if constexpr (list != nullptr) return selection_contains(list, F::name());
    return true;
  }
  return false;
}

/// The formulas of a unit: `At` gives the one at a place, void where another macro took the number.
template <class Arch, template <int> class At, class Places>
struct formula_group;
template <class Arch, template <int> class At, int... I>
struct formula_group<Arch, At, std::integer_sequence<int, I...>> {
  template <int K>
  static constexpr bool is_formula = is_listed_formula<typename At<K>::type>();
  static constexpr int count = (0 + ... + is_formula<I>);
  struct list_t {
    NamedLoops at[count + 1]{};
  };
  static constexpr list_t list = [] {
    list_t r;
    int n = 0;
    auto add = [&]<int K>(std::integral_constant<int, K>) {
      if constexpr (is_formula<K>) r.at[n++] = {At<K>::type::name(), formula_loops<typename At<K>::type, Arch>::table};
    };
    (add(std::integral_constant<int, I>{}), ...);
    return r;
  }();
};

/// Runs a loop with the instruction set's iterator.
template <class Arch>
void run_loop(const Loop& loop, const void* closure, const Operands& o) {
  run<Arch>(loop, closure, o);
}

}  // namespace detail
}  // namespace tenon::cpu

#ifdef TENON_KERNELS_ARCH
/// The formulas of the rows above it, in a unit that is compiled once per instruction set; at its end.
#define TENON_LISTED_FORMULAS                                                                               \
  ::tenon::cpu::detail::formula_group<::tenon::cpu::TENON_KERNELS_ARCH, ::tenon::pointwise::listed_formula, \
                                      ::std::make_integer_sequence<int, __COUNTER__>>
#endif
