// How normalising layers start and compute.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/functional/bodies/normalization.hpp>
#include <tenon/nn/normalization.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/normalization.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

namespace detail {

TENON_BODY Tensor start_norm(const NormStart& s, Parameter& bias, Buffer& mean, Buffer& var, Buffer& count) {
  if (s.track_running_stats) {
    const Device device = get_default_device();
    mean = make_tensor({s.features}, {}, s.dtype, device);
    init::zeros_(mean);
    var = make_tensor({s.features}, {}, s.dtype, device);
    init::ones_(var);
    count = make_tensor({}, {}, kLong, device);
    init::zeros_(count);
  }
  bias = s.affine && bias.wanted() ? filled_leaf({s.features}, 0, s.dtype) : Tensor();
  if (!s.affine) return Tensor();
  return filled_leaf({s.features}, 1, s.dtype);
}

TENON_BODY Tensor normalize_batch(const NormCall& c, const Tensor& x, const Tensor& weight, const Tensor& bias,
                                  const Tensor& mean, const Tensor& var, const Tensor& count) {
  const NormKind& kind = c.kind;
  if (kind.least_rank == kind.most_rank)
    TENON_CHECK(x.dim() == kind.least_rank, ValueError, kind.name, ": expected ", kind.least_rank, "D input (got ",
                x.dim(), "D input)");
  else
    TENON_CHECK(x.dim() == kind.least_rank || x.dim() == kind.most_rank, ValueError, kind.name, ": expected ",
                kind.least_rank, "D or ", kind.most_rank, "D input (got ", x.dim(), "D input)");
  bool from_batch = c.training || !mean.defined();
  if (kind.instance) {
    bool batched = x.dim() == kind.most_rank;
    Tensor in = batched ? x : ops::unsqueeze(x, 0);
    if (weight.defined())
      TENON_CHECK(in.size(1) == weight.size(0), ValueError, kind.name,
                  ": expected input's size at dim=", batched ? 1 : 0, " to match num_features (", weight.size(0),
                  "), but got: ", in.size(1));
    Tensor out = functional::instance_norm(in, mean, var, weight, bias, from_batch, c.momentum.value_or(0), c.eps);
    return batched ? out : ops::squeeze(out, 0);
  }
  double momentum = c.momentum.value_or(0);
  if (c.training && count.defined()) {
    NoGradGuard no_grad;
    Tensor counted = count;
    ops::add_(counted, 1);
    if (!c.momentum) momentum = 1 / static_cast<double>(count.item<std::int64_t>());
  }
  return functional::batch_norm(x, mean, var, weight, bias, from_batch, momentum, c.eps);
}

TENON_BODY std::string describe_norm(std::int64_t features, double eps, const std::optional<double>& momentum,
                                     bool affine, bool bias, bool track_running_stats) {
  Description d;
  d.value(features).add("eps", eps);
  if (momentum)
    d.add("momentum", *momentum);
  else
    d.add("momentum", "None");
  return d.add("affine", affine).add("bias", bias).add("track_running_stats", track_running_stats).text;
}

TENON_BODY Tensor start_scale(IntArrayRef sizes, bool scale, bool shift, ScalarType dtype, Parameter& bias) {
  bias = shift ? filled_leaf(sizes, 0, dtype) : Tensor();
  return scale ? filled_leaf(sizes, 1, dtype) : Tensor();
}

}  // namespace detail

TENON_BODY Tensor LayerNorm::operator()(const Tensor& x) const {
  return Calling(this)(ops::layer_norm(x, normalized_shape, detail::if_defined(weight), detail::if_defined(bias), eps));
}
TENON_BODY Tensor RMSNorm::operator()(const Tensor& x) const {
  return Calling(this)(ops::rms_norm(x, normalized_shape, detail::if_defined(weight), eps));
}
TENON_BODY Tensor GroupNorm::start() {
  TENON_CHECK(num_groups > 0 && num_channels % num_groups == 0, ValueError,
              "num_channels must be divisible by num_groups");
  return detail::start_scale({num_channels}, affine, affine && bias.wanted(), dtype, bias);
}
TENON_BODY Tensor GroupNorm::operator()(const Tensor& x) const {
  // One number has no variance.
  if (x.dim() >= 2 && x.size(1) % num_groups == 0) {
    std::int64_t batch = x.size(0) * x.size(1) / num_groups, each = batch;
    std::vector<std::int64_t> sizes{batch, num_groups};
    for (std::int64_t d = 2; d < x.dim(); ++d) {
      sizes.push_back(x.size(d));
      each *= x.size(d);
    }
    TENON_CHECK(each != 1, ValueError, "Expected more than 1 value per channel when training, got input size ", sizes);
  }
  return Calling(this)(ops::group_norm(x, num_groups, detail::if_defined(weight), detail::if_defined(bias), eps));
}

TENON_BODY Tensor LocalResponseNorm::operator()(const Tensor& x) const {
  return Calling(this)(functional::local_response_norm(x, size, alpha, beta, k));
}
TENON_BODY Tensor CrossMapLRN2d::operator()(const Tensor& x) const {
  Calling call(this);
  TENON_CHECK(x.dim() == 4, ValueError, "CrossMapLRN2d: Expected input to be 4D, got ", x.dim(), "D instead.");
  std::int64_t reach = (size - 1) / 2, channels = x.size(1), first = reach + 1;
  Tensor fixed = ops::detach(x), sum = functional::detail::squares_around(fixed, reach, reach);
  // In PyTorch the first channel stays in the sums of all later ones.
  if (first < channels) {
    Tensor start = ops::narrow(fixed, 1, 0, 1);
    Tensor later = ops::add(ops::narrow(sum, 1, first, channels - first), ops::mul(start, start));
    sum = ops::cat({ops::narrow(sum, 1, 0, first), later}, 1);
  }
  double share = alpha / static_cast<double>(size);
  Tensor out = functional::detail::over_squares(x, sum, share, beta, k.to<double>());
  if (!x.requires_grad() && !autograd::is_transformed(x)) return call(out);
  // PyTorch's gradient by way of the sums is that of other windows, a channel off: it is added as what is zero.
  std::int64_t behind = (size + 1) / 2;
  Tensor ratio = ops::div(ops::detach(out), ops::add(ops::mul(sum, share), k));
  Tensor seen = functional::detail::sum_around(ops::mul(fixed, x), size - 1 - behind, behind);
  Tensor by_sums = ops::mul(ops::mul(ratio, seen), 2 * share * beta);
  return call(ops::add(out, ops::sub(ops::detach(by_sums), by_sums)));
}

}  // namespace tenon::nn
