// A set of dispatch keys in one 64-bit word, and the sets that have names.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <string>

#include <tenon/keys/dispatch_key.hpp>

namespace tenon {

namespace detail {

/// Position of the highest set bit, counted from 1; 0 for none. `63 ^ clz` because GCC does not fold `63 - clz`.
constexpr unsigned bit_length(std::uint64_t word) {
  return 63u ^ static_cast<unsigned>(__builtin_clzll(word << 1 | 1));
}

struct SlotMap {
  std::uint8_t offset[kFunctionalities];
  std::uint16_t mask[kFunctionalities];
};
consteval SlotMap make_slot_map() {
  SlotMap map{};
  unsigned next = 0;
  for (unsigned f = 0; f < kFunctionalities; ++f) {
    bool per_backend = is_per_backend_functionality(static_cast<DispatchKey>(f));
    map.offset[f] = static_cast<std::uint8_t>(next);
    map.mask[f] = per_backend ? 0xffff : 0;
    next += per_backend ? kBackends : 1;
  }
  return map;
}
inline constexpr SlotMap slot_map = make_slot_map();

}  // namespace detail

/// Bits 0..15 are backends, bits 16..61 functionalities. A set is a cross product: {AutogradCUDA, CPU} equals
/// {AutogradCPU, AutogradCUDA, CPU, CUDA}.
class KeySet {
 public:
  constexpr KeySet() = default;
  constexpr explicit KeySet(std::uint64_t bits) : bits_(bits) {}
  /// Aliases and Undefined have no bit.
  constexpr KeySet(DispatchKey k) {
    DispatchKey f = functionality_of(k);
    if (f == DispatchKey::Undefined) return;
    bits_ = std::uint64_t{1} << (kBackends + static_cast<unsigned>(f) - 1);
    if (BackendComponent b = backend_of(k); b != BackendComponent::Invalid)
      bits_ |= std::uint64_t{1} << (static_cast<unsigned>(b) - 1);
  }
  constexpr KeySet(BackendComponent b)
      : bits_(b == BackendComponent::Invalid ? 0 : std::uint64_t{1} << (static_cast<unsigned>(b) - 1)) {}
  constexpr KeySet(std::initializer_list<DispatchKey> keys) {
    for (DispatchKey k : keys) bits_ |= KeySet(k).bits_;
  }

  static constexpr std::uint64_t kBackendBits = (std::uint64_t{1} << kBackends) - 1;
  static constexpr std::uint64_t kAllBits = (std::uint64_t{1} << (kBackends + kFunctionalities - 1)) - 1;
  static constexpr KeySet full() { return KeySet(kAllBits); }
  static constexpr KeySet all_backends() { return KeySet(kBackendBits); }
  /// Every key strictly below the functionality of `k`, all backends included; PythonDispatcher stays in.
  static constexpr KeySet full_after(DispatchKey k) {
    unsigned f = static_cast<unsigned>(functionality_of(k));
    std::uint64_t below = f == 0 ? 0 : (std::uint64_t{1} << (kBackends + f - 1)) - 1;
    return KeySet(below | KeySet(DispatchKey::PythonDispatcher).bits_);
  }

  constexpr std::uint64_t bits() const { return bits_; }
  constexpr bool empty() const { return bits_ == 0; }
  constexpr bool has(DispatchKey k) const { return has_all(KeySet(k)); }
  constexpr bool has_all(KeySet other) const { return (bits_ & other.bits_) == other.bits_; }
  constexpr bool has_any(KeySet other) const { return (bits_ & other.bits_) != 0; }
  constexpr bool has_backend(BackendComponent b) const { return has_all(KeySet(b)); }
  constexpr KeySet add(DispatchKey k) const { return *this | KeySet(k); }
  /// Without the functionality of `k`; backends stay.
  constexpr KeySet without(DispatchKey k) const { return without_functionalities(KeySet(k)); }
  constexpr KeySet without_functionalities(KeySet other) const {
    return KeySet(bits_ & ~(other.bits_ & ~kBackendBits));
  }
  constexpr KeySet without_backend(BackendComponent b) const { return KeySet(bits_ & ~KeySet(b).bits_); }

  friend constexpr KeySet operator|(KeySet a, KeySet b) { return KeySet(a.bits_ | b.bits_); }
  friend constexpr KeySet operator&(KeySet a, KeySet b) { return KeySet(a.bits_ & b.bits_); }
  friend constexpr KeySet operator^(KeySet a, KeySet b) { return KeySet(a.bits_ ^ b.bits_); }
  friend constexpr bool operator==(KeySet, KeySet) = default;

  constexpr DispatchKey highest_functionality() const {
    return static_cast<DispatchKey>(detail::bit_length(bits_ >> kBackends));
  }
  constexpr BackendComponent highest_backend() const {
    return static_cast<BackendComponent>(detail::bit_length(bits_ & kBackendBits));
  }
  /// The key that a call with this set dispatches to, before masks. A per-backend functionality without a backend
  /// gives its block's pseudo key, which prints as Undefined.
  constexpr DispatchKey highest_priority() const {
    DispatchKey f = highest_functionality();
    return is_per_backend_functionality(f) ? runtime_key(f, highest_backend()) : f;
  }
  /// The table entry of the highest key: one look-up, no branch.
  [[gnu::always_inline]] constexpr unsigned table_index() const {
    unsigned f = detail::bit_length(bits_ >> kBackends);
    return detail::slot_map.offset[f] + detail::bit_length((bits_ & detail::slot_map.mask[f]) >> 1);
  }
  /// CPU 0 .. Meta 15; 0 when there is no backend.
  constexpr unsigned backend_index() const { return detail::bit_length((bits_ & kBackendBits) >> 1); }

  /// Calls `f(DispatchKey)` for every key that owns a table slot, lowest first.
  template <class F>
  constexpr void for_each(F&& f) const {
    for (unsigned v = 1; v < kFunctionalities; ++v) {
      DispatchKey k = static_cast<DispatchKey>(v);
      if (!has(k)) continue;
      if (!is_per_backend_functionality(k)) {
        f(k);
        continue;
      }
      for (unsigned b = 1; b <= kBackends; ++b)
        if (has_backend(static_cast<BackendComponent>(b))) f(runtime_key(k, static_cast<BackendComponent>(b)));
    }
  }

 private:
  std::uint64_t bits_ = 0;
};
static_assert(sizeof(KeySet) == 8, "tenon: key sets travel in one register through every kernel call");

/// The table entry of one runtime key.
constexpr unsigned table_index(DispatchKey k) { return KeySet(k).table_index(); }

/// `DispatchKeySet()` or `DispatchKeySet(CPU, AutogradCPU)`, ascending.
std::string to_string(KeySet set);

/// Sets that registration and guards use; contents as in the peer.
namespace key_sets {
inline constexpr KeySet autograd{DispatchKey::AutogradFunctionality, DispatchKey::AutogradOther,
                                 DispatchKey::AutogradNestedTensor};
inline constexpr KeySet autograd_and_inplace_or_view = autograd.add(DispatchKey::ADInplaceOrView);
#define X(NAME) DispatchKey::NAME,
inline constexpr KeySet autocast{TENON_FOR_EACH_AUTOCAST(X, Autocast)};
#undef X
inline constexpr KeySet default_included{DispatchKey::BackendSelect, DispatchKey::ADInplaceOrView};
inline constexpr KeySet default_excluded = autocast;
inline constexpr KeySet autograd_other_backends =
    KeySet{DispatchKey::FPGA,      DispatchKey::Vulkan, DispatchKey::Metal,     DispatchKey::CustomRNGKeyId,
           DispatchKey::MkldnnCPU, DispatchKey::Sparse, DispatchKey::SparseCsr, DispatchKey::Quantized} |
    KeySet::all_backends();
inline constexpr KeySet backends = autograd_other_backends.add(DispatchKey::Dense);
inline constexpr KeySet composite_implicit = backends | autograd | KeySet(DispatchKey::NestedTensor);
inline constexpr KeySet composite_explicit_non_functional = backends.without(DispatchKey::Sparse)
                                                                .without_backend(BackendComponent::XLA)
                                                                .without_backend(BackendComponent::Lazy);
inline constexpr KeySet nested =
    KeySet{DispatchKey::AutogradNestedTensor, DispatchKey::NestedTensor} | KeySet::all_backends();
inline constexpr KeySet autograd_expansion = autograd | KeySet::all_backends();
inline constexpr KeySet after_autograd = KeySet::full_after(DispatchKey::AutogradOther);
inline constexpr KeySet after_inplace_or_view = KeySet::full_after(DispatchKey::ADInplaceOrView);
inline constexpr KeySet after_functionalize =
    KeySet::full_after(DispatchKey::Functionalize).without(DispatchKey::ADInplaceOrView);
}  // namespace key_sets

/// The runtime keys that a registration at `k` stands for; a runtime key stands for itself.
constexpr KeySet expand_alias(DispatchKey k) {
  switch (k) {
    case DispatchKey::Autograd: return key_sets::autograd_expansion;
    case DispatchKey::CompositeImplicitAutograd: return key_sets::composite_implicit;
    case DispatchKey::FuncTorchBatchedDecomposition: return KeySet(DispatchKey::FuncTorchBatched);
    case DispatchKey::CompositeImplicitAutogradNestedTensor: return key_sets::nested;
    case DispatchKey::CompositeExplicitAutograd: return key_sets::backends;
    case DispatchKey::CompositeExplicitAutogradNonFunctional: return key_sets::composite_explicit_non_functional;
    default: return KeySet(k);
  }
}
constexpr bool expands_to(DispatchKey alias, DispatchKey k) {
  return k != DispatchKey::Undefined && expand_alias(alias).has(k);
}

/// The autograd key of a backend, and the backends behind an autograd key. Every backend has its own, HIP, VE and
/// MTIA included, which the peer leaves out.
constexpr DispatchKey autograd_key_of(BackendComponent b) {
  return b == BackendComponent::Invalid ? DispatchKey::AutogradOther
                                        : runtime_key(DispatchKey::AutogradFunctionality, b);
}

/// The autocast key of a backend; Undefined without one.
constexpr DispatchKey autocast_key_of(BackendComponent b) {
  switch (b) {
#define X(NAME) \
  case BackendComponent::NAME: return DispatchKey::Autocast##NAME;
    TENON_FOR_EACH_AUTOCAST(X, )
#undef X
    default: return DispatchKey::Undefined;
  }
}

/// The key set of a fresh dense tensor on a device. Throws RegistrationError where the device has no dense key.
constexpr KeySet dense_keys(DeviceType device) {
  const DispatchKey dense = dispatch_key_of(device);
  const BackendComponent b = backend_of(dense);
  return KeySet{dense, DispatchKey::ADInplaceOrView, autograd_key_of(b), autocast_key_of(b)};
}

}  // namespace tenon
