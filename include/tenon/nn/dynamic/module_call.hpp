// One call of a module, with arguments and a result of any types, as its hooks see it.
#pragma once
#include <cstddef>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

namespace detail {

/// A value whose type its reader names, and the tensors in it: in tuples, containers and structs at any depth.
struct CallValue {
  void* at = nullptr;
  const std::type_info* type = &typeid(void);
  void (*collect)(const void* value, std::vector<Tensor>& to) = nullptr;
  void (*replace)(void* value, const std::vector<Tensor>& by, std::size_t& next) = nullptr;

  CallValue() = default;
  template <class T>
  explicit CallValue(T& value)
      : at(&value),
        type(&typeid(T)),
        collect([]([[maybe_unused]] const void* from, [[maybe_unused]] std::vector<Tensor>& to) {
          auto visit = [&](const std::string&, const Tensor& t) { to.push_back(t); };
          if constexpr (!opaque_module<T>) walk(*static_cast<const T*>(from), {}, visit);
        }),
        replace([]([[maybe_unused]] void* to, [[maybe_unused]] const std::vector<Tensor>& by,
                   [[maybe_unused]] std::size_t& next) {
          auto visit = [&](const std::string&, Tensor& t) { t = by.at(next++); };
          if constexpr (!opaque_module<T>) walk(*static_cast<T*>(to), {}, visit);
        }) {}
  template <class T>
  T* as() const {
    return *type == typeid(T) ? static_cast<T*>(at) : nullptr;
  }
};

/// What a call keeps of an argument: a tensor of all that converts to one.
template <class X>
using kept_argument_t = std::conditional_t<std::is_convertible_v<const X&, Tensor>, Tensor, std::decay_t<const X&>>;

}  // namespace detail

/// One call of a module: the module, its positional arguments, and after it its result. The values are the call's own
/// copies, so that what a hook writes to them counts. A type is the one that the caller passed, without const and
/// reference; all that converts to a tensor is a Tensor.
class ModuleCall {
 public:
  /// Of the call of a module that `as_called` stands for.
  ModuleCall(const void* module, const std::type_info& type, std::vector<detail::CallValue> arguments)
      : module_(module), module_type_(&type), arguments_(std::move(arguments)) {}

  /// The module if it is an M, else null.
  template <class M>
  const M* module() const {
    return *module_type_ == typeid(M) ? static_cast<const M*>(module_) : nullptr;
  }
  /// How many arguments there are; what is left to a default is not among them.
  std::size_t size() const { return arguments_.size(); }
  /// That argument if there is one and it is a T, else null.
  template <class T>
  T* argument(std::size_t at) const {
    return at < size() ? arguments_[at].as<T>() : nullptr;
  }
  /// The result if it is a T, else null; null before the module was called.
  template <class T>
  T* result() const {
    return result_.as<T>();
  }
  /// The tensors in the arguments in a row, undefined ones too, and in the result.
  std::vector<Tensor> inputs() const;
  std::vector<Tensor> outputs() const;
  /// Puts others in their places. Errors: ValueError for another number of them.
  void set_inputs(const std::vector<Tensor>& tensors);
  void set_outputs(const std::vector<Tensor>& tensors);

  const std::vector<detail::CallValue>& arguments() const { return arguments_; }
  const detail::CallValue& result_value() const { return result_; }
  void set_result(detail::CallValue result) { result_ = result; }

 private:
  const void* module_;
  const std::type_info* module_type_;
  std::vector<detail::CallValue> arguments_;
  detail::CallValue result_;
};

}  // namespace tenon::nn
