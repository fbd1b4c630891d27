// Every operation that reductions name as a kernel, for each type that it accumulates in.
#include <tenon/reduction/operation.hpp>

namespace tenon::reduction {

template <class Operation>
__global__ void reduced(Operation op, typename Operation::value_type* out, const typename Operation::value_type* x,
                        std::int64_t n) {
  auto total = Operation::identity();
  for (std::int64_t i = 0; i < n; ++i) total = op.combine(total, op.map(x[i]));
  *out = op.finish(total, n);
}

template <class Operation, class... T>
int kernels_of(types<T...>) {
  const void* all[] = {reinterpret_cast<const void*>(&reduced<typename Operation::template of<T>>)...};
  return static_cast<int>(sizeof(all) / sizeof(*all));
}
template <class... Given>
int kernels(types<Given...>) {
  return (kernels_of<typename Given::operation>(typename Given::operation::accumulates{}) + ...);
}
int all_kernels() { return kernels(library_operations{}); }

}  // namespace tenon::reduction
