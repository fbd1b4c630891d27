// Maps that change shapes, by operators.
#pragma once
#include <tenon/distributions/detail/univariate.hpp>
#include <tenon/distributions/independent_transform.hpp>

namespace tenon::distributions {

namespace detail {
/// A shape with another end.
inline DimVector with_end(IntArrayRef shape, IntArrayRef from, IntArrayRef to) {
  std::size_t cut = shape.size() - from.size();
  TENON_CHECK(shape.size() >= from.size() && shape.slice(cut, from.size()) == from, ValueError,
              "ReshapeTransform: expected a shape that ends in ", from, ", got ", shape);
  return joined(shape.slice(0, cut), to);
}
inline std::int64_t count_of(IntArrayRef shape) {
  std::int64_t n = 1;
  for (std::int64_t size : shape) n *= size;
  return n;
}
}  // namespace detail

TENON_BODY ReshapeTransform::ReshapeTransform(IntArrayRef in_shape, IntArrayRef out_shape)
    : domain_dim(static_cast<std::int64_t>(in_shape.size())),
      codomain_dim(static_cast<std::int64_t>(out_shape.size())),
      in_(in_shape),
      out_(out_shape) {
  TENON_CHECK(detail::count_of(in_shape) == detail::count_of(out_shape), ValueError,
              "ReshapeTransform: expected shapes of as many elements, got ", in_shape, " and ", out_shape);
}
TENON_BODY Tensor ReshapeTransform::operator()(const Tensor& x) const { return x.reshape(forward_shape(x.sizes())); }
TENON_BODY Tensor ReshapeTransform::inverse(const Tensor& y) const { return y.reshape(inverse_shape(y.sizes())); }
TENON_BODY Tensor ReshapeTransform::log_abs_det_jacobian(const Tensor& x, const Tensor&) const {
  return detail::full_beside(x, detail::with_end(x.sizes(), in_, {}), 0);
}
TENON_BODY DimVector ReshapeTransform::forward_shape(IntArrayRef shape) const {
  return detail::with_end(shape, in_, out_);
}
TENON_BODY DimVector ReshapeTransform::inverse_shape(IntArrayRef shape) const {
  return detail::with_end(shape, out_, in_);
}
TENON_BODY bool ReshapeTransform::operator==(const ReshapeTransform& other) const {
  return IntArrayRef(in_) == IntArrayRef(other.in_) && IntArrayRef(out_) == IntArrayRef(other.out_);
}

}  // namespace tenon::distributions
