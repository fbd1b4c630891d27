// What loaders of streams take and keep.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/stream_loader.hpp>

namespace tenon::data::detail {

TENON_BODY StreamLoaderBase::StreamLoaderBase(const DataLoaderOptions& options) : LoaderBase(options) {
  TENON_CHECK(options.batch_size >= 1, ValueError, "DataLoader: expected a batch_size of at least 1, got ",
              options.batch_size);
  TENON_CHECK(!options.shuffle, ValueError,
              "DataLoader with a stream: expected unspecified shuffle option, but got shuffle = true; use "
              "data::shuffle(stream, buffer_size)");
}
TENON_BODY nn::NamedTensors StreamLoaderBase::state() const {
  return state_with({{"batch_size", options_.batch_size}});
}
TENON_BODY void StreamLoaderBase::load_state(const nn::NamedTensors& state) {
  std::int64_t seed = 0, batch_size = 0;
  LoaderPosition position;
  take_numbers(state,
               {{"seed", &seed}, {"epoch", &position.epoch}, {"batch", &position.batch}, {"batch_size", &batch_size}});
  TENON_CHECK(batch_size == options_.batch_size, ValueError, "load_state(): the saved loader has batches of ",
              batch_size, " samples, this one of ", options_.batch_size);
  TENON_CHECK(position.epoch >= 0 && position.batch >= 0, ValueError, "load_state(): batch ", position.batch,
              " of epoch ", position.epoch, " is no place in a stream");
  resume(static_cast<std::uint64_t>(seed), position);
}

}  // namespace tenon::data::detail
