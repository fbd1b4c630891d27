// One-hot encoding and the gradient of selection, made of other operators.
#pragma once
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

inline Tensor index_select_backward(const Tensor& grad, SymIntArrayRef self_sizes, std::int64_t dim,
                                    const Tensor& index) {
  return ops::index_add(ops::new_zeros(grad, self_sizes), dim, index, grad);
}
template <class Int>
Tensor one_hot(const Tensor& self, std::int64_t num_classes) {
  TENON_CHECK(self.dtype() == kLong, TypeError, "one_hot is only applicable to index tensor of type LongTensor.");
  dims_t<Int> sizes(sizes_of<Int>(self));
  sizes.push_back(num_classes);
  if (numel_of<Int>(self) == 0) {
    TENON_CHECK(num_classes > 0, ValueError, "Can not infer total number of classes from empty tensor.");
    return ops::new_zeros(self, sizes);
  }
  if (!self.is_meta()) {
    TENON_CHECK(ops::min(self).item<std::int64_t>() >= 0, ValueError, "Class values must be non-negative.");
    std::int64_t largest = ops::max(self).item<std::int64_t>();
    if (num_classes == -1)
      sizes.back() = largest + 1;
    else
      TENON_CHECK(num_classes > largest, ValueError, "Class values must be smaller than num_classes.");
  } else
    TENON_CHECK(num_classes > 0, ValueError, "one_hot(): expected argument 'num_classes' for a tensor without data");
  Tensor out = ops::new_zeros(self, sizes);
  ops::scatter_(out, -1, ops::unsqueeze(self, -1), Scalar(1));
  return out;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::index_select_backward_base>().def<ops::one_hot_base>();
  m.impl<ops::index_select_backward_base, &index_select_backward>();
  m.impl<ops::one_hot_base, &one_hot<std::int64_t>>();
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) { m.impl<ops::one_hot_base, &one_hot<SymInt>>(); }

}  // namespace tenon::composite
