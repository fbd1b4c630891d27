// Draws of streams.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/data/stream_transform.hpp>

namespace tenon::data::detail {

TENON_BODY void check_buffer(std::int64_t buffer_size) {
  TENON_CHECK(buffer_size >= 1, ValueError, "shuffle(): expected a buffer_size of at least 1, got ", buffer_size);
}
TENON_BODY Random shuffle_random(std::uint64_t seed, std::uint64_t own, std::int64_t epoch) {
  // Seeds that are close to each other give draws that are not.
  return Random(seed ^ Random(own, 0, -1).bits64(), epoch, -1);
}

}  // namespace tenon::data::detail
