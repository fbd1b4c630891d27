// A lane: one thread of a kernel, as kernel bodies see it. On a device it is inlined builtins, on the host a lane of
// the executor. The one header that knows which of the two compiles.
#pragma once
#include <cstdint>
#include <type_traits>

#include <tenon/base/host_device.hpp>
#include <tenon/cuda/pack.hpp>

#if TENON_DEVICE_UNIT

/// Before a loop: its turns follow one another as code, all of them or four, so that loads do not wait for each other.
#define TENON_UNROLLED _Pragma("unroll")
#define TENON_UNROLLED_BY_4 _Pragma("unroll 4")

namespace tenon::cuda {

struct Lane {
  __device__ unsigned thread() const { return threadIdx.x; }
  __device__ unsigned threads() const { return blockDim.x; }
  __device__ std::int64_t block() const { return blockIdx.x; }
  __device__ std::int64_t blocks() const { return gridDim.x; }

  /// All lanes of the block come here before one goes on.
  __device__ void sync() { __syncthreads(); }
  /// The same for the lanes of a warp that the mask names; they see what the others wrote.
  __device__ void sync_warp(unsigned mask) { __syncwarp(mask); }
  /// The value of the lane whose number in the warp differs from this one's by the bits of `other`. Every lane of the
  /// mask calls it.
  template <class T>
  __device__ T shfl_xor(unsigned mask, T value, unsigned other) {
    constexpr int words = (sizeof(T) + 3) / 4;
    unsigned word[words] = {};
    memcpy(word, &value, sizeof(T));
    for (int i = 0; i < words; ++i) word[i] = __shfl_xor_sync(mask, word[i], static_cast<int>(other));
    memcpy(&value, word, sizeof(T));
    return value;
  }
  /// A bit for each lane of the mask for which the condition holds.
  __device__ unsigned ballot(unsigned mask, bool condition) { return __ballot_sync(mask, condition); }

  /// The block's shared memory, unset; a body has one type for it.
  template <class S>
  __device__ S& shared() {
    __shared__ alignas(16) unsigned char bytes[sizeof(S)];
    return *reinterpret_cast<S*>(bytes);
  }
  /// The fast unit's sine and cosine, with an absolute error of 2^-21.
  __device__ void sincos(float x, float& sine, float& cosine) { __sincosf(x, &sine, &cosine); }
  /// One load or store of a pack; the address is a multiple of its size.
  template <int N, class T>
  __device__ Pack<T, N> load(const T* from) {
    return *reinterpret_cast<const Pack<T, N>*>(from);
  }
  template <class T, int N>
  __device__ void store(T* to, const Pack<T, N>& pack) {
    *reinterpret_cast<Pack<T, N>*>(to) = pack;
  }
  /// Adds to memory that other lanes add to; 4 or 8 bytes. The order of additions is not told.
  template <class T>
  __device__ void atomic_add(T* to, T value) {
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8)
      atomicAdd(reinterpret_cast<unsigned long long*>(to), static_cast<unsigned long long>(value));
    else
      atomicAdd(to, value);
  }
};

}  // namespace tenon::cuda

#else
#define TENON_UNROLLED
#define TENON_UNROLLED_BY_4
#include <tenon/cuda/executor.hpp>

namespace tenon::cuda {
using Lane = HostLane;
}  // namespace tenon::cuda

#endif
