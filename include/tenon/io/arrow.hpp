// Apache Arrow's C data interface: columns of other libraries as tensors of one dimension, and tensors as columns.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/tensor/tensor.hpp>

// The two structures as the Arrow specification ("The Arrow C data interface") fixes them, under its guard, so that a
// program may include another definition of them.
#ifndef ARROW_C_DATA_INTERFACE
#define ARROW_C_DATA_INTERFACE
#define ARROW_FLAG_DICTIONARY_ORDERED 1
#define ARROW_FLAG_NULLABLE 2
#define ARROW_FLAG_MAP_KEYS_SORTED 4
extern "C" {
struct ArrowSchema {
  const char* format;
  const char* name;
  const char* metadata;
  int64_t flags;
  int64_t n_children;
  struct ArrowSchema** children;
  struct ArrowSchema* dictionary;
  void (*release)(struct ArrowSchema*);
  void* private_data;
};
struct ArrowArray {
  int64_t length;
  int64_t null_count;
  int64_t offset;
  int64_t n_buffers;
  int64_t n_children;
  const void** buffers;
  struct ArrowArray** children;
  struct ArrowArray* dictionary;
  void (*release)(struct ArrowArray*);
  void* private_data;
};
}
#endif

namespace tenon {

/// A column: its name, its values, and which of them there are.
struct ArrowColumn {
  std::string name;
  Tensor values;  ///< of one dimension; where a value is missing it is whatever the memory holds
  Tensor valid;   ///< bools, false where a value is missing; undefined if none is
};

/// The column that two structures describe. It takes them over: they are marked released, and the column's memory is
/// released when the last view of `values` ends.
/// Dtypes: integers of 8 to 64 bits, half, float and double precision, bools.
/// Aliasing: the memory is shared, without a copy, unless it is not aligned for its elements; bools, which Arrow packs
/// into bits, are copied. What other holders of a column see must not be written: clone() first.
/// Errors: NotImplementedError for another type (strings, lists, dictionaries, decimals), ValueError for a released
/// or malformed structure; both structures then stay the caller's.
ArrowColumn column_from_arrow(ArrowSchema* schema, ArrowArray* array);

/// The same as a tensor. Errors: ValueError also if values are missing.
Tensor from_arrow(ArrowSchema* schema, ArrowArray* array);

/// Describes a tensor of one dimension as a column, in structures whose memory the caller has and whose `release` its
/// consumer calls, in any order and on any thread.
/// Aliasing: the memory is shared, without a copy, of a contiguous tensor in CPU memory; strided ones are copied, and
/// so are bools, which Arrow packs into bits. Errors: ValueError for a tensor of other than one dimension, not in CPU
/// memory, that requires a gradient; NotImplementedError for a dtype that Arrow lacks (complex, bfloat16, float8).
void to_arrow(const Tensor& tensor, ArrowSchema* schema, ArrowArray* array, std::string_view name = {});

}  // namespace tenon
