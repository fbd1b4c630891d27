// Dispatch keys: order, names, composition.
#include <tenon/keys/dispatch_key.hpp>
#include <tenon/keys/key_set.hpp>

#include <set>

#include "catch.hpp"

using namespace tenon;

namespace {
template <class F>
void for_each_key(F&& f) {
  for (unsigned v = 1; v < static_cast<unsigned>(DispatchKey::EndOfKeys); ++v) {
    auto k = static_cast<DispatchKey>(v);
    if (k != DispatchKey::EndOfFunctionalityKeys && to_string(k) != "Undefined") f(k);
  }
}
}  // namespace

TEST_CASE("case 14: every backend component has a name of its own", "[keys][dispatch_key]") {
  std::set<std::string_view> names;
  for (unsigned b = 1; b <= kBackends; ++b) {
    CHECK(to_string(static_cast<BackendComponent>(b)) != "InvalidBackend");
    names.insert(to_string(static_cast<BackendComponent>(b)));
  }
  CHECK(names.size() == kBackends);
}

TEST_CASE("case 15: every key's name is parsed back to the key", "[keys][dispatch_key]") {
  int keys = 0;
  for_each_key([&](DispatchKey k) {
    CHECK(parse_dispatch_key(to_string(k)) == k);
    ++keys;
  });
  CHECK(keys == 46 + 6 * 16 + 6);
}

TEST_CASE("synonyms are parsed and other names refused", "[keys][dispatch_key]") {
  CHECK(parse_dispatch_key("DefaultBackend") == DispatchKey::CompositeExplicitAutograd);
  CHECK(parse_dispatch_key("Autocast") == DispatchKey::AutocastCUDA);
  CHECK(parse_dispatch_key("CatchAll") == DispatchKey::Undefined);
  CHECK_ERROR(parse_dispatch_key("cpu"), ValueError, "could not parse dispatch key: cpu");
  // A block's start is a value and no key.
  CHECK(to_string(DispatchKey::StartOfDenseBackends) == "Undefined");
}

TEST_CASE("the values are the peer's", "[keys][dispatch_key]") {
  CHECK(static_cast<int>(DispatchKey::Dense) == 1);
  CHECK(static_cast<int>(DispatchKey::BackendSelect) == 11);
  CHECK(static_cast<int>(DispatchKey::PythonDispatcher) == 46);
  CHECK(static_cast<int>(DispatchKey::QuantizedCPU) == 66);
  CHECK(static_cast<int>(DispatchKey::SparseCPU) == 83);
  CHECK(static_cast<int>(DispatchKey::SparseCsrCPU) == 100);
  CHECK(static_cast<int>(DispatchKey::NestedTensorCPU) == 117);
  CHECK(static_cast<int>(DispatchKey::AutogradCPU) == 134);
  CHECK(static_cast<int>(DispatchKey::CompositeExplicitAutogradNonFunctional) == 155);
}

TEST_CASE("a per-backend key is its functionality and its backend", "[keys][dispatch_key]") {
  STATIC_REQUIRE(runtime_key(DispatchKey::Sparse, BackendComponent::CUDA) == DispatchKey::SparseCUDA);
  STATIC_REQUIRE(functionality_of(DispatchKey::AutogradMeta) == DispatchKey::AutogradFunctionality);
  STATIC_REQUIRE(backend_of(DispatchKey::QuantizedXLA) == BackendComponent::XLA);
  STATIC_REQUIRE(functionality_of(DispatchKey::Autograd) == DispatchKey::Undefined);
  STATIC_REQUIRE(backend_of(DispatchKey::Tracer) == BackendComponent::Invalid);
}

TEST_CASE("devices stand for their dense keys", "[keys][dispatch_key]") {
  CHECK(dispatch_key_of(DeviceType::CPU) == DispatchKey::CPU);
  CHECK(dispatch_key_of(DeviceType::Meta) == DispatchKey::Meta);
  CHECK(dispatch_key_of(DeviceType::Vulkan) == DispatchKey::Vulkan);
  CHECK_ERROR_CONTAINS(dispatch_key_of(DeviceType::OPENGL), RegistrationError, "has no dispatch key");
}

TEST_CASE("a device has the back end of its name", "[keys][dispatch_key]") {
  STATIC_REQUIRE(kDeviceTypes == 21);
  STATIC_REQUIRE(backend_of(DeviceType::CUDA) == BackendComponent::CUDA);
  STATIC_REQUIRE(backend_of(DeviceType::PrivateUse1) == BackendComponent::PrivateUse1);
  STATIC_REQUIRE(backend_of(DeviceType::Vulkan) == BackendComponent::Invalid);
  constexpr auto none = static_cast<DeviceType>(99);
  STATIC_REQUIRE(backend_of(none) == BackendComponent::Invalid);
  CHECK_THROWS_WITH(
      dense_keys(none),
      "device type invalid has no dispatch key, so no kernel can be registered for it; use one of cpu, cuda, "
      "meta, privateuseone");
  unsigned backends = 0, dense = 0;
  for (unsigned d = 0; d < kDeviceTypes; ++d) {
    auto device = static_cast<DeviceType>(d);
    backends += backend_of(device) != BackendComponent::Invalid;
    try {
      dense_keys(device);
      ++dense;
    } catch (const RegistrationError&) {}
  }
  CHECK(backends == kBackends - 2);  // PrivateUse2 and PrivateUse3 have no device
  CHECK(dense == backends + 3);      // Vulkan, Metal and FPGA
}
