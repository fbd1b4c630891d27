// Models as PyTorch prints them: `std::cout << model`.
#pragma once
#include <iosfwd>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/nn/module.hpp>

namespace tenon::nn {

namespace detail {

/// What is printed of a module: its name, its options, and its parts by their names.
struct Described {
  struct Part;
  std::string name, extra;
  std::vector<Part> parts;
};
struct Described::Part {
  std::string name;
  Described module;
};
std::string text_of(const Described& d);
std::ostream& write_text(std::ostream& out, const Described& d);

template <class T>
constexpr std::string_view signature() {
  return __PRETTY_FUNCTION__;
}
/// The name of a type, out of a function's signature that names it: `Conv2d` for tenon::nn::Conv<2>.
std::string type_name(std::string_view signature);
template <class T>
std::string layer_name() {
  if constexpr (requires { std::string(T::tenon_name()); })
    return T::tenon_name();
  else
    return type_name(signature<T>());
}

template <class T>
concept computes = requires(T& m, const Tensor& x) {
  m(x);
}
|| requires(T& m, const Tensor& x) { m(x, x); }
|| requires(T& m, const Tensor& x) { m(x, x, x); }
|| requires(T& m, const Tensor& x) { m(x, x, x, x); }
|| requires(T& m, const Tensor& x) { m.forward(x); };
/// A module that is known without a look at its fields. Aggregates must compute with tensors to be one.
template <class T>
concept evident_module =
    !std::is_base_of_v<Tensor, T> && (named_fields<T> || item_list<const T> || requires(const T& m) {
      std::string(m.extra_repr());
    } || (plain_struct<T> && !is_list<T> && computes<T>));

template <class T>
consteval bool holds_modules();
template <class... T>
consteval bool any_holds_modules(const std::tuple<T&...>*) {
  return (holds_modules<std::remove_const_t<T>>() || ...);
}
/// Whether a struct is printed as a module: an evident one, or one with modules in it.
template <class T>
consteval bool is_module() {
  if constexpr (std::is_base_of_v<Tensor, T> || !std::is_class_v<T> || is_list<T> || is_holder<T> || is_tuple<T>)
    return false;
  else if constexpr (evident_module<T> || requires(const T& m) { m.tenon_describe(); })
    return true;
  else if constexpr (plain_struct<T>)
    return any_holds_modules(static_cast<decltype(bound_fields(std::declval<T&>()))*>(nullptr));
  else
    return false;
}
template <class... T>
consteval bool any_part_holds_modules(const std::tuple<T...>*) {
  return (holds_modules<T>() || ...);
}
template <class A, class B>
consteval bool any_part_holds_modules(const std::pair<A, B>*) {
  return holds_modules<A>() || holds_modules<B>();
}
/// Whether a field has modules in it, at any depth.
template <class T>
consteval bool holds_modules() {
  if constexpr (std::is_arithmetic_v<T> || std::is_base_of_v<Tensor, T>)
    return false;
  else if constexpr (map_by_name<T>)
    return holds_modules<typename T::mapped_type>();
  else if constexpr (is_list<T>)
    return holds_modules<typename T::value_type>();
  else if constexpr (is_holder<T>)
    return holds_modules<std::remove_cvref_t<decltype(*std::declval<T&>())>>();
  else if constexpr (is_tuple<T>)
    return any_part_holds_modules(static_cast<const T*>(nullptr));
  else
    return is_module<T>();
}

template <class T>
consteval bool of_parameters() {
  if constexpr (map_by_name<T>)
    return std::is_same_v<typename T::mapped_type, Parameter>;
  else if constexpr (is_list<T>)
    return std::is_same_v<typename T::value_type, Parameter>;
  else
    return false;
}
/// PyTorch's ParameterList, or ParameterDict.
Described describe_parameters(bool by_name, const NamedTensors& parameters);
/// Parts get the names of types that a function gives for their own names, where it gives one.
void name_parts(Described& of, std::string_view (*printed_as)(std::string_view part));
void add_named(NamedTensors& to, const std::string& name, const Tensor& t);

template <class Net>
Described describe(const Net& module);
template <class T>
void describe_part(Described& of, const std::string& name, const T& part) {
  if constexpr (of_parameters<T>()) {
    of.parts.push_back({name, describe(part)});
  } else if constexpr (holds_modules<T>() && is_holder<T>) {
    if (part) describe_part(of, name, *part);
  } else if constexpr (holds_modules<T>() ||
                       (computes<T> && !std::is_base_of_v<Tensor, T> && !requires { T::tenon_printed; })) {
    of.parts.push_back({name, describe(part)});
  }
}
template <class Net>
Described describe(const Net& module) {
  Described d;
  if constexpr (requires { module.tenon_describe(); }) {
    return module.tenon_describe();
  } else if constexpr (of_parameters<Net>()) {
    NamedTensors found;
    auto visit = [&](const std::string& name, const Tensor& t) { add_named(found, name, t); };
    walk(module, {}, visit);
    return describe_parameters(map_by_name<Net>, found);
  } else if constexpr (map_by_name<Net>) {
    d.name = "ModuleDict";
    for (const auto& [name, item] : module) describe_part(d, name, item);
  } else if constexpr (is_list<Net>) {
    d.name = "ModuleList";
    std::size_t i = 0;
    for (const auto& item : module) describe_part(d, std::to_string(i++), item);
  } else if constexpr (is_tuple<Net>) {
    d.name = "ModuleList";
    [&]<std::size_t... At>(std::index_sequence<At...>) {
      (describe_part(d, std::to_string(At), std::get<At>(module)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Net>>());
  } else {
    d.name = layer_name<Net>();
    if constexpr (requires { std::string(module.extra_repr()); }) d.extra = module.extra_repr();
    if constexpr (is_module<Net>() && !item_list<const Net>)
      for_each_field(module, [&](const std::string& name, const auto& field) { describe_part(d, name, field); });
    if constexpr (requires { &Net::tenon_printed_as; }) name_parts(d, &Net::tenon_printed_as);
  }
  return d;
}

}  // namespace detail

/// The text that PyTorch's repr has for such a model: options, and the parts with their names, each indented.
/// Parts are the fields that TENON_FIELDS names, or all of an aggregate's, numbered; lists print as ModuleList.
template <class Net>
std::string to_string(const Net& module) {
  return detail::text_of(detail::describe(module));
}
/// Prints that text. For modules of your own types too.
template <class Net>
  requires(detail::evident_module<Net> || requires(const Net& m) { m.tenon_describe(); })
std::ostream& operator<<(std::ostream& out, const Net& module) {
  return detail::write_text(out, detail::describe(module));
}

}  // namespace tenon::nn

namespace tenon {
using nn::operator<<;  // found for types outside of this library
}  // namespace tenon
