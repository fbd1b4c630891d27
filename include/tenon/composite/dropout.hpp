// Elements and channels left out at random, and leaky_relu by random slopes.
#pragma once
#include <cmath>

#include <tenon/composite/dropout_checks.hpp>
#include <tenon/composite/random_slopes.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/dropout.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

// --- dropout ---

/// What an element, or with `Channels` a whole channel, is multiplied by and what is added to it.
struct DropoutNoise {
  Tensor factor, shift;
};
template <bool Channels, bool Alpha>
DropoutNoise dropout_noise(const Tensor& input, double p) {
  SymDimVector sizes(input.sym_sizes());
  if constexpr (Channels) {
    TENON_CHECK(input.dim() >= 2, ValueError, "Feature dropout requires at least 2 dimensions in the input");
    for (std::size_t d = 2; d < sizes.size(); ++d) sizes[d] = 1;
  }
  Tensor noise =
      Channels ? composite::empty(sizes, TensorOptions{}.or_like(input)) : Tensor(ops::empty_like(input.detach()));
  ops::bernoulli_(noise, 1 - p);
  if constexpr (!Alpha) return {ops::div_(noise, Scalar(1 - p)), {}};
  // Klambauer et al., Self-Normalizing Neural Networks, NIPS 2017: mean and variance of selu's outputs are kept.
  const double alpha = 1.7580993408473766, a = 1 / std::sqrt((alpha * alpha * p + 1) * (1 - p));
  Tensor shift = ops::add(noise, Scalar(-1));
  ops::add_(ops::mul_(shift, Scalar(alpha * a)), Scalar(alpha * a * p));
  return {ops::mul_(noise, Scalar(a)), shift};
}
template <bool Channels, bool Alpha>
Tensor dropped(const Tensor& input, double p, bool train) {
  check_dropout(p);
  if (p == 0 || !train || input.sym_numel() == 0) return input;
  if (p == 1)
    return ops::mul(input, ops::zeros(SymDimVector{}, "dtype"_a = input.dtype(), "device"_a = input.device()));
  // One kernel there, with PyTorch's numbers.
  if constexpr (!Channels && !Alpha)
    if (input.device().type == DeviceType::CUDA) return std::get<0>(ops::native_dropout(input, p, true));
  DropoutNoise noise = dropout_noise<Channels, Alpha>(input, p);
  Tensor out = ops::mul(input, noise.factor);
  return Alpha ? Tensor(ops::add(out, noise.shift)) : out;
}
template <bool Channels, bool Alpha>
Tensor& dropped_(Tensor& input, double p, bool train) {
  check_dropout(p);
  if (p == 0 || !train || input.sym_numel() == 0) return input;
  if (p == 1)
    return ops::mul_(input, ops::zeros(SymDimVector{}, "dtype"_a = input.dtype(), "device"_a = input.device()));
  DropoutNoise noise = dropout_noise<Channels, Alpha>(input, p);
  ops::mul_(input, noise.factor);
  return Alpha ? ops::add_(input, noise.shift) : input;
}

inline std::tuple<Tensor, Tensor> native_dropout(const Tensor& input, double p, std::optional<bool> train) {
  AutoDispatchBelowADInplaceOrView guard;
  if (input.sym_numel() == 0) return {input.clone(), ops::empty_like(input)};
  if (train && !*train) return {ops::clone(input), ops::ones_like(input, "dtype"_a = kBool)};
  check_dropout(p);
  Tensor mask = ops::empty_like(input, "dtype"_a = kBool);
  ops::bernoulli_(mask, 1 - p);
  Tensor out = ops::mul(input, mask);
  return {ops::mul_(out, Scalar(p == 1 ? 0.0 : 1 / (1 - p))), mask};
}
inline std::tuple<Tensor&, Tensor&> native_dropout_out(const Tensor& input, double p, std::optional<bool> train,
                                                       Tensor& out, Tensor& mask) {
  auto [result, drawn] = ops::native_dropout(input, p, train);
  return {copy_to_out(result, out), copy_to_out(drawn, mask)};
}
inline Tensor native_dropout_backward(const Tensor& grad, const Tensor& mask, double scale) {
  AutoDispatchBelowADInplaceOrView guard;
  Tensor out = ops::mul(grad, mask);
  if (!out.is_floating_point() && !out.is_complex()) return ops::mul(out, Scalar(scale));
  return ops::mul_(out, Scalar(scale));
}

// --- leaky_relu by random slopes ---

inline std::tuple<Tensor, Tensor> rrelu_functional_meta(const Tensor& self, const Tensor& noise, const Scalar&,
                                                        const Scalar&, bool, const std::optional<Generator>&) {
  return {make_tensor_symbolic(self.sym_sizes(), {}, self.dtype(), self.device()),
          make_tensor_symbolic(noise.sym_sizes(), {}, noise.dtype(), noise.device())};
}
inline Tensor rrelu_with_noise(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                               bool training, const std::optional<Generator>& generator) {
  TENON_CHECK(self.sym_sizes() == noise.sym_sizes(), ValueError,
              "noise tensor shape must match self tensor shape. Got self.shape = ", self.sym_sizes(),
              " noise.shape = ", noise.sym_sizes());
  auto [out, factors] = ops::rrelu_with_noise_functional(self, noise, lower, upper, training, generator);
  if (training) ops::copy_(noise, factors.detach());
  return out;
}
/// In place by factors or by the slope whose sign the result keeps: the gradient needs nothing that is overwritten.
inline Tensor& rrelu_with_noise_(Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper, bool training,
                                 const std::optional<Generator>& generator) {
  if (!training) return ops::leaky_relu_(self, Scalar((lower.to_double() + upper.to_double()) / 2));
  Tensor factors =
      std::get<1>(ops::rrelu_with_noise_functional(self.detach(), noise.detach(), lower, upper, true, generator));
  ops::copy_(noise, factors);
  return ops::mul_(self, factors);
}
inline Tensor& rrelu_with_noise_out(const Tensor& self, Tensor& noise, const Scalar& lower, const Scalar& upper,
                                    bool training, const std::optional<Generator>& generator, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  return copy_to_out(ops::rrelu_with_noise(self, noise, lower, upper, training, generator), out);
}
inline Tensor rrelu(const Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
                    const std::optional<Generator>& generator) {
  check_rrelu(lower.to_double(), upper.to_double());
  Tensor noise = ops::empty_like(self.detach());
  return ops::rrelu_with_noise(self, noise, lower, upper, training, generator);
}
inline Tensor& rrelu_(Tensor& self, const Scalar& lower, const Scalar& upper, bool training,
                      const std::optional<Generator>& generator) {
  check_rrelu(lower.to_double(), upper.to_double());
  Tensor noise = ops::empty_like(self.detach());
  return ops::rrelu_with_noise_(self, noise, lower, upper, training, generator);
}
inline Tensor rrelu_with_noise_backward(const Tensor& grad, const Tensor& self, const Tensor& noise,
                                        const Scalar& lower, const Scalar& upper, bool training, bool self_is_result) {
  AutoDispatchBelowADInplaceOrView guard;
  if (training) return ops::mul(grad, noise);
  return ops::leaky_relu_backward(grad, self, Scalar((lower.to_double() + upper.to_double()) / 2), self_is_result);
}

/// What a dropout of this mask and factor left; the mask of bools or bytes. In PyTorch on CUDA alone.
inline Tensor masked_scale(const Tensor& self, const Tensor& mask, double scale) {
  TENON_CHECK(self.is_floating_point(), TypeError, "_masked_scale(): expected floating numbers, got ", self.dtype());
  TENON_CHECK(mask.dtype() == kBool || mask.dtype() == kByte, TypeError,
              "_masked_scale(): expected a mask of bool or uint8, got ", mask.dtype());
  return ops::mul(ops::mul(self, mask), Scalar(scale));
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::dropout_base>().def<ops::dropout_base_>();
  m.def<ops::feature_dropout_base>().def<ops::feature_dropout_base_>();
  m.def<ops::alpha_dropout_base>().def<ops::alpha_dropout_base_>();
  m.def<ops::feature_alpha_dropout_base>().def<ops::feature_alpha_dropout_base_>();
  m.impl<ops::dropout_base, &dropped<false, false>>().impl<ops::dropout_base_, &dropped_<false, false>>();
  m.impl<ops::feature_dropout_base, &dropped<true, false>>().impl<ops::feature_dropout_base_, &dropped_<true, false>>();
  m.impl<ops::alpha_dropout_base, &dropped<false, true>>().impl<ops::alpha_dropout_base_, &dropped_<false, true>>();
  m.impl<ops::feature_alpha_dropout_base, &dropped<true, true>>()
      .impl<ops::feature_alpha_dropout_base_, &dropped_<true, true>>();
  define_with_copied_out(m, ops::_masked_scale_base);
  m.impl<ops::_masked_scale_base, &masked_scale>();
  m.def<ops::native_dropout_base>().def<ops::native_dropout_base_out>();
  m.def<ops::native_dropout_backward_base>().def<ops::native_dropout_backward_base_out>();
  m.impl<ops::native_dropout_base, &native_dropout>(all)
      .impl<ops::native_dropout_base_out, &native_dropout_out>(all)
      .impl<ops::native_dropout_backward_base, &native_dropout_backward>(all);
  implement_out_by_copy<ops::native_dropout_backward_base_op>(m, Place{__FILE__, __LINE__});
  m.def<ops::rrelu_base>().def<ops::rrelu_base_>();
  m.def<ops::rrelu_with_noise_base>().def<ops::rrelu_with_noise_base_>();
  m.def<ops::rrelu_with_noise_base_out>().def<ops::rrelu_with_noise_functional_base>();
  m.def<ops::rrelu_with_noise_backward_base>().def<ops::rrelu_with_noise_backward_base_out>();
  implement_out_by_copy<ops::rrelu_with_noise_backward_base_op>(m, Place{__FILE__, __LINE__});
  m.impl<ops::rrelu_base, &rrelu>().impl<ops::rrelu_base_, &rrelu_>();
  m.impl<ops::rrelu_with_noise_base, &rrelu_with_noise>()
      .impl<ops::rrelu_with_noise_base_, &rrelu_with_noise_>()
      .impl<ops::rrelu_with_noise_base_out, &rrelu_with_noise_out>(all);
  m.impl<ops::rrelu_with_noise_functional_base, &rrelu_functional_meta>(DispatchKey::Meta)
      .impl<ops::rrelu_with_noise_backward_base, &rrelu_with_noise_backward>(all);
}

}  // namespace tenon::composite
