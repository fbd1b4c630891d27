// The compiled CUDA component, where it is part of a program: what it says of itself, and answers where there is none.
#pragma once
#include <cstddef>
#include <optional>
#include <string_view>

namespace tenon::cuda {

/// What the component tells the rest of the library; constant data.
struct Component {
  const char* toolkit;                                          ///< as `13.0`
  int (*device_count)() noexcept;                               ///< 0 where there is no device or no driver
  void (*read)(void* to, const void* from, std::size_t bytes);  ///< device memory to the host's, when it is written
};

}  // namespace tenon::cuda

/// The component that the program links; without one the symbol has no address.
extern "C" [[gnu::weak]] const tenon::cuda::Component tenon_cuda_component;

namespace tenon::cuda {

/// What errors say of a device `cuda` where no component is.
inline constexpr std::string_view kNoComponent = "this build has no CUDA component; configure with -Dcuda=enabled";

/// The component of this program, or null.
inline const Component* component() noexcept { return &tenon_cuda_component; }
inline bool is_built() noexcept { return component() != nullptr; }
/// 0 without the component, without a driver and without a device; never throws.
inline int device_count() noexcept {
  const Component* c = component();
  return c ? c->device_count() : 0;
}
/// Whether tensors can be on a device `cuda`. Never throws.
inline bool is_available() noexcept { return device_count() > 0; }

/// The toolkit that the CUDA component was built with, as `13.0`; none without the component. PyTorch has it as
/// `torch.version.cuda`; `tenon::version()`, the library's own, leaves no namespace of that name.
inline std::optional<std::string_view> version() noexcept {
  const Component* c = component();
  return c ? std::optional<std::string_view>(c->toolkit) : std::nullopt;
}

}  // namespace tenon::cuda
