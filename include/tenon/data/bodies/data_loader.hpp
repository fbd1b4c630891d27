// Positions of loaders, and their state by name.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/data_loader.hpp>
#include <tenon/ops/size.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data::detail {

TENON_BODY std::unique_ptr<Batching> LoaderBase::default_batching(std::int64_t samples,
                                                                  const DataLoaderOptions& options) {
  if (options.shuffle)
    return std::make_unique<CutBatching<RandomSampler>>(RandomSampler(samples), options.batch_size, options.drop_last);
  return std::make_unique<CutBatching<SequentialSampler>>(SequentialSampler(samples), options.batch_size,
                                                          options.drop_last);
}
TENON_BODY LoaderBase::LoaderBase(std::int64_t samples, const DataLoaderOptions& options,
                                  std::unique_ptr<Batching> batching)
    : samples_(samples), options_(options), batching_(std::move(batching)) {
  TENON_CHECK(options.num_workers >= 0, ValueError,
              "DataLoader: num_workers option should be non-negative; use num_workers=0 to disable threads, got ",
              options.num_workers);
  TENON_CHECK(options.prefetch_factor >= 1, ValueError, "DataLoader: expected a prefetch_factor of at least 1, got ",
              options.prefetch_factor);
}
TENON_BODY LoaderPosition LoaderBase::start() {
  if (!std::exchange(resumes_, false) && position_.batch > 0) position_ = {position_.epoch + 1, 0};
  return position_;
}
TENON_BODY std::int64_t LoaderBase::slots() const {
  return options_.num_workers == 0 ? 1 : options_.num_workers * options_.prefetch_factor;
}
TENON_BODY void LoaderBase::set_epoch(std::int64_t epoch) {
  TENON_CHECK(epoch >= 0, ValueError, "DataLoader: expected an epoch of at least 0, got ", epoch);
  position_ = {epoch, 0};
}

TENON_BODY nn::NamedTensors LoaderBase::state() const {
  nn::NamedTensors found;
  auto add = [&](const char* name, std::int64_t value) { found.emplace_back(name, scalar_tensor(value, kLong)); };
  add("seed", static_cast<std::int64_t>(options_.seed));
  add("epoch", position_.epoch);
  add("batch", position_.batch);
  add("batches", size());
  add("samples", samples_);
  return found;
}
TENON_BODY void LoaderBase::load_state(const nn::NamedTensors& state) {
  std::int64_t seed = 0, batches = 0, samples = 0;
  LoaderPosition position;
  std::pair<const char*, std::int64_t*> wanted[] = {{"seed", &seed},
                                                    {"epoch", &position.epoch},
                                                    {"batch", &position.batch},
                                                    {"batches", &batches},
                                                    {"samples", &samples}};
  for (auto [name, to] : wanted) {
    const Tensor* found = nullptr;
    for (const auto& [given, t] : state)
      if (given == name) found = &t;
    TENON_CHECK(found && found->defined() && found->dtype() == kLong && found->numel() == 1, ValueError,
                "load_state(): expected one int64 named '", name, "' for a DataLoader");
    *to = found->item<std::int64_t>();
  }
  TENON_CHECK(samples == samples_, ValueError, "load_state(): the saved loader has ", samples, " samples, this one ",
              samples_);
  TENON_CHECK(batches == size(), ValueError, "load_state(): the saved loader has ", batches,
              " batches an epoch, this one ", size());
  TENON_CHECK(position.epoch >= 0 && position.batch >= 0 && position.batch <= batches, ValueError,
              "load_state(): batch ", position.batch, " of epoch ", position.epoch, " is no place in ", batches,
              " batches");
  options_.seed = static_cast<std::uint64_t>(seed);
  position_ = position;
  resumes_ = true;
}

}  // namespace tenon::data::detail
