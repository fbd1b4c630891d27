// Ways of pruning as objects: the classes of torch.nn.utils.prune, and the place of one's own.
#pragma once
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/nn/dynamic/prune.hpp>

namespace tenon::nn::utils::prune {

/// A way of pruning: `struct Half : BasePruningMethod { Tensor compute_mask(..) const override .. };`, then
/// `prune::apply(layer, "weight", Half{})`. Source: torch.nn.utils.prune.BasePruningMethod of PyTorch 2.15.
class BasePruningMethod {
 public:
  virtual ~BasePruningMethod() = default;
  /// A tensor of zeros, for what is pruned, and ones, of the shape of both arguments: `scores`, by which it is decided,
  /// and `default_mask`, which has zeros for what is pruned already. Those stay pruned whatever it gives for them.
  virtual Tensor compute_mask(const Tensor& scores, const Tensor& default_mask) const = 0;
  /// A tensor with its pruned elements 0, without a layer. Aliasing: the result is fresh memory.
  /// Errors: ValueError for scores or a mask of another shape.
  Tensor prune(const Tensor& t, const Tensor& default_mask = {}, const Tensor& importance_scores = {}) const;
};

namespace detail {
/// The mask of both together. Errors: ValueError for another shape.
Tensor mask_of(const BasePruningMethod& method, const Tensor& scores, const Tensor& default_mask);
/// What the functions of this namespace do.
class KnownMethod : public BasePruningMethod {
 public:
  Tensor compute_mask(const Tensor& scores, const Tensor& default_mask) const override {
    return nn::detail::mask_by(how_, scores, default_mask);
  }

 protected:
  using Kind = nn::detail::PruningMethod::Kind;
  explicit KnownMethod(nn::detail::PruningMethod how) : how_(std::move(how)) {}

 private:
  nn::detail::PruningMethod how_;
};
}  // namespace detail

/// As identity().
class Identity : public detail::KnownMethod {
 public:
  Identity() : KnownMethod({Kind::Identity}) {}
};
/// As random_unstructured().
class RandomUnstructured : public detail::KnownMethod {
 public:
  explicit RandomUnstructured(PruneAmount amount) : KnownMethod({Kind::Random, amount}) {}
};
/// As l1_unstructured().
class L1Unstructured : public detail::KnownMethod {
 public:
  explicit L1Unstructured(PruneAmount amount) : KnownMethod({Kind::L1, amount}) {}
};
/// As random_structured().
class RandomStructured : public detail::KnownMethod {
 public:
  explicit RandomStructured(PruneAmount amount, std::int64_t dim = -1)
      : KnownMethod({Kind::RandomStructured, amount, 2, dim}) {}
};
/// As ln_structured().
class LnStructured : public detail::KnownMethod {
 public:
  LnStructured(PruneAmount amount, double n, std::int64_t dim = -1)
      : KnownMethod({Kind::LnStructured, amount, n, dim}) {}
};
/// As custom_from_mask().
class CustomFromMask : public detail::KnownMethod {
 public:
  explicit CustomFromMask(const Tensor& mask) : KnownMethod({Kind::Custom, 0, 2, -1, mask}) {}
};

/// Ways of pruning one after another, each of what those before it left.
class PruningContainer : public BasePruningMethod {
 public:
  template <class Method>
  PruningContainer& add_pruning_method(Method method) {
    methods_.push_back(std::make_shared<Method>(std::move(method)));
    return *this;
  }
  Tensor compute_mask(const Tensor& scores, const Tensor& default_mask) const override;

 private:
  std::vector<std::shared_ptr<const BasePruningMethod>> methods_;
};

/// Prunes what is not pruned yet of a layer's tensor; without scores its own values count.
/// Errors: ValueError for scores or a mask of another shape, and without a tensor of that name.
template <class Layer>
Pruned<Layer>& apply(Pruned<Layer>& layer, std::string_view name, const BasePruningMethod& method,
                     const Tensor& importance_scores = {}) {
  const Tensor scores = importance_scores.defined() ? importance_scores : layer.value(name);
  return custom_from_mask(layer, name, detail::mask_of(method, scores, layer.mask(name)));
}

}  // namespace tenon::nn::utils::prune
