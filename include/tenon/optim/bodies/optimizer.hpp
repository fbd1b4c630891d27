// What the steps of all optimisers share.
#pragma once
#include <tenon/autograd/variable.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/optim/optimizer.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::optim {

TENON_BODY void Optimizer::zero_grad(bool set_to_none) const {
  for (const Tensor& p : parameters_) nn::clear_grad(p, set_to_none);
}
TENON_BODY void Optimizer::add_parameters(const char* name, const std::vector<Tensor>& parameters) {
  TENON_CHECK(!parameters.empty(), ValueError, name, ": optimizer got an empty parameter list");
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor& p = parameters[i];
    TENON_CHECK(p.defined(), ValueError, name, ": parameter ", i, " is undefined");
    TENON_CHECK(p.is_leaf(), ValueError, name, ": can't optimize a non-leaf Tensor");
    bool known = false;
    for (const Tensor& other : parameters_) known = known || other.is_same(p);
    for (std::size_t j = 0; j < i; ++j) known = known || parameters[j].is_same(p);
    TENON_CHECK(!known, ValueError, name, ": parameter ", i, " is given twice");
  }
  parameters_.insert(parameters_.end(), parameters.begin(), parameters.end());
}

namespace detail {

TENON_BODY Tensor gradient_of(const Tensor& parameter) { return parameter->autograd() ? parameter.grad() : Tensor(); }
TENON_BODY void count_step(Tensor& step) {
  if (!step.defined()) step = scalar_tensor(0, kFloat);
  *static_cast<float*>(step.data_ptr()) += 1;
}
TENON_BODY void bump_versions(const std::vector<Tensor>& parameters) {
  for (const Tensor& p : parameters)
    if (!p->is_inference()) p->storage()->bump_version();
}
TENON_BODY void make_filled(Tensor& t, const Tensor& like, const Scalar& value) {
  if (!t.defined()) t = ops::full_like(like, value);
}
TENON_BODY bool load_tensor(const nn::NamedTensors& tensors, const std::string& name, const Tensor& parameter,
                            Tensor& to) {
  bool found = false;
  for (const auto& [other, t] : tensors) {
    if (other != name) continue;
    bool count = name.size() > 5 && name.compare(name.size() - 5, 5, ".step") == 0;
    TENON_CHECK(count ? t.numel() == 1 : t.sizes() == parameter.sizes(), ValueError, "load_state(): tensor '", name,
                "': expected shape ", count ? IntArrayRef() : parameter.sizes(), ", got ", t.sizes());
    to = make_tensor(t.sizes(), {}, count ? kFloat : parameter.dtype(), count ? Device(kCPU) : parameter.device());
    ops::copy_(to, t);
    found = true;
  }
  return found;
}
TENON_BODY void check_all_loaded(std::size_t found, std::size_t given, std::size_t parameters) {
  TENON_CHECK(found == given, ValueError, "load_state(): expected tensors for ", parameters, " parameters only, got ",
              given - found, " others");
}
TENON_BODY void check_not_negative(const char* optimizer, const char* option, double value) {
  TENON_CHECK(value >= 0, ValueError, optimizer, ": option '", option,
              "': expected a number that is not negative, got ", value);
}

}  // namespace detail
}  // namespace tenon::optim
