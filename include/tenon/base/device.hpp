// Where a tensor lives, how its elements are laid out, and the order of its dimensions in memory.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>

namespace tenon {

/// X(enumerator, text, dispatch key of dense tensors): the types of devices by PyTorch's codes, from 0.
// clang-format off
#define TENON_FOR_EACH_DEVICE_TYPE(X) \
  X(CPU, "cpu", CPU) X(CUDA, "cuda", CUDA) X(MKLDNN, "mkldnn", Undefined) X(OPENGL, "opengl", Undefined) \
  X(OPENCL, "opencl", Undefined) X(IDEEP, "ideep", Undefined) X(HIP, "hip", HIP) X(FPGA, "fpga", FPGA) \
  X(MAIA, "maia", MAIA) X(XLA, "xla", XLA) X(Vulkan, "vulkan", Vulkan) X(Metal, "metal", Metal) X(XPU, "xpu", XPU) \
  X(MPS, "mps", MPS) X(Meta, "meta", Meta) X(HPU, "hpu", HPU) X(VE, "ve", VE) X(Lazy, "lazy", Lazy) \
  X(IPU, "ipu", IPU) X(MTIA, "mtia", MTIA) X(PrivateUse1, "privateuseone", PrivateUse1)
// clang-format on

#define X(NAME, ...) NAME,
enum class DeviceType : std::int8_t { TENON_FOR_EACH_DEVICE_TYPE(X) };
#undef X

#define X(...) +1
inline constexpr unsigned kDeviceTypes = 0 TENON_FOR_EACH_DEVICE_TYPE(X);
#undef X

/// "invalid" for a code that is no type's.
constexpr std::string_view to_string(DeviceType type) {
#define X(NAME, TEXT, KEY) TEXT,
  constexpr std::string_view names[] = {TENON_FOR_EACH_DEVICE_TYPE(X) "invalid"};
#undef X
  const auto code = static_cast<unsigned char>(type);
  return names[code < kDeviceTypes ? code : kDeviceTypes];
}

/// A device type and an index; -1 stands for the current device of that type.
// Aligned so that an optional one passes through a call as one word.
struct alignas(2) Device {
  DeviceType type = DeviceType::CPU;
  std::int8_t index = -1;
  constexpr Device() = default;
  constexpr Device(DeviceType its_type, std::int8_t its_index = -1) : type(its_type), index(its_index) {}
  /// From text such as `cpu` or `cuda:1`. Throws ValueError.
  Device(std::string_view text);
  Device(const char* text) : Device(std::string_view(text)) {}
  constexpr bool is_cpu() const { return type == DeviceType::CPU; }
  constexpr bool is_cuda() const { return type == DeviceType::CUDA; }
  constexpr bool is_meta() const { return type == DeviceType::Meta; }
  constexpr bool has_index() const { return index >= 0; }
  friend constexpr bool operator==(Device, Device) = default;
};
std::string to_string(Device device);
inline constexpr Device kCPU{DeviceType::CPU};
inline constexpr Device kMeta{DeviceType::Meta};
inline constexpr Device kCUDA{DeviceType::CUDA};

enum class Layout : std::int8_t {
  Strided = 0,
  Sparse = 1,
  SparseCsr = 2,
  Mkldnn = 3,
  SparseCsc = 4,
  SparseBsr = 5,
  SparseBsc = 6,
  Jagged = 7
};
inline constexpr Layout kStrided = Layout::Strided;
constexpr std::string_view to_string(Layout layout) {
  constexpr std::string_view names[] = {"strided",    "sparse_coo", "sparse_csr", "mkldnn",
                                        "sparse_csc", "sparse_bsr", "sparse_bsc", "jagged"};
  return names[static_cast<int>(layout)];
}

/// The order of dimensions in memory; ChannelsLast is (N, H, W, C), ChannelsLast3d is (N, D, H, W, C).
enum class MemoryFormat : std::int8_t { Contiguous = 0, Preserve = 1, ChannelsLast = 2, ChannelsLast3d = 3 };
constexpr std::string_view to_string(MemoryFormat format) {
  constexpr std::string_view names[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
  return names[static_cast<int>(format)];
}

enum class QScheme : std::int8_t {
  PerTensorAffine = 0,
  PerChannelAffine = 1,
  PerTensorSymmetric = 2,
  PerChannelSymmetric = 3
};
constexpr std::string_view to_string(QScheme scheme) {
  constexpr std::string_view names[] = {"per_tensor_affine", "per_channel_affine", "per_tensor_symmetric",
                                        "per_channel_symmetric"};
  return names[static_cast<int>(scheme)];
}

/// A queue of work on a device: its id and the device it belongs to.
struct Stream {
  std::int64_t id = 0;
  Device device;
  friend constexpr bool operator==(Stream, Stream) = default;
};

}  // namespace tenon
