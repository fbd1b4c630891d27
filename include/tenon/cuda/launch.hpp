// The one way to start a kernel: a body, a function object over a lane, for every lane of a grid of blocks.
#pragma once
#include <tenon/base/error.hpp>
#include <tenon/cuda/lane.hpp>

namespace tenon::cuda {

inline constexpr std::int64_t kMostBlocks = 0x7fffffff;  // of a grid of one dimension

/// Blocks of a grid and lanes of a block, both one-dimensional.
struct Shape {
  std::int64_t blocks;
  unsigned threads;
};

/// So many lanes have room for as many registers as a lane can have.
inline constexpr unsigned kUsualLanes = 256;
/// The lanes of a block that a body is compiled for: kUsualLanes, or what it says as kMostLanes.
template <class Body>
constexpr unsigned most_lanes() {
  if constexpr (requires { Body::kMostLanes; })
    return Body::kMostLanes;
  else
    return kUsualLanes;
}

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

namespace detail {
inline void check_blocks(Shape shape) {
  TENON_CHECK(shape.blocks <= kMostBlocks, NotImplementedError, "a CUDA kernel of ", shape.blocks,
              " blocks: a grid has at most ", kMostBlocks);
}
}  // namespace detail

#if TENON_DEVICE_UNIT

namespace detail {
template <class Body, class... A>
__global__ void kernel(A... args) {
  Lane lane;
  Body{}(lane, args...);
}
/// With as many registers as leave room for more lanes than usual.
template <class Body, class... A>
__global__ void __launch_bounds__(most_lanes<Body>()) wide_kernel(A... args) {
  Lane lane;
  Body{}(lane, args...);
}
}  // namespace detail

/// Starts `Body{}(lane, args...)` on a stream (a `cudaStream_t`); the caller looks for errors.
template <class Body, class... A>
void launch(Shape shape, void* stream, A... args) {
  detail::check_blocks(shape);
  auto blocks = static_cast<unsigned>(shape.blocks);
  auto on = static_cast<cudaStream_t>(stream);
  if constexpr (most_lanes<Body>() > kUsualLanes)
    detail::wide_kernel<Body, A...><<<blocks, shape.threads, 0, on>>>(args...);
  else
    detail::kernel<Body, A...><<<blocks, shape.threads, 0, on>>>(args...);
}

#else

/// The same on the executor of the host.
template <class Body, class... A>
void launch(Shape shape, void* stream, A... args) {
  detail::check_blocks(shape);
  if (shape.threads > most_lanes<Body>())
    throw KernelDefect("a block of " + std::to_string(shape.threads) + " lanes of a body that is compiled for " +
                       std::to_string(most_lanes<Body>()));
  if (auto look = Executor::settings().argument) (look(static_cast<const void*>(&args), sizeof args), ...);
  auto run = [=] { Executor::run(shape.blocks, shape.threads, [&](HostLane& lane) { Body{}(lane, args...); }); };
  if (auto submit = Executor::settings().submit)
    submit(stream, run);
  else
    run();
}

#endif

}  // namespace tenon::cuda
