// Layers that multiply by a weight.
#pragma once
#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

struct Linear;
struct Bilinear;

namespace detail {
/// A layer's weight as PyTorch draws it, and its bias, drawn after it where it is wanted.
Tensor new_parameters(Linear& layer);
Tensor new_parameters(Bilinear& layer);
}  // namespace detail

/// `x @ weight.T + bias`: `Linear{64, 10}`, `Linear{64, 10, false}`, `Linear{.in_features = 64, .out_features = 10}`.
/// Shapes: x (.., in_features), the result (.., out_features); weight (out, in), bias (out).
/// Both are drawn uniformly from +-1/sqrt(in), as PyTorch does and in its order. Errors: ValueError for negative sizes.
struct Linear {
  Count in_features, out_features;
  Parameter bias = true;
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(*this);

  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::linear(x, weight, bias)); }
  std::string extra_repr() const {
    return Description()
        .add("in_features", in_features)
        .add("out_features", out_features)
        .add("bias", bias.defined())
        .text;
  }
  TENON_FIELDS(weight, bias)
};

/// `x1 @ weight[k] @ x2` for each output k, plus bias. Shapes: (.., in1), (.., in2) to (.., out); weight (out, in1,
/// in2).
struct Bilinear {
  Count in1_features, in2_features, out_features;
  Parameter bias = true;
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(*this);

  Tensor operator()(const Tensor& x1, const Tensor& x2) const {
    return Calling(this)(functional::bilinear(x1, x2, weight, bias));
  }
  std::string extra_repr() const {
    return Description()
        .add("in1_features", in1_features)
        .add("in2_features", in2_features)
        .add("out_features", out_features)
        .add("bias", bias.defined())
        .text;
  }
  TENON_FIELDS(weight, bias)
};

/// Gives its input back.
struct Identity {
  Tensor operator()(const Tensor& x) const { return Calling(this)(x); }
};

}  // namespace tenon::nn
