// DLPack both ways: tensors that other libraries made, and tenon's for them, over the same memory.
#pragma once
#include <cstdint>

#include <tenon/tensor/tensor.hpp>

// The two structures as dlpack.h names them. This header does without that one; where a program includes both, they are
// the same types.
struct DLManagedTensor;
struct DLManagedTensorVersioned;

namespace tenon {

/// The layout of DLPack 1.1's structures (dmlc.github.io/dlpack, "C API"), under names of our own.
namespace dlpack {

inline constexpr std::uint32_t kMajor = 1, kMinor = 1;
enum DeviceCode : std::int32_t { CPU = 1, CUDA = 2, CUDAHost = 3, Metal = 8, ExtensionDevice = 12 };
enum TypeCode : std::uint8_t { Int, UInt, Float, Opaque, BFloat, Complex, Bool, Float8_e4m3fn = 10, Float8_e5m2 = 12 };
enum Flag : std::uint64_t { ReadOnly = 1, IsCopied = 2 };

struct Version {
  std::uint32_t major, minor;
};
struct DataType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct View {
  void* data;
  std::int32_t device, device_id;
  std::int32_t ndim;
  DataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;  // in elements; null for row-major
  std::uint64_t byte_offset;
};
struct Managed {
  View tensor;
  void* context;
  void (*deleter)(Managed*);
};
struct ManagedVersioned {
  Version version;
  void* context;
  void (*deleter)(ManagedVersioned*);
  std::uint64_t flags;
  View tensor;
};
static_assert(sizeof(void*) != 8 || (sizeof(View) == 48 && sizeof(Managed) == 64 && sizeof(ManagedVersioned) == 80),
              "tenon: DLPack's structures have the sizes that its ABI fixes");

/// What a structure of dlpack.h holds.
inline Managed& layout_of(DLManagedTensor* m) { return *reinterpret_cast<Managed*>(m); }
inline ManagedVersioned& layout_of(DLManagedTensorVersioned* m) { return *reinterpret_cast<ManagedVersioned*>(m); }

}  // namespace dlpack

/// What becomes of imported memory that its producer marks read-only: tenon has no tensors that refuse writes.
enum class ReadOnlyMemory : std::uint8_t { Copy, Refuse, Share };

/// A tensor over the memory that a DLPack structure describes, which now belongs to the tensor: its deleter runs when
/// the last view ends.
/// Shapes and strides: any, strides from 0 up. Dtypes: all that tenon has, of one lane.
/// Aliasing: the memory is shared, without a copy, unless it is not aligned for its elements or read-only (see
/// ReadOnlyMemory); then the copy is returned and the structure has been deleted.
/// Errors: ValueError for an unknown version, device or geometry, NotImplementedError for an unknown dtype; the
/// structure then stays the caller's.
Tensor from_dlpack(DLManagedTensorVersioned* from, ReadOnlyMemory read_only = ReadOnlyMemory::Copy);
/// The same for the structure of versions before 1, which knows no flags.
Tensor from_dlpack(DLManagedTensor* from);

struct DLPackOptions {
  bool read_only = false;  ///< tell the consumer not to write
  bool copy = false;       ///< hand out memory of its own
};
/// A DLPack structure over a tensor's memory, which lives until the consumer calls the structure's deleter, on whatever
/// thread.
/// Aliasing: shared unless `copy`. Strides count elements; a dimension of less than two elements has stride 1; a tensor
/// without elements has no address.
/// Errors: ValueError in PyTorch's words for a tensor that requires a gradient, is conjugated or negated lazily, is not
/// strided or has no memory; NotImplementedError for quantised dtypes.
DLManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor, DLPackOptions options = {});
/// The same as the structure of versions before 1.
DLManagedTensor* to_dlpack(const Tensor& tensor);

}  // namespace tenon
