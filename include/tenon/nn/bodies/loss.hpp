// The loss that has a layer.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/loss.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

TENON_BODY Linear LinearCrossEntropyLoss::start() const {
  TENON_CHECK(!weight.defined() || weight.sizes() == IntArrayRef({num_classes}), ValueError,
              "expected weight shape to be [", std::int64_t{num_classes}, "], got ", weight.sizes());
  TENON_CHECK(label_smoothing >= 0 && label_smoothing <= 1, ValueError,
              "expected label_smoothing to be in range [0, 1], got ", label_smoothing);
  std::int64_t rows = num_classes;
  for (std::int64_t n : out_features) rows *= n;
  return {in_features, rows, bias, dtype};
}
TENON_BODY Tensor LinearCrossEntropyLoss::operator()(const Tensor& x, const Tensor& y) const {
  std::vector<std::int64_t> sizes{num_classes};
  sizes.insert(sizes.end(), out_features.begin(), out_features.end());
  functional::LinearCrossEntropyOptions o{{}, weight.if_defined(), reduction, ignore_index, label_smoothing};
  if (linear.bias.defined()) o.linear_bias = ops::reshape(linear.bias, sizes);
  sizes.push_back(in_features);
  return Calling(this)(functional::linear_cross_entropy(x, ops::reshape(linear.weight, sizes), y, o));
}
TENON_BODY std::string LinearCrossEntropyLoss::extra_repr() const {
  constexpr const char* names[] = {"none", "mean", "sum", "batchmean"};
  return Description()
      .add("in_features", in_features)
      .add("num_classes", num_classes)
      .add("out_features", IntArrayRef(out_features))
      .add("bias", bias)
      .add("reduction", names[static_cast<std::size_t>(reduction)])
      .add_or_none("ignore_index", ignore_index)
      .add("label_smoothing", label_smoothing)
      .add("options", "None")
      .text;
}

}  // namespace tenon::nn
