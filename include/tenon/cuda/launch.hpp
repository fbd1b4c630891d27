// The one way to start a kernel: a body, a function object over a lane, for every lane of a grid of blocks.
#pragma once
#include <tenon/cuda/lane.hpp>

namespace tenon::cuda {

/// Blocks of a grid and lanes of a block, both one-dimensional. At most 2^31 - 1 blocks and 1024 lanes.
struct Shape {
  std::int64_t blocks;
  unsigned threads;
};

/// Enough blocks for one lane to each of n items, up to `most`: bodies step by the grid.
constexpr Shape shape_for(std::int64_t n, unsigned threads = 256, std::int64_t most = 1 << 20) {
  std::int64_t blocks = (n + threads - 1) / threads;
  return {blocks < 1 ? 1 : blocks > most ? most : blocks, threads};
}

/// Whole warps, a power of two of them, as many as n items keep busy.
constexpr unsigned threads_for(std::int64_t n, unsigned most) {
  unsigned threads = kWarp;
  while (threads < most && threads < n) threads *= 2;
  return threads;
}

#if TENON_DEVICE_UNIT

namespace detail {
template <class Body, class... A>
__global__ void kernel(A... args) {
  Lane lane;
  Body{}(lane, args...);
}
}  // namespace detail

/// Starts `Body{}(lane, args...)` on a stream (a `cudaStream_t`); the caller looks for errors.
template <class Body, class... A>
void launch(Shape shape, void* stream, A... args) {
  detail::kernel<Body, A...>
      <<<static_cast<unsigned>(shape.blocks), shape.threads, 0, static_cast<cudaStream_t>(stream)>>>(args...);
}

#else

/// The same on the executor of the host.
template <class Body, class... A>
void launch(Shape shape, void* stream, A... args) {
  auto run = [=] { Executor::run(shape.blocks, shape.threads, [&](HostLane& lane) { Body{}(lane, args...); }); };
  if (auto submit = Executor::settings().submit)
    submit(stream, run);
  else
    run();
}

#endif

}  // namespace tenon::cuda
