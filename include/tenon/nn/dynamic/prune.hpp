// Layers some of whose weights are held at zero: torch.nn.utils.prune.
#pragma once
#include <concepts>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/nn/calling.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/dynamic/named_field.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/print.hpp>

namespace tenon::nn {

/// How much is pruned of what is not pruned yet: a share as a floating number, or how many.
/// Errors: ValueError for a share outside [0, 1] and for a negative number.
class PruneAmount {
 public:
  PruneAmount(std::floating_point auto share) : PruneAmount(static_cast<double>(share), -1) {}
  PruneAmount(std::integral auto count) : PruneAmount(0, static_cast<std::int64_t>(count)) { check_count(); }
  /// Errors: ValueError for more than there are.
  std::int64_t of(std::int64_t size) const;

 private:
  PruneAmount(double share, std::int64_t count);
  void check_count() const;
  double share_;
  std::int64_t count_;
};

namespace detail {

struct PruningMethod {
  enum class Kind : std::uint8_t { Identity, Random, L1, RandomStructured, LnStructured, Custom } kind;
  PruneAmount amount = 0;
  double n = 2;
  std::int64_t dim = -1;
  Tensor mask = {};
};
/// The mask after a method was applied to what `before` leaves; `scores` say what matters least.
Tensor mask_by(const PruningMethod& how, const Tensor& scores, const Tensor& before);
Tensor masked(const Tensor& orig, const Tensor& mask);
Tensor all_kept(const Tensor& t);
[[noreturn]] void not_pruned(std::string_view name);

/// A tensor of a layer, and which of its elements are not zero.
struct Masked {
  std::string name;
  Parameter orig;
  Buffer mask;
};

}  // namespace detail

/// A layer that can be pruned, in the place of the layer: `nn::Pruned<nn::Linear> head = nn::Linear{64, 10};`, then
/// `nn::utils::prune::l1_unstructured(head, "weight", 0.3)`. Each call multiplies the tensors that are pruned by their
/// masks. State names are PyTorch's: `weight_orig` is trained, the buffer `weight_mask` has a 0 for what is pruned.
/// Aliasing: a copy shares the tensors. Cost: a pass over the pruned tensors in each call.
template <class M>
class Pruned {
 public:
  Pruned(M layer) : layer_(std::move(layer)) {}
  template <class... X>
  auto operator()(const X&... x) const {
    Calling call(this);
    M now = layer();
    return call(detail::run(now, x...));
  }
  /// The layer as it computes now.
  M layer() const {
    M now = layer_;
    for (const detail::Masked& part : parts_)
      detail::tensor_called(now, part.name) = detail::masked(part.orig, part.mask);
    return now;
  }
  bool is_pruned() const { return !parts_.empty(); }
  /// The tensor of that name as it computes now, and its mask. Errors: ValueError if there is none.
  Tensor value(std::string_view name) const {
    const detail::Masked* part = find(name);
    return part ? detail::masked(part->orig, part->mask) : detail::tensor_called(layer_, name);
  }
  Tensor mask(std::string_view name) const {
    const detail::Masked* part = find(name);
    return part ? Tensor(part->mask) : detail::all_kept(value(name));
  }
  /// Prunes what is not pruned yet of a tensor; without scores its own values count.
  void prune(std::string_view name, const detail::PruningMethod& how, const Tensor& importance_scores = {}) {
    Tensor now = value(name);
    Tensor mask = detail::mask_by(how, importance_scores.defined() ? importance_scores : now, this->mask(name));
    for (detail::Masked& part : parts_)
      if (part.name == name) {
        part.mask = mask;
        return;
      }
    parts_.push_back({std::string(name), Parameter(now), Buffer(mask)});
    detail::tensor_called(layer_, name) = Tensor();
  }
  /// Makes the zeros of a tensor permanent: it is the layer's own parameter again, without a mask.
  /// Errors: ValueError if it is not pruned.
  void remove(std::string_view name) {
    for (std::size_t i = 0; i < parts_.size(); ++i)
      if (parts_[i].name == name) {
        detail::tensor_called(layer_, name) = detail::leaf_like(parts_[i].orig, value(name));
        parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i));
        return;
      }
    detail::not_pruned(name);
  }
  detail::Described tenon_describe() const {
    NoGradGuard no_grad;
    return detail::describe(layer());
  }
  template <class This, class F>
  static void tenon_walk(This& self, const std::string& path, F& visit) {
    visit(path, self);
    detail::descend(self.layer_, path, visit);
    for (auto& part : self.parts_) visit(detail::join(path, part.name + "_orig"), part.orig);
    for (auto& part : self.parts_) visit(detail::join(path, part.name + "_mask"), part.mask);
    if constexpr (detail::hears_of_ends<This, F>) visit.leave(path, self);
  }

 private:
  const detail::Masked* find(std::string_view name) const {
    for (const detail::Masked& part : parts_)
      if (part.name == name) return &part;
    return nullptr;
  }
  M layer_;
  std::vector<detail::Masked> parts_;
};

namespace utils::prune {

/// A mask that prunes nothing.
template <class M>
Pruned<M>& identity(Pruned<M>& layer, std::string_view name) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::Identity});
  return layer;
}
/// Elements at random.
template <class M>
Pruned<M>& random_unstructured(Pruned<M>& layer, std::string_view name, PruneAmount amount) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::Random, amount});
  return layer;
}
/// The elements of the smallest absolute values, or scores.
template <class M>
Pruned<M>& l1_unstructured(Pruned<M>& layer, std::string_view name, PruneAmount amount,
                           const Tensor& importance_scores = {}) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::L1, amount}, importance_scores);
  return layer;
}
/// Whole slices along `dim`, at random. Errors: ValueError below two dimensions, IndexError for another `dim`.
template <class M>
Pruned<M>& random_structured(Pruned<M>& layer, std::string_view name, PruneAmount amount, std::int64_t dim) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::RandomStructured, amount, 2, dim});
  return layer;
}
/// The slices along `dim` of the smallest n-norm.
template <class M>
Pruned<M>& ln_structured(Pruned<M>& layer, std::string_view name, PruneAmount amount, double n, std::int64_t dim,
                         const Tensor& importance_scores = {}) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::LnStructured, amount, n, dim}, importance_scores);
  return layer;
}
/// What a mask of the tensor's shape has zeros for.
template <class M>
Pruned<M>& custom_from_mask(Pruned<M>& layer, std::string_view name, const Tensor& mask) {
  layer.prune(name, {nn::detail::PruningMethod::Kind::Custom, 0, 2, -1, mask});
  return layer;
}
/// As `layer.remove(name)`.
template <class M>
Pruned<M>& remove(Pruned<M>& layer, std::string_view name) {
  layer.remove(name);
  return layer;
}
/// Whether a module has a pruned layer in it, or is one.
template <class Net>
bool is_pruned(const Net& module) {
  bool found = false;
  for_each_module(module, [&](const std::string&, const auto& m) {
    if constexpr (requires { m.is_pruned(); }) found = found || m.is_pruned();
  });
  return found;
}

/// A tensor of a layer that is pruned together with others.
struct Target {
  template <class M>
  Target(Pruned<M>& layer, const std::string& name)
      : value(layer.value(name)),
        mask(layer.mask(name)),
        set_mask([&layer, name](const Tensor& m) { custom_from_mask(layer, name, m); }) {}
  Tensor value, mask;
  std::function<void(const Tensor&)> set_mask;
};
enum class Unstructured : std::uint8_t { L1, Random };
/// The least of the elements of several layers' tensors, as if these were one: `global_unstructured({{net.a, "weight"},
/// {net.b, "weight"}}, Unstructured::L1, 0.2)`.
void global_unstructured(const std::vector<Target>& targets, Unstructured method, PruneAmount amount);

}  // namespace utils::prune
}  // namespace tenon::nn
