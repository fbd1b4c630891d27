// Scaling of losses, so that gradients in float16 do not vanish.
#pragma once
#include <cstdint>
#include <vector>

#include <tenon/optim/optimizer.hpp>

namespace tenon::optim {

struct GradScalerOptions {
  double init_scale = 65536;
  double growth_factor = 2;     ///< of the scale after `growth_interval` steps without an infinity
  double backoff_factor = 0.5;  ///< of the scale after a step that was left out
  std::int64_t growth_interval = 2000;
  bool enabled = true;  ///< without it losses and gradients pass as they are, and each step is taken
};

/// Multiplies losses by a scale, divides the gradients by it, and leaves out steps with infinite ones:
/// `scaler.scale(loss).backward(); scaler.step(optimizer); scaler.update();`. The scale shrinks after a step that was
/// left out and grows from time to time. It lives where the first loss does; gradients may be on several devices.
/// Several optimisers may share one scaler; update() comes after the last of them.
/// Errors: ValueError for a growth factor of at most 1 or a backoff factor of at least 1.
/// Source: torch.amp.GradScaler of PyTorch 2.15.
class GradScaler {
 public:
  explicit GradScaler(GradScalerOptions options = {});

  /// `outputs` times the scale, an operator of the graph.
  Tensor scale(const Tensor& outputs);
  std::vector<Tensor> scale(const std::vector<Tensor>& outputs);
  /// Divides the gradients of the optimiser's parameters by the scale, in place and unrecorded, and notes whether one
  /// is not finite; for what works on true gradients before step(), such as clip_grad_norm_().
  /// Errors: ValueError before the first scale(), for a second time since update(), after step(), and for a gradient in
  /// float16, which is for parameters in float16: keep these in float32.
  void unscale_(const Optimizer& optimizer);
  /// unscale_() unless that was called; then the optimiser's step if all gradients are finite. Returns whether it
  /// stepped. Cost: the flag comes to the host. Errors: as unscale_(); ValueError if no parameter has a gradient.
  bool step(Optimizer& optimizer);
  /// Adapts the scale to what the steps since the last call found. Errors: ValueError if there were none.
  void update();
  /// Sets the scale. Errors: ValueError before the first scale().
  void update(double new_scale);

  /// The scale; 1 if not enabled. Cost: the number comes to the host.
  double get_scale() const;
  double get_growth_factor() const { return options_.growth_factor; }
  void set_growth_factor(double factor) { options_.growth_factor = factor; }
  double get_backoff_factor() const { return options_.backoff_factor; }
  void set_backoff_factor(double factor) { options_.backoff_factor = factor; }
  std::int64_t get_growth_interval() const { return options_.growth_interval; }
  void set_growth_interval(std::int64_t interval) { options_.growth_interval = interval; }
  bool is_enabled() const { return options_.enabled; }

  /// Numbers by PyTorch's names; none if not enabled. To be called after update().
  nn::NamedTensors state() const;
  /// Does nothing if not enabled. Errors: ValueError for a name that is missing and a value that does not fit; then
  /// nothing has changed.
  void load_state(const nn::NamedTensors& state);

 private:
  enum class Stage : std::uint8_t { Ready, Unscaled, Stepped };
  struct PerOptimizer {
    const Optimizer* optimizer;
    Stage stage = Stage::Ready;
    std::vector<Tensor> found_infs = {};  // one per device
  };
  PerOptimizer& state_of(const Optimizer& optimizer);
  void check_scaled(const char* function) const;
  void unscale(PerOptimizer& of);

  GradScalerOptions options_;
  std::int64_t init_growth_tracker_ = 0;
  Tensor scale_, growth_tracker_;  // undefined before the first scale()
  std::vector<PerOptimizer> optimizers_;
};

}  // namespace tenon::optim
