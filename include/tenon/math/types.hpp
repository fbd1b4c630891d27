// The lists of element types that formulas and reductions are made for.
#pragma once
#include <boost/mp11/algorithm.hpp>
#include <boost/mp11/list.hpp>
#include <cstdint>

#include <tenon/base/scalar_type.hpp>

namespace tenon {

/// A list of element types.
template <class... T>
using types = boost::mp11::mp_list<T...>;

namespace detail {
template <class... T>
using all_but_first = boost::mp11::mp_pop_front<types<T...>>;
#define X(CPP, ...) , CPP
/// Every type that elements have, in the order of TENON_FOR_EACH_SCALAR_TYPE.
using every_element = all_but_first<void TENON_FOR_EACH_SCALAR_TYPE(X)>;
#undef X
template <class T>
using is_half = std::bool_constant<is_reduced_floating_type(scalar_type_v<T>)>;
template <class T>
using is_stored_only = std::bool_constant<!has_arithmetic(scalar_type_v<T>)>;
template <class T>
using is_integer = std::bool_constant<is_integral_type(scalar_type_v<T>, false)>;
}  // namespace detail

// A type that a list lacks borrows a wider one whose results, stored in the type, are the same: 16-bit floats float,
// small integers the next signed integer, complex32 complex64. The `fast_` lists have 16-bit floats of their own, which
// saves the conversion of whole operands.
namespace over {

using boost::mp11::mp_append;
using boolean = types<bool>;
using integer = types<std::int32_t, std::int64_t>;
using byte = types<std::uint8_t>;
using integer_with_byte = mp_append<integer, byte>;
using floating = types<float, double>;
using half = boost::mp11::mp_copy_if<detail::every_element, detail::is_half>;
/// Without arithmetic: what compares or moves elements takes them, one at a time.
using stored = boost::mp11::mp_copy_if<detail::every_element, detail::is_stored_only>;
using any_integer = boost::mp11::mp_copy_if<detail::every_element, detail::is_integer>;
using complex = types<Complex<float>, Complex<double>>;
using integer_or_bool = mp_append<boolean, integer>;
using real = mp_append<integer, floating>;
using real_with_byte = mp_append<real, byte>;
using real_or_bool = mp_append<boolean, real>;
using float_or_complex = mp_append<floating, complex>;
using number = mp_append<real, complex>;
using element = mp_append<boolean, number>;
using fast_float = mp_append<floating, half>;
using fast_float_or_complex = mp_append<fast_float, complex>;
using fast_real = mp_append<real, half>;
using fast_real_with_byte = mp_append<fast_real, byte>;
using fast_real_or_bool = mp_append<boolean, fast_real>;
using fast_number = mp_append<fast_real, complex>;
using fast_element = mp_append<boolean, fast_number>;
using comparable = mp_append<element, stored>;
using any_element = mp_append<boolean, byte, fast_number, stored>;

/// The same types behind a first element that is a bool, whatever the others are.
template <class List>
struct masked {
  using list = List;
};
/// The formula multiplies or divides: a 16-bit loop of it keeps the digits of a single number behind its first operand.
template <class List>
struct keeps_wide_numbers {
  using list = List;
};
/// The formula has no vector form: its loops compute element by element, and a library has them once for all
/// instruction sets.
template <class List>
struct one_at_a_time {
  using list = List;
};
/// The formula gives the same bits for uint64 as for int64, whose loops serve both.
template <class List>
struct modular {
  using list = List;
};
/// The formula asks for the order of its elements: that of uint64 is int64's with the highest bits turned.
template <class List>
struct ordered {
  using list = List;
};
/// The formula cuts a quotient to an integer: 16-bit floats are rounded before that.
template <class List>
struct rounds_quotients {
  using list = List;
};

}  // namespace over

}  // namespace tenon
