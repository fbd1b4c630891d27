// Compressed bytes, through zlib where the program is compiled with TENON_WITH_ZLIB and linked with it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/base/error.hpp>
#ifdef TENON_WITH_ZLIB
#include <zlib.h>
#endif

namespace tenon::data {

/// Decompresses the front of `in` into at most `size` bytes and returns how many there were; `gzip` says whether a
/// header of gzip stands before. Throws FileError, with `name` for the file, for bytes that are no such data, end
/// early, or follow a member of gzip and are neither another nor zeros.
using Inflate = std::size_t (*)(std::string_view in, bool gzip, char* out, std::size_t size, const std::string& name);

/// A byte of deflate gives at most 1,032 (RFC 1951: 258 bytes for two bits): a header that promises more is not
/// believed.
inline constexpr std::uint64_t kMostInflation = 1032;

#ifdef TENON_WITH_ZLIB
inline namespace with_zlib {
inline std::size_t zlib_inflate(std::string_view in, bool gzip, char* out, std::size_t size, const std::string& name) {
  z_stream stream{};
  TENON_CHECK(::inflateInit2(&stream, gzip ? 15 + 16 : -15) == Z_OK, FileError, name, ": zlib does not start");
  struct End {
    z_stream* stream;
    ~End() { ::inflateEnd(stream); }
  } end{&stream};
  constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
  std::size_t done = 0;
  const char* from = in.data();
  std::size_t left = in.size();
  while (done < size) {
    if (stream.avail_in == 0) {
      stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(from));
      stream.avail_in = static_cast<uInt>(left < most ? left : most);
      from += stream.avail_in;
      left -= stream.avail_in;
    }
    auto room = static_cast<uInt>(size - done < most ? size - done : most);
    stream.next_out = reinterpret_cast<Bytef*>(out + done);
    stream.avail_out = room;
    int status = ::inflate(&stream, Z_NO_FLUSH);
    done += room - stream.avail_out;
    if (status == Z_STREAM_END) {
      std::string_view rest = in.substr(in.size() - left - stream.avail_in);
      if (!gzip || rest.find_first_not_of('\0') == std::string_view::npos) break;
      rest.remove_prefix(rest.find_first_not_of('\0'));
      TENON_CHECK(rest.substr(0, 2) == "\x1f\x8b" && ::inflateReset(&stream) == Z_OK, FileError, name,
                  ": other bytes follow the compressed data");
      from = rest.data();
      left = rest.size();
      stream.avail_in = 0;
      continue;
    }
    bool needs_more = status == Z_OK || status == Z_BUF_ERROR;
    TENON_CHECK(needs_more, FileError, name,
                ": the compressed data is damaged: ", stream.msg ? stream.msg : "zlib gives no reason");
    TENON_CHECK(done == size || stream.avail_in > 0 || left > 0, FileError, name, ": the compressed data ends early");
  }
  return done;
}
}  // namespace with_zlib
/// What readers decompress with unless they are given another function; null without zlib.
constexpr Inflate default_inflate = &zlib_inflate;
#else
constexpr Inflate default_inflate = nullptr;
#endif

namespace detail {
inline void check_inflate(Inflate inflate, std::string_view file) {
  TENON_CHECK(inflate, NotImplementedError, file,
              ": compressed data needs zlib: compile with -DTENON_WITH_ZLIB and link with -lz");
}
}  // namespace detail

}  // namespace tenon::data
