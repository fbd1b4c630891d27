// A whole run in one file: model, optimiser, schedule, loader, generator and numbers.
#pragma once
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/io/safetensors.hpp>
#include <tenon/nn/state.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::training {

namespace detail {
Tensor number_as_tensor(double value);
Tensor number_as_tensor(std::int64_t value);
/// The only tensor of a part. Throws ValueError.
const Tensor& single(const NamedTensors& tensors, const std::string& part);
void number_from_tensor(const Tensor& t, const std::string& part, double& to);
void number_from_tensor(const Tensor& t, const std::string& part, std::int64_t& to);
[[noreturn]] void number_too_large(std::int64_t value, const std::string& part);

template <class T>
concept holds_state = requires(T& x, const NamedTensors& tensors) {
  x.load_state(tensors);
  NamedTensors(x.state());
};
}  // namespace detail

/// A part of a checkpoint: a name and what is saved and loaded under it, by reference. `{"model", model}`.
/// What has `state()` and `load_state()` is saved by them: optimisers, schedules, loaders and what you write.
/// Generators, numbers and bools are saved as one tensor, everything else as a module.
class CheckpointPart {
 public:
  template <class T>
  CheckpointPart(std::string name, T& object)
      : name_(std::move(name)),
        object_(const_cast<std::remove_const_t<T>*>(&object)),
        save_(&save_as<std::remove_const_t<T>>),
        load_(&load_as<T>),
        fit_(&fit_as<T>) {}

  const std::string& name() const { return name_; }
  /// Aliasing: the part's own tensors where it has such.
  NamedTensors state() const { return save_(object_); }
  /// Errors: ValueError for what does not fit; then the part has not changed.
  void load_state(const NamedTensors& tensors) const { load_(object_, tensors, name_); }
  /// Gives the lazy layers of a module the sizes that these tensors have.
  void fit_lazy(const NamedTensors& tensors) const { fit_(object_, tensors); }

 private:
  template <class T>
  static NamedTensors save_as(void* object) {
    T& x = *static_cast<T*>(object);
    if constexpr (std::is_same_v<T, Generator>)
      return {{"", x.get_state()}};
    else if constexpr (std::is_arithmetic_v<T>)
      return {{"", detail::number_as_tensor(
                       static_cast<std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>(x))}};
    else if constexpr (detail::holds_state<T>)
      return x.state();
    else
      return nn::state(x);
  }
  template <class T>
  static void load_as(void* object, const NamedTensors& tensors, const std::string& part) {
    T& x = *static_cast<T*>(object);
    if constexpr (std::is_same_v<std::remove_const_t<T>, Generator>) {
      x.set_state(detail::single(tensors, part));
    } else if constexpr (std::is_arithmetic_v<T>) {
      static_assert(!std::is_const_v<T>, "tenon: a number in a checkpoint is a variable that can be loaded");
      std::conditional_t<std::is_integral_v<T>, std::int64_t, double> value;
      detail::number_from_tensor(detail::single(tensors, part), part, value);
      if constexpr (std::is_integral_v<T>)
        if (static_cast<std::int64_t>(static_cast<T>(value)) != value) detail::number_too_large(value, part);
      x = static_cast<T>(value);
    } else if constexpr (detail::holds_state<T>) {
      x.load_state(tensors);
    } else {
      nn::load_state(x, tensors);
    }
  }

  template <class T>
  static void fit_as(void* object, const NamedTensors& tensors) {
    using Plain = std::remove_const_t<T>;
    if constexpr (!std::is_same_v<Plain, Generator> && !std::is_arithmetic_v<T> && !detail::holds_state<T>)
      nn::detail::fit_lazy(*static_cast<T*>(object), tensors);
  }

  std::string name_;
  void* object_;
  NamedTensors (*save_)(void*);
  void (*load_)(void*, const NamedTensors&, const std::string&);
  void (*fit_)(void*, const NamedTensors&);
};

/// Writes a run to a safetensors file: `save_checkpoint("run.safetensors", {{"model", model}, {"optimizer", adam}})`.
/// A tensor's name in the file is that of its part, a point and its name in the part, as in `model.0.weight`.
/// The file appears under its name when all of it is on the disk: after a crash at any time there is the old one or the
/// new one. What a crash leaves of a new one beside it, FILE.partPID.N, may be deleted.
/// Errors: ValueError for a name twice, empty or with a point, and as save_safetensors(); FileError if the file cannot
/// be written; then the old one is left.
void save_checkpoint(const std::string& path, const std::vector<CheckpointPart>& parts, const Metadata& metadata = {});
/// Loads the parts named from a file that save_checkpoint() wrote; other parts of the file are left alone. The run goes
/// on to the bit. Returns the metadata given there.
/// Errors: FileError for a file that cannot be read or lacks a part; ValueError if a part does not fit. Then nothing
/// has changed.
Metadata load_checkpoint(const std::string& path, const std::vector<CheckpointPart>& parts);

}  // namespace tenon::training
