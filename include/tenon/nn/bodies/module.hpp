// What the templates of modules share: names, loading and clearing of tensors.
#pragma once
#include <tenon/autograd/mode.hpp>
#include <tenon/autograd/engine.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/detail/unexpected_keys.hpp>
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

TENON_BODY IncompatibleKeys load_tensors(const NamedTensors& own, const NamedTensors& tensors, bool strict) {
  IncompatibleKeys apart;
  std::vector<std::pair<Tensor, Tensor>> copies;
  for (const auto& [name, to] : own) {
    const Tensor* from = find_tensor(tensors, name);
    if (!from && !strict) {
      apart.missing_keys.push_back(name);
      continue;
    }
    if (!from) {
      std::string given;
      for (std::size_t i = 0; i < tensors.size() && i < 12; ++i)
        given += concat(i ? ", '" : ": '", tensors[i].first, "' ", tensors[i].second.sizes());
      fail<ValueError>("load_state(): expected a tensor named '", name, "', got none among ", tensors.size(),
                       " tensors", given, tensors.size() > 12 ? ", .." : "");
    }
    TENON_CHECK(to.defined(), ValueError, "load_state(): tensor '", name, "': shape ", from->sizes(),
                " is none of the lazy layer that it is for");
    // One number was saved as a list of one by early versions of PyTorch.
    bool one = to.dim() == 0 && from->sizes() == IntArrayRef({1});
    TENON_CHECK(one || from->sizes() == to.sizes(), ValueError, "load_state(): tensor '", name, "': expected shape ",
                to.sizes(), ", got ", from->sizes());
    copies.emplace_back(to, one ? Tensor(ops::select(*from, 0, 0)) : *from);
  }
  apart.unexpected_keys = unexpected_keys("load_state", own, tensors, strict);
  NoGradGuard no_grad;
  for (auto& [to, from] : copies) ops::copy_(to, from);
  return apart;
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
