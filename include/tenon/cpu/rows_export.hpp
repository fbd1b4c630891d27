// The end of a source of rows that is compiled for one instruction set: its loops under one name. `tenon-rows` puts it
// there.
#pragma once
#include <tenon/cpu/rows.hpp>
#ifdef TENON_KERNELS_ARCH
#define TENON_INTERNAL_EXPORT_ROWS(SET) TENON_INTERNAL_EXPORT_ROWS_(SET)
#define TENON_INTERNAL_EXPORT_ROWS_(SET)                                                                   \
  extern "C" const tenon::cpu::PointwiseKernels* tenon_rows_##SET(const tenon::Executor* executor) {       \
    using listed = TENON_LISTED_FORMULAS;                                                                  \
    static constexpr tenon::cpu::PointwiseKernels kernels{listed::list.at, listed::count,                  \
                                                          &tenon::cpu::detail::run_loop<tenon::cpu::SET>}; \
    tenon::set_executor(executor);                                                                         \
    return &kernels;                                                                                       \
  }
TENON_INTERNAL_EXPORT_ROWS(TENON_KERNELS_ARCH)
#undef TENON_INTERNAL_EXPORT_ROWS
#undef TENON_INTERNAL_EXPORT_ROWS_
// A source of rows of reductions includes <tenon/cpu/reduction.hpp>.
#ifdef TENON_LISTED_REDUCTIONS
#define TENON_INTERNAL_EXPORT_ROWS(SET) TENON_INTERNAL_EXPORT_ROWS_(SET)
#define TENON_INTERNAL_EXPORT_ROWS_(SET)                                                                        \
  extern "C" const tenon::cpu::ReductionRows* tenon_rows_of_reductions_##SET(const tenon::Executor* executor) { \
    using listed = TENON_LISTED_REDUCTIONS;                                                                     \
    static constexpr tenon::cpu::ReductionRows rows{listed::list.at, listed::count};                            \
    tenon::set_executor(executor);                                                                              \
    return &rows;                                                                                               \
  }
TENON_INTERNAL_EXPORT_ROWS(TENON_KERNELS_ARCH)
#undef TENON_INTERNAL_EXPORT_ROWS
#undef TENON_INTERNAL_EXPORT_ROWS_
#endif
#endif
