// Layers with a tensor that is computed from others at each call: torch.nn.utils.parametrize.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/named_field.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/print.hpp>
#include <tenon/ops/copy.hpp>

namespace tenon::nn {

namespace detail {

/// Tensors of a result, which may be a tuple, in a row.
template <class R>
void append_results(std::vector<Tensor>& to, const R& result) {
  if constexpr (std::is_convertible_v<R, Tensor>)
    to.push_back(result);
  else
    std::apply([&](const auto&... part) { (append_results(to, part), ...); }, result);
}
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
[[noreturn]] void parametrized_twice(std::string_view name);
[[noreturn]] void several_originals();

}  // namespace detail

template <class M, class... P>
class Parametrized;

namespace detail {
template <class M>
struct Unparametrized {
  using type = M;
  static const M& layer(const M& m) { return m; }
};
template <class M, class... P>
struct Unparametrized<Parametrized<M, P...>> {
  using type = typename Unparametrized<M>::type;
  static type layer(const Parametrized<M, P...>& m) { return m.layer(); }
};
template <class M>
inline constexpr bool is_parametrized_type = !std::is_same_v<typename Unparametrized<M>::type, M>;
}  // namespace detail

/// A layer whose tensor `name` is what the parametrizations make of `original`, the first first. Each is a module that
/// takes a tensor and returns one; one with `right_inverse(value)` gives what it takes for a value, as a tensor or as a
/// pair of them. State names are PyTorch's: `parametrizations.weight.original`, `parametrizations.weight.0...`.
/// The layer may be a parametrized one, of another tensor, and a recurrent one.
/// Cost: the parametrizations in each call. Made by utils::parametrize::register_parametrization().
template <class M, class... P>
class Parametrized {
 public:
  /// The layer's type before parametrizations.
  using layer_type = typename detail::Unparametrized<M>::type;

  Parametrized(M layer, std::string name, P... parts)
      : layer_(std::move(layer)), name_(std::move(name)), parts_(std::move(parts)...) {
    check_not_inner();
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
    layer_type now = layer();
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
  /// The same of the tensor `name`. Errors: ValueError if it is not parametrized.
  Tensor value(std::string_view name) const {
    if (name == name_) return value();
    if constexpr (detail::is_parametrized_type<M>)
      return layer_.value(name);
    else
      detail::no_tensor_called(name, "'" + name_ + "'");
  }
  bool parametrizes(std::string_view name) const {
    if (name == name_) return true;
    if constexpr (detail::is_parametrized_type<M>) return layer_.parametrizes(name);
    return false;
  }
  const std::vector<Parameter>& originals() const { return originals_; }
  template <std::size_t At = 0>
  auto& parametrization() {
    return std::get<At>(parts_);
  }
  /// The layer as it computes now.
  layer_type layer() const {
    layer_type now = detail::Unparametrized<M>::layer(layer_);
    detail::tensor_called(now, name_) = value();
    return now;
  }
  /// The layer without the tensor.
  M& tenon_inner() { return layer_; }
  const M& tenon_inner() const { return layer_; }
  /// Another layer whose tensor of that name the same modules make of the same originals, which both have then.
  /// Errors: ValueError without such a tensor, and for one of another shape.
  template <class To>
  Parametrized<To, P...> over(To layer) const {
    return Parametrized<To, P...>(std::move(layer), name_, parts_, originals_, value().sizes());
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
  /// Errors: ValueError for the original where there are several.
  M removed(bool leave_parametrized = true) const {
    if (!leave_parametrized && originals_.size() > 1) detail::several_originals();
    M now = layer_;
    NoGradGuard no_grad;
    detail::tensor_called(now, name_) =
        detail::leaf_like(originals_[0], leave_parametrized ? value() : Tensor(originals_[0]));
    return now;
  }
  detail::Described tenon_describe() const {
    NoGradGuard no_grad;
    detail::Described d = detail::describe(layer()), lists{"ModuleDict", {}, {}};
    d.name = "Parametrized" + d.name;
    describe_parametrizations(lists);
    d.parts.push_back({"parametrizations", std::move(lists)});
    return d;
  }
  void describe_parametrizations(detail::Described& lists) const {
    if constexpr (detail::is_parametrized_type<M>) layer_.describe_parametrizations(lists);
    detail::Described list{"ParametrizationList", {}, {}};
    std::size_t at = 0;
    std::apply(
        [&](const auto&... p) {
          (list.parts.push_back({std::to_string(at++), detail::describe(p)}), ...);
        },
        parts_);
    lists.parts.push_back({name_, std::move(list)});
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
  template <class Other, class... Q>
  friend class Parametrized;
  Parametrized(M layer, const std::string& name, const std::tuple<P...>& parts, const std::vector<Parameter>& originals,
               IntArrayRef sizes)
      : layer_(std::move(layer)), name_(name), parts_(parts), originals_(originals) {
    check_not_inner();
    Tensor& tensor = detail::tensor_called(layer_, name_);
    if (tensor.defined() && tensor.sizes() != sizes) detail::parametrized_shape(name_, tensor.sizes(), sizes);
    tensor = Tensor();
  }
  void check_not_inner() const {
    if constexpr (detail::is_parametrized_type<M>)
      if (layer_.parametrizes(name_)) detail::parametrized_twice(name_);
  }
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
  return nn::detail::is_parametrized_type<M>;
}
/// Whether the tensor of that name is.
template <class M>
bool is_parametrized([[maybe_unused]] const M& layer, [[maybe_unused]] std::string_view name) {
  if constexpr (nn::detail::is_parametrized_type<M>)
    return layer.parametrizes(name);
  else
    return false;
}
/// The type of a layer without its parametrizations.
template <class M>
using type_before_parametrizations = typename nn::detail::Unparametrized<M>::type;
/// `to` with all the parametrizations of `from`: both layers have the same originals and modules then. What is not
/// parametrized leaves `to` as it is. Errors: ValueError where `to` has no such tensor or one of another shape.
/// Source: torch.nn.utils.parametrize.transfer_parametrizations_and_params of PyTorch 2.15.
template <class From, class To>
auto transfer_parametrizations_and_params([[maybe_unused]] const From& from, To to) {
  if constexpr (nn::detail::is_parametrized_type<From>)
    return from.over(transfer_parametrizations_and_params(from.tenon_inner(), std::move(to)));
  else
    return to;
}

}  // namespace utils::parametrize
}  // namespace tenon::nn
