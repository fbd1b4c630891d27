// The loops of reductions as constant tables, compiled for every instruction set or for that of the unit.
#pragma once
#include <array>

#include <boost/mp11/algorithm.hpp>

#include <tenon/base/selection.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/reduce.hpp>
#include <tenon/reduction/operation.hpp>

/// The places in `reduce_loops`, `;` between them, of what a unit of an instruction set has: those that the unit of
/// their operators asks for, as `tenon-kernels` finds out. Not set: all.
#ifndef TENON_SELECTED_REDUCTIONS
#define TENON_SELECTED_REDUCTIONS nullptr
#endif

namespace tenon::cpu {

/// Reduces in one type; what the operation was given is an `std::tuple` of its arguments.
using ReduceLoop = void (*)(const Reduction&, const void* arguments);
struct ReduceEntry {
  ScalarType accumulates;
  ReduceLoop run;
};
/// The loops of one operation.
struct ReduceTable {
  const ReduceEntry* entries;
  int count;
  const void* arguments = nullptr;  ///< what loops are given that serve several operations
  /// Null where there is no loop in this type.
  ReduceLoop find(ScalarType type) const {
    for (int i = 0; i < count; ++i)
      if (entries[i].accumulates == type) return entries[i].run;
    return nullptr;
  }
};

// Loops that reduce to more than a value; they know no operation.

/// The index of the first extreme, as int64.
template <bool Largest>
struct first_place {
  using accumulates = reduction::types<std::int64_t, float, double>;
  template <class Arch, class T>
  static void run(const Reduction& r, const void*) {
    arg_reduce<T, Arch, Largest>(r, nullptr, static_cast<std::int64_t*>(r.out));
  }
};
/// How squared deviations become a variance; `mean` may be null. Both have the dtype that the moments are computed in.
struct MomentsCall {
  double correction;
  bool root;
  void* mean;
};
struct variance {
  using accumulates = reduction::types<float, double>;
  template <class Arch, class T>
  static void run(const Reduction& r, const void* arguments) {
    const auto& call = *static_cast<const MomentsCall*>(arguments);
    auto result = static_cast<T*>(r.out), means = static_cast<T*>(call.mean);
    moments<T, Arch>(r, [&](T mean, T m2, std::int64_t n, std::int64_t place) {
      double divisor = static_cast<double>(n) - call.correction;
      T variance =
          n == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(m2 / static_cast<T>(divisor > 0 ? divisor : 0));
      result[place] = call.root ? std::sqrt(variance) : variance;
      if (means) means[place] = n == 0 ? std::numeric_limits<T>::quiet_NaN() : mean;
    });
  }
};

/// A sum, or its mean over the elements.
struct total {
  template <class T>
  struct op : reduction::sum_op<T> {
    bool divides;
    explicit op(bool mean) : divides(mean) {}
    T finish(T sum, std::int64_t n) const {
      if constexpr (!std::is_integral_v<T>)
        if (divides) return reduction::mean_op<T>().finish(sum, n);
      return sum;
    }
  };
  template <class Arch, class T>
  static void run(const Reduction& r, const void* divides) {
    reduce<Arch>(r, op<T>(*static_cast<const bool*>(divides)));
  }
};

/// All that kernels_cpu holds.
using reduce_loops = boost::mp11::mp_append<reduction::library_operations,
                                            reduction::types<first_place<true>, first_place<false>, variance>>;

namespace detail {

template <class Loop, class Arch, class T>
struct reduce_loop {
  static void run(const Reduction& r, const void* arguments) { Loop::template run<Arch, T>(r, arguments); }
};
template <class Operation, class... A, class Arch, class T>
struct reduce_loop<reduction::given<Operation, A...>, Arch, T> {
  static void run(const Reduction& r, [[maybe_unused]] const void* arguments) {
    using O = typename Operation::template of<T>;
    if constexpr (sizeof...(A) == 0)
      reduce<Arch>(r, O{});
    else
      std::apply([&](const A&... a) { reduce<Arch>(r, O(a...)); }, *static_cast<const std::tuple<A...>*>(arguments));
  }
};
/// The loop of an operation and what it is given: sums and means have one, since they differ in the last step alone.
template <class Loop>
struct loop_behind {
  using type = Loop;
  static constexpr const void* arguments = nullptr;
};
template <bool Divides>
struct total_behind {
  using type = total;
  static constexpr bool divides = Divides;
  static constexpr const void* arguments = &divides;
};
template <>
struct loop_behind<reduction::given<reduction::sum>> : total_behind<false> {};
template <>
struct loop_behind<reduction::given<reduction::mean>> : total_behind<true> {};
template <class T>
void reduce_left_out(const Reduction&, const void*) {
  tenon::detail::dtype_left_out(scalar_type_v<T>);
}
template <class Loop>
struct accumulated_in {
  using type = typename Loop::accumulates;
};
template <class Operation, class... A>
struct accumulated_in<reduction::given<Operation, A...>> {
  using type = typename Operation::accumulates;
};
template <class Loop, class Arch, class Types = typename accumulated_in<Loop>::type>
struct reduce_table;
template <class Loop, class Arch, class... T>
struct reduce_table<Loop, Arch, reduction::types<T...>> {
  template <class X>
  static constexpr ReduceEntry entry() {
    if constexpr (is_selected(scalar_type_v<X>))
      return {scalar_type_v<X>, &reduce_loop<typename loop_behind<Loop>::type, Arch, X>::run};
    else
      return {scalar_type_v<X>, &reduce_left_out<X>};
  }
  static constexpr ReduceEntry entries[] = {entry<T>()...};
  static constexpr ReduceTable value{entries, sizeof...(T), loop_behind<Loop>::arguments};
};
template <std::size_t At>
consteval bool is_listed_reduction() {
  constexpr const char* list = TENON_SELECTED_REDUCTIONS;
  if constexpr (list != nullptr)
    return tenon::detail::any_entry(list, [](std::string_view entry) {
      std::size_t n = 0;
      for (char c : entry) n = 10 * n + static_cast<std::size_t>(c - '0');
      return n == At && !entry.empty();
    });
  return true;
}

}  // namespace detail

/// The tables of an instruction set, in the order of `reduce_loops`.
struct ReduceKernels {
  std::array<ReduceTable, boost::mp11::mp_size<reduce_loops>::value> of;
};
template <class Arch>
struct kernel_group<ReduceKernels, Arch> {
  static constexpr ReduceKernels value = []<class... Loop>(reduction::types<Loop...>) {
    auto table = []<class L>(std::type_identity<L>) {
      if constexpr (detail::is_listed_reduction<boost::mp11::mp_find<reduce_loops, L>::value>())
        return detail::reduce_table<L, Arch>::value;
      else
        return ReduceTable{};
    };
    return ReduceKernels{{table(std::type_identity<Loop>{})...}};
  }(reduce_loops{});
};

#ifndef TENON_KERNELS_ARCH

/// Whether loops are those of kernels_cpu, for the set in use, or this unit's own, of which only those are compiled
/// that something calls.
#ifdef TENON_KERNELS_COMPILED
inline constexpr bool kReduceCompiled = true;
#else
inline constexpr bool kReduceCompiled = false;
#endif

namespace detail {
/// A function of its own in each object, which tells `tenon-kernels` that the operation is used.
template <std::size_t At>
struct compiled_reduction {
  [[gnu::noinline]] static const ReduceTable& loops() { return active_tables().reduce->of[At]; }
};
}  // namespace detail

/// The loops of an operation given its arguments, `tenon::reduction::given<OPERATION, ARGUMENTS...>`.
template <class Loop, bool Compiled = kReduceCompiled>
const ReduceTable& loops_of() {
  constexpr std::size_t at = boost::mp11::mp_find<reduce_loops, Loop>::value;
  if constexpr (Compiled && at < boost::mp11::mp_size<reduce_loops>::value)
    return detail::compiled_reduction<at>::loops();
  else
    return detail::reduce_table<Loop, default_arch>::value;
}
/// For who registers kernels that call `loops_of`.
template <bool Compiled = kReduceCompiled>
void install_reduce_kernels() {
  install_kernels<&KernelTables::copy>();
  if constexpr (Compiled) install_kernels<&KernelTables::reduce>();
}

#endif

}  // namespace tenon::cpu
