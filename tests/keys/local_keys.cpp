// The thread's include and exclude sets.
#include <tenon/keys/local_keys.hpp>

#include <thread>

#include "catch.hpp"

using namespace tenon;

TEST_CASE("a thread starts with the default sets", "[keys][local_keys][threads]") {
  std::thread([] {
    CHECK(local_keys().included == key_sets::default_included);
    CHECK(local_keys().excluded == key_sets::default_excluded);
    CHECK(is_included(DispatchKey::BackendSelect));
    CHECK(is_excluded(DispatchKey::AutocastCPU));
  }).join();
}

TEST_CASE("guards change the sets for a scope and nest", "[keys][local_keys]") {
  LocalKeys before = local_keys();
  {
    IncludeDispatchKeyGuard a(DispatchKey::Python);
    CHECK(is_included(DispatchKey::Python));
    {
      ExcludeDispatchKeyGuard b(KeySet{DispatchKey::Python, DispatchKey::Tracer});
      CHECK(with_local_keys(KeySet(DispatchKey::CPU)) ==
            (KeySet(DispatchKey::CPU) | key_sets::default_included));  // exclusion wins
    }
    CHECK_FALSE(is_excluded(DispatchKey::Tracer));
  }
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
}

TEST_CASE("a guard restores the whole set that it found", "[keys][local_keys]") {
  LocalKeysGuard all;
  {
    IncludeDispatchKeyGuard guard(DispatchKey::SparseCPU);
    set_included(DispatchKey::Tracer, true);  // lost at the end of the guard, as is the backend bit
  }
  CHECK_FALSE(is_included(DispatchKey::Tracer));
  CHECK_FALSE(local_keys().included.has_backend(BackendComponent::CPU));
}

TEST_CASE("single keys are set and cleared without a guard", "[keys][local_keys]") {
  LocalKeysGuard all;
  set_excluded(DispatchKey::AutocastCPU, false);
  CHECK_FALSE(is_excluded(DispatchKey::AutocastCPU));
  set_included(DispatchKey::Functionalize, true);
  CHECK(is_included(DispatchKey::Functionalize));
  set_included(DispatchKey::Functionalize, false);
  CHECK_FALSE(is_included(DispatchKey::Functionalize));
}

TEST_CASE("force replaces both sets", "[keys][local_keys]") {
  LocalKeys before = local_keys();
  {
    ForceDispatchKeyGuard force{KeySet(DispatchKey::Python), KeySet()};
    CHECK(local_keys().included == KeySet(DispatchKey::Python));
    CHECK(local_keys().excluded.empty());
  }
  {
    ForceDispatchKeyGuard remember;
    set_included(DispatchKey::Python, true);
  }
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
}

TEST_CASE("the named guards exclude what they say", "[keys][local_keys]") {
  {
    AutoDispatchBelowAutograd below;
    CHECK(local_keys().excluded == (key_sets::default_excluded | key_sets::autograd));
  }
  {
    AutoDispatchBelowADInplaceOrView below;
    CHECK(is_excluded(DispatchKey::ADInplaceOrView));
    CHECK(is_excluded(DispatchKey::AutogradOther));
  }
  AutoDispatchSkipFunctionalize skip;
  CHECK(is_excluded(DispatchKey::Functionalize));
}

TEST_CASE("guards end when an exception passes", "[keys][local_keys]") {
  LocalKeys before = local_keys();
  try {
    AutoDispatchBelowAutograd below;
    throw 1;
  } catch (int) {}
  CHECK(local_keys().excluded == before.excluded);
}

TEST_CASE("exclusion takes functionalities away and no backend", "[keys][local_keys]") {
  ExcludeDispatchKeyGuard guard(DispatchKey::AutogradCPU);
  KeySet keys = with_local_keys(KeySet{DispatchKey::AutogradCPU, DispatchKey::CPU});
  CHECK_FALSE(keys.has(DispatchKey::AutogradCPU));
  CHECK(keys.has(DispatchKey::CPU));
}
