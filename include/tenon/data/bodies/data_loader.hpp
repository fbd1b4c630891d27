// Positions of loaders, and their state by name.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/data_loader.hpp>
#include <tenon/ops/size.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data::detail {

TENON_BODY LoaderBase::LoaderBase(const DataLoaderOptions& options) : options_(options) {
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
TENON_BODY void LoaderBase::resume(std::uint64_t seed, const LoaderPosition& position) {
  options_.seed = seed;
  position_ = position;
  resumes_ = true;
}
TENON_BODY nn::NamedTensors LoaderBase::state_with(
    std::initializer_list<std::pair<const char*, std::int64_t>> more) const {
  nn::NamedTensors found;
  auto add = [&](const char* name, std::int64_t value) { found.emplace_back(name, scalar_tensor(value, kLong)); };
  add("seed", static_cast<std::int64_t>(options_.seed));
  add("epoch", position_.epoch);
  add("batch", position_.batch);
  for (auto [name, value] : more) add(name, value);
  return found;
}
TENON_BODY void LoaderBase::take_numbers(const nn::NamedTensors& state, std::initializer_list<Number> wanted) {
  for (auto [name, to] : wanted) {
    const Tensor* found = nn::detail::find_tensor(state, name);
    TENON_CHECK(found && found->defined() && found->dtype() == kLong && found->numel() == 1, ValueError,
                "load_state(): expected one int64 named '", name, "' for a DataLoader");
    *to = found->item<std::int64_t>();
  }
}

TENON_BODY std::unique_ptr<Batching> SizedLoaderBase::default_batching(std::int64_t samples,
                                                                       const DataLoaderOptions& options) {
  if (options.shuffle)
    return std::make_unique<CutBatching<RandomSampler>>(RandomSampler(samples), options.batch_size, options.drop_last);
  return std::make_unique<CutBatching<SequentialSampler>>(SequentialSampler(samples), options.batch_size,
                                                          options.drop_last);
}
TENON_BODY SizedLoaderBase::SizedLoaderBase(std::int64_t samples, const DataLoaderOptions& options,
                                            std::unique_ptr<Batching> batching)
    : LoaderBase(options), samples_(samples), batching_(std::move(batching)) {}

TENON_BODY nn::NamedTensors SizedLoaderBase::state() const {
  return state_with({{"batches", size()}, {"samples", samples_}});
}
TENON_BODY void SizedLoaderBase::load_state(const nn::NamedTensors& state) {
  std::int64_t seed = 0, batches = 0, samples = 0;
  LoaderPosition position;
  take_numbers(state, {{"seed", &seed},
                       {"epoch", &position.epoch},
                       {"batch", &position.batch},
                       {"batches", &batches},
                       {"samples", &samples}});
  TENON_CHECK(samples == samples_, ValueError, "load_state(): the saved loader has ", samples, " samples, this one ",
              samples_);
  TENON_CHECK(batches == size(), ValueError, "load_state(): the saved loader has ", batches,
              " batches an epoch, this one ", size());
  TENON_CHECK(position.epoch >= 0 && position.batch >= 0 && position.batch <= batches, ValueError,
              "load_state(): batch ", position.batch, " of epoch ", position.epoch, " is no place in ", batches,
              " batches");
  resume(static_cast<std::uint64_t>(seed), position);
}

}  // namespace tenon::data::detail
