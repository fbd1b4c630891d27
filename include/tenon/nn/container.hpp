// Modules made of modules.
#pragma once
#include <tuple>
#include <utility>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::nn {

namespace detail {
/// A part is called, by its call operator or by `forward`.
template <class Net, class... X>
  requires(
      requires(Net& m, X&&... x) { m(static_cast<X&&>(x)...); } ||
      requires(Net & m, X&&... x) { m.forward(static_cast<X&&>(x)...); })
auto run(Net& module, X&&... x) {
  auto call = [&]() -> decltype(auto) {
    if constexpr (requires { module(static_cast<X&&>(x)...); })
      return module(static_cast<X&&>(x)...);
    else
      return module.forward(static_cast<X&&>(x)...);
  };
  if constexpr (std::is_void_v<decltype(call())>)
    call();
  else
    return Calling(&module)(call());
}
}  // namespace detail

/// Modules one after another: `Sequential net{Linear{64, 128}, ReLU{}, Linear{128, 10}};`. Its parts are named 0, 1, ..
/// Braces make the parts from left to right, as PyTorch draws their weights; in parentheses any order is allowed, and
/// GCC's is from right to left. The types stay known: no virtual call, no allocation. For a number of layers that is
/// known at run time only, take a ModuleList. Functions and lambdas without captures may be parts, and modules that
/// have `forward` in place of a call operator.
template <class... Modules>
struct Sequential {
  std::tuple<Modules...> parts;

  explicit Sequential(Modules... modules) : parts(std::move(modules)...) {}
  template <std::size_t At>
  auto& get() {
    return std::get<At>(parts);
  }
  template <std::size_t At>
  const auto& get() const {
    return std::get<At>(parts);
  }

  Tensor operator()(Tensor x) const {
    Calling call(this);
    std::apply([&](const auto&... part) { ((x = detail::run(part, x)), ...); }, parts);
    return call(std::move(x));
  }

  static constexpr std::string_view tenon_field_names() { return {}; }
  auto tenon_fields() const {
    return [this](auto&& visit) -> decltype(auto) { return std::apply(visit, parts); };
  }
  auto tenon_fields() {
    return [this](auto&& visit) -> decltype(auto) { return std::apply(visit, parts); };
  }
};

}  // namespace tenon::nn
