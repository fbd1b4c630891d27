// Bodies over a lane beside kernels written by hand, for plain.py: the lane object is to cost nothing.
#include <tenon/cuda/pointwise.hpp>
#include <tenon/cuda/softmax.hpp>

using namespace tenon::cuda;

namespace {

/// Packs of four elements, from and to dense memory.
struct add_packs {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const float* a, const float* b, float* out, std::int64_t packs) const {
    each_of_grid(lane, packs, [&](std::int64_t i) {
      auto x = lane.template load<4>(a + i * 4), y = lane.template load<4>(b + i * 4);
      for (int k = 0; k < 4; ++k) x.at[k] += y.at[k];
      lane.store(out + i * 4, x);
    });
  }
};
/// The sum of a row for each block.
struct sum_rows {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const float* in, float* out, std::int64_t size) const {
    auto& memory = lane.template shared<WarpValues<float>>();
    float sum = 0;
    each_of_block(lane, size, [&](std::int64_t i) { sum += in[lane.block() * size + i]; });
    sum = combine_block(
        lane, sum, memory, [](float a, float b) { return a + b; }, 0.0f);
    if (lane.thread() == 0) out[lane.block()] = sum;
  }
};

}  // namespace

struct sum_formula {
  using types = tenon::over::floating;
  static constexpr int elements = 2, numbers = 0;
  template <class T, class E>
  TENON_HOST_DEVICE static auto of(E a, E b) {
    return a + b;
  }
};

// Instances of the bodies, by the way that they always go.
void run(const float* a, const float* b, float* out, std::int64_t n, const SoftmaxCall& c, const DenseCall& e) {
  launch<dense_formula<sum_formula, float>>({1, 256}, nullptr, e, Numbers<float>{});
  launch<dense_formula<sum_formula, tenon::Half>>({1, 256}, nullptr, e, Numbers<float>{});
  launch<add_packs>({1, 256}, nullptr, a, b, out, n);
  launch<sum_rows>({1, 256}, nullptr, a, out, n);
  launch<softmax_row<float>>({1, 256}, nullptr, c);
}

struct alignas(16) Four {
  float at[4];
};
__global__ void plain_add_packs(const float* a, const float* b, float* out, std::int64_t packs) {
  std::int64_t step = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  // A lane has one pack nearly always, so that nothing is lost where the compiler repeats the loop's body or does not.
#pragma unroll 1
  for (std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < packs; i += step) {
    Four x = reinterpret_cast<const Four*>(a)[i], y = reinterpret_cast<const Four*>(b)[i];
    for (int k = 0; k < 4; ++k) x.at[k] += y.at[k];
    reinterpret_cast<Four*>(out)[i] = x;
  }
}

template <class F>
__device__ float combined(float value, F f, float identity, float* warps) {
  for (unsigned n = 16; n > 0; n /= 2) value = f(value, __shfl_xor_sync(0xffffffffu, value, n));
  unsigned warp = threadIdx.x / 32, count = blockDim.x / 32;
  if (threadIdx.x % 32 == 0) warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = threadIdx.x < count ? warps[threadIdx.x] : identity;
    for (unsigned n = 16; n > 0; n /= 2) value = f(value, __shfl_xor_sync(0xffffffffu, value, n));
  }
  return value;
}
__global__ void plain_sum_rows(const float* in, float* out, std::int64_t size) {
  __shared__ alignas(16) float warps[32];
  float sum = 0;
  for (std::int64_t i = threadIdx.x; i < size; i += blockDim.x) sum += in[blockIdx.x * size + i];
  sum = combined(
      sum, [](float a, float b) { return a + b; }, 0.0f, warps);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

template <class F>
__device__ float combined_for_all(float value, F f, float identity, float* memory) {
  value = combined(value, f, identity, memory);
  if (threadIdx.x == 0) memory[32] = value;
  __syncthreads();
  return memory[32];
}
__global__ void __launch_bounds__(512) plain_softmax_row(SoftmaxCall c) {
  __shared__ alignas(16) float memory[36];
  std::int64_t block = blockIdx.x, start = block / c.inner * c.size * c.inner + block % c.inner;
  const float* in = static_cast<const float*>(c.in) + start;
  float* out = static_cast<float*>(c.out) + start;
  auto larger = [](float a, float b) { return a != a || a > b ? a : b; };
  const float least = -std::numeric_limits<float>::infinity();
  float most = least;
  for (std::int64_t i = threadIdx.x; i < c.size; i += blockDim.x) most = larger(most, in[i * c.inner]);
  most = combined_for_all(most, larger, least, memory);
  float sum = 0;
  for (std::int64_t i = threadIdx.x; i < c.size; i += blockDim.x) sum += std::exp(in[i * c.inner] - most);
  sum = combined_for_all(
      sum, [](float a, float b) { return a + b; }, 0.0f, memory);
  float log_sum = std::log(sum);
  for (std::int64_t i = threadIdx.x; i < c.size; i += blockDim.x) {
    float x = in[i * c.inner] - most;
    out[i * c.inner] = c.log ? x - log_sum : std::exp(x) / sum;
  }
}
