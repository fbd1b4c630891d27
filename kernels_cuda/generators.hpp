// The devices' generators, for every unit that draws.
#pragma once
#include <cstdint>
#include <optional>

#include <tenon/cuda/calls.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::cuda {

using MaybeGenerator = std::optional<Generator>;

/// The state of a call whose lanes draw `steps` times four words each. Throws ValueError for a generator of one's own.
RandomState take_random(const MaybeGenerator& given, std::uint64_t steps);
/// Blocks of 256 lanes for n numbers; as many as the device runs at a time.
std::int64_t random_blocks(std::int64_t n);
/// Steps of each lane where `parts` numbers are made of a step's words.
std::uint64_t random_steps(std::int64_t n, std::int64_t blocks, std::int64_t parts);

}  // namespace tenon::cuda
