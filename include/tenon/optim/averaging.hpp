// Averages of a model over its training: torch.optim.swa_utils. The schedule SWALR is in lr_schedules.hpp.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/shared_function.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/normalization.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::optim {

/// How an average takes in a new value: the mean of all values, a share `1 - decay` of each, or a function of one's
/// own.
class AveragingRule {
 public:
  /// `f(averaged, current, num_averaged)` returns the next average of a tensor, from detached ones and the number of
  /// models so far, which is at least 1: the first is copied. It runs with grad mode off.
  using EachFunction = SharedFunction<Tensor(const Tensor&, const Tensor&, std::int64_t)>;
  /// `f(averaged, current, num_averaged)` writes the next averages of all tensors into the first of two lists; else
  /// as above. It is `multi_avg_fn` of PyTorch.
  using ListFunction = SharedFunction<void(const std::vector<Tensor>&, const std::vector<Tensor>&, std::int64_t)>;

  template <class F>
    requires(std::is_invocable_r_v<Tensor, F&, const Tensor&, const Tensor&, std::int64_t>)
  AveragingRule(F f) : each_(std::move(f)) {}
  template <class F>
    requires(
        std::is_void_v<std::invoke_result_t<F&, const std::vector<Tensor>&, const std::vector<Tensor>&, std::int64_t>>)
  AveragingRule(F f) : lists_(std::move(f)) {}
  static AveragingRule mean() { return {}; }
  /// Errors: ValueError unless decay is in [0, 1].
  static AveragingRule exponential(double decay);
  /// What the difference between the value and the average, of `count` values so far, is multiplied by.
  double share(std::int64_t count) const { return decay_ ? 1 - *decay_ : 1 / static_cast<double>(count + 1); }
  bool is_function() const { return static_cast<bool>(each_); }
  Tensor operator()(const Tensor& averaged, const Tensor& current, std::int64_t count) const {
    return each_(averaged, current, count);
  }
  bool is_function_of_lists() const { return static_cast<bool>(lists_); }
  void operator()(const std::vector<Tensor>& averaged, const std::vector<Tensor>& current, std::int64_t count) const {
    lists_(averaged, current, count);
  }

 private:
  AveragingRule() = default;
  std::optional<double> decay_;
  EachFunction each_;
  ListFunction lists_;
};
inline AveragingRule get_ema_avg_fn(double decay = 0.999) { return AveragingRule::exponential(decay); }
inline AveragingRule get_swa_avg_fn() { return AveragingRule::mean(); }
/// The same rules: one pass over all tensors is how both are computed.
/// Source: torch.optim.swa_utils of PyTorch 2.15.
inline AveragingRule get_ema_multi_avg_fn(double decay = 0.999) { return AveragingRule::exponential(decay); }
inline AveragingRule get_swa_multi_avg_fn() { return AveragingRule::mean(); }

namespace detail {

/// A tensor of a model, and whether it is a buffer.
using AveragedTensors = std::vector<std::pair<Tensor, bool>>;
template <class Net>
AveragedTensors averaged_tensors(const Net& model) {
  AveragedTensors out;
  auto visit = [&]<class T>(const std::string&, const T& t) {
    if (t.defined()) out.emplace_back(t, std::is_same_v<T, nn::Buffer>);
  };
  nn::detail::walk(model, {}, visit);
  return out;
}
void average(const AveragedTensors& into, const AveragedTensors& from, const AveragingRule& rule, std::int64_t count,
             bool use_buffers);
/// The number of models that were averaged.
void set_model_count(const Tensor& n_averaged, std::int64_t count);
/// Makes the running statistics those of no batch yet.
void reset_statistics(const Tensor& mean, const Tensor& var, const Tensor& count);

template <class Net>
inline constexpr bool is_instance_norm = false;
template <std::size_t Rank>
inline constexpr bool is_instance_norm<nn::InstanceNorm<Rank>> = true;
/// Calls `f` for a layer that keeps statistics of batches, behind an erased module too. Those of instances are not
/// computed anew, as in PyTorch.
template <class Net, class F>
void with_statistics(Net& m, F&& f) {
  if constexpr (is_instance_norm<Net>) {
  } else if constexpr (requires { m.running_mean, m.num_batches_tracked, m.momentum; }) {
    f(m);
  } else if constexpr (requires { m.template as<nn::BatchNorm1d>(); }) {
    if (auto* one = m.template as<nn::BatchNorm1d>()) f(*one);
    if (auto* two = m.template as<nn::BatchNorm2d>()) f(*two);
    if (auto* three = m.template as<nn::BatchNorm3d>()) f(*three);
  }
}

}  // namespace detail

/// A model whose parameters are the average of those that another model had: `AveragedModel ema(model,
/// get_ema_avg_fn(0.999))`, then `ema.update_parameters(model)` after each step. Buffers are the model's last ones, or
/// with `use_buffers` averages as well. It is called as the model is; state names are PyTorch's.
template <class Net>
struct AveragedModel {
  nn::Buffer n_averaged;
  Net module;

  explicit AveragedModel(const Net& model, AveragingRule rule = AveragingRule::mean(), bool use_buffers = false)
      : n_averaged(make_tensor({}, {}, kLong)),
        module(nn::clone(model)),
        rule_(std::move(rule)),
        use_buffers_(use_buffers) {
    *static_cast<std::int64_t*>(n_averaged.data_ptr()) = 0;
  }
  template <class... X>
  decltype(auto) operator()(const X&... x) const {
    return nn::detail::run(module, x...);
  }
  /// Takes in the parameters that `model` has now. Errors: ValueError if it has other tensors.
  void update_parameters(const Net& model) {
    auto count = n_averaged.item<std::int64_t>();  // goes where the module goes
    detail::average(detail::averaged_tensors(module), detail::averaged_tensors(model), rule_, count, use_buffers_);
    detail::set_model_count(n_averaged, count + 1);
  }
  TENON_FIELDS(n_averaged, module)

 private:
  AveragingRule rule_;
  bool use_buffers_;
};

/// Computes the running statistics of batch norms anew, as means over the batches of `loader`: tensors, or pairs and
/// tuples whose first part is the input. Modes and momenta are what they were afterwards.
template <class Loader, class Net>
void update_bn(Loader&& loader, Net& model) {
  std::vector<std::optional<double>> momenta;
  std::vector<char> modes;
  auto each_norm = [&](auto f) {
    nn::for_each_module(model, [&](const std::string&, auto& m) { detail::with_statistics(m, f); });
  };
  each_norm([&](auto& norm) {
    if (norm.running_mean.defined())
      detail::reset_statistics(norm.running_mean, norm.running_var, norm.num_batches_tracked);
    momenta.push_back(std::exchange(norm.momentum, std::nullopt));
  });
  if (momenta.empty()) return;
  auto each_mode = [&](auto f) {
    nn::for_each_module(model, [&](const std::string&, auto& m) {
      if constexpr (requires { m.training = true; }) f(m);
    });
  };
  each_mode([&](auto& m) {
    modes.push_back(m.training ? 1 : 0);
    m.training = true;
  });
  {
    NoGradGuard no_grad;
    for (const auto& batch : loader)
      if constexpr (requires { std::get<0>(batch); })
        nn::detail::run(model, std::get<0>(batch));
      else
        nn::detail::run(model, batch);
  }
  std::size_t at = 0;
  each_mode([&](auto& m) { m.training = modes[at++] != 0; });
  at = 0;
  each_norm([&](auto& norm) { norm.momentum = momenta[at++]; });
}

}  // namespace tenon::optim
