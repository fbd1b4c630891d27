// A matrix turned over into a result larger than the caches.
#pragma once
#include <cstdint>

#include <tenon/cpu/detail/stream.hpp>
#include <tenon/cpu/transpose.hpp>

namespace tenon::cpu::detail {

/// transpose_bytes, whole lines of the result written past the caches: as many lines of the source as one of these has
/// elements are read from end to end. False, and nothing done, where the lines of the result's rows do not lie alike.
template <class Arch>
bool stream_transposed(char* dst, std::int64_t dst_row, const char* src, std::int64_t src_row, std::int64_t rows,
                       std::int64_t columns, std::int64_t item) {
  const auto past_line = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(dst) % kStreamLine);
  if (!TENON_CPU_X86 || dst_row % kStreamLine != 0 || past_line % item != 0 || kStreamLine % item != 0) return false;
  constexpr std::int64_t staged_rows = 16;  // more of them, and the lines wait for each other
  alignas(64) unsigned char stage[staged_rows * kStreamLine];
  const std::int64_t line = kStreamLine / item;
  auto plain = [&](std::int64_t first, std::int64_t last) {
    transpose_bytes<Arch>(dst + first * item, dst_row, src + first * src_row, src_row, rows, last - first, item);
  };
  std::int64_t c = (kStreamLine - past_line) % kStreamLine / item;
  if (c > columns) c = columns;
  plain(0, c);
  for (; c + line <= columns; c += line)
    for (std::int64_t r = 0; r < rows; r += staged_rows) {
      const std::int64_t n = rows - r < staged_rows ? rows - r : staged_rows;
      transpose_bytes<Arch>(stage, kStreamLine, src + c * src_row + r * item, src_row, n, line, item);
      auto* to = reinterpret_cast<unsigned char*>(dst + r * dst_row + c * item);
      for (std::int64_t k = 0; k < n; ++k) stream_line<Arch>(to + k * dst_row, stage + k * kStreamLine);
    }
  plain(c, columns);
  end_stream();
  return true;
}

}  // namespace tenon::cpu::detail
