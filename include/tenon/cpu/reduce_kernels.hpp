// Reductions of every instruction set as one group of function pointers.
#pragma once
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/reduce.hpp>

namespace tenon::cpu {

enum class ReduceKind : std::uint8_t { Sum, Mean, Prod, Max, Min, Any, All, Norm, MaxAbs, MinAbs, NanSum };

/// How squared deviations become a variance; `mean` may be null. Both have the dtype that the moments are computed in.
struct MomentsCall {
  double correction;
  bool root;
  void* result;
  void* mean;
};

struct ReduceKernels {
  /// Reduces in the dtype `compute`: sums, means and products of int64, float, double, complex64 and complex128;
  /// extremes of int64, float and double; any and all of bool; norms of order p of float and double. Throws TypeError
  /// for others.
  void (*reduce)(ReduceKind kind, ScalarType compute, const Reduction& r, double p);
  /// Index of the first largest or smallest element; compared in `compute`: int64, float or double.
  void (*arg_extreme)(bool largest, ScalarType compute, const Reduction& r, std::int64_t* indices);
  /// Variances, computed in float or double.
  void (*moments)(ScalarType compute, const Reduction& r, const MomentsCall& call);
};

namespace detail {

[[noreturn, gnu::cold, gnu::noinline]] inline void no_reduction(ScalarType type) {
  fail<TypeError>("reductions are not implemented for dtype ", type);
}

/// Not-a-number counts as 0.
template <class T>
struct nan_sum_op : sum_op<T> {
  template <class X>
  X map(X x) const {
    if constexpr (is_complex_v<X>)
      return x.re == x.re && x.im == x.im ? x : X{};
    else if constexpr (std::is_arithmetic_v<X>)
      return x == x ? x : X(0);
    else
      return math::select(x == x, x, X(T(0)));
  }
};

template <class Arch>
void reduce_entry(ReduceKind kind, ScalarType compute, const Reduction& r, double p) {
  auto sums = [&]<class T>(type_tag<T>) {
    switch (kind) {
      case ReduceKind::Sum: return reduce<Arch>(r, sum_op<T>{});
      case ReduceKind::Mean: return reduce<Arch>(r, mean_op<T>{});
      case ReduceKind::NanSum: return reduce<Arch>(r, nan_sum_op<T>{});
      default: return reduce<Arch>(r, prod_op<T>{});
    }
  };
  auto extremes = [&]<class T>(type_tag<T>) {
    if (kind == ReduceKind::Max)
      reduce<Arch>(r, max_op<T>{});
    else
      reduce<Arch>(r, min_op<T>{});
  };
  auto norms = [&]<class T>(type_tag<T>) {
    if (kind == ReduceKind::MaxAbs) return reduce<Arch>(r, max_abs_op<T>{});
    if (kind == ReduceKind::MinAbs) return reduce<Arch>(r, min_abs_op<T>{});
    norm_op<T> op;
    op.p = p;
    reduce<Arch>(r, op);
  };
  switch (kind) {
    case ReduceKind::Any: return reduce<Arch>(r, any_op{});
    case ReduceKind::All: return reduce<Arch>(r, all_op{});
    case ReduceKind::Max:
    case ReduceKind::Min:
      switch (compute) {
        case kLong: return extremes(type_tag<std::int64_t>{});
        case kFloat: return extremes(type_tag<float>{});
        case kDouble: return extremes(type_tag<double>{});
        default: no_reduction(compute);
      }
    case ReduceKind::Norm:
    case ReduceKind::MaxAbs:
    case ReduceKind::MinAbs:
      switch (compute) {
        case kFloat: return norms(type_tag<float>{});
        case kDouble: return norms(type_tag<double>{});
        default: no_reduction(compute);
      }
    default:
      switch (compute) {
        case kLong: return sums(type_tag<std::int64_t>{});
        case kFloat: return sums(type_tag<float>{});
        case kDouble: return sums(type_tag<double>{});
        case kComplexFloat: return sums(type_tag<Complex<float>>{});
        case kComplexDouble: return sums(type_tag<Complex<double>>{});
        default: no_reduction(compute);
      }
  }
}
template <class Arch>
void arg_extreme_entry(bool largest, ScalarType compute, const Reduction& r, std::int64_t* indices) {
  auto go = [&]<class T>(type_tag<T>) {
    if (largest)
      tenon::cpu::arg_reduce<T, Arch, true>(r, nullptr, indices);
    else
      tenon::cpu::arg_reduce<T, Arch, false>(r, nullptr, indices);
  };
  switch (compute) {
    case kLong: return go(type_tag<std::int64_t>{});
    case kFloat: return go(type_tag<float>{});
    case kDouble: return go(type_tag<double>{});
    default: no_reduction(compute);
  }
}
template <class Arch>
void moments_entry(ScalarType compute, const Reduction& r, const MomentsCall& call) {
  auto go = [&]<class T>(type_tag<T>) {
    auto result = static_cast<T*>(call.result), means = static_cast<T*>(call.mean);
    tenon::cpu::moments<T, Arch>(r, [&](T mean, T m2, std::int64_t n, std::int64_t place) {
      double divisor = static_cast<double>(n) - call.correction;
      T variance =
          n == 0 ? std::numeric_limits<T>::quiet_NaN() : static_cast<T>(m2 / static_cast<T>(divisor > 0 ? divisor : 0));
      result[place] = call.root ? std::sqrt(variance) : variance;
      if (means) means[place] = n == 0 ? std::numeric_limits<T>::quiet_NaN() : mean;
    });
  };
  switch (compute) {
    case kFloat: return go(type_tag<float>{});
    case kDouble: return go(type_tag<double>{});
    default: no_reduction(compute);
  }
}

}  // namespace detail

template <class Arch>
struct kernel_group<ReduceKernels, Arch> {
  static constexpr ReduceKernels value{&detail::reduce_entry<Arch>, &detail::arg_extreme_entry<Arch>,
                                       &detail::moments_entry<Arch>};
};

}  // namespace tenon::cpu
