// Registers outer and cross products, and rounding to decimals, on CUDA: made of other operators.
#include <tenon/composite/round_decimals.hpp>
#include <tenon/composite/tensor_product_shapes.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// beta * self + (alpha * vec1) * vec2, in elements of the common dtype; of bools products are "and" and sums "or".
void addr(const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta, const Scalar& alpha,
          const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  ScalarType dtype = result_type({self, vec1, vec2});
  // Of the dtype before they are multiplied.
  auto factor = [&](const Scalar& x) {
    if (dtype == kBool) return Scalar(x.to<bool>());
    if (!is_reduced_floating_type(dtype)) return x;
    alignas(8) unsigned char element[8];
    store_as(element, dtype, x.to_double());
    return Scalar(load_as<double>(element, dtype));
  };
  Tensor column = ops::unsqueeze(row_major(vec1, dtype), 1), row = ops::unsqueeze(row_major(vec2, dtype), 0);
  Tensor sum = ops::mul(ops::mul(column, factor(alpha)), row);
  if (!beta.equal(0)) sum = ops::add(ops::mul(row_major(self, dtype), factor(beta)), sum);
  copy_elements(out, sum);
}
void linalg_cross(const Tensor& self, const Tensor& other, std::int64_t dim, const Tensor& out) {
  if (out.dtype() == kBool || !has_arithmetic(out.dtype())) not_implemented_for("cross", out.dtype());
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  std::int64_t d = wrap_dim(dim, out.dim());
  Tensor a = ops::expand(row_major(self, out.dtype()), out.sizes()),
         b = ops::expand(row_major(other, out.dtype()), out.sizes()), parts[3];
  for (int k = 0; k < 3; ++k) {
    auto product = [&](int u, int v) { return ops::mul(ops::select(a, d, u % 3), ops::select(b, d, v % 3)); };
    parts[k] = ops::sub(product(k + 1, k + 2), product(k + 2, k + 1));
  }
  for (int k = 0; k < 3; ++k) copy_elements(ops::select(out, d, k), parts[k]);
}
void round_decimals(const Tensor& self, std::int64_t decimals, const Tensor& out) {
  AutoDispatchBelowADInplaceOrView below;
  composite::round_decimals(self, decimals, out);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(addr_base, CUDA, cuda::addr);
TENON_STRUCTURED_KERNEL(linalg_cross_base, CUDA, cuda::linalg_cross);
TENON_STRUCTURED_KERNEL(round_decimals, CUDA, cuda::round_decimals);

}  // namespace tenon::ops
