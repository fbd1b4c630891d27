// What the device's units are asked for by the host's: plain data, and functions that start kernels on a stream.
#pragma once
#include <cstdint>

#include <tenon/base/scalar.hpp>
#include <tenon/cuda/elements.hpp>

namespace tenon::cuda {

/// A tensor, or one element that comes with the call.
struct Operand {
  char* data = nullptr;  ///< null: `element`
  ScalarType dtype = ScalarType::Undefined;
  alignas(16) unsigned char element[16] = {};
};

/// An elementwise call: operand 0 is written.
struct Elementwise {
  Walk walk;
  int operands = 0;
  Operand at[kMostOperands];
  bool dense = false;  ///< each operand is an element or lies as the walk runs
};

/// The kernels of one formula for a type of elements.
struct TypedFormula {
  ScalarType type, result;
  void (*run)(const Elementwise&, const Scalar* numbers, void* stream);
};
struct NamedFormula {
  const char* name;
  const TypedFormula* types;
  int count;
};
struct FormulaTable {
  const NamedFormula* formulas;
  int count;
};

/// Writes operand 1 to operand 0 with conversion; conjugated or negated where asked.
struct CopyCall {
  Elementwise elements;
  bool conjugate = false, negate = false;
};
void copy(const CopyCall& call, void* stream);

/// A reduction of operand 1 to operand 0.
struct ReduceCall {
  Walk kept, reduced;  ///< the places of results, and those that one result is made of
  void* out;
  const void* in;
  ScalarType out_dtype, in_dtype, accumulates;
  int operation;       ///< its place in reduction::library_operations
  void* scratch;       ///< `16 bytes for each part of each result, where there are several
  std::int64_t parts;  ///< blocks for each result
};
inline constexpr std::int64_t kReducedByLane = 32;  ///< so many elements of a result are one lane's
/// Blocks for each of `results` results of `count` elements.
constexpr std::int64_t reduce_parts_for(std::int64_t results, std::int64_t count) {
  std::int64_t parts = count / 8192, most = 1024 / (results < 1 ? 1 : results);
  return parts < 1 || most < 2 ? 1 : parts < most ? parts : most;
}
/// False where no kernel accumulates in that type. `number` is what the operation is made from; may be null.
bool reduce(const ReduceCall& call, const Scalar* number, void* stream);

/// Softmax over rows of `size` elements `inner` apart, in a row-major tensor.
struct SoftmaxCall {
  void* out;
  const void *in, *grad;  ///< backward: `in` is the result of the forward
  ScalarType dtype;
  std::int64_t outer, size, inner;
  bool log;
};
bool softmax(const SoftmaxCall& call, void* stream);
bool softmax_backward(const SoftmaxCall& call, void* stream);

/// Normalises rows of a row-major tensor; weight, bias may be null. Mean and rstd are written.
struct LayerNormCall {
  void* out;
  const void *in, *weight, *bias;
  void *mean, *rstd;
  ScalarType dtype;
  std::int64_t rows, size;
  double eps;
};
bool layer_norm(const LayerNormCall& call, void* stream);

/// Elements that an index moves: operand 0 of the walk is written, 1 is read, 2 holds the places. The indexed dimension
/// of what the index says has no step in the walk.
struct IndexCall {
  Walk walk;
  char* out;
  const char *in, *index;  ///< no `in`: `element` is written
  ScalarType dtype, index_dtype;
  bool writes;              ///< the index says where to write, else where to read
  bool wraps;               ///< places below zero count from the end
  std::int64_t step, size;  ///< of the indexed dimension, in bytes and in places
  std::int64_t* fault;      ///< a word of the device: 1 + the place in the walk of a bad index
  alignas(16) unsigned char element[16];
};
void move_by_indices(const IndexCall& call, void* stream);
/// False for a dtype that no atomic addition takes.
bool add_by_indices(const IndexCall& call, void* stream);

/// out = alpha a b + beta out for `count` products; steps count elements.
struct GemmCall {
  struct Part {
    const void* data;
    std::int64_t step, row, column;
  };
  ScalarType dtype;
  std::int64_t count, m, n, k;
  Part a, b, out;
  Scalar alpha, beta;
};
bool gemm(const GemmCall& call, void* stream);

}  // namespace tenon::cuda
