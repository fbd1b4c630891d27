// Products with a weight, by operators.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn::functional {

TENON_BODY Tensor linear(const Tensor& input, const Tensor& weight, const Tensor& bias) {
  return ops::linear(input, weight, bias.defined() ? std::optional<Tensor>(bias) : std::nullopt);
}
TENON_BODY Tensor bilinear(const Tensor& input1, const Tensor& input2, const Tensor& weight, const Tensor& bias) {
  TENON_CHECK(input1.dim() == input2.dim() && weight.dim() == 3, ValueError,
              "bilinear(): input dimensions do not match: got ", input1.dim(), " and ", input2.dim());
  for (std::int64_t d = 0; d + 1 < input1.dim(); ++d)
    TENON_CHECK(input1.size(d) == input2.size(d), ValueError, "bilinear(): input batch dimensions do not match at dim ",
                d, ": got ", input1.size(d), " and ", input2.size(d));
  TENON_CHECK(input1.size(-1) == weight.size(1) && input2.size(-1) == weight.size(2), ValueError,
              "bilinear(): inputs of ", input1.size(-1), " and ", input2.size(-1),
              " features do not match a weight of ", weight.sizes());
  std::int64_t out = weight.size(0), in1 = weight.size(1), in2 = weight.size(2);
  Tensor a = ops::reshape(input1, {-1, in1}), b = ops::reshape(input2, {-1, in2});
  // (rows, out, in1) x (rows, in1, 1)
  Tensor right = ops::reshape(ops::matmul(b, ops::reshape(ops::permute(weight, {2, 0, 1}), {in2, out * in1})),
                              {a.size(0), out, in1});
  Tensor product = ops::squeeze(ops::bmm(right, ops::unsqueeze(a, 2)), 2);
  DimVector sizes(input1.sizes());
  sizes.back() = out;
  product = ops::reshape(product, IntArrayRef(sizes));
  return bias.defined() ? product + bias : product;
}

}  // namespace tenon::nn::functional
