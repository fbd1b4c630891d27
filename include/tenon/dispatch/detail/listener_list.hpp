// Who is told of definitions.
#pragma once
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

#include <tenon/base/owned_ptr.hpp>
#include <tenon/base/warning.hpp>
#include <tenon/dispatch/registration.hpp>

namespace tenon::detail {

/// Listeners that end while listeners are told go to `ended`, to be destroyed without the registry's lock.
class ListenerList {
 public:
  using Ended = std::vector<OwnedPtr<RegistryListener>>;

  void add(std::uint32_t number, OwnedPtr<RegistryListener> listener) { all_.push_back({number, std::move(listener)}); }
  void end(std::uint32_t number, Ended& ended) {
    for (auto& l : all_)
      if (l.number == number) l.ended = true;
    sweep(ended);
  }
  /// Ends the listeners that `goes` says true of at once, whoever is being told.
  template <class F>
  void take(F goes, Ended& ended) {
    for (auto& l : all_)
      if (!l.ended && goes(*l.listener)) {
        ended.push_back(std::move(l.listener));
        l.ended = true;
      }
    sweep(ended);
  }
  /// Tells all; if one throws, those that heard hear that the operator went, and the exception goes on.
  void tell_registered(OperatorEntry& entry, Ended& ended) {
    if (all_.empty()) return;
    // One that is added meanwhile hears of the operator then.
    std::size_t n = all_.size(), told = 0;
    ++telling_;
    try {
      for (; told < n; ++told)
        if (const auto& l = all_[told]; !l.ended) l.listener->on_registered(OperatorHandle(&entry, entry.generation()));
    } catch (...) {
      tell_unregistered(entry, ended, told, n);
      --telling_;
      sweep(ended);
      throw;
    }
    --telling_;
    sweep(ended);
  }
  /// Tells all but the listeners [skip_from, skip_to).
  void tell_unregistered(OperatorEntry& entry, Ended& ended, std::size_t skip_from = 0,
                         std::size_t skip_to = 0) noexcept {
    ++telling_;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      const auto& l = all_[i];
      if (l.ended || (i >= skip_from && i < skip_to)) continue;
      try {
        try {
          l.listener->on_unregistered(OperatorHandle(&entry, entry.generation()));
        } catch (const std::exception& e) {
          warn(concat("A listener failed when operator ", entry.name(), " went: ", e.what()));
        }
      } catch (...) {}  // nothing that ends may fail
    }
    --telling_;
    sweep(ended);
  }

 private:
  struct Listener {
    std::uint32_t number;
    OwnedPtr<RegistryListener> listener;
    bool ended = false;
  };
  void sweep(Ended& ended) {
    if (telling_ > 0) return;
    for (auto& l : all_)
      if (l.ended) ended.push_back(std::move(l.listener));
    std::erase_if(all_, [](const auto& l) { return l.ended; });
  }

  std::vector<Listener> all_;
  int telling_ = 0;  // listeners keep their places meanwhile
};

}  // namespace tenon::detail
