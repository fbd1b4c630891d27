// Dispatch keys: their order, their names, and how the per-backend ones are composed.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/base/device.hpp>

namespace tenon {

/// X(name): the backend components, lowest priority first. A component alone is never dispatched to.
// clang-format off
#define TENON_FOR_EACH_BACKEND(X) \
  X(CPU) X(CUDA) X(HIP) X(XLA) X(MPS) X(IPU) X(XPU) X(HPU) X(VE) X(Lazy) X(MTIA) X(MAIA) X(PrivateUse1) X(PrivateUse2) X(PrivateUse3) X(Meta)
// clang-format on

/// X(name): the functionality keys, lowest priority first; values 1 and up.
// clang-format off
#define TENON_FOR_EACH_FUNCTIONALITY(X)                                                                                \
  X(Dense) X(FPGA) X(Vulkan) X(Metal) X(Quantized) X(CustomRNGKeyId) X(MkldnnCPU) X(Sparse) X(SparseCsr)               \
  X(NestedTensor) X(BackendSelect) X(Fake) X(Python) X(FuncTorchDynamicLayerBackMode) X(Functionalize) X(Conjugate)    \
  X(Negative) X(ZeroTensor) X(ADInplaceOrView) X(AutogradOther) X(AutogradFunctionality) X(AutogradNestedTensor)       \
  X(Tracer) X(AutocastCPU) X(AutocastMTIA) X(AutocastMAIA) X(AutocastXPU) X(AutocastIPU) X(AutocastHPU) X(AutocastXLA) \
  X(AutocastMPS) X(AutocastCUDA) X(AutocastPrivateUse1) X(FuncTorchBatched) X(BatchedNestedTensor)                     \
  X(FuncTorchVmapMode) X(Batched) X(VmapMode) X(FuncTorchGradWrapper) X(DeferredInit) X(PythonTLSSnapshot)             \
  X(FuncTorchDynamicLayerFrontMode) X(TESTING_ONLY_GenericWrapper) X(TESTING_ONLY_GenericMode) X(PreDispatch)          \
  X(PythonDispatcher)
// clang-format on

/// X(functionality, prefix of its per-backend names): the functionalities that own one table slot per backend.
// clang-format off
#define TENON_FOR_EACH_PER_BACKEND(X) \
  X(Dense, ) X(Quantized, Quantized) X(Sparse, Sparse) X(SparseCsr, SparseCsr) X(NestedTensor, NestedTensor) X(AutogradFunctionality, Autograd)
// clang-format on

enum class BackendComponent : std::uint8_t {
  Invalid = 0,
#define X(NAME) NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
};

/// A functionality (1..46), the name of one for one backend (49..149), or an alias for several (150..155).
/// The values are PyTorch's.
enum class DispatchKey : std::uint16_t {
  Undefined = 0,
  CatchAll = 0,
#define X(NAME) NAME,
  TENON_FOR_EACH_FUNCTIONALITY(X)
#undef X
      EndOfFunctionalityKeys,
  StartOfDenseBackends,
#define X(NAME) NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      StartOfQuantizedBackends,
#define X(NAME) Quantized##NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      StartOfSparseBackends,
#define X(NAME) Sparse##NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      StartOfSparseCsrBackends,
#define X(NAME) SparseCsr##NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      StartOfNestedTensorBackends,
#define X(NAME) NestedTensor##NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      StartOfAutogradFunctionalityBackends,
#define X(NAME) Autograd##NAME,
  TENON_FOR_EACH_BACKEND(X)
#undef X
      Autograd,
  CompositeImplicitAutograd,
  FuncTorchBatchedDecomposition,
  CompositeImplicitAutogradNestedTensor,
  CompositeExplicitAutograd,
  CompositeExplicitAutogradNonFunctional,
  EndOfKeys,
  DefaultBackend = CompositeExplicitAutograd,
  Autocast = AutocastCUDA,
};

inline constexpr unsigned kBackends = 16;
inline constexpr unsigned kFunctionalities =
    static_cast<unsigned>(DispatchKey::EndOfFunctionalityKeys);  // Undefined included
inline constexpr unsigned kPerBackendFunctionalities = 6;
/// Entries of a dispatch table: one per functionality, and one per backend for the per-backend ones.
inline constexpr unsigned kTableSize = kFunctionalities + kPerBackendFunctionalities * (kBackends - 1);

static_assert(kTableSize == 137 && static_cast<int>(DispatchKey::CPU) == 49 &&
                  static_cast<int>(DispatchKey::Autograd) == 150,
              "tenon: the key layout is the peer's, so that recorded key sets and tables carry over");
static_assert(kBackends + kFunctionalities - 1 <= 64, "tenon: a key set is one 64-bit word");

constexpr bool is_functionality_key(DispatchKey k) { return k < DispatchKey::EndOfFunctionalityKeys; }
constexpr bool is_alias_key(DispatchKey k) { return k >= DispatchKey::Autograd && k < DispatchKey::EndOfKeys; }
constexpr bool is_per_backend_functionality(DispatchKey k) {
  switch (k) {
#define X(NAME, PREFIX) case DispatchKey::NAME:
    TENON_FOR_EACH_PER_BACKEND(X)
#undef X
    return true;
    default: return false;
  }
}
/// The functionality of any key; Undefined for aliases.
constexpr DispatchKey functionality_of(DispatchKey k) {
  if (is_functionality_key(k)) return k;
  if (is_alias_key(k)) return DispatchKey::Undefined;
  constexpr DispatchKey per_backend[] = {DispatchKey::Dense,        DispatchKey::Quantized,
                                         DispatchKey::Sparse,       DispatchKey::SparseCsr,
                                         DispatchKey::NestedTensor, DispatchKey::AutogradFunctionality};
  unsigned block =
      (static_cast<unsigned>(k) - static_cast<unsigned>(DispatchKey::StartOfDenseBackends)) / (kBackends + 1);
  return per_backend[block];
}
/// The backend that a per-backend key names; Invalid for every other key.
constexpr BackendComponent backend_of(DispatchKey k) {
  if (is_functionality_key(k) || is_alias_key(k)) return BackendComponent::Invalid;
  return static_cast<BackendComponent>(
      (static_cast<unsigned>(k) - static_cast<unsigned>(DispatchKey::StartOfDenseBackends)) % (kBackends + 1));
}
/// The key of a per-backend functionality for one backend.
constexpr DispatchKey runtime_key(DispatchKey functionality, BackendComponent backend) {
  unsigned block = 0;
  switch (functionality) {
    case DispatchKey::Dense: block = 0; break;
    case DispatchKey::Quantized: block = 1; break;
    case DispatchKey::Sparse: block = 2; break;
    case DispatchKey::SparseCsr: block = 3; break;
    case DispatchKey::NestedTensor: block = 4; break;
    case DispatchKey::AutogradFunctionality: block = 5; break;
    default: return functionality;
  }
  return static_cast<DispatchKey>(static_cast<unsigned>(DispatchKey::StartOfDenseBackends) + block * (kBackends + 1) +
                                  static_cast<unsigned>(backend));
}
constexpr BackendComponent backend_of(DeviceType device) {
  switch (device) {
    case DeviceType::CPU: return BackendComponent::CPU;
    case DeviceType::CUDA: return BackendComponent::CUDA;
    case DeviceType::HIP: return BackendComponent::HIP;
    case DeviceType::XLA: return BackendComponent::XLA;
    case DeviceType::MPS: return BackendComponent::MPS;
    case DeviceType::IPU: return BackendComponent::IPU;
    case DeviceType::XPU: return BackendComponent::XPU;
    case DeviceType::HPU: return BackendComponent::HPU;
    case DeviceType::VE: return BackendComponent::VE;
    case DeviceType::Lazy: return BackendComponent::Lazy;
    case DeviceType::MTIA: return BackendComponent::MTIA;
    case DeviceType::MAIA: return BackendComponent::MAIA;
    case DeviceType::PrivateUse1: return BackendComponent::PrivateUse1;
    case DeviceType::Meta: return BackendComponent::Meta;
    default: return BackendComponent::Invalid;
  }
}
/// The dense key of a device: CPU, CUDA, Meta; Vulkan, Metal and FPGA are functionalities of their own.
constexpr DispatchKey dispatch_key_of(DeviceType device) {
  switch (device) {
    case DeviceType::Vulkan: return DispatchKey::Vulkan;
    case DeviceType::Metal: return DispatchKey::Metal;
    case DeviceType::FPGA: return DispatchKey::FPGA;
    default: break;
  }
  BackendComponent b = backend_of(device);
  if (b == BackendComponent::Invalid)
    fail<RegistrationError>(
        "device type ", to_string(device),
        " has no dispatch key, so no kernel can be registered for it; use one of cpu, cuda, meta, privateuseone");
  return runtime_key(DispatchKey::Dense, b);
}

constexpr std::string_view to_string(BackendComponent b) {
  constexpr std::string_view names[] = {"InvalidBackend",
#define X(NAME) #NAME,
                                        TENON_FOR_EACH_BACKEND(X)
#undef X
  };
  return names[static_cast<unsigned>(b)];
}

/// The key's name; the pseudo keys that only start a block of per-backend keys print as Undefined.
constexpr std::string_view to_string(DispatchKey k) {
  switch (k) {
#define X(NAME) \
  case DispatchKey::NAME: return #NAME;
    TENON_FOR_EACH_FUNCTIONALITY(X)
    TENON_FOR_EACH_BACKEND(X)
#undef X
#define X(NAME) \
  case DispatchKey::Quantized##NAME: return "Quantized" #NAME;
    TENON_FOR_EACH_BACKEND(X)
#undef X
#define X(NAME) \
  case DispatchKey::Sparse##NAME: return "Sparse" #NAME;
    TENON_FOR_EACH_BACKEND(X)
#undef X
#define X(NAME) \
  case DispatchKey::SparseCsr##NAME: return "SparseCsr" #NAME;
    TENON_FOR_EACH_BACKEND(X)
#undef X
#define X(NAME) \
  case DispatchKey::NestedTensor##NAME: return "NestedTensor" #NAME;
    TENON_FOR_EACH_BACKEND(X)
#undef X
#define X(NAME) \
  case DispatchKey::Autograd##NAME: return "Autograd" #NAME;
    TENON_FOR_EACH_BACKEND(X)
#undef X
    // clang-format off
#define X(NAME) \
  case DispatchKey::NAME: return #NAME;
    X(Autograd) X(CompositeImplicitAutograd) X(FuncTorchBatchedDecomposition) X(CompositeImplicitAutogradNestedTensor)
    X(CompositeExplicitAutograd) X(CompositeExplicitAutogradNonFunctional)
    // clang-format on
#undef X
            default : return "Undefined";
  }
}

/// The key of a name; throws ValueError `could not parse dispatch key: NAME`.
constexpr DispatchKey parse_dispatch_key(std::string_view name) {
  if (name == "Undefined" || name == "CatchAll") return DispatchKey::Undefined;
  if (name == "DefaultBackend") return DispatchKey::DefaultBackend;
  if (name == "Autocast") return DispatchKey::Autocast;
  for (unsigned v = 1; v < static_cast<unsigned>(DispatchKey::EndOfKeys); ++v)
    if (to_string(static_cast<DispatchKey>(v)) == name) return static_cast<DispatchKey>(v);
  fail<ValueError>("could not parse dispatch key: ", name);
}

}  // namespace tenon
