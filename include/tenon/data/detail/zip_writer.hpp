// A zip file of stored files, written from front to back.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include <tenon/base/byte_order.hpp>
#include <tenon/data/detail/bytes.hpp>

namespace tenon::data::detail {

/// Hands the bytes of a zip file to `write(data, size)`. What does not fit into 32 bits is written as zip64 has it.
/// Source: PKWARE, APPNOTE.TXT 6.3.10.
template <class Write>
class ZipWriter {
 public:
  /// Data begins at multiples of `alignment`, behind a field that fills up to there, as PyTorch's files have it.
  explicit ZipWriter(Write write, std::uint64_t alignment = 1) : write_(write), alignment_(alignment) {}

  void add(const std::string& name, std::string_view data) {
    bool wide = data.size() >= kMost32, far = at_ >= kMost32;
    std::string sizes, fields, extra;
    for (int i = 0; i < 2; ++i) append_little_endian<8>(sizes, data.size());
    if (wide) extra = field(1, sizes);
    std::uint64_t begin = at_ + 30 + name.size() + extra.size();
    // A field takes four bytes at least.
    if (begin % alignment_ != 0) extra += field(0x4246, std::string(alignment_ - 1 - (begin + 3) % alignment_, 'Z'));
    // Version, flags (names in UTF-8), method, time, date (the first of 1980), checksum, sizes, length of the name.
    for (std::uint64_t value : {wide || far ? 45u : 20u, 0x800u, 0u, 0u, 0x21u}) append_little_endian<2>(fields, value);
    append_little_endian<4>(fields, crc32(data));
    for (int i = 0; i < 2; ++i) append_little_endian<4>(fields, std::min<std::uint64_t>(data.size(), kMost32));
    append_little_endian<2>(fields, name.size());
    std::string header = "PK\3\4" + fields;
    append_little_endian<2>(header, extra.size());

    std::string entry = wide ? sizes : std::string();
    if (far) append_little_endian<8>(entry, at_);
    if (!entry.empty()) entry = field(1, entry);
    directory_ += "PK\1\2";
    append_little_endian<2>(directory_, wide || far ? 45 : 20);
    directory_ += fields;
    append_little_endian<2>(directory_, entry.size());
    directory_.append(10, '\0');
    append_little_endian<4>(directory_, std::min(at_, kMost32));
    directory_ += name + entry;
    ++count_;

    put(header + name + extra);
    put(data);
  }
  void finish() {
    std::uint64_t start = at_, size = directory_.size();
    put(directory_);
    std::string end;
    if (start >= kMost32 || size >= kMost32 || count_ >= 0xffff) {
      std::uint64_t place = at_;
      end += "PK\6\6";
      append_little_endian<8>(end, 44);
      for (int i = 0; i < 2; ++i) append_little_endian<2>(end, 45);
      append_little_endian<8>(end, 0);
      for (std::uint64_t value : {count_, count_, size, start}) append_little_endian<8>(end, value);
      end += "PK\6\7";
      append_little_endian<4>(end, 0);
      append_little_endian<8>(end, place);
      append_little_endian<4>(end, 1);
    }
    end += std::string("PK\5\6\0\0\0\0", 8);
    for (int i = 0; i < 2; ++i) append_little_endian<2>(end, std::min<std::uint64_t>(count_, 0xffff));
    append_little_endian<4>(end, std::min(size, kMost32));
    append_little_endian<4>(end, std::min(start, kMost32));
    append_little_endian<2>(end, 0);
    put(end);
  }

 private:
  static constexpr std::uint64_t kMost32 = 0xffffffffu;
  static std::string field(std::uint64_t id, const std::string& bytes) {
    std::string out;
    append_little_endian<2>(out, id);
    append_little_endian<2>(out, bytes.size());
    return out + bytes;
  }
  void put(std::string_view bytes) {
    write_(bytes.data(), bytes.size());
    at_ += bytes.size();
  }
  Write write_;
  std::uint64_t alignment_, at_ = 0, count_ = 0;
  std::string directory_;
};

}  // namespace tenon::data::detail
