// The names of operators without their overloads, kept as definitions come and go.
#pragma once
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

#include <tenon/dispatch/registration.hpp>

namespace tenon::func::detail {

/// Whether any overload of a name is defined, without a walk of the registry. It listens from the first use on.
class DefinedNames {
 public:
  static DefinedNames& get() {
    static DefinedNames names;
    static const Registration listening = Registry::get().add_listener(OwnedPtr<RegistryListener>(new Listener(names)));
    return names;
  }
  bool has(std::string_view base_name) const {
    std::lock_guard lock(mutex_);
    return overloads_.find(base_name) != overloads_.end();
  }

 private:
  struct Listener final : RegistryListener {
    explicit Listener(DefinedNames& names) : names_(names) {}
    void on_registered(const OperatorHandle& op) override { names_.add(op.name()); }
    void on_unregistered(const OperatorHandle& op) override { names_.remove(op.name()); }

   private:
    DefinedNames& names_;
  };
  static std::string_view base_of(std::string_view full_name) { return full_name.substr(0, full_name.find('.')); }
  void add(std::string_view full_name) {
    std::lock_guard lock(mutex_);
    ++overloads_[std::string(base_of(full_name))];
  }
  void remove(std::string_view full_name) {
    std::lock_guard lock(mutex_);
    auto found = overloads_.find(base_of(full_name));
    if (found != overloads_.end() && --found->second == 0) overloads_.erase(found);
  }

  mutable std::mutex mutex_;
  std::map<std::string, std::size_t, std::less<>> overloads_;  // how many there are of each
};

}  // namespace tenon::func::detail
