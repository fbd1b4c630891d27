// Checkpointing: places for what is saved, filled by a second run.
#pragma once
#include <optional>
#include <utility>

#include <tenon/autograd/detail/written.hpp>
#include <tenon/autograd/graph/callback.hpp>
#include <tenon/autograd/graph/checkpoint.hpp>
#include <tenon/base/body.hpp>
#include <tenon/base/device_random.hpp>
#include <tenon/keys/autocast_state.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::autograd::detail {

/// The states of the CPU's generator and of those of the devices that tensors are on, to draw the same again.
class KeptGenerators {
 public:
  explicit KeptGenerators(const std::vector<Tensor>& inputs) {
    copy_to(state_);
    if (&tenon_cuda_random)
      for (const Tensor& t : inputs)
        if (t.defined() && t.device().type == DeviceType::CUDA) keep(t.device().index);
  }
  /// Gives the generators these states and keeps those they had.
  void swap() {
    GeneratorImpl now;
    copy_to(now);
    {
      GeneratorImpl& generator = *default_generator().operator->();
      std::lock_guard lock(generator.mutex);
      generator.set_state(state_);
    }
    state_.set_state(now);
    for (auto& [device, state] : devices_) {
      cuda::RngState had = tenon_cuda_random.get(device);
      tenon_cuda_random.set(device, std::exchange(state, had));
    }
  }

 private:
  void keep(std::int8_t device) {
    for (const auto& [kept, state] : devices_)
      if (kept == device) return;
    devices_.emplace_back(device, tenon_cuda_random.get(device));
  }
  static void copy_to(GeneratorImpl& state) {
    GeneratorImpl& generator = *default_generator().operator->();
    std::lock_guard lock(generator.mutex);
    state.set_state(generator);
  }
  GeneratorImpl state_;
  std::vector<std::pair<std::int8_t, cuda::RngState>> devices_;
};

struct Checkpoint : RefCounted {
  /// Thrown through the function when all is there that its first run saved: no error, so of no family of errors.
  struct AllFound {
    const Checkpoint* of;
  };
  struct Kept {
    DimVector sizes;
    ScalarType dtype;
  };
  struct Input {
    Tensor tensor;
    std::uint32_t version;  // that it had
    std::size_t place;      // among all tensors of the inputs
  };
  std::function<void()> again;
  std::shared_ptr<bool> ended;  // is the first run, which keeps more until then
  std::vector<Input> inputs;
  CheckpointOptions options;
  std::optional<KeptGenerators> generators;
  AutocastState autocast;
  std::mutex mutex;  // several threads may need what is saved here
  std::vector<Kept> kept;
  std::uint64_t run = 0;  // of the engine, for which `computed` is
  std::vector<Tensor> computed;

  void check_inputs() const {
    for (const Input& input : inputs)
      if (input.tensor.version() != input.version)
        report_written_since(input.tensor, input.version,
                             concat(", tensor ", input.place, " of the inputs of checkpoint(),"), "");
  }

  void compute() {
    check_inputs();
    computed.clear();
    std::vector<Tensor> found;
    auto pair = make_intrusive<SavedHookPair>();
    pair->pack = [this, &found](const Tensor& t) {
      auto all_found = [&] { return options.early_stop && found.size() == kept.size(); };
      if (all_found()) return std::any(make_alias(t));  // a function that goes on though it was stopped
      std::any value(found.emplace_back(make_alias(t)));
      if (all_found()) throw AllFound{this};
      return value;
    };
    // The second run's own graph is thrown away; only gradients that the function asks for itself need it.
    pair->unpack = [](const std::any& value) { return *std::any_cast<Tensor>(&value); };
    if (generators) generators->swap();
    autocast.swap();
    struct Restore {
      Checkpoint& of;
      ~Restore() {
        of.autocast.swap();
        if (of.generators) of.generators->swap();
      }
    } restore{*this};
    try {
      EnableGradGuard grad;
      SavedTensorHooks hooks(pair);
      again();
    } catch (const AllFound& stop) {
      if (stop.of != this) throw;
    }
    if (options.check_determinism) {
      if (found.size() < kept.size() || (*ended && found.size() > kept.size()))
        fail<AutogradError>(
            "checkpoint(): A different number of tensors was saved during the original forward and "
            "recomputation. Number of tensors saved during forward: ",
            kept.size(), ". Number of tensors saved during recomputation: ", found.size());
      for (std::size_t i = 0; i < kept.size(); ++i)
        if (found[i].sizes() != IntArrayRef(kept[i].sizes) || found[i].dtype() != kept[i].dtype)
          fail<AutogradError>(
              "checkpoint(): Recomputed values for the following tensors have different metadata than "
              "during the forward pass: tensor at position ",
              i, ": saved ", IntArrayRef(kept[i].sizes), " ", kept[i].dtype, ", recomputed ", found[i].sizes(), " ",
              found[i].dtype());
    }
    computed = std::move(found);
  }

  Tensor get(std::size_t place) {
    std::lock_guard lock(mutex);
    std::uint64_t now = current_run_number();
    if (now == 0 || now != run || place >= computed.size() || !computed[place].defined()) {
      compute();
      run = now;
    }
    if (place >= computed.size())
      fail<AutogradError>("checkpoint(): the second run saved fewer tensors than the first");
    return std::exchange(computed[place], Tensor());
  }
};

TENON_BODY intrusive_ptr<SavedHookPair> checkpoint_hooks(std::function<void()> again, std::vector<Tensor> inputs,
                                                         const CheckpointOptions& options,
                                                         std::shared_ptr<bool> ended) {
  auto frame = make_intrusive<Checkpoint>();
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const Tensor& t = inputs[i];
    if (!t.storage()) continue;
    // Nobody counts the writes of an inference tensor.
    if (!t->is_inference())
      frame->inputs.push_back({t, t.version(), i});
    else if (is_grad_enabled())
      SavedTensor::report_inference();
  }
  frame->again = std::move(again);
  frame->ended = std::move(ended);
  frame->options = options;
  if (options.preserve_rng_state) frame->generators.emplace(inputs);
  auto pair = make_intrusive<SavedHookPair>();
  pair->pack = [frame](const Tensor& t) {
    frame->kept.push_back({DimVector(t.sizes()), t.dtype()});
    return std::any(frame->kept.size() - 1);
  };
  pair->unpack = [frame](const std::any& value) { return frame->get(*std::any_cast<std::size_t>(&value)); };
  return pair;
}

TENON_COLD_BODY void check_segments(std::size_t functions, std::int64_t segments) {
  TENON_CHECK(segments > 0 && static_cast<std::size_t>(segments) <= functions, ValueError,
              "checkpoint_sequential: expected between 1 and ", functions, " segments, got ", segments);
}

}  // namespace tenon::autograd::detail
