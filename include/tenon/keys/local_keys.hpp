// The thread's include and exclude sets and the guards that change them for a scope.
#pragma once
#include <tenon/base/shared_object.hpp>
#include <tenon/keys/key_set.hpp>

namespace tenon {

/// What a thread adds to and removes from the key set of every call; removal wins.
struct LocalKeys {
  KeySet included = key_sets::default_included;
  KeySet excluded = key_sets::default_excluded;
};

namespace detail {
// constinit: no wrapper function stands between a call and the two words.
TENON_THREAD_WORD(LocalKeys, local_keys);
}  // namespace detail

inline LocalKeys& local_keys() { return detail::local_keys; }
inline bool is_included(DispatchKey k) { return local_keys().included.has(k); }
inline bool is_excluded(DispatchKey k) { return local_keys().excluded.has(k); }
inline void set_included(DispatchKey k, bool on) {
  auto& s = local_keys().included;
  s = on ? s.add(k) : s.without(k);
}
inline void set_excluded(DispatchKey k, bool on) {
  auto& s = local_keys().excluded;
  s = on ? s.add(k) : s.without(k);
}

/// The set that dispatch starts from for arguments that carry `raw`.
[[gnu::always_inline]] inline KeySet with_local_keys(KeySet raw) {
  const LocalKeys& local = detail::local_keys;
  return (raw | local.included).without_functionalities(local.excluded);
}

/// Restores the thread's two sets when it ends; must end on the thread that made it.
class LocalKeysGuard {
 public:
  LocalKeysGuard() : saved_(local_keys()) {}
  LocalKeysGuard(const LocalKeysGuard&) = delete;
  LocalKeysGuard& operator=(const LocalKeysGuard&) = delete;
  ~LocalKeysGuard() { local_keys() = saved_; }

 private:
  LocalKeys saved_;
};

/// Adds keys to the thread's included set for a scope.
class IncludeDispatchKeyGuard {
 public:
  explicit IncludeDispatchKeyGuard(KeySet keys) : saved_(local_keys().included) {
    local_keys().included = saved_ | keys;
  }
  IncludeDispatchKeyGuard(const IncludeDispatchKeyGuard&) = delete;
  IncludeDispatchKeyGuard& operator=(const IncludeDispatchKeyGuard&) = delete;
  ~IncludeDispatchKeyGuard() { local_keys().included = saved_; }

 private:
  KeySet saved_;
};

/// Adds keys to the thread's excluded set for a scope.
class ExcludeDispatchKeyGuard {
 public:
  explicit ExcludeDispatchKeyGuard(KeySet keys) : saved_(local_keys().excluded) {
    local_keys().excluded = saved_ | keys;
  }
  ExcludeDispatchKeyGuard(const ExcludeDispatchKeyGuard&) = delete;
  ExcludeDispatchKeyGuard& operator=(const ExcludeDispatchKeyGuard&) = delete;
  ~ExcludeDispatchKeyGuard() { local_keys().excluded = saved_; }

 private:
  KeySet saved_;
};

/// Replaces both sets for a scope, or with no argument only remembers them.
class ForceDispatchKeyGuard : LocalKeysGuard {
 public:
  ForceDispatchKeyGuard() = default;
  explicit ForceDispatchKeyGuard(LocalKeys keys) { local_keys() = keys; }
  ForceDispatchKeyGuard(KeySet included, KeySet excluded) { local_keys() = {included, excluded}; }
};

struct AutoDispatchBelowAutograd : ExcludeDispatchKeyGuard {
  AutoDispatchBelowAutograd() : ExcludeDispatchKeyGuard(key_sets::autograd) {}
};
struct AutoDispatchBelowADInplaceOrView : ExcludeDispatchKeyGuard {
  AutoDispatchBelowADInplaceOrView() : ExcludeDispatchKeyGuard(key_sets::autograd_and_inplace_or_view) {}
};
struct AutoDispatchSkipFunctionalize : ExcludeDispatchKeyGuard {
  AutoDispatchSkipFunctionalize() : ExcludeDispatchKeyGuard(DispatchKey::Functionalize) {}
};

}  // namespace tenon
