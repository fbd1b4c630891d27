// What autograd knows of a tensor, as operators.
#pragma once
#include <optional>
#include <vector>

#include <tenon/autograd/engine.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/autograd.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::composite {

inline Tensor& requires_grad_(Tensor& self, bool requires_grad) {
  self.set_requires_grad(requires_grad);
  return self;
}
inline bool is_leaf(const Tensor& self) { return self.is_leaf(); }
/// Which result of its node a tensor is; 0 of a leaf.
inline std::int64_t output_nr(const Tensor& self) { return autograd::gradient_edge(self).index; }
inline std::int64_t version(const Tensor& self) { return self.version(); }
inline void retain_grad(Tensor& self) { self.retain_grad(); }
inline bool retains_grad(const Tensor& self) { return self.retains_grad(); }
inline void backward(const Tensor& self, TensorList inputs, const std::optional<Tensor>& gradient,
                     std::optional<bool> retain_graph, bool create_graph) {
  const Tensor weight = gradient ? *gradient : Tensor();
  autograd::backward({&self, 1}, {&weight, 1}, retain_graph, create_graph, inputs);
}
inline Tensor data(const Tensor& self) { return ops::detach(self); }
inline bool is_inference(const Tensor& self) { return self.is_inference(); }
/// No tensor is a part of one on several machines.
inline bool is_distributed(const Tensor&) { return false; }

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::requires_grad__base>().def<ops::is_leaf_base>().def<ops::output_nr_base>().def<ops::_version_base>();
  m.def<ops::retain_grad_base>().def<ops::retains_grad_base>().def<ops::_backward_base>().def<ops::data_base>();
  m.def<ops::is_inference_base>().def<ops::is_distributed_base>();
  m.impl<ops::requires_grad__base, &requires_grad_>().impl<ops::is_leaf_base, &is_leaf>();
  m.impl<ops::output_nr_base, &output_nr>().impl<ops::_version_base, &version>();
  m.impl<ops::retain_grad_base, &retain_grad>().impl<ops::retains_grad_base, &retains_grad>();
  m.impl<ops::_backward_base, &backward>().impl<ops::data_base, &data>();
  m.impl<ops::is_inference_base, &is_inference>().impl<ops::is_distributed_base, &is_distributed>();
}

}  // namespace tenon::composite
