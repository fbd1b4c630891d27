// Results larger than the caches: written past them, since nobody finds them there.
#pragma once
#include <cstdint>
#include <cstring>

#include <tenon/math/arch.hpp>
#include <tenon/cpu/loops.hpp>

namespace tenon::cpu::detail {

/// From here on a result is streamed: its memory is not read before it is overwritten.
inline constexpr std::int64_t kStreamedBytes = std::int64_t{16} << 20;

template <class Arch, class Pointer>
bool streams(const Loop& loop, const void* out, const Pointer* ins, std::int64_t n) {
  if (!TENON_CPU_X86 || loop.outputs != 1 || n * static_cast<std::int64_t>(item_size(loop.output[0])) < kStreamedBytes)
    return false;
  for (int k = 0; k < loop.inputs; ++k)
    if (ins[k] == out) return false;  // its lines have been read already
  return true;
}

inline constexpr std::int64_t kStreamLine = 64, kStreamBlock = 512;

/// Both addresses are multiples of 64.
template <class Arch>
void stream_line(unsigned char* to, const unsigned char* from) {
#if TENON_CPU_AVX512
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_load_si512(from));
#elif TENON_CPU_AVX2
  for (int b = 0; b < kStreamLine; b += 32)
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + b),
                        _mm256_load_si256(reinterpret_cast<const __m256i*>(from + b)));
#elif TENON_CPU_X86
  for (int b = 0; b < kStreamLine; b += 16)
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + b), _mm_load_si128(reinterpret_cast<const __m128i*>(from + b)));
#else
  std::memcpy(to, from, kStreamLine);
#endif
}
/// Streamed stores are not ordered by what tells other threads that they may read.
inline void end_stream() {
#if TENON_CPU_X86
  _mm_sfence();
#endif
}

/// Streams the results of a thread: each line is computed into the nearest cache and goes to memory from there.
template <class Arch>
struct ResultStream {
  alignas(64) unsigned char stage[kStreamBlock];

  ResultStream() = default;
  ResultStream(const ResultStream&) = delete;
  ResultStream& operator=(const ResultStream&) = delete;
  ~ResultStream() { end_stream(); }

  void run(const Loop& loop, const void* closure, void* result, const void* const* inputs, const std::int64_t* steps,
           std::int64_t n) {
    auto* out = static_cast<unsigned char*>(result);
    const auto size = static_cast<std::int64_t>(item_size(loop.output[0])), block = kStreamBlock / size;
    const void* ins[kMaxInputs];
    for (int k = 0; k < loop.inputs; ++k) ins[k] = inputs[k];
    auto compute = [&](void* to, std::int64_t m) {
      loop.row(closure, &to, ins, steps, m);
      for (int k = 0; k < loop.inputs; ++k)
        ins[k] = static_cast<const char*>(ins[k]) + steps[k] * m * static_cast<std::int64_t>(item_size(loop.input[k]));
      out += m * size;
      n -= m;
    };
    const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(out) % 64);
    if (past_line % size != 0) return compute(out, n);
    if (std::int64_t head = (64 - past_line) % 64 / size; head > 0) compute(out, head < n ? head : n);
    while (n >= block) {
      unsigned char* to = out;
      compute(stage, block);
      for (std::int64_t b = 0; b < kStreamBlock; b += kStreamLine) stream_line<Arch>(to + b, stage + b);
    }
    if (n > 0) compute(out, n);
  }
};

}  // namespace tenon::cpu::detail
