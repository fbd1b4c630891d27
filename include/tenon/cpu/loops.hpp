// Typed inner loops: one lambda becomes one function per element type, and a constant table of these is an operator.
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

#include <tenon/base/scalar_type.hpp>
#include <tenon/math/types.hpp>
#include <tenon/math/vec.hpp>
#include <tenon/math/vector.hpp>

namespace tenon::cpu {

inline constexpr int kMaxInputs = 6, kMaxOutputs = 4, kMaxOperands = kMaxInputs + kMaxOutputs;

/// Computes n elements of every output, for each of `rows` rows. An input whose step is 1 is read contiguously, one
/// whose step is 0 has a single element in a row. n may be any count; nothing behind the n elements is touched. `next`
/// holds the bytes from a row to the next, outputs first; it is not read for one row. An output may be the same memory
/// as an input of step 1, not overlap it otherwise.
using LoopFunction = void (*)(const void* closure, void* const* outs, const void* const* ins,
                              const std::int64_t* in_steps, std::int64_t n, std::int64_t rows,
                              const std::int64_t* next);

/// One inner loop with the element types it reads and writes.
struct Loop {
  LoopFunction function = nullptr;
  std::int8_t inputs = 0, outputs = 0;
  ScalarType input[kMaxInputs] = {};
  ScalarType output[kMaxOutputs] = {};

  /// One row of n elements.
  void row(const void* closure, void* const* outs, const void* const* ins, const std::int64_t* in_steps,
           std::int64_t n) const {
    function(closure, outs, ins, in_steps, n, 1, nullptr);
  }
};

/// The inner loops of an operator by element type. A type without its own loop borrows a wider one whose results,
/// stored in the type, are the same: 16-bit floats float, small integers the next signed integer, complex32 complex64.
template <std::size_t N>
struct LoopArray {
  Loop loops[N];
};
struct LoopTable {
  const Loop* loops = nullptr;
  std::int8_t index[32] = {};  // 1 + position in loops, 0 for none
  constexpr const Loop* find(ScalarType type) const {
    auto i = static_cast<unsigned>(type);
    return i < 32 && index[i] ? loops + (index[i] - 1) : nullptr;
  }
};

/// No parameters: the lambda sees only elements.
struct no_params {};

/// What a lambda computes an element type in: float for the 16-bit floats, otherwise the type itself.
template <class T>
struct compute_type {
  using type = T;
};
template <class T>
  requires requires { scalar_type_of<T>::value; }
struct compute_type<T> : element_type<compute_type_of(scalar_type_v<T>)> {};
template <class T>
using compute_t = typename compute_type<T>::type;

using floating_types = over::floating;
using wide_types = over::real;
using half_types = over::half;
using complex_types = over::complex;
using stored_types = over::stored;
using integer_types = over::any_integer;

}  // namespace tenon::cpu

#include <tenon/cpu/detail/loops_impl.hpp>

namespace tenon::cpu {

namespace detail {
/// An array of make(type_tag<T>{}) for each T that the program's selection keeps; one without a function if none is.
template <class... T, class F>
constexpr auto loops_for(F make) {
  constexpr std::size_t n = (std::size_t{0} + ... + is_selected(scalar_type_v<T>));
  LoopArray<n ? n : 1> r{};
  std::size_t at = 0;
  auto one = [&]<class U>(type_tag<U> tag) {
    if constexpr (is_selected(scalar_type_v<U>)) r.loops[at++] = make(tag);
  };
  (one(type_tag<T>{}), ...);
  return r;
}
}  // namespace detail

/// The loop of a stateless lambda over element type T: vectors for floating types, plain elements otherwise.
/// The lambda takes N_in values (`auto`) and returns a value, a comparison's result (stored as bool), or a tuple of
/// N_out of these. With `Params`, it takes `const P&` first, where the closure of the call points to a `Params` and P
/// is what `params.as<compute_t<T>>()` returns if there is such a member, else Params itself. A lambda with captures is
/// its own closure: the closure of the call points to the lambda.
template <class T, class Arch, int N_in, int N_out = 1, class Params = no_params, class F>
constexpr Loop make_loop(F) {
  return detail::loop_of<true, Arch, Params, F, N_out>(detail::repeat<T, N_in>{});
}
/// As make_loop, one element at a time: for functions without a vector form.
template <class T, class Arch, int N_in, int N_out = 1, class Params = no_params, class F>
constexpr Loop make_scalar_loop(F) {
  return detail::loop_of<false, Arch, Params, F, N_out>(detail::repeat<T, N_in>{});
}
/// As make_loop with an own element type for each input; bool inputs of a vector loop arrive as masks.
template <class Arch, class Inputs, int N_out = 1, class Params = no_params, class F>
constexpr Loop make_mixed_loop(F) {
  return detail::loop_of<true, Arch, Params, F, N_out>(Inputs{});
}

/// The loops of one lambda for a list of element types, less those that the program's selection leaves out.
template <class Arch, int N_in, int N_out = 1, class Params = no_params, class F, class... T>
constexpr auto make_loops(types<T...>, F f) {
  return detail::loops_for<T...>([&]<class U>(type_tag<U>) { return make_loop<U, Arch, N_in, N_out, Params>(f); });
}
template <class Arch, int N_in, int N_out = 1, class Params = no_params, class F, class... T>
constexpr auto make_scalar_loops(types<T...>, F f) {
  return detail::loops_for<T...>(
      [&]<class U>(type_tag<U>) { return make_scalar_loop<U, Arch, N_in, N_out, Params>(f); });
}
template <std::size_t A, std::size_t B>
constexpr LoopArray<A + B> operator+(const LoopArray<A>& a, const LoopArray<B>& b) {
  LoopArray<A + B> r{};
  for (std::size_t i = 0; i < A; ++i) r.loops[i] = a.loops[i];
  for (std::size_t i = 0; i < B; ++i) r.loops[A + i] = b.loops[i];
  return r;
}

/// The look-up table of loops that live in static memory; each loop is found by its last input's type (bool masks
/// come first). Loops without inputs are found by their first output.
template <std::size_t N>
constexpr LoopTable make_table(const LoopArray<N>& array) {
  LoopTable t;
  t.loops = array.loops;
  for (std::size_t i = 0; i < N; ++i) {
    const Loop& loop = array.loops[i];
    if (!loop.function) continue;  // no dtype of the operator is selected
    ScalarType key = loop.inputs ? loop.input[loop.inputs - 1] : loop.output[0];
    t.index[static_cast<int>(key)] = static_cast<std::int8_t>(i + 1);
  }
  auto borrow = [&t](ScalarType type, ScalarType from) {
    auto& own = t.index[static_cast<int>(type)];
    if (own == 0 && is_selected(type)) own = t.index[static_cast<int>(from)];
  };
#define X(CPP, NAME, ...) \
  if (has_arithmetic(k##NAME) && compute_type_of(k##NAME) != k##NAME) borrow(k##NAME, compute_type_of(k##NAME));
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
  constexpr ScalarType wider[][2] = {{kInt, kLong},   {kUInt32, kLong}, {kShort, kInt},
                                     {kUInt16, kInt}, {kChar, kInt},    {kByte, kInt}};
  for (const auto& pair : wider) borrow(pair[0], pair[1]);
  return t;
}

}  // namespace tenon::cpu
