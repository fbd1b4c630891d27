// Rows of sums, means, products and counts.
#pragma once
#include <tenon/autograd/derivatives/factors.hpp>
#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/ops/arrange.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/row.hpp>

namespace tenon::reduction {

struct mean_over_dims : sum_over_dims {
  static ScalarType result(std::string_view name, const Outputs& out, const Arguments& a) {
    ScalarType used = a.dtype.value_or(a.self.dtype());
    TENON_CHECK(is_differentiable_type(used), TypeError, name, "(): could not infer output dtype. ",
                a.dtype ? "Optional" : "Input", " dtype must be either a floating point or complex dtype. Got: ", used);
    const Tensor& given = out.maybe_get_output();
    // A complex mean goes into a real result without its imaginary part, as in PyTorch.
    TENON_CHECK(!given.defined() || is_differentiable_type(given.dtype()), TypeError, "result type ", used,
                " can't be cast to the desired output type ", given.dtype());
    return sum_over_dims::result(name, out, a);
  }
  static ScalarType elements(const Arguments& a, ScalarType) { return a.self.dtype(); }
};
struct mean_of_all : mean_over_dims {
  static ScalarType result(std::string_view name, const Outputs& out, const Arguments& a) {
    ScalarType dtype = mean_over_dims::result(name, out, a);
    const Tensor& given = out.maybe_get_output();
    TENON_CHECK(!given.defined() || can_cast(a.self.dtype(), given.dtype()), TypeError,
                "mean.dtype_out(): input types can't be cast to the desired output type ", given.dtype());
    return dtype;
  }
};
/// Counts elements that are true.
struct count : same_dtype {
  static ScalarType result(std::string_view, const Outputs&, const Arguments&) { return kLong; }
  static ScalarType elements(const Arguments&, ScalarType) { return kBool; }
};

}  // namespace tenon::reduction

namespace tenon::ops {

namespace derivatives {

/// grad times the product of all other elements along a dimension, without dividing by elements that may be zero.
inline Tensor others_product_gradient(const Tensor& grad, const Tensor& self, std::int64_t dim) {
  std::int64_t n = self.size(dim);
  if (n == 1) return grad;
  DimVector one(self.sizes());
  one[dim] = 1;
  Tensor ones = new_ones(self, IntArrayRef(one));
  Tensor before = cumprod(cat({ones, narrow(self, dim, 0, n - 1)}, dim), dim);
  Tensor behind =
      flip(cumprod(cat({ones, flip(narrow(self, dim, 1, n - 1), IntArrayRef(dim))}, dim), dim), IntArrayRef(dim));
  Tensor others = mul(before, behind);
  return times_conj(grad, others);
}
inline Tensor prod_gradient(const Tensor& grad, const Tensor& self) {
  if (self.numel() == 0) return zeros_like(self);
  if (self.dim() == 0) return grad;
  Tensor flat = reshape(self, IntArrayRef(self.numel()));
  return reshape(others_product_gradient(grad, flat, 0), self.sizes());
}
inline Tensor prod_dim_gradient(const Tensor& grad, const Tensor& self, std::int64_t dim, bool keepdim) {
  if (self.dim() == 0) return grad;
  if (self.numel() == 0) return zeros_like(self);
  dim = wrap_dim(dim, self.dim());
  return others_product_gradient(keepdim ? grad : Tensor(unsqueeze(grad, dim)), self, dim);
}

}  // namespace derivatives

TENON_REDUCTION(sum_base, reduction::sum, reduction::sum_of_all,
                TENON_WRT((self), (grad, self_sizes), (expand(grad, self_sizes))));
TENON_REDUCTION(sum_dim_IntList, reduction::sum, reduction::sum_over_dims,
                TENON_WRT((self), (grad, self_sizes, dim, keepdim),
                          (derivatives::spread(grad, self_sizes, dim, keepdim))));
TENON_REDUCTION(nansum_base, reduction::nan_sum, reduction::sum_over_dims,
                reduction::when<reduction::of_integers, reduction::sum>{},
                TENON_WRT((self), (grad, self, dim, keepdim),
                          (mul(derivatives::spread(grad, self.sizes(), dim, keepdim), eq(self, self)))));
TENON_REDUCTION(mean_base, reduction::mean, reduction::mean_of_all,
                TENON_WRT((self), (grad, self_sizes),
                          (div(expand(grad, self_sizes), Scalar(count_elements(self_sizes))))));
TENON_REDUCTION(mean_dim, reduction::mean, reduction::mean_over_dims,
                TENON_WRT((self), (grad, self_sizes, dim, keepdim),
                          (div(derivatives::spread(grad, self_sizes, dim, keepdim),
                               Scalar(derivatives::reduced_count(self_sizes, dim))))));
TENON_REDUCTION(prod_base, reduction::prod, reduction::sum_of_all,
                TENON_WRT((self), (grad, self), (derivatives::prod_gradient(grad, self))));
TENON_REDUCTION(prod_dim_int, reduction::prod, reduction::sum_over_dims,
                TENON_WRT((self), (grad, self, dim, keepdim),
                          (derivatives::prod_dim_gradient(grad, self, dim, keepdim))));
TENON_REDUCTION(count_nonzero_base, reduction::sum, reduction::count, reduction::no_gradient{});
TENON_REDUCTION(count_nonzero_dim_IntList, reduction::sum, reduction::count, reduction::no_gradient{});

}  // namespace tenon::ops
