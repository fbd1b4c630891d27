// The loops of a program's own rows of reductions, for every instruction set or for that of the unit.
#pragma once
#include <string_view>
#include <utility>

#include <tenon/cpu/reduce_kernels.hpp>
#include <tenon/reduction/row.hpp>
#ifdef TENON_KERNELS_ARCH
#include <tenon/cpu/formula_loops.hpp>
#endif

namespace tenon::cpu {

/// The loops of one row: of its operation, then of those of its cases.
struct NamedReduction {
  std::string_view name;
  const ReduceTable* operations;
};
/// The rows of a source that is compiled once per instruction set, for one of them.
struct ReductionRows {
  const NamedReduction* rows;
  int count;
};

namespace detail {

template <class Loop>
inline constexpr bool is_library_reduction =
    boost::mp11::mp_find<reduce_loops, Loop>::value < boost::mp11::mp_size<reduce_loops>::value;

template <class Row, class Cases = typename Row::cases>
struct row_operations;
template <class Row, class... Condition, class... Operation>
struct row_operations<Row, reduction::types<reduction::when<Condition, Operation>...>> {
  using list = reduction::types<typename Row::operation_type, Operation...>;
};
template <class Row, class Operation>
using row_loop = reduction::given_numbers<Operation, reduction::detail::numbers_of<Row>>;
template <class Row>
constexpr std::string_view row_name() {
  return tenon::detail::name_in(Row::operator_type::text());
}

#ifdef TENON_KERNELS_ARCH

template <class Row, class Arch, class Operations = typename row_operations<Row>::list>
struct row_tables;
template <class Row, class Arch, class... Operation>
struct row_tables<Row, Arch, reduction::types<Operation...>> {
  template <class Loop>
  static constexpr ReduceTable table() {
    // The library has its own for every set.
    if constexpr (is_library_reduction<Loop>)
      return {};
    else
      return reduce_table<Loop, Arch>::value;
  }
  static constexpr ReduceTable at[] = {table<row_loop<Row, Operation>>()...};
};
/// The rows of a unit; `At` gives what was found at a place, as for formulas.
template <class Arch, template <int> class At, class Places>
struct reduction_group;
template <class Arch, template <int> class At, int... I>
struct reduction_group<Arch, At, std::integer_sequence<int, I...>> {
  template <int K>
  static constexpr bool is_row = requires {
    typename At<K>::type::operation_type;
  };
  static constexpr int count = (0 + ... + is_row<I>);
  struct list_t {
    NamedReduction at[count + 1]{};
  };
  static constexpr list_t list = [] {
    list_t r;
    int n = 0;
    auto add = [&]<int K>(std::integral_constant<int, K>) {
      if constexpr (is_row<K>)
        r.at[n++] = {row_name<typename At<K>::type>(), row_tables<typename At<K>::type, Arch>::at};
    };
    (add(std::integral_constant<int, I>{}), ...);
    return r;
  }();
};

#endif

}  // namespace detail
}  // namespace tenon::cpu

#ifdef TENON_KERNELS_ARCH

/// The reductions of the rows above it, in a unit that is compiled once per instruction set; at its end.
#define TENON_LISTED_REDUCTIONS                                                                               \
  ::tenon::cpu::detail::reduction_group<::tenon::cpu::TENON_KERNELS_ARCH, ::tenon::pointwise::listed_formula, \
                                        ::std::make_integer_sequence<int, __COUNTER__>>

#else

#ifdef TENON_ROWS_PER_SET
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  extern "C" const tenon::cpu::TYPE* tenon_rows_of_reductions_##SET(const tenon::Executor*);
TENON_CPU_SETS(TENON_INTERNAL_SET, rows, ReductionRows)
#undef TENON_INTERNAL_SET
#endif

namespace tenon::cpu::detail {

#ifdef TENON_ROWS_PER_SET
/// The loops of a row of this unit for the set in use; the tool that compiles the unit joins them to it.
[[maybe_unused]] static const ReduceTable* compiled_row(std::string_view name) {
  static const ReductionRows* const rows = []() -> const ReductionRows* {
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  case Capability::SET:                       \
    return tenon_rows_of_reductions_##SET(forwarding_executor());
    switch (chosen_capability()) {
      TENON_CPU_SETS(TENON_INTERNAL_SET, rows, ReductionRows)
      default: return nullptr;
    }
#undef TENON_INTERNAL_SET
  }();
  for (int i = 0; i < rows->count; ++i)
    if (name == rows->rows[i].name) return rows->rows[i].operations;
  return nullptr;
}
#endif

/// The loops of one of a row's operations.
template <class Row, class Operation, bool Compiled>
const ReduceTable& loops_of_row() {
  using loop = row_loop<Row, Operation>;
#ifdef TENON_ROWS_PER_SET
  if constexpr (Compiled && !is_library_reduction<loop>)
    return compiled_row(row_name<Row>())[boost::mp11::mp_find<typename row_operations<Row>::list, Operation>::value];
#endif
  return loops_of<loop, Compiled>();
}

}  // namespace tenon::cpu::detail

#endif
