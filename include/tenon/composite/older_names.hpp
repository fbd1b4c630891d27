// Operators that older programs and recorded graphs call, in the words of newer ones.
#pragma once
#include <tenon/composite/alias.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/activation.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/older_names.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/scan.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::composite {

template <ScalarType To>
Tensor cast_to(const Tensor& self, bool non_blocking) {
  return ops::to(self, To, non_blocking);
}
inline Tensor reshape_copy(const Tensor& self, SymIntArrayRef size) { return ops::clone(ops::reshape(self, size)); }
inline std::tuple<Tensor, Tensor> least_and_greatest(const Tensor& self) { return ops::aminmax(self); }
inline std::tuple<Tensor, Tensor> least_and_greatest_along(const Tensor& self, std::int64_t dim, bool keepdim) {
  return ops::aminmax(self, dim, keepdim);
}
inline Tensor dim_arange(const Tensor& like, std::int64_t dim) {
  return ops::arange(like.sym_size(dim).guard_int(__FILE__, __LINE__), "dtype"_a = kLong, "device"_a = like.device());
}
inline Tensor shape_as_tensor(const Tensor& self) {
  Tensor shape = make_tensor({self.dim()}, {}, kLong);
  auto* out = static_cast<std::int64_t*>(shape.data_ptr());
  for (const SymInt& n : self.sym_sizes()) *out++ = n.guard_int(__FILE__, __LINE__);
  return shape;
}
inline Tensor reshape_from_tensor(const Tensor& self, const Tensor& shape) {
  TENON_CHECK(shape.dim() == 1, ValueError, "_reshape_from_tensor(): expected a shape of one dimension, got ",
              shape.dim());
  DimVector sizes;
  for (std::int64_t i = 0; i < shape.size(0); ++i) sizes.push_back(ops::select(shape, 0, i).item<std::int64_t>());
  return ops::reshape(self, IntArrayRef(sizes));
}
template <class Other>
Tensor add_relu(const Tensor& self, const Other& other, const Scalar& alpha) {
  return ops::relu(ops::add(self, other, alpha));
}
template <class Other>
Tensor& add_relu_(Tensor& self, const Other& other, const Scalar& alpha) {
  return ops::relu_(ops::add_(self, other, alpha));
}
inline Tensor addmm_activation(const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar& beta,
                               const Scalar& alpha, bool use_gelu) {
  Tensor sum = ops::addmm(self, mat1, mat2, beta, alpha);
  return use_gelu ? ops::gelu(sum) : ops::relu(sum);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
#define X(NAME) m.def<ops::_cast_##NAME##_base>().impl<ops::_cast_##NAME##_base, &cast_to<k##NAME>>();
  TENON_INTERNAL_FOR_EACH_CAST(X)
#undef X
  add_alias<ops::_stack_base, ops::stack_base>(m);
  add_alias<ops::_logcumsumexp_base, ops::logcumsumexp_base>(m);
  m.def<ops::_dim_arange_base>().def<ops::_shape_as_tensor_base>().def<ops::_reshape_from_tensor_base>();
  m.impl<ops::_dim_arange_base, &dim_arange>().impl<ops::_shape_as_tensor_base, &shape_as_tensor>();
  m.impl<ops::_reshape_from_tensor_base, &reshape_from_tensor>();
  define_with_copied_out(m, ops::_reshape_copy_base);
  define_with_copied_out(m, ops::_aminmax_base);
  define_with_copied_out(m, ops::_aminmax_dim);
  define_with_copied_out(m, ops::_add_relu_Tensor);
  define_with_copied_out(m, ops::_add_relu_Scalar);
  define_with_copied_out(m, ops::_addmm_activation_base);
  m.impl<ops::_reshape_copy_base, &reshape_copy>();
  m.impl<ops::_aminmax_base, &least_and_greatest>().impl<ops::_aminmax_dim, &least_and_greatest_along>();
  m.impl<ops::_add_relu_Tensor, &add_relu<Tensor>>().impl<ops::_add_relu_Tensor_, &add_relu_<Tensor>>();
  m.impl<ops::_add_relu_Scalar, &add_relu<Scalar>>().impl<ops::_add_relu_Scalar_, &add_relu_<Scalar>>();
  m.impl<ops::_addmm_activation_base, &addmm_activation>();
}

}  // namespace tenon::composite
