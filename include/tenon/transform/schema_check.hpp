// Operator calls held against what their schemas say: SchemaCheckGuard.
#pragma once
#include <tenon/keys/local_keys.hpp>

namespace tenon {

/// While it lives, each operator call of this thread, those inside of composite operators too, is held against its
/// schema. A call throws SchemaError, after it has run, where
/// - an argument that the schema does not mark as written has other elements or another geometry than before;
/// - an argument that it does mark has other elements, and its version was not counted;
/// - a result shares memory with an argument or another result, and no alias set says so (`_unsafe_...` may: who calls
///   it uses the argument no more; so may what has the tag maybe_aliasing_or_mutating);
/// - the Meta kernel computes another number, dtype, shape or strides of the results, or refuses the call.
/// For tests of operators: each call reads the memory of its tensors twice and, where Meta has a kernel, runs a second
/// time on Meta. Tensors of other devices than the CPU are looked at for aliasing and geometry alone.
/// Source: SchemaCheckMode and opcheck of PyTorch 2.15.
class SchemaCheckGuard {
 public:
  SchemaCheckGuard();

 private:
  LocalKeysGuard keys_;
};

}  // namespace tenon
