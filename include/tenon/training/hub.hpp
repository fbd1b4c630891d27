// Models by name, and their trained weights in a folder of this machine.
#pragma once
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/io/module_state.hpp>
#include <tenon/nn/dynamic/any_module.hpp>

/// What torch.hub does, offline: a program or a plugin adds models, others make them by name and read their weights,
/// `DIR/NAME.safetensors`. Nothing is ever downloaded. All functions may be called from any thread.
namespace tenon::training::hub {

namespace detail {
using Maker = nn::AnyModule (*)();
void add(const std::string& name, std::string help, Maker make);
void remove(const std::string& name) noexcept;
/// The file of a model's weights in a folder that is made.
std::string path_to_write(const std::string& name);
}  // namespace detail

/// Keeps a model in the list for as long as it lives.
class [[nodiscard]] Registered {
 public:
  explicit Registered(std::string name) : name_(std::move(name)) {}
  Registered(Registered&& other) noexcept : name_(std::exchange(other.name_, {})) {}
  Registered& operator=(Registered&& other) noexcept {
    std::swap(name_, other.name_);
    return *this;
  }
  ~Registered() {
    if (!name_.empty()) detail::remove(name_);
  }

 private:
  std::string name_;
};

/// Adds a model: `static const auto kept = hub::add("digits", "64-32-10 perceptron", [] { return Net{}; });`. The
/// lambda takes and captures nothing and makes a new module each time. A name has letters, digits, `_`, `-` and `.`.
/// Errors: ValueError for another name, and for one that is there already.
template <std::default_initializable F>
Registered add(std::string name, std::string help, F) {
  static_assert(std::is_invocable_v<F>, "tenon: hub::add() takes a lambda without arguments and captures");
  detail::add(name, std::move(help), [] { return nn::AnyModule(F{}()); });
  return Registered(std::move(name));
}

/// The names of all models, sorted.
std::vector<std::string> list();
/// What the model's author says of it. Errors: ValueError that names the models that there are.
std::string help(const std::string& name);

/// The folder of weights: that of set_dir(), else TENON_HUB_DIR of the environment, else `tenon/hub` in XDG_CACHE_HOME
/// or in ~/.cache.
std::string dir();
/// An empty path takes it back.
void set_dir(std::string path);
/// Where a model's weights are looked for, there or not.
std::string weights_path(const std::string& name);

/// A new model with the weights that its author gives it at first. Errors: as help().
nn::AnyModule make(const std::string& name);
/// A new model with its weights from the folder. Errors: as help(); FileError if there is no such file, and as
/// nn::load().
nn::AnyModule load(const std::string& name);
/// The same as the type it has. Errors: TypeError if it has another.
template <class M>
M load_as(const std::string& name) {
  nn::AnyModule module = load(name);
  M* found = module.as<M>();
  TENON_CHECK(found, TypeError, "hub: the model '", name, "' has another type than the one asked for");
  return *found;
}

/// Writes the weights of a trained model for load(). Errors: ValueError for a name that cannot be one, FileError.
template <class M>
void publish(const std::string& name, const M& model) {
  nn::save(model, detail::path_to_write(name));
}

}  // namespace tenon::training::hub
