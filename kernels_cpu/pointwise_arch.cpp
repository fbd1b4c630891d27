// The loops of the pointwise rows, compiled once per instruction set (TENON_KERNELS_ARCH).
#include <tenon/cpu/formula_loops.hpp>
#include <tenon/pointwise/activation.hpp>
#include <tenon/pointwise/arithmetic.hpp>
#include <tenon/pointwise/bits.hpp>
#include <tenon/pointwise/compare.hpp>
#include <tenon/pointwise/math.hpp>
#include <tenon/pointwise/special.hpp>

namespace tenon::cpu {
template <>
struct kernel_group<PointwiseKernels, TENON_KERNELS_ARCH> {
  using formulas = TENON_LISTED_FORMULAS;
  static constexpr PointwiseKernels value{formulas::list.at, formulas::count, &detail::run_loop<TENON_KERNELS_ARCH>};
};
}  // namespace tenon::cpu

TENON_EXPORT_KERNELS(pointwise, PointwiseKernels)
