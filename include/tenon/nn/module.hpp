// Modules: any struct whose fields hold tensors or other modules. Their parameters are found, not registered.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

// What libtorch's modules derive from; the error of one that does here shows this line.
struct Module;  // a module has no base class: any struct is one, TENON_FIELDS names its parts (docs/networks.md)

/// Tensors by name: `layers.0.weight`.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;

namespace detail {

template <class T>
inline constexpr bool is_list = false;
template <class T, class A>
inline constexpr bool is_list<std::vector<T, A>> = true;
template <class T, std::size_t Rank>
inline constexpr bool is_list<std::array<T, Rank>> = true;
// Other containers, maps by their keys, are known by what they can do: their headers stay out.
template <class T>
  requires std::is_class_v<typename T::value_type> && requires(T& x) {
    typename T::iterator;
    x.begin() != x.end();
    x.insert(x.end(), *x.begin());
  }
inline constexpr bool is_list<T> = true;
template <class T>
concept map_by_name = requires(const T& x) {
  typename T::mapped_type;
  std::string(x.begin()->first);
};

template <class T>
inline constexpr bool is_holder = false;
template <class T>
inline constexpr bool is_holder<std::optional<T>> = true;
// Pointers that own, by their members: <memory> would cost every program a tenth of what this library does.
template <class T>
  requires requires(const T& p) {
    typename T::element_type;
    p.get();
    *p;
    static_cast<bool>(p);
  }
inline constexpr bool is_holder<T> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;
template <class T>
  requires requires { typename T::unnamed; }
inline constexpr bool is_tuple<T> = true;  // results with names

template <class T>
concept plain_struct = std::is_class_v<T> && std::is_aggregate_v<T> && !std::is_polymorphic_v<T>;

/// A class that computes with tensors and does not let its fields be seen: parameters in it would be lost.
template <class T>
concept opaque_module =
    std::is_class_v<T> && !std::is_empty_v<T> &&
    (
        requires(const T& m, const Tensor& x) { m(x); } || requires(T & m, const Tensor& x) { m.forward(x); });

/// A module that is a list of its own, by name: recurrent weights.
template <class T>
concept item_list = requires(T& m) {
  m.tenon_items();
};

std::string join(const std::string& path, const std::string& name);
/// Adds a leaf that requires grad unless it is known.
void add_parameter(NamedTensors& found, const std::string& name, const Tensor& t);
/// The tensor of that name, the last of several; null if there is none.
const Tensor* find_tensor(const NamedTensors& tensors, std::string_view name);

/// A module that calls `visit` for what is in it by itself, in a static function for itself and for a constant one.
template <class Net, class F>
concept walks_itself = requires(Net& m, const std::string& path, F& visit) {
  std::remove_const_t<Net>::tenon_walk(m, path, visit);
};

/// A visitor that is told too when all in a module has been visited.
template <class Net, class F>
concept hears_of_ends = requires(Net& m, const std::string& path, F& visit) {
  visit.leave(path, m);
};

/// Calls `visit(name, x)` for every tensor and every module in a module, depth first in the order of the fields, each
/// module before what is in it, and `visit.leave(name, module)` behind that if there is such a function.
template <class Net, class F>
void descend(Net& module, const std::string& path, F& visit) {
  using T = std::remove_const_t<Net>;
  if constexpr (std::is_base_of_v<Tensor, T>) {
    visit(path, module);
  } else if constexpr (std::is_arithmetic_v<T>) {
  } else if constexpr (walks_itself<Net, F>) {
    T::tenon_walk(module, path, visit);
  } else if constexpr (item_list<Net>) {
    visit(path, module);
    descend(module.tenon_items(), path, visit);
    if constexpr (hears_of_ends<Net, F>) visit.leave(path, module);
  } else if constexpr (map_by_name<T>) {
    for (auto& [name, item] : module) descend(item, join(path, name), visit);
  } else if constexpr (is_list<T>) {
    std::size_t i = 0;
    for (auto& item : module) descend(item, join(path, std::to_string(i++)), visit);
  } else if constexpr (is_holder<T>) {
    if (module) descend(*module, path, visit);
  } else if constexpr (is_tuple<T>) {
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (descend(std::get<At>(module), join(path, std::to_string(At)), visit), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (named_fields<T> || plain_struct<T>) {
    visit(path, module);
    for_each_field(module, [&](const std::string& name, auto& field) { descend(field, join(path, name), visit); });
    if constexpr (hears_of_ends<Net, F>) visit.leave(path, module);
  } else {
    static_assert(!opaque_module<T>,
                  "tenon: the fields of a module are hidden by a constructor or by being private; name them with "
                  "TENON_FIELDS(..)");
  }
}
/// Calls `visit(name, tensor)` for every tensor in a module.
template <class Net, class F>
void walk(Net& module, const std::string& path, F& visit) {
  auto tensors = [&]<class T>(const std::string& name, T& x) {
    if constexpr (std::is_base_of_v<Tensor, T>) visit(name, x);
  };
  descend(module, path, tensors);
}

/// Stands in a lazy layer for a parameter whose size its first call tells; <tenon/nn/dynamic/lazy.hpp> has such layers.
class UninitializedParameter : public Tensor {};
[[noreturn]] void no_size_yet(const std::string& name);
/// What may be given out as a module's tensor.
template <class T>
void check_initialized([[maybe_unused]] const std::string& name) {
  if constexpr (std::is_same_v<T, UninitializedParameter>) no_size_yet(name);
}
/// Whether a tensor of a module is saved with it.
template <class T>
bool in_state(const T& t) {
  if constexpr (std::is_same_v<T, Buffer>)
    return t.defined() && t.persistent();
  else
    return t.defined();
}

/// Old tensors and what they became, so that tensors which modules share stay shared.
using Replaced = std::vector<std::pair<Tensor, Tensor>>;
/// The tensor in another dtype or on another device, or a copy of it; a parameter stays a leaf that requires grad.
Tensor converted(const Tensor& t, const std::optional<ScalarType>& dtype, const std::optional<Device>& device,
                 bool copy, Replaced& known);
/// The tensor with its dimensions in another order in memory, if it has the number of dimensions that the order is for.
Tensor laid_out(const Tensor& t, MemoryFormat format, Replaced& known);
/// A tensor like this one on that device, its elements unset.
Tensor emptied(const Tensor& t, Device device, Replaced& known);

}  // namespace detail

/// The tensors that training changes, by name: leaves that require grad, each once, in the order of the fields.
/// A module is a struct: tensors, modules, containers of them, maps by name, std::pair, tuple, optional, unique_ptr and
/// shared_ptr are looked into, other fields are passed over. Cost: allocates the list and the names.
template <class Net>
NamedTensors named_parameters(const Net& module) {
  NamedTensors found;
  auto visit = [&]<class T>(const std::string& name, const T& t) {
    detail::check_initialized<T>(name);
    if constexpr (!std::is_same_v<T, Buffer>) detail::add_parameter(found, name, t);
  };
  detail::walk(module, {}, visit);
  return found;
}

/// As named_parameters(), without the names: what an optimiser takes.
template <class Net>
std::vector<Tensor> parameters(const Net& module) {
  std::vector<Tensor> found;
  for (auto& [name, t] : named_parameters(module)) found.push_back(std::move(t));
  return found;
}

/// Drops the gradient of a leaf, or with `set_to_none` false fills it with zeros.
void clear_grad(const Tensor& leaf, bool set_to_none = true);
/// Clears the gradients of a module's parameters.
template <class Net>
void zero_grad(const Net& module, bool set_to_none = true) {
  for (const Tensor& p : parameters(module)) clear_grad(p, set_to_none);
}

/// How many numbers training changes.
template <class Net>
std::int64_t parameter_count(const Net& module) {
  std::int64_t count = 0;
  for (const Tensor& p : parameters(module)) count += p.numel();
  return count;
}

/// The tensors that belong to a module without being trained, by name: fields of type Buffer, persistent or not.
template <class Net>
NamedTensors named_buffers(const Net& module) {
  NamedTensors found;
  auto visit = [&]<class T>(const std::string& name, const T& t) {
    detail::check_initialized<T>(name);
    if constexpr (std::is_same_v<T, Buffer>)
      if (t.defined()) found.emplace_back(name, t);
  };
  detail::walk(module, {}, visit);
  return found;
}

/// Calls `visit(name, module)` for a module, whose name is empty, and for every module in it, the outer one first.
template <class Net, class F>
void for_each_module(Net& module, F&& visit) {
  auto modules = [&]<class T>(const std::string& name, T& x) {
    if constexpr (!std::is_base_of_v<Tensor, T>) visit(name, x);
  };
  detail::descend(module, {}, modules);
}

namespace detail {
template <class F>
struct ApplyVisitor {
  F& f;
  template <class T>
  void operator()(const std::string&, T&) const {}
  template <class T>
  void leave(const std::string&, T& module) const {
    f(module);
  }
};
}  // namespace detail
/// Calls `f(module)` for every module in a module and for itself at the end, as PyTorch's apply:
/// `apply(model, [](auto& m) { if constexpr (requires { m.weight; }) nn::init::ones_(m.weight); })`.
template <class Net, class F>
void apply(Net& module, F&& f) {
  detail::ApplyVisitor<std::remove_reference_t<F>> visit{f};
  detail::descend(module, {}, visit);
}

/// Sets the field `training` of a module and of all modules in it: dropout drops, batch norms take their batch's
/// statistics.
template <class Net>
void train(Net& module, bool on = true) {
  for_each_module(module, [&](const std::string&, auto& m) {
    if constexpr (requires { m.training = on; }) m.training = on;
  });
}
template <class Net>
void eval(Net& module) {
  train(module, false);
}

/// Makes all floating and complex tensors of a module `dtype`; integers stay. Parameters are new leaves: make
/// optimisers afterwards. Tensors that modules share stay shared.
template <class Net>
void to(Net& module, ScalarType dtype) {
  detail::Replaced known;
  auto visit = [&](const std::string&, Tensor& t) { t = detail::converted(t, dtype, std::nullopt, false, known); };
  detail::walk(module, {}, visit);
}
/// Moves all tensors of a module to a device.
template <class Net>
void to(Net& module, Device device) {
  detail::Replaced known;
  auto visit = [&](const std::string&, Tensor& t) { t = detail::converted(t, std::nullopt, device, false, known); };
  detail::walk(module, {}, visit);
}
/// Lays out all tensors of four dimensions (ChannelsLast, Contiguous) or five (ChannelsLast3d, Contiguous) of a module
/// in that order: convolutions then take and return such tensors. Errors: ValueError for Preserve.
template <class Net>
void to(Net& module, MemoryFormat format) {
  TENON_CHECK(format != MemoryFormat::Preserve, ValueError, "to(): a module is laid out in a format, not as it is");
  detail::Replaced known;
  auto visit = [&](const std::string&, Tensor& t) { t = detail::laid_out(t, format, known); };
  detail::walk(module, {}, visit);
}
/// Makes all tensors of a module anew on a device, their elements unset: room for a state that is loaded next, of a
/// module that was made on the device kMeta say. Parameters are new leaves; tensors that modules share stay shared.
/// Source: torch.nn.Module.to_empty of PyTorch 2.15.
template <class Net>
void to_empty(Net& module, Device device) {
  detail::Replaced known;
  auto visit = [&](const std::string&, Tensor& t) { t = detail::emptied(t, device, known); };
  detail::walk(module, {}, visit);
}
/// A module like this one that shares no tensor with it. (A copy of a module shares all of them.)
template <class Net>
Net clone(const Net& module) {
  Net out = module;
  detail::Replaced known;
  auto visit = [&](const std::string&, Tensor& t) {
    t = detail::converted(t, std::nullopt, std::nullopt, true, known);
  };
  detail::walk(out, {}, visit);
  return out;
}

/// Whether all parameters collect gradients: `requires_grad_(model.encoder, false)` freezes a part. Frozen parameters
/// are no longer among parameters(): make the optimiser afterwards.
template <class Net>
void requires_grad_(const Net& module, bool on = true) {
  auto visit = [&]<class T>(const std::string&, const T& t) {
    if constexpr (!std::is_same_v<T, Buffer>)
      if (t.defined() && t.is_leaf() && (t.is_floating_point() || t.is_complex())) t.set_requires_grad(on);
  };
  detail::walk(module, {}, visit);
}

}  // namespace tenon::nn
