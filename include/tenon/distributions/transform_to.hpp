// Maps whose kind is known when the program runs: several side by side, and those onto a set.
#pragma once
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include <tenon/distributions/transforms.hpp>

namespace tenon::distributions {

namespace detail {
struct HeldMap {
  virtual ~HeldMap() = default;
  virtual Tensor call(const Tensor& x) const = 0;
  virtual Tensor inverse(const Tensor& y) const = 0;
  virtual Tensor jacobian(const Tensor& x, const Tensor& y) const = 0;
  virtual Tensor falling(const Tensor& probability) const = 0;
  virtual Constraint codomain() const = 0;
  virtual DimVector forward_shape(IntArrayRef shape) const = 0;
  virtual DimVector inverse_shape(IntArrayRef shape) const = 0;
  virtual bool bijective() const = 0;
};
[[noreturn]] void lacks(const char* what);
}  // namespace detail

/// Any map: what a function returns that chooses one. Copies share it. Errors of calls that the map lacks:
/// NotImplementedError.
class Transform {
 public:
  template <class T>
    requires(!std::same_as<T, Transform> && mapping<T>)
  Transform(T map)
      : domain_dim(map.domain_dim), codomain_dim(map.codomain_dim), held_(std::make_shared<Held<T>>(std::move(map))) {}

  Tensor operator()(const Tensor& x) const { return held_->call(x); }
  Tensor inverse(const Tensor& y) const { return held_->inverse(y); }
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const { return held_->jacobian(x, y); }
  Tensor falling(const Tensor& probability) const { return held_->falling(probability); }
  Constraint codomain() const { return held_->codomain(); }
  DimVector forward_shape(IntArrayRef shape) const { return held_->forward_shape(shape); }
  DimVector inverse_shape(IntArrayRef shape) const { return held_->inverse_shape(shape); }
  /// Whether it has an inverse, with a derivative.
  bool bijective() const { return held_->bijective(); }
  std::int64_t domain_dim, codomain_dim;

 private:
  template <class T>
  struct Held final : detail::HeldMap {
    explicit Held(T m) : map(std::move(m)) {}
    Tensor call(const Tensor& x) const override { return map(x); }
    Tensor inverse(const Tensor& y) const override { return map.inverse(y); }
    Tensor jacobian(const Tensor& x, const Tensor& y) const override {
      if constexpr (transform<T>)
        return map.log_abs_det_jacobian(x, y);
      else
        detail::lacks("log_abs_det_jacobian");
    }
    Tensor falling(const Tensor& probability) const override {
      if constexpr (transform<T> && requires { map.falling(probability); })
        return map.falling(probability);
      else
        detail::lacks("falling");
    }
    Constraint codomain() const override {
      if constexpr (requires { map.codomain(); })
        return map.codomain();
      else
        return constraints::independent(constraints::real(), map.codomain_dim);
    }
    DimVector forward_shape(IntArrayRef shape) const override { return detail::forward_shape(map, shape); }
    DimVector inverse_shape(IntArrayRef shape) const override { return detail::inverse_shape(map, shape); }
    bool bijective() const override {
      if constexpr (requires { map.bijective(); })
        return map.bijective();
      else
        return transform<T>;
    }
    T map;
  };
  std::shared_ptr<const detail::HeldMap> held_;
};

/// Maps side by side along `dim`, each of as many elements as `lengths` says, one by default: what cat() makes of their
/// results. `CatTransform{{ExpTransform{}, identity_transform}, -1, {2, 3}}`. Errors: ValueError for no maps, for other
/// than as many lengths, and for a tensor of another length there.
/// Source: torch.distributions.CatTransform of PyTorch 2.15.
class CatTransform {
 public:
  explicit CatTransform(std::vector<Transform> tseq, std::int64_t dim = 0, std::vector<std::int64_t> lengths = {});
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  /// Of a `dim` in an element the sum over the maps, else those side by side.
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const;
  Constraint codomain() const;
  bool bijective() const;
  std::int64_t domain_dim, codomain_dim;

 private:
  std::vector<Tensor> parts(const Tensor& t) const;
  std::vector<Transform> transforms_;
  std::int64_t dim_;
  std::vector<std::int64_t> lengths_;
};

/// One map for each index along `dim`, which is none of an element's dimensions: what stack() makes of their results.
/// Errors: ValueError for no maps, and for a tensor of another length there.
/// Source: torch.distributions.StackTransform of PyTorch 2.15.
class StackTransform {
 public:
  explicit StackTransform(std::vector<Transform> tseq, std::int64_t dim = 0);
  Tensor operator()(const Tensor& x) const;
  Tensor inverse(const Tensor& y) const;
  Tensor log_abs_det_jacobian(const Tensor& x, const Tensor& y) const;
  Constraint codomain() const;
  bool bijective() const;
  std::int64_t domain_dim, codomain_dim;

 private:
  std::vector<Tensor> parts(const Tensor& t) const;
  std::vector<Transform> transforms_;
  std::int64_t dim_;
};

/// A map from all numbers onto a set, one to one: what sampling by gradients needs. Errors: NotImplementedError for
/// sets of which there is none: integers, and matrices other than corr_cholesky().
/// Source: torch.distributions.biject_to of PyTorch 2.15.
Transform biject_to(const Constraint& constraint);
/// A map from all numbers onto a set, not always one to one: what optimizers need.
/// `transform_to(constraints::simplex())` is SoftmaxTransform. Errors: NotImplementedError for sets of which there is
/// none, integers say. Source: torch.distributions.transform_to of PyTorch 2.15.
Transform transform_to(const Constraint& constraint);

}  // namespace tenon::distributions
