// The elementwise iterator: broadcasting, casts, strides and threads around an operator's inner loops, written once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>

#include <tenon/base/error.hpp>
#include <tenon/base/scalar_type.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/plan.hpp>
#include <tenon/cpu/detail/plan_parts.hpp>
#include <tenon/cpu/detail/stream.hpp>
#include <tenon/cpu/loops.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/transpose.hpp>

namespace tenon::cpu {

/// The tensors of one elementwise call. `compute` is the common element type in which the operator's loop is looked up;
/// operands of other types are converted on the way.
struct Operands {
  const std::int64_t* sizes = nullptr;  // the shape of the iteration, outputs included
  int dims = 0;
  std::int64_t count = 0;  // elements of the shape
  ScalarType compute = ScalarType::Undefined;
  int outputs = 0, inputs = 0;
  Operand item[kMaxOperands];  // outputs first; only those added are initialised

  Operands() = default;
  Operands(const std::int64_t* shape, int shape_dims, std::int64_t elements, ScalarType type)
      : sizes(shape), dims(shape_dims), count(elements), compute(type) {}
  /// All outputs before the first input.
  void add_output(const Operand& o) { item[outputs++] = o; }
  void add_input(const Operand& i) { item[outputs + inputs++] = i; }
};

}  // namespace tenon::cpu

#include <tenon/cpu/detail/iterator_impl.hpp>

namespace tenon::cpu {

/// Runs an inner loop over the operands: every output element from the input elements of the same index.
/// Shapes: each operand broadcasts to `o.sizes`; outputs have that shape, any strides without internal overlap.
/// Dtypes: any; inputs are cast to the loop's input types, results to the outputs' dtypes.
/// Aliasing: an output may be the same view as an input, nothing else may overlap an output.
/// Cost: about 5 ns beyond the inner loop where all operands are dense or one element and of the loop's types.
template <class Arch>
void run(const Loop& loop, const void* closure, const Operands& o) {
  void* outs[kMaxOutputs];
  const void* ins[kMaxInputs];
  std::int64_t steps[kMaxInputs];
  bool direct = true;
  for (int k = 0; k < o.outputs; ++k) {
    direct = direct && o.item[k].access == Access::dense && o.item[k].dtype == loop.output[k];
    outs[k] = o.item[k].data;
  }
  const Operand* inputs = o.item + o.outputs;
  for (int k = 0; k < o.inputs; ++k) {
    direct = direct && inputs[k].access != Access::strided && inputs[k].dtype == loop.input[k];
    ins[k] = inputs[k].data;
    steps[k] = inputs[k].access == Access::dense;
  }
  if (direct) {
    if (o.count < kParallelElements) [[likely]]
      loop.row(closure, outs, ins, steps, o.count);
    else
      detail::run_long<Arch>(loop, closure, outs, ins, steps, o.count);
    return;
  }
  if (o.count > 0) detail::run_general<Arch>(loop, closure, o);
}

/// As above with the operator's table, in which the loop of `o.compute` is found. Errors: TypeError if there is none.
template <class Arch>
void run(const LoopTable& table, const void* closure, const Operands& o) {
  const Loop* loop = table.find(o.compute);
  if (!loop) [[unlikely]]
    fail<TypeError>("the kernel has no inner loop for dtype ", o.compute);
  run<Arch>(*loop, closure, o);
}

}  // namespace tenon::cpu
