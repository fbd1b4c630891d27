// The types of operators that most programs call. Their way to a kernel is compiled once per program, which is most of
// what a call costs its unit.
#pragma once
#include <tuple>
#include <vector>

#include <tenon/base/shared_object.hpp>
#include <tenon/dispatch/call.hpp>

/// X(R, A...) for each type R(A...): the schemas of the fewest parameters that many operators have, and those of the
/// layers and losses. Here those of tensors and numbers.
#define TENON_INTERNAL_USUAL_ELEMENTWISE(X)                                            \
  X(Tensor, const Tensor&)                                                             \
  X(Tensor, const Tensor&, const Tensor&)                                              \
  X(Tensor, const Tensor&, const Scalar&)                                              \
  X(Tensor, const Tensor&, bool)                                                       \
  X(Tensor, const Tensor&, std::string_view)                                           \
  X(Tensor, const Tensor&, std::optional<ScalarType>)                                  \
  X(Tensor, const Tensor&, const Tensor&, const Tensor&)                               \
  X(Tensor, const Tensor&, const Tensor&, const Scalar&)                               \
  X(Tensor, const Tensor&, const Tensor&, std::optional<std::string_view>)             \
  X(Tensor, const Tensor&, const Scalar&, const Scalar&)                               \
  X(Tensor, const Tensor&, const std::optional<Scalar>&, const std::optional<Scalar>&) \
  X(Tensor, const Tensor&, double, bool)                                               \
  X(Tensor, const Tensor&, ScalarType, bool, bool, std::optional<MemoryFormat>)        \
  X(Tensor, const Tensor&, const Tensor&, const Tensor&, const Scalar&)                \
  X(Tensor, const Tensor&, const Tensor&, const Tensor&, const Scalar&, const Scalar&) \
  X(bool, const Tensor&, const Tensor&)                                                \
  X(Scalar, const Tensor&)
/// Those with dimensions, sizes and lists.
#define TENON_INTERNAL_USUAL_DIMENSIONS(X)                                                     \
  X(Tensor, const Tensor&, std::int64_t)                                                       \
  X(Tensor, const Tensor&, IntArrayRef)                                                        \
  X(Tensor, const Tensor&, SymIntArrayRef)                                                     \
  X(Tensor, const Tensor&, const Tensor&, std::int64_t)                                        \
  X(Tensor, const Tensor&, std::int64_t, bool)                                                 \
  X(Tensor, const Tensor&, std::int64_t, std::int64_t)                                         \
  X(Tensor, const Tensor&, std::int64_t, SymInt)                                               \
  X(Tensor, const Tensor&, std::int64_t, SymInt, SymInt)                                       \
  X(Tensor, const Tensor&, std::int64_t, std::optional<SymInt>, std::optional<SymInt>, SymInt) \
  X(Tensor, const Tensor&, std::int64_t, const Tensor&)                                        \
  X(Tensor, const Tensor&, std::int64_t, const Tensor&, bool)                                  \
  X(Tensor, const Tensor&, std::int64_t, const Tensor&, const Tensor&)                         \
  X(Tensor, const Tensor&, std::int64_t, std::optional<ScalarType>)                            \
  X(Tensor, const Tensor&, std::optional<std::int64_t>, bool)                                  \
  X(Tensor, const Tensor&, IntArrayRef, bool)                                                  \
  X(Tensor, const Tensor&, SymIntArrayRef, bool)                                               \
  X(Tensor, const Tensor&, std::optional<IntArrayRef>, bool, std::optional<ScalarType>)        \
  X(Tensor, const Tensor&, std::optional<IntArrayRef>, const std::optional<Scalar>&, bool)     \
  X(Tensor, TensorList, std::int64_t)                                                          \
  X(Tensor, std::string_view, TensorList, std::optional<IntArrayRef>)                          \
  X(TwoTensors, const Tensor&, std::int64_t, bool)                                             \
  X(std::vector<Tensor>, const Tensor&, std::int64_t)                                          \
  X(std::vector<Tensor>, const Tensor&, std::int64_t, std::int64_t)                            \
  X(std::vector<Tensor>, const Tensor&, SymInt, std::int64_t)
/// Those of layers and losses.
#define TENON_INTERNAL_USUAL_LAYERS(X)                                                                               \
  X(Tensor, const Tensor&, const Tensor&, const std::optional<Tensor>&)                                              \
  X(Tensor, const Tensor&, const Tensor&, SymInt, bool, bool)                                                        \
  X(Tensor, const Tensor&, const Tensor&, const std::optional<Tensor>&, std::int64_t, SymInt)                        \
  X(Tensor, const Tensor&, const Tensor&, const std::optional<Tensor>&, std::int64_t, SymInt, double)                \
  X(Tensor, const Tensor&, const Tensor&, const std::optional<Tensor>&, SymIntArrayRef, SymIntArrayRef,              \
    SymIntArrayRef, SymInt)                                                                                          \
  X(Tensor, const Tensor&, IntArrayRef, IntArrayRef, IntArrayRef, IntArrayRef, bool)                                 \
  X(Tensor, const Tensor&, SymIntArrayRef, const std::optional<Tensor>&, const std::optional<Tensor>&, double, bool) \
  X(Tensor, const Tensor&, const std::optional<Tensor>&, const std::optional<Tensor>&, const std::optional<Tensor>&, \
    const std::optional<Tensor>&, bool, double, double, bool)
/// Those that write.
#define TENON_INTERNAL_USUAL_WRITES(X)                                            \
  X(Tensor&, Tensor&)                                                             \
  X(Tensor&, Tensor&, const Tensor&)                                              \
  X(Tensor&, Tensor&, const Scalar&)                                              \
  X(Tensor&, Tensor&, const Tensor&, bool)                                        \
  X(Tensor&, Tensor&, const Tensor&, const Scalar&)                               \
  X(Tensor&, Tensor&, const Tensor&, const Tensor&, const Scalar&)                \
  X(Tensor&, Tensor&, const std::optional<Scalar>&, const std::optional<Scalar>&) \
  X(Tensor&, Tensor&, double, double, const std::optional<Generator>&)
/// All of these.
#define TENON_INTERNAL_USUAL_CALLS(X) \
  TENON_INTERNAL_USUAL_ELEMENTWISE(X) \
  TENON_INTERNAL_USUAL_DIMENSIONS(X)  \
  TENON_INTERNAL_USUAL_LAYERS(X)      \
  TENON_INTERNAL_USUAL_WRITES(X)

/// The same of factories. They are called in line, less the rare ways.
#define TENON_INTERNAL_USUAL_FACTORIES(X)                                        \
  X(SymIntArrayRef, TENON_INTERNAL_FACTORY_OPTIONS)                              \
  X(SymIntArrayRef, TENON_INTERNAL_FACTORY_OPTIONS, std::optional<MemoryFormat>) \
  X(SymIntArrayRef, const Scalar&, TENON_INTERNAL_FACTORY_OPTIONS)               \
  X(SymInt, TENON_INTERNAL_FACTORY_OPTIONS)                                      \
  X(SymInt, SymInt, TENON_INTERNAL_FACTORY_OPTIONS)                              \
  X(const Scalar&, TENON_INTERNAL_FACTORY_OPTIONS)                               \
  X(const Scalar&, const Scalar&, TENON_INTERNAL_FACTORY_OPTIONS)                \
  X(const Scalar&, const Scalar&, const Scalar&, TENON_INTERNAL_FACTORY_OPTIONS) \
  X(const Scalar&, const Scalar&, std::int64_t, TENON_INTERNAL_FACTORY_OPTIONS)  \
  X(SymInt, SymIntArrayRef, TENON_INTERNAL_FACTORY_OPTIONS)                      \
  X(SymInt, SymInt, SymIntArrayRef, TENON_INTERNAL_FACTORY_OPTIONS)
#define TENON_INTERNAL_FACTORY_OPTIONS \
  std::optional<ScalarType>, std::optional<Layout>, std::optional<Device>, std::optional<bool>

namespace tenon::detail {

using TwoTensors = std::tuple<Tensor, Tensor>;

// Like every function that is declared alone, not hidden in a unit that hides what it defines: they may be in a shared
// object. What is defined for one object to have to itself is hidden there.
#ifdef TENON_INTERNAL_HIDDEN_BODIES
#define TENON_INTERNAL_USUAL
#else
#define TENON_INTERNAL_USUAL TENON_EXPORT
#endif
#define TENON_INTERNAL_USUAL_CALL(R, ...) \
  extern template TENON_INTERNAL_USUAL R call_operator<R, __VA_ARGS__>(OperatorSlot&, __VA_ARGS__);
TENON_INTERNAL_USUAL_CALLS(TENON_INTERNAL_USUAL_CALL)
#undef TENON_INTERNAL_USUAL_CALL
#define TENON_INTERNAL_USUAL_FACTORY(...)                                                                       \
  extern template TENON_INTERNAL_USUAL Tensor call_path<Tensor(__VA_ARGS__)>::slow(OperatorSlot&, KeySet, bool, \
                                                                                   __VA_ARGS__);                \
  extern template TENON_INTERNAL_USUAL Tensor backend_select<Tensor(__VA_ARGS__)>::call(void*, KeySet, __VA_ARGS__);
TENON_INTERNAL_USUAL_FACTORIES(TENON_INTERNAL_USUAL_FACTORY)
#undef TENON_INTERNAL_USUAL_FACTORY
#undef TENON_INTERNAL_USUAL

}  // namespace tenon::detail
