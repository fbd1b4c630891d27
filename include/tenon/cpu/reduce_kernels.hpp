// Reductions of every instruction set as one group of function pointers.
#pragma once
#include <tenon/base/selection.hpp>
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

/// Whether an operator of the program's selection reduces in this way.
constexpr bool is_reduction_selected(ReduceKind kind) {
  constexpr const char* list = TENON_SELECTED_OPERATORS;
  switch (kind) {
    case ReduceKind::Sum:
      return selection_keeps_any(
          list, {"aten::sum", "aten::nansum", "aten::logsumexp", "aten::count_nonzero", "aten::mse_loss"});
    case ReduceKind::Mean: return selection_keeps_any(list, {"aten::mean", "aten::mse_loss"});
    case ReduceKind::Prod: return selection_keeps_any(list, {"aten::prod"});
    case ReduceKind::Max: return selection_keeps_any(list, {"aten::amax", "aten::max", "aten::logsumexp"});
    case ReduceKind::Min: return selection_keeps_any(list, {"aten::amin", "aten::min"});
    case ReduceKind::Any: return selection_keeps_any(list, {"aten::any", "aten::sum", "aten::mean", "aten::nansum"});
    case ReduceKind::All: return selection_keeps_any(list, {"aten::all", "aten::prod"});
    case ReduceKind::NanSum: return selection_keeps_any(list, {"aten::nansum"});
    default: return selection_keeps_any(list, {"aten::norm", "aten::linalg_vector_norm"});
  }
}
[[noreturn, gnu::cold, gnu::noinline]] inline void reduction_left_out() {
  fail<NotImplementedError>("this program's TENON_SELECTED_OPERATORS has no operator with such a reduction; add one");
}
/// A reduction of which nothing is compiled if no selected operator is of the kind.
template <ReduceKind Kind, class Arch, class Op>
void reduce_as(const Reduction& r, const Op& op) {
  if constexpr (is_reduction_selected(Kind))
    reduce<Arch>(r, op);
  else
    reduction_left_out();
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
      case ReduceKind::Sum: return reduce_as<ReduceKind::Sum, Arch>(r, sum_op<T>{});
      case ReduceKind::Mean: return reduce_as<ReduceKind::Mean, Arch>(r, mean_op<T>{});
      case ReduceKind::NanSum: return reduce_as<ReduceKind::NanSum, Arch>(r, nan_sum_op<T>{});
      default: return reduce_as<ReduceKind::Prod, Arch>(r, prod_op<T>{});
    }
  };
  auto extremes = [&]<class T>(type_tag<T>) {
    if (kind == ReduceKind::Max)
      reduce_as<ReduceKind::Max, Arch>(r, max_op<T>{});
    else
      reduce_as<ReduceKind::Min, Arch>(r, min_op<T>{});
  };
  auto norms = [&]<class T>(type_tag<T>) {
    if (kind == ReduceKind::MaxAbs) return reduce_as<ReduceKind::MaxAbs, Arch>(r, max_abs_op<T>{});
    if (kind == ReduceKind::MinAbs) return reduce_as<ReduceKind::MinAbs, Arch>(r, min_abs_op<T>{});
    norm_op<T> op;
    op.p = p;
    reduce_as<ReduceKind::Norm, Arch>(r, op);
  };
  switch (kind) {
    case ReduceKind::Any: return reduce_as<ReduceKind::Any, Arch>(r, any_op{});
    case ReduceKind::All: return reduce_as<ReduceKind::All, Arch>(r, all_op{});
    case ReduceKind::Max:
    case ReduceKind::Min:
      switch (compute) {
        case kLong: return call_if_selected<std::int64_t>(extremes);
        case kFloat: return call_if_selected<float>(extremes);
        case kDouble: return call_if_selected<double>(extremes);
        default: no_reduction(compute);
      }
    case ReduceKind::Norm:
    case ReduceKind::MaxAbs:
    case ReduceKind::MinAbs:
      switch (compute) {
        case kFloat: return call_if_selected<float>(norms);
        case kDouble: return call_if_selected<double>(norms);
        default: no_reduction(compute);
      }
    default:
      switch (compute) {
        case kLong: return call_if_selected<std::int64_t>(sums);
        case kFloat: return call_if_selected<float>(sums);
        case kDouble: return call_if_selected<double>(sums);
        case kComplexFloat: return call_if_selected<Complex<float>>(sums);
        case kComplexDouble: return call_if_selected<Complex<double>>(sums);
        default: no_reduction(compute);
      }
  }
}
template <class Arch>
void arg_extreme_entry(bool largest, ScalarType compute, const Reduction& r, std::int64_t* indices) {
  auto go = [&]<class T>(type_tag<T>) {
    constexpr bool keeps_max = selection_keeps_any(TENON_SELECTED_OPERATORS, {"aten::argmax", "aten::max"}),
                   keeps_min = selection_keeps_any(TENON_SELECTED_OPERATORS, {"aten::argmin", "aten::min"});
    if (!(largest ? keeps_max : keeps_min)) reduction_left_out();
    if constexpr (keeps_max)
      if (largest) tenon::cpu::arg_reduce<T, Arch, true>(r, nullptr, indices);
    if constexpr (keeps_min)
      if (!largest) tenon::cpu::arg_reduce<T, Arch, false>(r, nullptr, indices);
  };
  switch (compute) {
    case kLong: return call_if_selected<std::int64_t>(go);
    case kFloat: return call_if_selected<float>(go);
    case kDouble: return call_if_selected<double>(go);
    default: no_reduction(compute);
  }
}
template <class Arch>
void moments_entry(ScalarType compute, const Reduction& r, const MomentsCall& call) {
  constexpr bool kept =
      selection_keeps_any(TENON_SELECTED_OPERATORS, {"aten::var", "aten::std", "aten::var_mean", "aten::std_mean"});
  auto go = [&]<class T>(type_tag<T>) {
    if constexpr (!kept) {
      reduction_left_out();
    } else {
      auto result = static_cast<T*>(call.result), means = static_cast<T*>(call.mean);
      tenon::cpu::moments<T, Arch>(r, [&](T mean, T m2, std::int64_t n, std::int64_t place) {
        double divisor = static_cast<double>(n) - call.correction;
        T variance = n == 0 ? std::numeric_limits<T>::quiet_NaN()
                            : static_cast<T>(m2 / static_cast<T>(divisor > 0 ? divisor : 0));
        result[place] = call.root ? std::sqrt(variance) : variance;
        if (means) means[place] = n == 0 ? std::numeric_limits<T>::quiet_NaN() : mean;
      });
    }
  };
  switch (compute) {
    case kFloat: return call_if_selected<float>(go);
    case kDouble: return call_if_selected<double>(go);
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
