// Every formula of the rows as a kernel, for each type of elements that it lists. The rows come by a list that
// compile.py writes.
#include <type_traits>
#include <utility>

#include "device_rows.hpp"

namespace tenon::ops {

/// What a formula sees of an element in memory: 16-bit and 8-bit floats arrive as float.
template <class T>
using seen_t = typename element_type<compute_type_of(scalar_type_v<T>)>::type;

template <class F, class T, int... E, int... N>
__device__ void compute(void* out, const seen_t<T>* x, const bool* mask, std::integer_sequence<int, E...>,
                        std::integer_sequence<int, N...>) {
  auto store = [out](auto r) { *static_cast<decltype(r)*>(out) = r; };
  if constexpr (pointwise::element_types<typename F::types>::masked)
    store(F::template of<T>(mask[0], x[0], x[1]));
  else
    store(F::template of<T>(x[E]..., x[sizeof...(E) + N]...));
}
template <class F, class T>
__global__ void computed(void* out, const seen_t<T>* x, const bool* mask) {
  compute<F, T>(out, x, mask, std::make_integer_sequence<int, F::elements>{},
                std::make_integer_sequence<int, F::numbers>{});
}

/// The kernels of a formula; taking their addresses makes them.
template <class F, class... T>
int kernels_of(types<T...>) {
  const void* all[] = {reinterpret_cast<const void*>(&computed<F, T>)...};
  return static_cast<int>(sizeof(all) / sizeof(*all));
}
template <int... I>
int kernels(std::integer_sequence<int, I...>) {
  auto of = []<class F>(std::type_identity<F>) {
    if constexpr (std::is_void_v<F>)
      return 0;
    else
      return kernels_of<F>(typename pointwise::element_types<typename F::types>::list{});
  };
  return (of(std::type_identity<typename pointwise::listed_formula<I>::type>{}) + ... + 0);
}
int all_kernels() { return kernels(std::make_integer_sequence<int, __COUNTER__>{}); }

}  // namespace tenon::ops
