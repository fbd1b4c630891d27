// Dispatch keys: their order, their names, and how the per-backend ones are composed.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/base/device.hpp>

namespace tenon {

/// X(PREFIX, name): the backend components, lowest priority first. A component alone is never dispatched to.
// clang-format off
#define TENON_FOR_EACH_BACKEND(X, PREFIX) \
  X(PREFIX, CPU) X(PREFIX, CUDA) X(PREFIX, HIP) X(PREFIX, XLA) X(PREFIX, MPS) X(PREFIX, IPU) X(PREFIX, XPU) X(PREFIX, HPU) \
  X(PREFIX, VE) X(PREFIX, Lazy) X(PREFIX, MTIA) X(PREFIX, MAIA) X(PREFIX, PrivateUse1) X(PREFIX, PrivateUse2) \
  X(PREFIX, PrivateUse3) X(PREFIX, Meta)
// clang-format on

/// X(prefix and name of the back end): the keys of autocast, lowest priority first.
// clang-format off
#define TENON_FOR_EACH_AUTOCAST(X, PREFIX) \
  X(PREFIX##CPU) X(PREFIX##MTIA) X(PREFIX##MAIA) X(PREFIX##XPU) X(PREFIX##IPU) X(PREFIX##HPU) X(PREFIX##XLA) \
  X(PREFIX##MPS) X(PREFIX##CUDA) X(PREFIX##PrivateUse1)

/// X(name): the functionality keys, lowest priority first; values 1 and up. P(name, prefix of its per-backend names):
/// those that own one table slot per backend.
#define TENON_FOR_EACH_FUNCTIONALITY(X, P)                                                                             \
  P(Dense, ) X(FPGA) X(Vulkan) X(Metal) P(Quantized, Quantized) X(CustomRNGKeyId) X(MkldnnCPU)                         \
  P(Sparse, Sparse) P(SparseCsr, SparseCsr) P(NestedTensor, NestedTensor) X(BackendSelect) X(Fake) X(Python)           \
  X(FuncTorchDynamicLayerBackMode) X(Functionalize) X(Conjugate) X(Negative) X(ZeroTensor) X(ADInplaceOrView)          \
  X(AutogradOther) P(AutogradFunctionality, Autograd) X(AutogradNestedTensor)                                          \
  X(Tracer) TENON_FOR_EACH_AUTOCAST(X, Autocast) X(FuncTorchBatched) X(BatchedNestedTensor)                            \
  X(FuncTorchVmapMode) X(Batched) X(VmapMode) X(FuncTorchGradWrapper) X(DeferredInit) X(PythonTLSSnapshot)             \
  X(FuncTorchDynamicLayerFrontMode) X(TESTING_ONLY_GenericWrapper) X(TESTING_ONLY_GenericMode) X(PreDispatch)          \
  X(PythonDispatcher)
#define TENON_INTERNAL_NO_KEY(...)
#define TENON_FOR_EACH_PER_BACKEND(P) TENON_FOR_EACH_FUNCTIONALITY(TENON_INTERNAL_NO_KEY, P)

/// X(name): the aliases, each of which stands for several keys at registration.
#define TENON_FOR_EACH_ALIAS(X) \
  X(Autograd) X(CompositeImplicitAutograd) X(FuncTorchBatchedDecomposition) X(CompositeImplicitAutogradNestedTensor) \
  X(CompositeExplicitAutograd) X(CompositeExplicitAutogradNonFunctional)
// clang-format on

#define TENON_INTERNAL_KEY(PREFIX, NAME) PREFIX##NAME,

enum class BackendComponent : std::uint8_t { Invalid = 0, TENON_FOR_EACH_BACKEND(TENON_INTERNAL_KEY, ) };

/// A functionality (1..46), the name of one for one backend (49..149), or an alias for several (150..155).
/// The values are PyTorch's.
enum class DispatchKey : std::uint16_t {
  Undefined = 0,
  CatchAll = 0,
#define X(NAME, ...) NAME,
  TENON_FOR_EACH_FUNCTIONALITY(X, X)
#undef X
      EndOfFunctionalityKeys,
#define X(FUNCTIONALITY, PREFIX) StartOf##FUNCTIONALITY##Backends, TENON_FOR_EACH_BACKEND(TENON_INTERNAL_KEY, PREFIX)
  TENON_FOR_EACH_PER_BACKEND(X)
#undef X
#define X(NAME) NAME,
      TENON_FOR_EACH_ALIAS(X)
#undef X
          EndOfKeys,
  DefaultBackend = CompositeExplicitAutograd,
  Autocast = AutocastCUDA,
};
#undef TENON_INTERNAL_KEY

namespace detail {
#define X(PREFIX, NAME) +1
inline constexpr unsigned listed_backends = 0 TENON_FOR_EACH_BACKEND(X, );
#undef X
/// By block of the keys: the functionality whose per-backend keys it holds.
inline constexpr DispatchKey per_backend_functionalities[] = {
#define X(FUNCTIONALITY, PREFIX) DispatchKey::FUNCTIONALITY,
    TENON_FOR_EACH_PER_BACKEND(X)
#undef X
};
/// Whether back ends fit a key set beside the functionalities.
template <unsigned Backends>
struct check_backends {
  static_assert(Backends <= 16,
                "tenon: a key set and PyTorch's numbers of keys have room for 16 back ends, and all are taken; a back "
                "end of your own takes PrivateUse1, PrivateUse2 or PrivateUse3");
  static constexpr unsigned count = Backends;
};
}  // namespace detail

inline constexpr unsigned kBackends = detail::check_backends<detail::listed_backends>::count;
inline constexpr unsigned kFunctionalities =
    static_cast<unsigned>(DispatchKey::EndOfFunctionalityKeys);  // Undefined included
inline constexpr unsigned kPerBackendFunctionalities = std::size(detail::per_backend_functionalities);
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
  unsigned block =
      (static_cast<unsigned>(k) - static_cast<unsigned>(DispatchKey::StartOfDenseBackends)) / (kBackends + 1);
  return detail::per_backend_functionalities[block];
}
/// The backend that a per-backend key names; Invalid for every other key.
constexpr BackendComponent backend_of(DispatchKey k) {
  if (is_functionality_key(k) || is_alias_key(k)) return BackendComponent::Invalid;
  return static_cast<BackendComponent>(
      (static_cast<unsigned>(k) - static_cast<unsigned>(DispatchKey::StartOfDenseBackends)) % (kBackends + 1));
}
/// The key of a per-backend functionality for one backend; another functionality is its own.
constexpr DispatchKey runtime_key(DispatchKey functionality, BackendComponent backend) {
  switch (functionality) {
#define X(FUNCTIONALITY, PREFIX)                                                                           \
  case DispatchKey::FUNCTIONALITY:                                                                         \
    return static_cast<DispatchKey>(static_cast<unsigned>(DispatchKey::StartOf##FUNCTIONALITY##Backends) + \
                                    static_cast<unsigned>(backend));
    TENON_FOR_EACH_PER_BACKEND(X)
#undef X
    default: return functionality;
  }
}
constexpr std::string_view to_string(BackendComponent b) {
#define X(PREFIX, NAME) , #NAME
  constexpr std::string_view names[] = {"InvalidBackend" TENON_FOR_EACH_BACKEND(X, )};
#undef X
  return names[static_cast<unsigned>(b)];
}

/// The key's name; the pseudo keys that only start a block of per-backend keys print as Undefined.
constexpr std::string_view to_string(DispatchKey k) {
  switch (k) {
#define X(NAME, ...) \
  case DispatchKey::NAME: return #NAME;
    TENON_FOR_EACH_FUNCTIONALITY(X, X)
    TENON_FOR_EACH_ALIAS(X)
#undef X
#define TENON_INTERNAL_KEY(PREFIX, NAME) \
  case DispatchKey::PREFIX##NAME:        \
    return #PREFIX #NAME;
#define X(FUNCTIONALITY, PREFIX) TENON_FOR_EACH_BACKEND(TENON_INTERNAL_KEY, PREFIX)
    TENON_FOR_EACH_PER_BACKEND(X)
#undef X
#undef TENON_INTERNAL_KEY
    default: return "Undefined";
  }
}

namespace detail {
/// By device, the key of a dense tensor; the last is for a code that is no device's.
inline constexpr DispatchKey device_keys[] = {
#define X(NAME, TEXT, KEY) DispatchKey::KEY,
    TENON_FOR_EACH_DEVICE_TYPE(X)
#undef X
        DispatchKey::Undefined};
constexpr unsigned place_of(DeviceType device) {
  const auto code = static_cast<unsigned char>(device);
  return code < kDeviceTypes ? code : kDeviceTypes;
}
}  // namespace detail

constexpr BackendComponent backend_of(DeviceType device) {
  return backend_of(detail::device_keys[detail::place_of(device)]);
}
/// The dense key of a device: CPU, CUDA, Meta; Vulkan, Metal and FPGA are functionalities of their own.
constexpr DispatchKey dispatch_key_of(DeviceType device) {
  const DispatchKey key = detail::device_keys[detail::place_of(device)];
  if (key == DispatchKey::Undefined)
    fail<RegistrationError>(
        "device type ", to_string(device),
        " has no dispatch key, so no kernel can be registered for it; use one of cpu, cuda, meta, privateuseone");
  return key;
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
