// DLPack: dtypes, devices and geometry across, and who owns what.
#pragma once
#include <cstring>
#include <memory>

#include <tenon/base/body.hpp>
#include <tenon/io/dlpack.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace dlpack {

inline DataType dtype_of(ScalarType type) {
  TENON_CHECK(!is_quantized_type(type), NotImplementedError, "QUInt/QInt types are not supported by dlpack");
  std::uint8_t code = UInt;
  if (type == kBool)
    code = Bool;
  else if (type == kBFloat16)
    code = BFloat;
  else if (type == kFloat8_e5m2)
    code = Float8_e5m2;
  else if (type == kFloat8_e4m3fn)
    code = Float8_e4m3fn;
  else if (is_complex_type(type))
    code = Complex;
  else if (is_floating_type(type))
    code = Float;
  else if (is_signed_type(type))
    code = Int;
  return {code, static_cast<std::uint8_t>(8 * item_size(type)), 1};
}
inline ScalarType scalar_type_of(DataType dtype) {
  TENON_CHECK(dtype.lanes == 1, NotImplementedError, "from_dlpack(): expected elements of 1 lane, got ", dtype.lanes);
#define X(CPP, NAME, ...) \
  if (DataType own = dtype_of(k##NAME); own.code == dtype.code && own.bits == dtype.bits) return k##NAME;
  TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
  fail<NotImplementedError>("from_dlpack(): expected a dtype that tenon has, got DLPack type code ", dtype.code, " of ",
                            dtype.bits, " bits");
}

inline Device device_of(const View& v) {
  auto index = static_cast<std::int8_t>(v.device_id);
  switch (v.device) {
    case CPU:
    case CUDAHost: return kCPU;
    case CUDA: return {DeviceType::CUDA, index};
    case Metal: return {DeviceType::MPS, index};
    case ExtensionDevice: return {DeviceType::PrivateUse1, index};
    default: fail<ValueError>("from_dlpack(): expected a device that tenon has, got DLPack device type ", v.device);
  }
}
inline std::int32_t device_code(Device device) {
  switch (device.type) {
    case DeviceType::CPU: return CPU;
    case DeviceType::CUDA: return CUDA;
    case DeviceType::MPS: return Metal;
    case DeviceType::PrivateUse1: return ExtensionDevice;
    default: fail<ValueError>("Cannot pack tensors on ", device);
  }
}

/// Copies elements into row-major ones; neither side need be aligned.
inline void copy_elements(char*& to, const char* from, IntArrayRef sizes, IntArrayRef strides, std::size_t item) {
  if (sizes.empty()) {
    std::memcpy(to, from, item);
    to += item;
    return;
  }
  IntArrayRef inner = sizes.slice(1, sizes.size() - 1), steps = strides.slice(1, strides.size() - 1);
  for (std::int64_t i = 0; i < sizes[0]; ++i)
    copy_elements(to, from + i * strides[0] * static_cast<std::int64_t>(item), inner, steps, item);
}
inline Tensor copy_of(const void* from, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype) {
  Tensor copy = make_tensor(sizes, {}, dtype);
  auto* to = static_cast<char*>(copy->data());
  if (copy->numel()) copy_elements(to, static_cast<const char*>(from), sizes, strides, item_size(dtype));
  return copy;
}

/// What a description says, checked: no size, stride or offset of it leaves 63 bits.
struct Import {
  explicit Import(const View& v) : dtype(scalar_type_of(v.dtype)), device(device_of(v)) {
    TENON_CHECK(v.ndim >= 0 && (v.ndim == 0 || v.shape), ValueError,
                "from_dlpack(): expected as many sizes as dimensions, got ", v.ndim, " dimensions",
                v.ndim < 0 ? "" : " without sizes");
    auto dims = static_cast<std::size_t>(v.ndim);
    sizes = IntArrayRef(v.shape, dims);
    auto item = static_cast<std::int64_t>(item_size(dtype));
    std::int64_t bytes = item, reach = 0, step;
    bool overflow = false, none = false;
    for (std::int64_t s : sizes) {
      TENON_CHECK(s >= 0, ValueError, "from_dlpack(): expected sizes from 0 up, got ", sizes);
      overflow |= __builtin_mul_overflow(bytes, s > 0 ? s : 1, &bytes);
      none |= s == 0;
    }
    TENON_CHECK(!overflow, ValueError, "from_dlpack(): expected less than 2^63 bytes, got sizes ", sizes);
    strides = v.strides && dims ? DimVector(IntArrayRef(v.strides, dims)) : DimVector(contiguous_strides(sizes));
    for (std::size_t d = 0; d < dims; ++d) {
      if (sizes[d] < 2) strides[d] = 1;  // never taken: consumers may leave anything there
      TENON_CHECK(strides[d] >= 0, ValueError, "from_dlpack(): expected strides from 0 up, got ", IntArrayRef(strides),
                  "; copy it first");
      overflow |= __builtin_mul_overflow(sizes[d] - 1, strides[d] * (sizes[d] > 1), &step);
      overflow |= __builtin_add_overflow(reach, step, &reach);
    }
    overflow |= __builtin_mul_overflow(reach, item, &reach);
    TENON_CHECK(!overflow || none, ValueError, "from_dlpack(): expected less than 2^63 bytes, got strides ",
                IntArrayRef(strides));
    TENON_CHECK(none || v.data, ValueError, "from_dlpack(): expected an address for sizes ", sizes);
    data = v.data ? static_cast<char*>(v.data) + v.byte_offset : nullptr;
    std::size_t parts = is_complex_type(dtype) ? 2 : 1;
    aligned = none || reinterpret_cast<std::uintptr_t>(data) % (item_size(dtype) / parts) == 0;
  }
  /// Takes the structure over.
  template <class M>
  Tensor take(M* m, bool copy) const {
    if (copy) {
      TENON_CHECK(device.is_cpu(), NotImplementedError, "from_dlpack(): expected CPU memory to copy, got ", device);
      Tensor result = copy_of(data, sizes, strides, dtype);
      if (m->deleter) m->deleter(m);
      return result;
    }
    auto release = [](void* context) {
      auto* taken = static_cast<M*>(context);
      if (taken->deleter) taken->deleter(taken);
    };
    return from_blob(data, sizes, strides, dtype, release, m, device);
  }

  ScalarType dtype;
  Device device;
  IntArrayRef sizes;
  DimVector strides;
  char* data;
  bool aligned;
};

/// The structure with all that it points to.
template <class M>
struct Export {
  M managed{};
  Tensor keeper;
  DimVector sizes, strides;
};

template <class M>
M* pack(const Tensor& source, bool copy) {
  TENON_CHECK(!source.requires_grad(), ValueError, "Can't export tensors that require gradient, use tensor.detach()");
  TENON_CHECK(!source.is_conj(), ValueError, "Can't export tensors with the conjugate bit set");
  TENON_CHECK(!source.is_neg(), ValueError, "Can't export tensors with the negative bit set");
  TENON_CHECK(!source._is_zerotensor(), ValueError, "Can't export a zero tensor without memory; use clone() first");
  TENON_CHECK(source.layout() == kStrided, ValueError, "Can't export tensors with layout other than torch.strided");
  std::int32_t device = device_code(source.device());
  DataType dtype = dtype_of(source.dtype());
  TENON_CHECK(!copy || source.is_cpu(), NotImplementedError, "to_dlpack(): expected CPU memory to copy, got ",
              source.device());
  auto e = std::make_unique<Export<M>>();
  e->keeper = copy ? copy_of(source.data_ptr(), source.sizes(), source.strides(), source.dtype()) : source;
  // A copy of the geometry: a tensor may be given another one while its consumer reads this.
  e->sizes = e->keeper.sizes();
  e->strides = e->keeper.strides();
  for (std::size_t d = 0; d < e->sizes.size(); ++d)
    if (e->sizes[d] < 2) e->strides[d] = 1;
  M& m = e->managed;
  void* data = e->keeper.numel() ? e->keeper.data_ptr() : nullptr;
  std::int32_t index = source.device().has_index() ? source.device().index : 0;
  m.tensor = {
      data, device, index, static_cast<std::int32_t>(e->sizes.size()), dtype, e->sizes.data(), e->strides.data(), 0};
  m.deleter = [](M* self) { delete static_cast<Export<M>*>(self->context); };
  m.context = e.get();
  return &e.release()->managed;
}

}  // namespace dlpack

TENON_COLD_BODY Tensor from_dlpack(DLManagedTensor* from) {
  TENON_CHECK(from, ValueError, "from_dlpack(): expected a structure, got null");
  dlpack::Managed& m = dlpack::layout_of(from);
  dlpack::Import import(m.tensor);
  return import.take(&m, !import.aligned);
}
TENON_COLD_BODY Tensor from_dlpack(DLManagedTensorVersioned* from, ReadOnlyMemory read_only) {
  TENON_CHECK(from, ValueError, "from_dlpack(): expected a structure, got null");
  dlpack::ManagedVersioned& m = dlpack::layout_of(from);
  // Nothing but the deleter may be read of a later major version.
  TENON_CHECK(m.version.major == dlpack::kMajor, ValueError, "from_dlpack(): expected DLPack version ", dlpack::kMajor,
              ".x, got ", m.version.major, ".", m.version.minor);
  dlpack::Import import(m.tensor);
  bool guarded = m.flags & dlpack::ReadOnly;
  TENON_CHECK(!guarded || read_only != ReadOnlyMemory::Refuse, ValueError,
              "from_dlpack(): expected memory that may be written, got memory marked read-only; pass "
              "ReadOnlyMemory::Copy");
  return import.take(&m, !import.aligned || (guarded && read_only == ReadOnlyMemory::Copy));
}
TENON_COLD_BODY DLManagedTensor* to_dlpack(const Tensor& tensor) {
  return reinterpret_cast<DLManagedTensor*>(dlpack::pack<dlpack::Managed>(tensor, false));
}
TENON_COLD_BODY DLManagedTensorVersioned* to_dlpack_versioned(const Tensor& tensor, DLPackOptions options) {
  auto* m = dlpack::pack<dlpack::ManagedVersioned>(tensor, options.copy);
  m->version = {dlpack::kMajor, dlpack::kMinor};
  if (options.read_only) m->flags |= dlpack::ReadOnly;
  if (options.copy) m->flags |= dlpack::IsCopied;
  return reinterpret_cast<DLManagedTensorVersioned*>(m);
}

}  // namespace tenon
