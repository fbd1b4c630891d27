// The directory of a zip file, and the files in it.
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/base/error.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/inflate.hpp>

namespace tenon::data::detail {

/// One file of a zip file.
struct ZipEntry {
  std::string name;
  std::uint64_t method = 0, crc = 0, packed = 0, size = 0, offset = 0;
};

/// Whether bytes are UTF-8.
using IsText = bool (*)(std::string_view bytes);
/// Bit 11 of a header's flags says that a name is UTF-8.
inline void check_zip_name(std::string_view name, std::uint64_t flags, const std::string& file, IsText is_text) {
  TENON_CHECK((flags & 0x800) == 0 || is_text(name), FileError, file, ": a name in it is said to be UTF-8 and is not");
}
/// The sizes of zip64 replace those that are all ones.
inline void read_zip64(std::string_view extra, ZipEntry& e, const std::string& file) {
  ByteReader fields(extra, file);
  while (fields.at() + 4 <= extra.size()) {
    std::uint64_t id = read_little_endian<2>(fields.take(2, "zip field").data()),
                  n = read_little_endian<2>(fields.take(2, "zip field").data());
    ByteReader values(fields.take(n, "zip field"), file);
    if (id != 1) continue;
    for (std::uint64_t* value : {&e.size, &e.packed, &e.offset})
      if (*value == 0xffffffffu) *value = read_little_endian<8>(values.take(8, "zip64 size").data());
  }
}
constexpr const char* kZipPart = ": expected all of a zip file, got a part of several";

/// Where a directory lies in the bytes of a file, and how many entries it says it has.
struct ZipDirectory {
  std::uint64_t count, size, start;  ///< entries, bytes, place of the first byte
  std::uint64_t behind;              ///< place of what stands after it
};
/// The same in the 64-bit record whose locator stands at `at`.
inline ZipDirectory find_zip64_directory(std::string_view bytes, std::size_t at, const std::string& file) {
  std::string_view locator = ByteReader(bytes, file, at + 4).take(16, "zip64 locator");
  std::uint64_t place = read_little_endian<8>(locator.data() + 4);
  TENON_CHECK(read_little_endian<4>(locator.data()) == 0 && read_little_endian<4>(locator.data() + 12) == 1, FileError,
              file, kZipPart);
  TENON_CHECK(place <= bytes.size(), FileError, file, ": the zip64 directory lies outside the file");
  const char* f = ByteReader(bytes, file, static_cast<std::size_t>(place)).take(56, "zip64 directory").data();
  TENON_CHECK(read_little_endian<4>(f) == 0x06064b50u && read_little_endian<8>(f + 4) >= 44, FileError, file,
              ": expected a zip64 directory where the locator says");
  std::uint64_t count = read_little_endian<8>(f + 32);
  TENON_CHECK(read_little_endian<8>(f + 16) == 0 && read_little_endian<8>(f + 24) == count, FileError, file, kZipPart);
  return {count, read_little_endian<8>(f + 40), read_little_endian<8>(f + 48), place};
}
inline ZipDirectory find_zip_directory(std::string_view bytes, const std::string& file) {
  // The end of the directory stands last, but for a comment of at most 65,535 bytes.
  std::size_t end = bytes.rfind(std::string_view("PK\5\6", 4));
  TENON_CHECK(end != std::string_view::npos && bytes.size() - end >= 22, FileError, file,
              ": expected a zip file, got no end of a directory");
  const char* last = bytes.data() + end;
  ZipDirectory found{read_little_endian<2>(last + 10), read_little_endian<4>(last + 12),
                     read_little_endian<4>(last + 16), end};
  TENON_CHECK(read_little_endian<4>(last + 4) == 0 && read_little_endian<2>(last + 8) == found.count, FileError, file,
              kZipPart);
  std::size_t locator = end - std::min<std::size_t>(end, 20);
  bool has64 = bytes.substr(locator, 4) == std::string_view("PK\6\7", 4);
  TENON_CHECK(has64 || (found.start != 0xffffffffu && found.count != 0xffff), FileError, file,
              ": expected a zip64 locator before the end of the directory");
  // torch.save() writes one whether the numbers need it or not.
  if (has64) found = find_zip64_directory(bytes, locator, file);
  TENON_CHECK(found.start <= found.behind && found.size == found.behind - found.start, FileError, file,
              ": the directory does not stand before its end");
  return found;
}
/// Entry `i` of a directory, at whose place `at` stands; `at` then stands behind it.
inline ZipEntry read_directory_entry(ByteReader& at, std::uint64_t i, const std::string& file, IsText is_text) {
  const char* f = at.take(46, "zip directory").data();
  TENON_CHECK(read_little_endian<4>(f) == 0x02014b50u, FileError, file, ": entry ", i, " of the directory is none");
  std::uint64_t flags = read_little_endian<2>(f + 8), version = read_little_endian<2>(f + 6);
  TENON_CHECK((flags & 0x2041) == 0, NotImplementedError, file, ": entry ", i, " is encrypted");
  TENON_CHECK((flags & 0x20) == 0 && version <= 63, NotImplementedError, file, ": entry ", i,
              " needs a reader of version ", version, " of the format, or of patches");
  TENON_CHECK(read_little_endian<2>(f + 34) <= 1, FileError, file, kZipPart);
  ZipEntry e{{},
             read_little_endian<2>(f + 10),
             read_little_endian<4>(f + 16),
             read_little_endian<4>(f + 20),
             read_little_endian<4>(f + 24),
             read_little_endian<4>(f + 42)};
  e.name = at.take(read_little_endian<2>(f + 28), "zip name");
  check_zip_name(e.name, flags, file, is_text);
  read_zip64(at.take(read_little_endian<2>(f + 30), "zip fields"), e, file);
  at.take(read_little_endian<2>(f + 32), "zip comment");
  // PyTorch takes such an entry for a folder and leaves the memory for its bytes as it was.
  TENON_CHECK((read_little_endian<4>(f + 38) & 0x10) == 0 || e.size == 0, FileError, file, ": entry ", i,
              " is a folder with bytes");
  return e;
}
/// The entries of a zip file in the order of its directory. Errors: FileError, NotImplementedError for what is
/// encrypted or needs a later reader.
inline std::vector<ZipEntry> read_zip_directory(std::string_view bytes, const std::string& file, IsText is_text) {
  const ZipDirectory found = find_zip_directory(bytes, file);
  ByteReader at(bytes.substr(0, static_cast<std::size_t>(found.behind)), file, static_cast<std::size_t>(found.start));
  std::vector<ZipEntry> entries;
  std::uint64_t packed = 0;
  for (std::uint64_t i = 0; i < found.count; ++i) {
    ZipEntry e = read_directory_entry(at, i, file, is_text);
    // Entries over the same bytes would make much of a small file.
    TENON_CHECK(e.packed <= bytes.size() - packed, FileError, file, ": the files in it have more bytes than it has");
    packed += e.packed;
    // Of entries that nobody reads too, as PyTorch has it.
    TENON_CHECK(e.method != 0 || e.size == e.packed, FileError, file, ": ", e.name, ": ", e.packed,
                " bytes are stored for ", e.size);
    entries.push_back(std::move(e));
  }
  TENON_CHECK(at.at() == found.behind, FileError, file, ": the directory has other entries than it counts");
  return entries;
}
/// The bytes of an entry, in `unpacked` if they are compressed. Their checksum is the caller's to hold against `crc`.
inline std::string_view read_zip_entry(std::string_view bytes, const ZipEntry& e, const std::string& file,
                                       Inflate inflate, std::string& unpacked, IsText is_text) {
  std::string name = file + ": " + e.name;
  TENON_CHECK(e.offset <= bytes.size(), FileError, name, ": lies outside the file");
  ByteReader at(bytes, name, static_cast<std::size_t>(e.offset));
  const char* f = at.take(30, "zip header").data();
  TENON_CHECK(read_little_endian<4>(f) == 0x04034b50u, FileError, name, ": expected a zip header at byte ", e.offset);
  std::string_view here = at.take(read_little_endian<2>(f + 26), "zip header");
  check_zip_name(here, read_little_endian<2>(f + 6), name, is_text);
  TENON_CHECK(here == e.name, FileError, name, ": its own header has another name");
  at.take(read_little_endian<2>(f + 28), "zip header");
  std::string_view data = at.take(e.packed, "data");
  if (e.method == 8) {
    check_inflate(inflate, name);
    TENON_CHECK(e.size <= e.packed * kMostInflation, FileError, name, ": ", e.packed, " bytes cannot hold ", e.size);
    unpacked.assign(static_cast<std::size_t>(e.size) + 1, '\0');
    std::size_t got = inflate(data, false, unpacked.data(), unpacked.size(), name);
    TENON_CHECK(got == e.size, FileError, name, ": expected ", e.size, " bytes, got ", got > e.size ? "more" : "fewer");
    data = std::string_view(unpacked).substr(0, got);
  } else {
    TENON_CHECK(e.method == 0, NotImplementedError, name, ": compression ", e.method, " is neither none nor deflate");
  }
  return data;
}

}  // namespace tenon::data::detail
