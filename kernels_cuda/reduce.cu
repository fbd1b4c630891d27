// Kernels of the operations of reductions.
#include <tenon/cuda/reduce.hpp>

namespace tenon::cuda {
namespace {

/// By a kernel for how the elements lie; false where there is none for their dtype.
template <class Operation>
bool run_typed_layout(const ReduceCall& c, const Operation& op, typename Operation::value_type* partial, void* stream) {
  using T = typename Operation::value_type;
  auto one = [&]<class E>(type_tag<E>) {
    if (c.in_dtype != scalar_type_v<E> || c.layout == ReduceLayout::Any) return false;
    if (c.layout == ReduceLayout::Rows)
      launch<reduce_packs_by_block<Operation, E>>({c.kept.count * c.parts, 128}, stream, c, op, partial, c.parts);
    else
      launch<reduce_columns<Operation, E>>(
          {(c.kept.count + kWarp - 1) / kWarp * c.parts, reduce_columns<Operation, E>::kRows * kWarp}, stream, c, op,
          partial, c.parts);
    return true;
  };
  if constexpr (std::is_same_v<T, float>)
    if (one(type_tag<Half>{}) || one(type_tag<BFloat16>{})) return true;
  return one(type_tag<T>{});
}
template <class Operation>
void run(const ReduceCall& c, const Operation& op, void* stream) {
  using T = typename Operation::value_type;
  constexpr unsigned threads = 128;
  if (c.reduced.count <= kReducedByLane)
    return launch<reduce_by_lane<Operation>>(shape_for(c.kept.count, threads), stream, c, op);
  T* partial = static_cast<T*>(c.scratch);
  if (!run_typed_layout<Operation>(c, op, partial, stream))
    launch<reduce_by_block<Operation>>({c.kept.count * c.parts, threads}, stream, c, op, partial, c.parts);
  const T* parts = partial;
  if (c.parts > kReducedByLane)
    launch<reduce_parts<Operation>>({c.kept.count, threads_for(c.parts, kRowLanes)}, stream, c, op, parts, c.parts);
  else if (c.parts > 1)
    launch<reduce_few_parts<Operation>>(shape_for(c.kept.count, threads), stream, c, op, parts, c.parts);
}
template <class Operation, class... A, class... T>
bool run_typed(reduction::given<Operation, A...>, reduction::types<T...>, const ReduceCall& c,
               [[maybe_unused]] const Scalar* number, void* stream) {
  auto one = [&]<class U>(type_tag<U>) {
    using O = typename Operation::template of<U>;
    if (c.accumulates != scalar_type_v<U>) return false;
    if constexpr (sizeof...(A) != 0)
      run(c, O(*number), stream);
    else
      run(c, O{}, stream);
    return true;
  };
  return (one(type_tag<T>{}) || ...);
}
template <class... Given>
bool run_operation(reduction::types<Given...>, const ReduceCall& c, const Scalar* number, void* stream) {
  int at = 0;
  auto one = [&](auto given) {
    using Operation = typename decltype(given)::operation;
    return at++ == c.operation && run_typed(given, typename Operation::accumulates{}, c, number, stream);
  };
  return (one(Given{}) || ...);
}

}  // namespace

bool reduce(const ReduceCall& call, const Scalar* number, void* stream) {
  return run_operation(reduction::library_operations{}, call, number, stream);
}

}  // namespace tenon::cuda
