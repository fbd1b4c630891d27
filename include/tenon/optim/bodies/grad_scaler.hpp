// Scales of losses and what becomes of gradients that are not finite.
#pragma once
#include <algorithm>
#include <cmath>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/loss_scale.hpp>
#include <tenon/optim/grad_scaler.hpp>

namespace tenon::optim {

TENON_COLD_BODY GradScaler::GradScaler(GradScalerOptions options) : options_(options) {
  if (!options.enabled) return;
  TENON_CHECK(options.growth_factor > 1, ValueError,
              "GradScaler: option 'growth_factor': expected a number above 1, got ", options.growth_factor);
  TENON_CHECK(options.backoff_factor < 1, ValueError,
              "GradScaler: option 'backoff_factor': expected a number below 1, got ", options.backoff_factor);
}

TENON_COLD_BODY Tensor GradScaler::scale(const Tensor& outputs) {
  if (!options_.enabled) return outputs;
  if (!scale_.defined()) {
    NoGradGuard no_grad;
    scale_ = ops::full(IntArrayRef(), options_.init_scale, "dtype"_a = kFloat, "device"_a = outputs.device());
    growth_tracker_ = ops::full(IntArrayRef(), init_growth_tracker_, "dtype"_a = kInt, "device"_a = outputs.device());
  }
  return ops::mul(outputs, ops::to(scale_, outputs.device()));
}
TENON_COLD_BODY std::vector<Tensor> GradScaler::scale(const std::vector<Tensor>& outputs) {
  std::vector<Tensor> scaled;
  for (const Tensor& t : outputs) scaled.push_back(scale(t));
  return scaled;
}

TENON_COLD_BODY GradScaler::PerOptimizer& GradScaler::state_of(const Optimizer& optimizer) {
  for (PerOptimizer& known : optimizers_)
    if (known.optimizer == &optimizer) return known;
  return optimizers_.emplace_back(PerOptimizer{&optimizer});
}
TENON_COLD_BODY void GradScaler::check_scaled(const char* function) const {
  TENON_CHECK(scale_.defined(), ValueError, "GradScaler: ", function,
              " was called before scale(); scale the loss first");
}

TENON_COLD_BODY void GradScaler::unscale(PerOptimizer& of) {
  NoGradGuard no_grad;
  struct OfDevice {
    Device device;
    std::vector<Tensor> grads;
  };
  std::vector<OfDevice> devices;
  const std::vector<Tensor>& parameters = of.optimizer->parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    const Tensor grad = detail::gradient_of(parameters[i]);
    if (!grad.defined()) continue;
    TENON_CHECK(grad.dtype() != kHalf, ValueError, "GradScaler: the gradient of parameter ", i,
                " is float16, which loses what unscaling divides by; expected parameters in float32");
    auto at = std::find_if(devices.begin(), devices.end(), [&](const auto& d) { return d.device == grad.device(); });
    if (at == devices.end()) at = devices.insert(at, {grad.device(), {}});
    at->grads.push_back(grad);
  }
  const Tensor inverse = ops::to(ops::reciprocal(ops::to(scale_, kDouble)), kFloat);
  for (const auto& [device, grads] : devices) {
    Tensor found_inf = ops::zeros(IntArrayRef(), "dtype"_a = kFloat, "device"_a = device);
    ops::_amp_foreach_non_finite_check_and_unscale_(grads, found_inf, ops::to(inverse, device));
    of.found_infs.push_back(found_inf);
  }
  of.stage = Stage::Unscaled;
}
TENON_COLD_BODY void GradScaler::unscale_(const Optimizer& optimizer) {
  if (!options_.enabled) return;
  check_scaled("unscale_()");
  PerOptimizer& of = state_of(optimizer);
  TENON_CHECK(of.stage != Stage::Unscaled, ValueError,
              "GradScaler: unscale_() has already been called on this optimizer since the last update()");
  TENON_CHECK(of.stage != Stage::Stepped, ValueError, "GradScaler: unscale_() is being called after step()");
  unscale(of);
}

TENON_COLD_BODY bool GradScaler::step(Optimizer& optimizer) {
  if (!options_.enabled) {
    optimizer.step();
    return true;
  }
  check_scaled("step()");
  PerOptimizer& of = state_of(optimizer);
  TENON_CHECK(of.stage != Stage::Stepped, ValueError,
              "GradScaler: step() has already been called since the last update()");
  if (of.stage == Stage::Ready) unscale(of);
  TENON_CHECK(!of.found_infs.empty(), ValueError,
              "GradScaler: step(): no parameter of the optimizer has a gradient; call backward() first");
  const bool finite = std::all_of(of.found_infs.begin(), of.found_infs.end(),
                                  [](const Tensor& found) { return found.item<float>() == 0; });
  of.stage = Stage::Stepped;
  if (finite) optimizer.step();
  return finite;
}

TENON_COLD_BODY void GradScaler::update() {
  if (!options_.enabled) return;
  check_scaled("update()");
  NoGradGuard no_grad;
  Tensor any;
  for (const PerOptimizer& of : optimizers_)
    for (const Tensor& found : of.found_infs) {
      const Tensor here = ops::to(found, scale_.device());
      any = any.defined() ? ops::add(any, here) : here;
    }
  TENON_CHECK(any.defined(), ValueError, "GradScaler: update(): no gradients were unscaled since the last update()");
  ops::_amp_update_scale_(scale_, growth_tracker_, any, options_.growth_factor, options_.backoff_factor,
                          options_.growth_interval);
  optimizers_.clear();
}
TENON_COLD_BODY void GradScaler::update(double new_scale) {
  if (!options_.enabled) return;
  check_scaled("update()");
  ops::fill_(scale_, new_scale);
  optimizers_.clear();
}

TENON_COLD_BODY double GradScaler::get_scale() const {
  if (!options_.enabled) return 1;
  return scale_.defined() ? static_cast<double>(scale_.item<float>()) : options_.init_scale;
}
TENON_COLD_BODY nn::NamedTensors GradScaler::state() const {
  if (!options_.enabled) return {};
  const std::int64_t tracker = growth_tracker_.defined() ? growth_tracker_.item<std::int32_t>() : init_growth_tracker_;
  return {{"scale", detail::as_tensor(get_scale())},
          {"growth_factor", detail::as_tensor(options_.growth_factor)},
          {"backoff_factor", detail::as_tensor(options_.backoff_factor)},
          {"growth_interval", detail::as_tensor(options_.growth_interval)},
          {"_growth_tracker", detail::as_tensor(tracker)}};
}
TENON_COLD_BODY void GradScaler::load_state(const nn::NamedTensors& state) {
  if (!options_.enabled) return;
  auto take = [&](const char* name, auto& to) {
    const Tensor* found = nn::detail::find_tensor(state, name);
    TENON_CHECK(found, ValueError, "GradScaler: load_state(): the state has no '", name, "'");
    detail::from_tensor(*found, to);
  };
  GradScalerOptions loaded = options_;
  std::int64_t tracker = 0;
  take("scale", loaded.init_scale);
  take("growth_factor", loaded.growth_factor);
  take("backoff_factor", loaded.backoff_factor);
  take("growth_interval", loaded.growth_interval);
  take("_growth_tracker", tracker);
  options_ = loaded;
  init_growth_tracker_ = tracker;
  if (!scale_.defined()) return;
  ops::fill_(scale_, loaded.init_scale);
  ops::fill_(growth_tracker_, tracker);
}

}  // namespace tenon::optim
