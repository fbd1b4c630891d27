// What the templates of modules share: names, loading and clearing of tensors.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::nn {

namespace detail {

TENON_BODY std::string join(const std::string& path, const std::string& name) {
  return path.empty() ? name : path + "." + name;
}

TENON_COLD_BODY void no_size_yet(const std::string& name) {
  fail<ValueError>("the parameter '", name,
                   "' of a lazy layer has no size yet: call the module once before its parameters are used");
}
TENON_BODY void add_parameter(NamedTensors& found, const std::string& name, const Tensor& t) {
  if (!t.requires_grad() || !t.is_leaf()) return;
  for (const auto& [other, known] : found)
    if (known.is_same(t)) return;
  found.emplace_back(name, t);
}

TENON_BODY const Tensor* find_tensor(const NamedTensors& tensors, std::string_view name) {
  const Tensor* found = nullptr;
  for (const auto& [other, t] : tensors)
    if (other == name) found = &t;
  return found;
}

TENON_BODY Tensor converted(const Tensor& t, const std::optional<ScalarType>& dtype,
                            const std::optional<Device>& device, bool copy, Replaced& known) {
  if (!t.defined()) return t;
  for (const auto& [from, to] : known)
    if (from.is_same(t)) return to;
  Tensor out = t;
  bool fits = !dtype || t.is_floating_point() || t.is_complex();
  {
    NoGradGuard no_grad;
    if (dtype && fits && t.dtype() != *dtype) out = ops::to(out, *dtype);
    if (device && t.device() != *device) out = ops::to(out, "device"_a = *device);
    if (copy) out = ops::clone(ops::detach(t));
  }
  if (!out.is_same(t) && t.requires_grad() && t.is_leaf()) out.set_requires_grad(true);
  known.emplace_back(t, out);
  return out;
}
TENON_BODY Tensor laid_out(const Tensor& t, MemoryFormat format, Replaced& known) {
  if (!t.defined()) return t;
  bool fits = format == MemoryFormat::ChannelsLast     ? t.dim() == 4
              : format == MemoryFormat::ChannelsLast3d ? t.dim() == 5
                                                       : t.dim() == 4 || t.dim() == 5;
  if (!fits || t.is_contiguous(format)) return t;
  for (const auto& [from, to] : known)
    if (from.is_same(t)) return to;
  NoGradGuard no_grad;
  Tensor out = ops::contiguous(ops::detach(t), format);
  if (t.requires_grad() && t.is_leaf()) out.set_requires_grad(true);
  known.emplace_back(t, out);
  return out;
}

TENON_BODY Tensor emptied(const Tensor& t, Device device, Replaced& known) {
  if (!t.defined()) return t;
  for (const auto& [from, to] : known)
    if (from.is_same(t)) return to;
  Tensor out = ops::empty_like(ops::detach(t), "device"_a = device);
  if (t.requires_grad() && t.is_leaf()) out.set_requires_grad(true);
  known.emplace_back(t, out);
  return out;
}

}  // namespace detail

TENON_BODY void clear_grad(const Tensor& leaf, bool set_to_none) {
  if (!leaf->autograd()) return;
  Tensor& grad = leaf.grad();
  if (!grad.defined()) return;
  if (set_to_none) {
    grad = Tensor();
  } else {
    NoGradGuard no_grad;
    if (grad.requires_grad()) grad = ops::detach(grad);
    ops::zero_(grad);
  }
}

}  // namespace tenon::nn
