// Pooling of every rank by the operators of each.
#pragma once
#include <cmath>

#include <tenon/base/body.hpp>
#include <tenon/nn/pooling.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/math.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/pooling.hpp>
#include <tenon/ops/random.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::detail {

TENON_BODY std::tuple<Tensor, Tensor> max_pool(const PoolWindow& w, const Tensor& x) {
  if (w.kernel_size.size() == 1)
    return ops::max_pool1d_with_indices(x, w.kernel_size, w.stride, w.padding, w.dilation, w.ceil_mode);
  if (w.kernel_size.size() == 2)
    return ops::max_pool2d_with_indices(x, w.kernel_size, w.stride, w.padding, w.dilation, w.ceil_mode);
  return ops::max_pool3d_with_indices(x, w.kernel_size, w.stride, w.padding, w.dilation, w.ceil_mode);
}

TENON_BODY Tensor avg_pool(const PoolWindow& w, const Tensor& x, bool count_include_pad,
                           const std::optional<std::int64_t>& divisor_override) {
  if (w.kernel_size.size() == 1)
    return ops::avg_pool1d(x, w.kernel_size, w.stride, w.padding, w.ceil_mode, count_include_pad);
  if (w.kernel_size.size() == 2)
    return ops::avg_pool2d(x, w.kernel_size, w.stride, w.padding, w.ceil_mode, count_include_pad, divisor_override);
  return ops::avg_pool3d(x, w.kernel_size, w.stride, w.padding, w.ceil_mode, count_include_pad, divisor_override);
}

TENON_BODY Tensor lp_pool(const PoolWindow& w, const Tensor& x, double norm_type) {
  TENON_CHECK(norm_type != 0, ValueError, "norm_type must be a non-zero value, but got ", norm_type);
  std::vector<std::int64_t> none(w.kernel_size.size(), 0);
  if (std::isinf(norm_type)) {
    // The largest of the sizes, or the smallest.
    std::vector<std::int64_t> ones(w.kernel_size.size(), 1);
    Tensor sizes = norm_type > 0 ? ops::abs(x) : ops::neg(ops::abs(x));
    Tensor most = std::get<0>(max_pool({w.kernel_size, w.stride, none, ones, w.ceil_mode}, sizes));
    return norm_type > 0 ? most : ops::neg(most);
  }
  double count = 1;
  for (std::int64_t k : w.kernel_size) count *= static_cast<double>(k);
  Tensor mean = avg_pool({w.kernel_size, w.stride, none, {}, w.ceil_mode}, ops::pow(x, norm_type), true, std::nullopt);
  return ops::pow(ops::sign(mean) * ops::relu(ops::abs(mean)) * count, 1 / norm_type);
}

TENON_BODY Tensor max_unpool(const PoolWindow& w, const Tensor& x, const Tensor& indices, IntArrayRef output_size) {
  std::size_t n = w.kernel_size.size(), first = static_cast<std::size_t>(x.dim()) - n;
  DimVector size;
  for (std::size_t d = 0; d < n; ++d) {
    std::int64_t usual =
        (x.size(static_cast<std::int64_t>(first + d)) - 1) * w.stride[d] + w.kernel_size[d] - 2 * w.padding[d];
    if (output_size.empty()) {
      size.push_back(usual);
      continue;
    }
    IntArrayRef given =
        output_size.size() > n ? IntArrayRef(output_size.data() + (output_size.size() - n), n) : output_size;
    TENON_CHECK(given.size() == n, ValueError, "output_size should be a sequence containing ", n, " or ", n + 2,
                " elements, but it has a length of '", output_size.size(), "'");
    TENON_CHECK(given[d] > usual - w.stride[d] && given[d] < usual + w.stride[d], ValueError, "invalid output_size ",
                given, " (dim ", d, " must be between ", usual - w.stride[d], " and ", usual + w.stride[d], ")");
    size.push_back(given[d]);
  }
  IntArrayRef out = size;
  if (n == 3) return ops::max_unpool3d(x, indices, out, w.stride, w.padding);
  if (n == 2) return ops::max_unpool2d(x, indices, out);
  Tensor flat = ops::max_unpool2d(ops::unsqueeze(x, -1), ops::unsqueeze(indices, -1), {size[0], 1});
  return ops::squeeze(flat, -1);
}

/// The sizes asked for, -1 being the input's own.
inline DimVector adaptive_sizes(std::size_t n, const Tensor& x, IntArrayRef output_size) {
  DimVector sizes(output_size);
  for (std::size_t d = 0; d < n; ++d)
    if (sizes[d] < 0) sizes[d] = x.size(static_cast<std::int64_t>(d) - static_cast<std::int64_t>(n));
  return sizes;
}
TENON_BODY Tensor adaptive_avg_pool(std::size_t n, const Tensor& x, IntArrayRef output_size) {
  DimVector sizes = adaptive_sizes(n, x, output_size);
  IntArrayRef size = sizes;
  if (n == 1) return ops::adaptive_avg_pool1d(x, size);
  return n == 2 ? ops::adaptive_avg_pool2d(x, size) : ops::adaptive_avg_pool3d(x, size);
}
TENON_BODY std::tuple<Tensor, Tensor> adaptive_max_pool(std::size_t n, const Tensor& x, IntArrayRef output_size) {
  DimVector sizes = adaptive_sizes(n, x, output_size);
  IntArrayRef size = sizes;
  if (n == 1) return ops::adaptive_max_pool1d(x, size);
  return n == 2 ? ops::adaptive_max_pool2d(x, size) : ops::adaptive_max_pool3d(x, size);
}

TENON_BODY bool check_fraction(std::size_t n, bool sized, const std::vector<double>& output_ratio) {
  TENON_CHECK(sized || !output_ratio.empty(), ValueError, "FractionalMaxPool", n,
              "d requires specifying either an output size, or a pooling ratio");
  TENON_CHECK(!sized || output_ratio.empty(), ValueError, "only one of output_size and output_ratio may be specified");
  TENON_CHECK(sized || output_ratio.size() == 1 || output_ratio.size() == n, ValueError,
              "expected one output_ratio or ", n, " of them, got ", output_ratio.size());
  for (double ratio : output_ratio)
    TENON_CHECK(ratio > 0 && ratio < 1, ValueError, "output_ratio must be between 0 and 1 (got ", ratio, ")");
  return true;
}
TENON_BODY std::tuple<Tensor, Tensor> fractional_max_pool(const Tensor& x, IntArrayRef kernel_size,
                                                          IntArrayRef output_size,
                                                          const std::vector<double>& output_ratio,
                                                          const Tensor& samples) {
  std::size_t n = kernel_size.size();
  check_fraction(n, !output_size.empty(), output_ratio);
  DimVector size;
  for (std::size_t d = 0; d < n; ++d) {
    if (!output_size.empty()) {
      size.push_back(output_size[d]);
      continue;
    }
    double ratio = output_ratio[output_ratio.size() == 1 ? 0 : d];
    std::int64_t in = x.size(static_cast<std::int64_t>(d) - static_cast<std::int64_t>(n));
    size.push_back(static_cast<std::int64_t>(static_cast<double>(in) * ratio));
  }
  Tensor places = samples;
  if (!places.defined()) {
    bool batched = x.dim() == static_cast<std::int64_t>(n) + 2;
    places = ops::rand({batched ? x.size(0) : 1, batched ? x.size(1) : x.size(0), static_cast<std::int64_t>(n)},
                       "dtype"_a = x.dtype(), "device"_a = x.device());
  }
  IntArrayRef out = size;
  return n == 2 ? ops::fractional_max_pool2d(x, kernel_size, out, places)
                : ops::fractional_max_pool3d(x, kernel_size, out, places);
}

TENON_BODY std::string describe_output_size(IntArrayRef sizes) {
  std::string text = Description().add_short("output_size", sizes).text;
  for (std::size_t at = 0; (at = text.find("-1", at)) != text.npos;) text.replace(at, 2, "None");
  return text;
}
TENON_BODY std::string describe_pool(const PoolWindow& w, PoolWords words) {
  // One number for all dimensions is printed as that, but where PyTorch makes tuples of them.
  bool tuples = words == PoolWords::Unpool || (words == PoolWords::Average && w.kernel_size.size() == 1);
  auto text = [&](IntArrayRef sizes) {
    for (std::int64_t s : sizes)
      if (tuples || s != sizes[0]) return Description::tuple(sizes);
    return std::to_string(sizes[0]);
  };
  Description d;
  d.add("kernel_size", text(w.kernel_size));
  if (words == PoolWords::Norm && w.stride[0] == 0)
    d.add("stride", "None");
  else
    d.add("stride", text(w.stride));
  if (words == PoolWords::Norm) return d.add("ceil_mode", w.ceil_mode).text;
  d.add("padding", text(w.padding));
  if (words == PoolWords::Max) d.add("dilation", text(w.dilation)).add("ceil_mode", w.ceil_mode);
  return d.text;
}

}  // namespace tenon::nn::detail
