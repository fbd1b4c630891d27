// A block of lanes on the host: what its lanes wait for, and how fibres or threads run them.
#pragma once
#include <cstdarg>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace tenon::cuda::detail {

/// A line of a kernel.
struct Site {
  const char* file;
  int line;
  static constexpr Site here(const char* file = __builtin_FILE(), int line = __builtin_LINE()) { return {file, line}; }
  std::string text() const { return std::string(file) + ":" + std::to_string(line); }
  friend bool operator==(Site a, Site b) { return a.line == b.line && std::string_view(a.file) == b.file; }
};

/// What a lane waits for.
struct Wait {
  enum Op : std::uint8_t { Barrier, Warp, Xor, Ballot };
  static constexpr std::size_t kValue = 32;  // bytes
  Op op;
  unsigned mask, argument;
  Site site;
  alignas(16) unsigned char value[kValue] = {};

  const char* name() const {
    constexpr const char* names[] = {"sync()", "sync_warp()", "shfl_xor()", "ballot()"};
    return names[op];
  }
};

inline constexpr std::size_t kSharedBytes = 48 << 10;  // of a block, as every device has

class Block {
 public:
  Block(std::int64_t blocks, unsigned threads) : blocks(blocks), threads(threads) {}
  virtual ~Block() = default;
  /// Comes back when the other lanes have come; never, if the kernel is stopped.
  virtual void wait(unsigned thread, const Wait& wait) = 0;
  virtual const void* result(unsigned thread) = 0;
  virtual void* shared(unsigned thread, std::size_t bytes, const void* type, Site site) = 0;
  /// Ends the kernel with a defect, told as by printf; does not come back, so that its caller holds nothing that must
  /// be freed.
  [[noreturn]] virtual void stop(unsigned thread, Site site, const char* format, ...) = 0;

  std::int64_t index = 0;
  const std::int64_t blocks;
  const unsigned threads;

 protected:
  std::string defect_text(unsigned thread, Site site, const char* format, std::va_list values) const {
    char what[200];
    std::vsnprintf(what, sizeof what, format, values);
    return lane_text(thread) + " " + what + " at " + site.text();
  }
  std::string lane_text(unsigned thread) const {
    return "lane " + std::to_string(thread) + " of block " + std::to_string(index);
  }
};

struct Body {
  void (*call)(void* data, Block& block, unsigned thread);
  void* data;
};

}  // namespace tenon::cuda::detail
