// Reductions over any set of dimensions, with the same bits for every vector width and number of threads.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/detail/reduce_geometry.hpp>
#include <tenon/cpu/detail/reduce_lanes.hpp>
#include <tenon/cpu/detail/short_row.hpp>
#include <tenon/math/vector.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/math/vec.hpp>
#include <tenon/cpu/transpose.hpp>
#include <tenon/reduction/operations.hpp>

namespace tenon::cpu {

using reduction::all_op, reduction::any_op, reduction::max_abs_op, reduction::max_op, reduction::mean_op,
    reduction::min_abs_op, reduction::min_op, reduction::nan_sum_op, reduction::norm_op, reduction::prod_op,
    reduction::sum_op;

}  // namespace tenon::cpu

#include <tenon/cpu/detail/reduce_impl.hpp>
#include <tenon/cpu/detail/arg_reduce_impl.hpp>
#include <tenon/cpu/detail/moments_impl.hpp>

namespace tenon::cpu {

/// Reduces by `op`, an operation like those of <tenon/reduction/operations.hpp>. Elements are converted to
/// `Op::value_type`, results to `r.out_type`. Shapes: out has the input's shape without (or with size 1 at) the reduced
/// dimensions; an empty set of elements gives `op.finish(identity, 0)`. The result's bits depend on the shape and
/// strides, never on the instruction set or the number of threads, as long as `op` itself does not (sums, products,
/// extremes, norms of order 0, 1, 2 and infinity). Cost: one pass; contiguous reduced dimensions and contiguous kept
/// ones run in vectors.
template <class Arch, class Op>
void reduce(const Reduction& r, const Op& op) {
  using T = typename Op::value_type;
  if (r.dims == 1 && r.reduced == 1 && *r.strides == 1 && r.in_type == scalar_type_v<T> && *r.sizes <= detail::kBlock)
    return detail::reduce_run<Arch>(r, op, *r.sizes);
  detail::Reducer<Arch, Op>(r, op).run();
}

/// Index of the first largest (`Greater`) or smallest element along one dimension; the first NaN wins over numbers.
/// Writes T values to `values` (may be null) and indices to `indices`, both with `r.out_strides`. The reduced dimension
/// is not empty; r.out and r.out_type are unused.
template <class T, class Arch, bool Greater>
void arg_reduce(const Reduction& r, T* values, std::int64_t* indices) {
  detail::arg_reduce<T, Arch, Greater>(r, values, indices);
}

/// Mean and sum of squared deviations of the reduced elements, in T (float or double). `finish(mean, m2, n, place)`
/// stores them, where `place` counts elements by `r.out_strides`. Chunks are combined by the formula of Chan, Golub and
/// LeVeque (Updating formulae and a pairwise algorithm for computing sample variances, 1979).
template <class T, class Arch, class Finish>
void moments(const Reduction& r, Finish finish) {
  detail::moments<T, Arch>(r, finish);
}

}  // namespace tenon::cpu
