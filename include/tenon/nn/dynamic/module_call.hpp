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

// Stands for an initialiser of a base alone.
template <class T>
struct any_base {
  template <class U>
    requires(std::is_base_of_v<U, T> && !std::is_same_v<U, T>)
  operator U() const;
};
template <class T, std::size_t... At>
constexpr bool begins_with_base(std::index_sequence<At...>) {
  return requires { T{any_base<T>{}, (static_cast<void>(At), any_field{})...}; };
}
/// Whether the fields of a struct can be seen: it names them, or it is an aggregate without bases that is not too
/// large.
template <class T>
constexpr bool shows_fields() {
  if constexpr (named_fields<T>) {
    return true;
  } else if constexpr (plain_struct<T>) {
    constexpr std::size_t count = count_fields<T>();
    if constexpr (count == 0 || count > kMaxFields)
      return false;
    else
      return !begins_with_base<T>(std::make_index_sequence<count - 1>());
  } else {
    return false;
  }
}
/// Calls `visit(tensor)` for the tensors of an argument or a result: alone, optional, in tuples, lists, maps and
/// structs at any depth. What a pointer leads to is its owner's.
template <class X, class F>
void each_call_tensor(X& x, F& visit) {
  using T = std::remove_const_t<X>;
  if constexpr (std::is_base_of_v<Tensor, T>) {
    visit(x);
  } else if constexpr (map_by_name<T>) {
    for (auto& [name, item] : x) each_call_tensor(item, visit);
  } else if constexpr (is_list<T>) {
    for (auto& item : x) each_call_tensor(item, visit);
  } else if constexpr (requires { x.has_value(), *x; }) {
    if (x.has_value()) each_call_tensor(*x, visit);
  } else if constexpr (is_tuple<T>) {
    [&]<std::size_t... At>(std::index_sequence<At...>) { (each_call_tensor(std::get<At>(x), visit), ...); }
    (std::make_index_sequence<std::tuple_size_v<T>>());
  } else if constexpr (!is_holder<T> && shows_fields<T>()) {
    for_each_field(x, [&](const std::string&, auto& field) { each_call_tensor(field, visit); });
  }
}

/// A value whose type its reader names, and the tensors in it.
struct CallValue {
  void* at = nullptr;
  const std::type_info* type = &typeid(void);
  void (*collect)(const void* value, std::vector<Tensor>& to) = nullptr;
  void (*replace)(void* value, const std::vector<Tensor>& by, std::size_t& next) = nullptr;

  CallValue() = default;
  template <class T>
    requires(!std::is_same_v<std::remove_const_t<T>, CallValue>)
  explicit CallValue(T& value)
      : at(&value),
        type(&typeid(T)),
        collect([](const void* from, std::vector<Tensor>& to) {
          auto visit = [&](const Tensor& t) { to.push_back(t); };
          each_call_tensor(*static_cast<const T*>(from), visit);
        }),
        replace([](void* to, const std::vector<Tensor>& by, std::size_t& next) {
          auto visit = [&](Tensor& t) { t = by.at(next++); };
          each_call_tensor(*static_cast<T*>(to), visit);
        }) {}
  template <class T>
  T* as() const {
    return *type == typeid(T) ? static_cast<T*>(at) : nullptr;
  }
};

/// What a call keeps of an argument: a tensor of all that converts to one, and the tensors that a list refers to.
template <class X>
struct kept_argument {
  using type = std::conditional_t<std::is_convertible_v<const X&, Tensor>, Tensor, std::decay_t<const X&>>;
};
template <>
struct kept_argument<ArrayRef<Tensor>> {
  using type = std::vector<Tensor>;
};
template <class X>
using kept_argument_t = typename kept_argument<X>::type;
template <class X>
kept_argument_t<X> kept(const X& x) {
  return x;
}
inline std::vector<Tensor> kept(const ArrayRef<Tensor>& x) { return {x.begin(), x.end()}; }

}  // namespace detail

/// One call of a module: the module, its positional arguments, and after it its result. The values are the call's own
/// copies, so that what a hook writes to them counts; what pointers lead to is the caller's, and not looked into. A
/// type is the one that the caller passed, without const and reference; all that converts to a tensor is a Tensor, and
/// a TensorList is a std::vector<Tensor>.
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
