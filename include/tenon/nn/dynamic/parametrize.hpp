// Layers with a tensor that is computed from others at each call: torch.nn.utils.parametrize.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/hooks.hpp>
#include <tenon/nn/dynamic/named_field.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/print.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::nn {

namespace detail {

/// What a parametrization makes the value from: what its `right_inverse` gives, or the value itself.
template <class P>
std::vector<Tensor> originals_of(P& p, const Tensor& value) {
  std::vector<Tensor> out;
  if constexpr (requires { p.right_inverse(value); })
    append_results(out, p.right_inverse(value));
  else
    out.push_back(value);
  return out;
}
template <class P>
Tensor value_from(const P& p, const std::vector<Tensor>& originals) {
  if constexpr (requires(const Tensor& t) { run(p, t); })
    return run(p, originals[0]);
  else
    return run(p, originals[0], originals[1]);
}
/// What parametrized tensors are while a CachedGuard lives.
class ParametrizationCache;
/// This thread's, null without a guard.
ParametrizationCache*& parametrization_cache();
/// The value that is kept of a layer, undefined if there is none or an original was written since.
Tensor kept_value(const void* layer, const std::vector<Parameter>& originals);
void keep_value(const void* layer, const std::vector<Parameter>& originals, const Tensor& value);

[[noreturn]] void parametrized_shape(std::string_view name, IntArrayRef expected, IntArrayRef got);

}  // namespace detail

/// A layer whose tensor `name` is what the parametrizations make of `original`, the first first. Each is a module that
/// takes a tensor and returns one; one with `right_inverse(value)` gives what it takes for a value, as a tensor or as a
/// pair of them. State names are PyTorch's: `parametrizations.weight.original`, `parametrizations.weight.0...`.
/// Cost: the parametrizations in each call. Made by utils::parametrize::register_parametrization().
template <class M, class... P>
class Parametrized {
 public:
  Parametrized(M layer, std::string name, P... parts)
      : layer_(std::move(layer)), name_(std::move(name)), parts_(std::move(parts)...) {
    Tensor& tensor = detail::tensor_called(layer_, name_);
    TENON_CHECK(tensor.defined(), ValueError, "the layer has no '", name_, "' to be parametrized");
    const Tensor old = tensor;
    std::vector<Tensor> originals{old};
    {
      NoGradGuard no_grad;
      inverse<sizeof...(P)>(originals);
    }
    for (const Tensor& t : originals) originals_.push_back(t.is_same(old) ? Parameter(t) : detail::leaf_like(old, t));
    tensor = Tensor();
    NoGradGuard no_grad;
    Tensor value = make<sizeof...(P)>();
    if (value.sizes() != old.sizes()) detail::parametrized_shape(name_, old.sizes(), value.sizes());
  }
  template <class... X>
  auto operator()(const X&... x) const {
    Calling call(this);
    M now = layer();
    return call(detail::run(now, x...));
  }
  /// What the parametrizations make, and what of.
  Tensor value() const {
    if (!detail::parametrization_cache()) return make<sizeof...(P)>();
    Tensor kept = detail::kept_value(this, originals_);
    if (kept.defined()) return kept;
    kept = make<sizeof...(P)>();
    detail::keep_value(this, originals_, kept);
    return kept;
  }
  const std::vector<Parameter>& originals() const { return originals_; }
  template <std::size_t At = 0>
  auto& parametrization() {
    return std::get<At>(parts_);
  }
  /// The layer as it computes now.
  M layer() const {
    M now = layer_;
    detail::tensor_called(now, name_) = value();
    return now;
  }
  /// Makes the tensor have this value. Errors: ValueError for another shape; what `right_inverse` throws.
  void assign(const Tensor& t) {
    NoGradGuard no_grad;
    std::vector<Tensor> originals{t};
    inverse<sizeof...(P)>(originals);
    for (std::size_t i = 0; i < originals.size(); ++i) {
      if (originals[i].sizes() != originals_[i].sizes())
        detail::parametrized_shape(name_, originals_[i].sizes(), originals[i].sizes());
      originals_[i].copy_(originals[i]);
    }
  }
  /// The layer with a parameter of its own again: what is computed now, or, unless `leave_parametrized`, the original.
  M removed(bool leave_parametrized = true) const {
    M now = layer_;
    NoGradGuard no_grad;
    detail::tensor_called(now, name_) =
        detail::leaf_like(originals_[0], leave_parametrized || originals_.size() > 1 ? value() : Tensor(originals_[0]));
    return now;
  }
  detail::Described tenon_describe() const {
    NoGradGuard no_grad;
    detail::Described d = detail::describe(layer()), list{"ParametrizationList", {}, {}};
    d.name = "Parametrized" + d.name;
    std::size_t at = 0;
    std::apply(
        [&](const auto&... p) {
          (list.parts.push_back({std::to_string(at++), detail::describe(p)}), ...);
        },
        parts_);
    d.parts.push_back({"parametrizations", {"ModuleDict", {}, {{name_, std::move(list)}}}});
    return d;
  }
  template <class This, class F>
  static void tenon_walk(This& self, const std::string& path, F& visit) {
    visit(path, self);
    detail::descend(self.layer_, path, visit);
    const std::string here = detail::join(path, "parametrizations." + self.name_);
    for (std::size_t i = 0; i < self.originals_.size(); ++i)
      visit(here + ".original" + (self.originals_.size() > 1 ? std::to_string(i) : std::string()), self.originals_[i]);
    detail::descend(self.parts_, here, visit);
    if constexpr (detail::hears_of_ends<This, F>) visit.leave(path, self);
  }

 private:
  template <std::size_t Count>
  void inverse(std::vector<Tensor>& originals) {
    if constexpr (Count > 0) {
      originals = detail::originals_of(std::get<Count - 1>(parts_), originals.at(0));
      inverse<Count - 1>(originals);
    }
  }
  template <std::size_t Count>
  Tensor make() const {
    if constexpr (Count == 1)
      return detail::value_from(std::get<0>(parts_), {originals_.begin(), originals_.end()});
    else
      return detail::run(std::get<Count - 1>(parts_), make<Count - 1>());
  }
  M layer_;
  std::string name_;
  std::tuple<P...> parts_;
  std::vector<Parameter> originals_;
};

namespace utils::parametrize {

/// `auto layer = register_parametrization(nn::Linear{4, 4}, "weight", Symmetric{});`
/// Errors: ValueError without a tensor of that name, and if it would get another shape.
template <class M, class... P>
Parametrized<M, P...> register_parametrization(M layer, std::string name, P... parts) {
  static_assert(sizeof...(P) > 0, "tenon: register_parametrization() takes at least one module that makes the tensor");
  return {std::move(layer), std::move(name), std::move(parts)...};
}
template <class M, class... P>
M remove_parametrizations(const Parametrized<M, P...>& layer, bool leave_parametrized = true) {
  return layer.removed(leave_parametrized);
}
/// While it lives, a parametrized tensor is computed once on this thread and then taken again until an original is
/// written: for layers that are called many times in a step, as cells are. The innermost of nested ones keeps nothing
/// of its own. Source: torch.nn.utils.parametrize.cached of PyTorch 2.15.
class CachedGuard {
 public:
  CachedGuard();
  CachedGuard(const CachedGuard&) = delete;
  CachedGuard& operator=(const CachedGuard&) = delete;
  ~CachedGuard();

 private:
  nn::detail::ParametrizationCache* made_;
};
/// Whether a layer has tensors that are made by functions of others.
template <class M>
constexpr bool is_parametrized(const M&) {
  return false;
}
template <class M, class... P>
constexpr bool is_parametrized(const Parametrized<M, P...>&) {
  return true;
}

}  // namespace utils::parametrize
}  // namespace tenon::nn
