// The state of a device's random numbers, to save and to go back to.
#pragma once
#include <cstring>

#include <tenon/base/component.hpp>
#include <tenon/base/device_random.hpp>
#include <tenon/base/error.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::cuda {

namespace detail {
inline const RandomCalls& random_calls() {
  TENON_CHECK(&tenon_cuda_random, NotImplementedError, kNoComponent);
  return tenon_cuda_random;
}
}  // namespace detail

/// The state of the default generator of a device, -1 for the current one: 16 bytes on the CPU, the seed and how many
/// words were drawn, as torch.cuda.get_rng_state() has them.
inline Tensor get_rng_state(std::int8_t device = -1) {
  const RngState state = detail::random_calls().get(device);
  std::int64_t bytes = sizeof state;
  Tensor t = make_tensor({&bytes, 1}, {}, kByte);
  std::memcpy(t.data_ptr(), &state, sizeof state);
  return t;
}
/// Draws from now on what was drawn from that state on.
/// Errors: TypeError or ValueError if it is not 16 bytes on the CPU; ValueError if the offset is no multiple of 4.
inline void set_rng_state(const Tensor& state, std::int8_t device = -1) {
  const RandomCalls& calls = detail::random_calls();
  TENON_CHECK(state.defined() && state.is_cpu() && state.dtype() == kByte, TypeError,
              "set_rng_state(): expected a uint8 tensor on the CPU");
  RngState to;
  TENON_CHECK(state.numel() == sizeof to && state.is_contiguous(), ValueError, "set_rng_state(): expected ", sizeof to,
              " bytes, got shape ", state.sizes());
  std::memcpy(static_cast<void*>(&to), state.data_ptr(), sizeof to);
  TENON_CHECK(to.offset % 4 == 0, ValueError, "set_rng_state(): offset must be a multiple of 4, got ", to.offset);
  calls.set(device, to);
}

}  // namespace tenon::cuda
