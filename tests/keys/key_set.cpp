// Sets of dispatch keys.
#include <tenon/keys/key_set.hpp>

#include <algorithm>
#include <vector>

#include "catch.hpp"

using namespace tenon;

namespace {
std::vector<DispatchKey> keys_of(KeySet set) {
  std::vector<DispatchKey> keys;
  set.for_each([&](DispatchKey k) { keys.push_back(k); });
  return keys;
}
std::vector<DispatchKey> runtime_keys() { return keys_of(KeySet::full()); }
constexpr DispatchKey per_backend[] = {DispatchKey::Dense,        DispatchKey::Quantized,
                                       DispatchKey::Sparse,       DispatchKey::SparseCsr,
                                       DispatchKey::NestedTensor, DispatchKey::AutogradFunctionality};
}  // namespace

TEST_CASE("case 1: the empty set holds nothing but Undefined", "[keys][key_set]") {
  KeySet empty;
  CHECK(empty.empty());
  CHECK(empty.bits() == 0);
  for (DispatchKey k : runtime_keys()) CHECK_FALSE(empty.has(k));
  CHECK(empty.has(DispatchKey::Undefined));
  CHECK(empty.highest_priority() == DispatchKey::Undefined);
  CHECK(empty.table_index() == 0);
}

TEST_CASE("case 2: a backend alone owns no key", "[keys][key_set]") {
  for (unsigned b = 1; b <= kBackends; ++b) {
    auto backend = static_cast<BackendComponent>(b);
    KeySet set(backend);
    CHECK_FALSE(set.empty());
    CHECK(set.has_backend(backend));
    CHECK(set.highest_functionality() == DispatchKey::Undefined);
    CHECK(set.table_index() == 0);
    CHECK(keys_of(set).empty());
  }
}

TEST_CASE("case 3: a functionality that is not per backend is one bit", "[keys][key_set]") {
  for (unsigned v = 1; v < kFunctionalities; ++v) {
    auto k = static_cast<DispatchKey>(v);
    if (is_per_backend_functionality(k)) continue;
    KeySet set(k);
    CHECK(set.has(k));
    CHECK(set.bits() == std::uint64_t{1} << (16 + v - 1));
    CHECK(set.highest_priority() == k);
    CHECK(set.add(k) == set);
    CHECK(set.without(k).empty());
  }
}

TEST_CASE("case 4: a per-backend key is two bits", "[keys][key_set]") {
  for (DispatchKey f : per_backend)
    for (unsigned b = 1; b <= kBackends; ++b) {
      auto backend = static_cast<BackendComponent>(b);
      DispatchKey k = runtime_key(f, backend);
      KeySet set(k);
      CHECK(__builtin_popcountll(set.bits()) == 2);
      CHECK(set == (KeySet(f) | KeySet(backend)));
      CHECK(set.highest_priority() == k);
      CHECK(set.without(k) == KeySet(backend));
    }
}

TEST_CASE("case 5: a set is a cross product", "[keys][key_set]") {
  KeySet set{DispatchKey::CPU, DispatchKey::CUDA, DispatchKey::AutogradCPU};
  CHECK(set == (KeySet(DispatchKey::AutogradCUDA) | KeySet(DispatchKey::CPU)));
  KeySet mixed = KeySet(DispatchKey::CUDA) | KeySet(DispatchKey::AutogradCPU);
  CHECK(mixed.has(DispatchKey::CPU));
  CHECK(mixed.has(DispatchKey::AutogradCUDA));
}

TEST_CASE("case 6: taking functionalities away leaves the backends", "[keys][key_set]") {
  KeySet a{DispatchKey::CPU, DispatchKey::AutogradCUDA};
  KeySet left = a.without_functionalities(KeySet(DispatchKey::AutogradCUDA));
  CHECK(left == KeySet{DispatchKey::CPU, DispatchKey::CUDA});
  CHECK(left.without_backend(BackendComponent::CUDA) == KeySet(DispatchKey::CPU));
}

TEST_CASE("cases 7 and 8: the union of two keys pairs the highest functionality with the highest backend",
          "[keys][key_set]") {
  KeySet xla{DispatchKey::XLA, DispatchKey::AutogradXLA};
  CHECK(xla.highest_functionality() == DispatchKey::AutogradFunctionality);
  CHECK(xla.highest_backend() == BackendComponent::XLA);
  CHECK(xla.highest_priority() == DispatchKey::AutogradXLA);
  CHECK((xla.has(DispatchKey::XLA) && xla.has(DispatchKey::AutogradXLA)));
  KeySet mixed{DispatchKey::AutogradCPU, DispatchKey::CUDA};
  CHECK(mixed.highest_priority() == DispatchKey::AutogradCUDA);
  for (DispatchKey f : per_backend)
    for (DispatchKey g : per_backend)
      for (unsigned b = 1; b <= kBackends; ++b)
        for (unsigned c = 1; c <= kBackends; ++c) {
          DispatchKey one = runtime_key(f, static_cast<BackendComponent>(b)),
                      other = runtime_key(g, static_cast<BackendComponent>(c));
          KeySet both{one, other};
          // Functionalities and backends are numbered by priority.
          DispatchKey highest = runtime_key(std::max(f, g), static_cast<BackendComponent>(std::max(b, c)));
          if (both.highest_priority() != highest || !both.has(one) || !both.has(other))
            FAIL(to_string(one) << " and " << to_string(other) << " give " << to_string(both.highest_priority()));
        }
}

TEST_CASE("cases 9, 12 and 13: the full set holds a key for every table entry but the first", "[keys][key_set]") {
  auto all = runtime_keys();
  CHECK(all.size() == kTableSize - 1);
  CHECK(KeySet::full().bits() == 0x3fffffffffffffffu);
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(KeySet::full().has(all[i]));
    // Entries are numbered in the order of the keys.
    CHECK(table_index(all[i]) == i + 1);
  }
  CHECK(keys_of(KeySet()).empty());
}

// Case 10 is about the iterators of the peer's set; ours is walked with for_each, which has none.
TEST_CASE("case 10: one key is walked once", "[keys][key_set]") {
  CHECK(keys_of(KeySet(DispatchKey::CPU)) == std::vector{DispatchKey::CPU});
  CHECK(keys_of(KeySet(DispatchKey::Tracer)) == std::vector{DispatchKey::Tracer});
}

TEST_CASE("case 11: the highest backend key is found below other functionalities", "[keys][key_set]") {
  auto backend_key = [](KeySet set) { return KeySet((set & key_sets::backends).bits()).highest_priority(); };
  CHECK(backend_key({DispatchKey::AutogradCPU, DispatchKey::CPU}) == DispatchKey::CPU);
  CHECK(backend_key({DispatchKey::Functionalize, DispatchKey::SparseCUDA}) == DispatchKey::SparseCUDA);
  CHECK(backend_key({DispatchKey::CUDA, DispatchKey::QuantizedCUDA}) == DispatchKey::QuantizedCUDA);
}

TEST_CASE("case 16: membership by bits agrees with the expansion", "[keys][key_set]") {
  for (DispatchKey alias :
       {DispatchKey::Autograd, DispatchKey::CompositeImplicitAutograd, DispatchKey::FuncTorchBatchedDecomposition,
        DispatchKey::CompositeImplicitAutogradNestedTensor, DispatchKey::CompositeExplicitAutograd,
        DispatchKey::CompositeExplicitAutogradNonFunctional}) {
    auto expansion = keys_of(expand_alias(alias));
    for (DispatchKey k : runtime_keys())
      CHECK(expands_to(alias, k) == (std::find(expansion.begin(), expansion.end(), k) != expansion.end()));
  }
  for (DispatchKey a : runtime_keys())
    for (DispatchKey b : runtime_keys())
      if (expands_to(a, b) != (a == b)) FAIL("a runtime key stands for itself alone");
}

TEST_CASE("the encoding is the peer's", "[keys][key_set]") {
  CHECK(KeySet(DispatchKey::CPU).bits() == 0x10001);
  CHECK(KeySet(DispatchKey::CUDA).bits() == 0x10002);
  CHECK(KeySet(DispatchKey::Meta).bits() == 0x18000);
  CHECK(KeySet(DispatchKey::AutogradCPU).bits() == 0x1000000001);
  CHECK(KeySet(DispatchKey::SparseCUDA).bits() == 0x800002);
  CHECK(KeySet(DispatchKey::BackendSelect).bits() == 0x4000000);
  CHECK(KeySet(DispatchKey::ADInplaceOrView).bits() == 0x400000000);
  CHECK(KeySet(DispatchKey::AutogradOther).bits() == 0x800000000);
  CHECK(KeySet(DispatchKey::PythonDispatcher).bits() == 0x2000000000000000);
  CHECK(KeySet(DispatchKey::Autograd).empty());
}

TEST_CASE("the keys below one keep PythonDispatcher", "[keys][key_set]") {
  CHECK(key_sets::after_autograd.has(DispatchKey::PythonDispatcher));
  CHECK_FALSE(key_sets::after_autograd.has(DispatchKey::AutogradOther));
  CHECK(key_sets::after_autograd.has(DispatchKey::ADInplaceOrView));
  CHECK_FALSE(key_sets::after_functionalize.has(DispatchKey::ADInplaceOrView));
  // W7: what the Autograd kernel of add gets, and what it hands on.
  KeySet given{DispatchKey::AutogradCPU, DispatchKey::CPU};
  CHECK((given & key_sets::after_autograd) == KeySet(DispatchKey::CPU));
}

TEST_CASE("a set prints its keys in ascending order", "[keys][key_set]") {
  CHECK(to_string(KeySet()) == "DispatchKeySet()");
  CHECK(to_string(KeySet{DispatchKey::AutogradCPU, DispatchKey::CPU, DispatchKey::ADInplaceOrView}) ==
        "DispatchKeySet(CPU, ADInplaceOrView, AutogradCPU)");
}

TEST_CASE("named sets hold what the specification lists", "[keys][key_set]") {
  CHECK(expand_alias(DispatchKey::CompositeExplicitAutograd).has(DispatchKey::SparseCPU));
  CHECK_FALSE(expand_alias(DispatchKey::CompositeExplicitAutogradNonFunctional).has(DispatchKey::SparseCPU));
  CHECK(expand_alias(DispatchKey::CompositeExplicitAutogradNonFunctional).has(DispatchKey::SparseCsrCPU));
  CHECK_FALSE(expand_alias(DispatchKey::CompositeExplicitAutogradNonFunctional).has(DispatchKey::XLA));
  CHECK_FALSE(expand_alias(DispatchKey::CompositeExplicitAutograd).has(DispatchKey::NestedTensorCPU));
  CHECK(expand_alias(DispatchKey::CompositeImplicitAutograd).has(DispatchKey::NestedTensorCPU));
  CHECK(expand_alias(DispatchKey::Autograd).has(DispatchKey::AutogradMTIA));
}

TEST_CASE("the index of a backend counts from CPU", "[keys][key_set]") {
  CHECK(KeySet(DispatchKey::CPU).backend_index() == 0);
  CHECK(KeySet(DispatchKey::Meta).backend_index() == 15);
  CHECK(KeySet(DispatchKey::Tracer).backend_index() == 0);
}

// PyTorch adds to a fresh tensor the autocast key of its back end, where there is one.
TEST_CASE("a fresh tensor has the keys of its device", "[keys][key_set]") {
  using enum DispatchKey;
  STATIC_REQUIRE(dense_keys(DeviceType::CPU) == KeySet{CPU, ADInplaceOrView, AutogradCPU, AutocastCPU});
  STATIC_REQUIRE(dense_keys(DeviceType::HPU) == KeySet{HPU, ADInplaceOrView, AutogradHPU, AutocastHPU});
  STATIC_REQUIRE(dense_keys(DeviceType::PrivateUse1) ==
                 KeySet{PrivateUse1, ADInplaceOrView, AutogradPrivateUse1, AutocastPrivateUse1});
  STATIC_REQUIRE(dense_keys(DeviceType::Meta) == KeySet{Meta, ADInplaceOrView, AutogradMeta});
  STATIC_REQUIRE(dense_keys(DeviceType::Vulkan) == KeySet{Vulkan, ADInplaceOrView, AutogradOther});
  int autocast = 0;
  key_sets::autocast.for_each([&](DispatchKey) { ++autocast; });
  CHECK(autocast == 10);
}
