// What autocast is set to on a thread.
#pragma once
#include <tenon/base/scalar_type.hpp>
#include <tenon/keys/local_keys.hpp>

namespace tenon {

/// Autocast is on for a device while the device's key is not excluded.
struct AutocastSettings {
  ScalarType cpu = kBFloat16;  ///< what operators of lower precision compute in there
  ScalarType cuda = kHalf;
  bool cache_enabled = true;
};

namespace detail {
TENON_THREAD_WORD(AutocastSettings, autocast_settings);
}  // namespace detail

/// Autocast as it is on the thread that makes this, to be in force again at another time.
class AutocastState {
 public:
  AutocastState() = default;
  /// Gives the calling thread this state; what it had is here afterwards.
  void swap() {
    KeySet& excluded = local_keys().excluded;
    const KeySet now = excluded & key_sets::autocast;
    excluded = excluded.without_functionalities(key_sets::autocast) | excluded_;
    excluded_ = now;
    const AutocastSettings before = detail::autocast_settings;
    detail::autocast_settings = settings_;
    settings_ = before;
  }

 private:
  KeySet excluded_ = local_keys().excluded & key_sets::autocast;
  AutocastSettings settings_ = detail::autocast_settings;
};

}  // namespace tenon
