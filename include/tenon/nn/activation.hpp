// Layers without parameters that bend each element, and the one with a learned slope.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include <tenon/nn/calling.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional/activation.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/tensor/default_dtype.hpp>

namespace tenon::nn {

// Each is the function of its name in tenon::nn::functional; options have PyTorch's names and defaults. With `inplace`
// the layer writes into its input and gives that back.
struct ReLU {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::relu(x, inplace)); }
  std::string extra_repr() const { return Description().add_if("inplace", inplace).text; }
};
struct ReLU6 {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::relu6(x, inplace)); }
  std::string extra_repr() const { return Description().add_if("inplace", inplace).text; }
};
struct ELU {
  double alpha = 1;
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::elu(x, alpha, inplace)); }
  std::string extra_repr() const { return Description().add("alpha", alpha).add_if("inplace", inplace).text; }
};
struct SELU {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::selu(x, inplace)); }
  std::string extra_repr() const { return Description().add_if("inplace", inplace).text; }
};
struct CELU {
  double alpha = 1;
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::celu(x, alpha, inplace)); }
  std::string extra_repr() const { return Description().add("alpha", alpha).add_if("inplace", inplace).text; }
};
struct GELU {
  std::string approximate = "none";
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::gelu(x, approximate)); }
  std::string extra_repr() const { return Description().add("approximate", "'" + approximate + "'").text; }
};
struct SiLU {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::silu(x, inplace)); }
  std::string extra_repr() const { return Description().add_if("inplace", inplace).text; }
};
struct Mish {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::mish(x, inplace)); }
  std::string extra_repr() const { return Description().add_if("inplace", inplace).text; }
};
struct Hardswish {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::hardswish(x, inplace)); }
};
struct Hardsigmoid {
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::hardsigmoid(x, inplace)); }
};
struct Hardtanh {
  double min_val = -1, max_val = 1;
  bool inplace = false;
  Tensor operator()(const Tensor& x) const {
    TENON_CHECK(max_val > min_val, ValueError, "max_val (", max_val, ") must be greater than min_val (", min_val, ")");
    return Calling(this)(functional::hardtanh(x, min_val, max_val, inplace));
  }
  std::string extra_repr() const {
    return Description().add("min_val", min_val).add("max_val", max_val).add_if("inplace", inplace).text;
  }
};
struct Hardshrink {
  double lambd = 0.5;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::hardshrink(x, lambd)); }
  std::string extra_repr() const { return Description().value(lambd).text; }
};
struct Softshrink {
  double lambd = 0.5;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softshrink(x, lambd)); }
  std::string extra_repr() const { return Description().value(lambd).text; }
};
struct Softplus {
  double beta = 1, threshold = 20;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softplus(x, beta, threshold)); }
  std::string extra_repr() const { return Description().add("beta", beta).add("threshold", threshold).text; }
};
struct Softsign {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softsign(x)); }
};
struct Sigmoid {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::sigmoid(x)); }
};
struct LogSigmoid {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::logsigmoid(x)); }
};
struct Tanh {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::tanh(x)); }
};
struct Tanhshrink {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::tanhshrink(x)); }
};
struct LeakyReLU {
  double negative_slope = 0.01;
  bool inplace = false;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::leaky_relu(x, negative_slope, inplace)); }
  std::string extra_repr() const {
    return Description().add("negative_slope", negative_slope).add_if("inplace", inplace).text;
  }
};
struct Threshold {
  double threshold, value;
  bool inplace = false;
  Tensor operator()(const Tensor& x) const {
    return Calling(this)(functional::threshold(x, threshold, value, inplace));
  }
  std::string extra_repr() const {
    return Description().add("threshold", threshold).add("value", value).add_if("inplace", inplace).text;
  }
};
/// Slopes drawn for each negative element while training, their mean otherwise.
struct RReLU {
  double lower = 1.0 / 8, upper = 1.0 / 3;
  bool inplace = false;
  bool training = true;
  Tensor operator()(const Tensor& x) const {
    return Calling(this)(functional::rrelu(x, lower, upper, training, inplace));
  }
  std::string extra_repr() const {
    return Description().add("lower", lower).add("upper", upper).add_if("inplace", inplace).text;
  }
};

struct PReLU;
namespace detail {
Tensor new_parameters(PReLU& layer);
}
/// A learned slope for negative elements, one for all channels or one for each.
struct PReLU {
  std::int64_t num_parameters = 1;
  double init = 0.25;
  ScalarType dtype = get_default_dtype();
  Parameter weight = detail::new_parameters(*this);
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::prelu(x, weight)); }
  std::string extra_repr() const { return Description().add("num_parameters", num_parameters).text; }
  TENON_FIELDS(weight)
};

/// The first half of a dimension times the sigmoid of the second.
struct GLU {
  std::int64_t dim = -1;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::glu(x, dim)); }
  std::string extra_repr() const { return Description().add("dim", dim).text; }
};
/// Along `dim`; without one along the dimension that PyTorch chooses, with a warning.
struct Softmax {
  std::optional<std::int64_t> dim = std::nullopt;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softmax(x, dim)); }
  std::string extra_repr() const { return Description().add_or_none("dim", dim).text; }
};
struct LogSoftmax {
  std::optional<std::int64_t> dim = std::nullopt;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::log_softmax(x, dim)); }
  std::string extra_repr() const { return Description().add_or_none("dim", dim).text; }
};
struct Softmin {
  std::optional<std::int64_t> dim = std::nullopt;
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softmin(x, dim)); }
  std::string extra_repr() const { return Description().add_or_none("dim", dim).text; }
};
/// Softmax over the channels of (N, C, H, W) or (C, H, W).
struct Softmax2d {
  Tensor operator()(const Tensor& x) const { return Calling(this)(functional::softmax2d(x)); }
};

}  // namespace tenon::nn
