// Operations as rows name them, and the list of those that are compiled with the library.
#pragma once
#include <concepts>
#include <string_view>

#include <boost/mp11/list.hpp>

#include <tenon/reduction/operations.hpp>

namespace tenon {

/// A class template that a row names has not all that an operation over T consists of: `value_type`, `identity()`,
/// `map(x)`, `combine(a, b)`, `finish(total, n)`.
template <class Operation, class T>
struct class_is_not_a_reduction_operation;

namespace reduction {

template <class... T>
using types = boost::mp11::mp_list<T...>;

/// An operation and the types that it accumulates in: a loop is compiled for each.
template <template <class> class Operation, class... T>
struct operation {
  template <class X>
  using of = Operation<X>;
  using accumulates = types<T...>;
};

template <class O, class T>
concept accumulating = requires(const O& op, T x) {
  { O::identity() } -> std::convertible_to<T>;
  { op.map(x) } -> std::convertible_to<T>;
  { op.combine(x, x) } -> std::convertible_to<T>;
  op.finish(x, std::int64_t{});
  requires std::is_same_v<typename O::value_type, T>;
};

using sum = operation<sum_op, std::int64_t, float, double, Complex<float>, Complex<double>>;
using mean = operation<mean_op, float, double, Complex<float>, Complex<double>>;
using nan_sum = operation<nan_sum_op, std::int64_t, float, double, Complex<float>, Complex<double>>;
using prod = operation<prod_op, std::int64_t, float, double, Complex<float>, Complex<double>>;
using max = operation<max_op, std::int64_t, float, double>;
using min = operation<min_op, std::int64_t, float, double>;
using any = operation<any_op, bool>;
using all = operation<all_op, bool>;
using norm = operation<norm_op, float, double>;
using max_abs = operation<max_abs_op, float, double>;
using min_abs = operation<min_abs_op, float, double>;

/// PyTorch's name of an operation's kernel, for messages; none: the operator's.
template <class Operation>
inline constexpr std::string_view kernel_name{};
template <>
inline constexpr std::string_view kernel_name<sum> = "sum_cpu";
template <>
inline constexpr std::string_view kernel_name<mean> = "sum_cpu";
template <>
inline constexpr std::string_view kernel_name<nan_sum> = "nansum_cpu";
template <>
inline constexpr std::string_view kernel_name<prod> = "prod_out_cpu";
template <>
inline constexpr std::string_view kernel_name<max> = "max_values_cpu";
template <>
inline constexpr std::string_view kernel_name<min> = "min_values_cpu";
template <>
inline constexpr std::string_view kernel_name<norm> = "norm_cpu";
template <>
inline constexpr std::string_view kernel_name<max_abs> = "norm_cpu";
template <>
inline constexpr std::string_view kernel_name<min_abs> = "norm_cpu";

/// An operation with the types of what its constructor is given: the arguments of the operator that it serves.
template <class Operation, class... Arguments>
struct given {
  using operation = Operation;
  using arguments = types<Arguments...>;
};

/// The operations that a back end compiles once, for every operator that names them.
using library_operations = types<given<sum>, given<mean>, given<nan_sum>, given<prod>, given<max>, given<min>,
                                 given<any>, given<all>, given<norm, Scalar>, given<max_abs>, given<min_abs>>;

}  // namespace reduction
}  // namespace tenon
