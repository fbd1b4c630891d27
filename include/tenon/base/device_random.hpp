// Where the devices of the CUDA component stand in their random numbers, in programs that have it.
#pragma once
#include <cstdint>

namespace tenon::cuda {

/// What a device draws next.
struct RngState {
  std::uint64_t seed = 0, offset = 0;
  friend bool operator==(const RngState&, const RngState&) = default;
};
/// The component's generators; devices are told by index.
struct RandomCalls {
  RngState (*get)(std::int8_t device);
  void (*set)(std::int8_t device, const RngState& state);
};

}  // namespace tenon::cuda

/// The component that the program links; without one the symbol has no address.
extern "C" [[gnu::weak]] const tenon::cuda::RandomCalls tenon_cuda_random;
