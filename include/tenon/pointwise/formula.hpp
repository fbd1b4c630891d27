// Formulas: what one element of a result is computed from, once for every back end.
#pragma once
#include <type_traits>

#include <tenon/base/preprocessor.hpp>
#include <tenon/math/arithmetic.hpp>
#include <tenon/math/bessel.hpp>
#include <tenon/math/incomplete_gamma.hpp>
#include <tenon/math/polynomial.hpp>
#include <tenon/math/special.hpp>
#include <tenon/math/types.hpp>

// A unit of CUDA kernels says TENON_CUDA_KERNELS where the host's compiler reads it, for the executor.
#if TENON_DEVICE_UNIT || defined(TENON_KERNELS_ARCH) || defined(TENON_CUDA_KERNELS)
#define TENON_FORMULAS_ALONE 1
#else
#define TENON_FORMULAS_ALONE 0
#endif
#if !TENON_DEVICE_UNIT && !defined(TENON_CUDA_KERNELS)
#include <tenon/math/vector.hpp>
#endif

namespace tenon::pointwise {

/// What a formula says of its element types.
template <class Types>
struct element_types {
  using list = Types;
  static constexpr bool masked = false, wide_numbers = false, rounds_quotients = false, one_at_a_time = false,
                        modular = false, ordered = false;
};
template <class List>
struct element_types<over::masked<List>> : element_types<List> {
  static constexpr bool masked = true;
};
template <class List>
struct element_types<over::keeps_wide_numbers<List>> : element_types<List> {
  static constexpr bool wide_numbers = true;
};
template <class List>
struct element_types<over::one_at_a_time<List>> : element_types<List> {
  static constexpr bool one_at_a_time = true;
};
template <class List>
struct element_types<over::modular<List>> : element_types<List> {
  static constexpr bool modular = true;
};
template <class List>
struct element_types<over::ordered<List>> : element_types<List> {
  static constexpr bool ordered = true;
};
template <class List>
struct element_types<over::rounds_quotients<List>> : element_types<List> {
  static constexpr bool wide_numbers = true, rounds_quotients = true;
};

#if TENON_FORMULAS_ALONE
// A unit that is compiled for an instruction set or a device finds the formulas of the rows that it includes, in
// whatever namespaces these are: each defines a function of this one that its place declares.
#if defined(__CUDACC__)
#pragma nv_diag_suppress 1301
#elif defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wnon-template-friend"
#endif
template <int Place>
struct place_of_formula {
  friend constexpr auto formula_at(place_of_formula<Place>);
};
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDACC__)
#pragma GCC diagnostic pop
#endif
template <int Place, class Formula>
struct list_formula {
  friend constexpr auto formula_at(place_of_formula<Place>) { return std::type_identity<Formula>{}; }
};
/// The formula at a place of the unit, `void` where something else took the number.
template <int Place>
struct listed_formula {
  static auto find() {
    if constexpr (requires { formula_at(place_of_formula<Place>{}); })
      return formula_at(place_of_formula<Place>{});
    else
      return std::type_identity<void>{};
  }
  using type = typename decltype(find())::type;
};
#endif

}  // namespace tenon::pointwise

#if TENON_FORMULAS_ALONE
#define TENON_INTERNAL_LIST_FORMULA(FORMULA) TENON_INTERNAL_LIST_FORMULA_(FORMULA, __COUNTER__)
#define TENON_INTERNAL_LIST_FORMULA_(FORMULA, PLACE) \
  ;                                                  \
  static_assert(sizeof(::tenon::pointwise::list_formula<PLACE, FORMULA>) != 0)
#else
#define TENON_INTERNAL_LIST_FORMULA(FORMULA)
#endif

#define TENON_INTERNAL_AUTO(N) [[maybe_unused]] auto N
#define TENON_INTERNAL_AUTOS(...) TENON_INTERNAL_EACH(TENON_INTERNAL_AUTO, __VA_ARGS__)
#define TENON_INTERNAL_MORE_AUTOS(...) __VA_OPT__(, TENON_INTERNAL_AUTOS(__VA_ARGS__))

/// NAME_formula: what an element of a result is, from elements and from numbers of a call, both by name:
///
///     TENON_FORMULA(add_scaled, fast_element, (self, other), (alpha), (math::plus_scaled(self, alpha, other)));
///
/// TYPES is a list of `over` or of one's own. Elements arrive as numbers of the compute type (float for 16-bit
/// floats) or, unless the list says `one_at_a_time`, as vectors of them, numbers of the call as numbers of that type.
/// The expression calls functions of tenon::math qualified; it is compiled for the host, each instruction set and, in a
/// `.cu` file, the device.
#define TENON_FORMULA(NAME, TYPES, ELEMENTS, NUMBERS, ...) \
  TENON_FORMULA_OF(NAME, TYPES, tenon_element, ELEMENTS, NUMBERS, __VA_ARGS__)
/// The same where the expression asks for the type of the elements in memory, under the name ELEMENT.
#define TENON_FORMULA_OF(NAME, TYPES, ELEMENT, ELEMENTS, NUMBERS, ...)                                     \
  struct NAME##_formula {                                                                                  \
    using types = TYPES;                                                                                   \
    static constexpr const char* name() { return #NAME; }                                                  \
    static constexpr int elements = TENON_INTERNAL_COUNT ELEMENTS, numbers = TENON_INTERNAL_COUNT NUMBERS; \
    TENON_INTERNAL_ANY_NAMES_BEGIN                                                                         \
    template <class ELEMENT>                                                                               \
    TENON_HOST_DEVICE static auto of(TENON_INTERNAL_AUTOS ELEMENTS TENON_INTERNAL_MORE_AUTOS NUMBERS) {    \
      namespace math = ::tenon::math;                                                                      \
      return __VA_ARGS__;                                                                                  \
    }                                                                                                      \
    TENON_INTERNAL_ANY_NAMES_END                                                                           \
  } TENON_INTERNAL_LIST_FORMULA(NAME##_formula)
