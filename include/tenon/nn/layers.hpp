// Layers: structs with a call operator.
#pragma once
#include <cstdint>
#include <tuple>
#include <utility>

#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional.hpp>

namespace tenon::nn {

/// `x @ weight.T + bias`. Shapes: x (.., in), the result (.., out).
struct Linear {
  Tensor weight;  // (out, in)
  Tensor bias;    // (out), or undefined

  /// Draws both from a uniform distribution over +-1/sqrt(in), as PyTorch does and in its order.
  /// Errors: ValueError for negative sizes.
  Linear(std::int64_t in, std::int64_t out, bool with_bias = true, ScalarType dtype = kFloat);
  Tensor operator()(const Tensor& x) const { return functional::linear(x, weight, bias); }

  TENON_FIELDS(weight, bias)
};

struct ReLU {
  Tensor operator()(const Tensor& x) const { return functional::relu(x); }
};
struct Tanh {
  Tensor operator()(const Tensor& x) const { return functional::tanh(x); }
};
struct Sigmoid {
  Tensor operator()(const Tensor& x) const { return functional::sigmoid(x); }
};

/// Modules one after another: `Sequential net{Linear(64, 128), ReLU(), Linear(128, 10)};`. Its parts are named 0, 1, ..
/// Braces make the parts from left to right, as PyTorch draws their weights; in parentheses any order is allowed, and
/// GCC's is from right to left. The types stay known: no virtual call, no allocation. For a number of layers that is
/// known at run time only, put a std::vector of modules into a struct. Functions and lambdas without captures may be
/// parts.
template <class... Modules>
struct Sequential {
  std::tuple<Modules...> parts;

  explicit Sequential(Modules... modules) : parts(std::move(modules)...) {}
  template <std::size_t I>
  auto& get() {
    return std::get<I>(parts);
  }
  template <std::size_t I>
  const auto& get() const {
    return std::get<I>(parts);
  }

  Tensor operator()(Tensor x) const {
    std::apply([&](const auto&... part) { ((x = part(x)), ...); }, parts);
    return x;
  }

  static constexpr std::string_view tenon_field_names() { return {}; }
  const std::tuple<Modules...>& tenon_fields() const { return parts; }
  std::tuple<Modules...>& tenon_fields() { return parts; }
};

}  // namespace tenon::nn
