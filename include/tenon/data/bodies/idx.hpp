// The header of an IDX file, and its elements in the machine's order of bytes.
#pragma once
#include <algorithm>
#include <cstring>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/idx.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::data {

namespace detail {
inline ScalarType idx_dtype(unsigned char code, const std::string& name) {
  switch (code) {
    case 0x08: return kByte;
    case 0x09: return kChar;
    case 0x0b: return kShort;
    case 0x0c: return kInt;
    case 0x0d: return kFloat;
    case 0x0e: return kDouble;
    default: fail<FileError>(name, ": expected a type of IDX, 8 to 14 but 10, got ", static_cast<int>(code));
  }
}
}  // namespace detail

TENON_COLD_BODY Tensor load_idx(const std::string& path, Inflate inflate) {
  auto bytes = ::tenon::detail::FileBytes::map(path);
  return decode_idx(bytes->view(), path, inflate);
}
TENON_COLD_BODY Tensor decode_idx(std::string_view bytes, const std::string& name, Inflate inflate) {
  bool gzip = bytes.substr(0, 2) == "\x1f\x8b";
  std::string front;  // of a compressed file: no header is longer
  std::string_view head = bytes;
  if (gzip) {
    detail::check_inflate(inflate, name);
    front.resize(4 + 4 * 255);
    front.resize(inflate(bytes, true, front.data(), front.size(), name));
    head = front;
  }
  detail::ByteReader reader(head, name);
  std::string_view magic = reader.take(4, "magic number");
  TENON_CHECK(magic[0] == 0 && magic[1] == 0, FileError, name, ": expected an IDX file, whose first two bytes are 0");
  ScalarType dtype = detail::idx_dtype(static_cast<unsigned char>(magic[2]), name);
  std::vector<std::int64_t> sizes(static_cast<unsigned char>(magic[3]));
  for (auto& size : sizes) size = static_cast<std::int64_t>(read_big_endian<4>(reader.take(4, "sizes").data()));
  std::uint64_t start = reader.at(), most = gzip ? bytes.size() * kMostInflation : bytes.size() - start;
  std::uint64_t size = detail::checked_bytes(name, sizes, item_size(dtype), most);
  TENON_CHECK(gzip || size == most, FileError, name, ": expected ", size, " bytes for shape ", sizes, ", got ", most);
  Tensor t = make_tensor(sizes, {}, dtype);
  auto* to = static_cast<char*>(t.data_ptr());
  if (gzip) {
    std::string whole(start + size + 1, '\0');
    std::size_t got = inflate(bytes, true, whole.data(), whole.size(), name);
    TENON_CHECK(got == start + size, FileError, name, ": expected ", size, " bytes for shape ", sizes, ", got ",
                got > start + size ? "more" : "fewer");
    if (size > 0) std::memcpy(to, whole.data() + start, size);
  } else if (size > 0) {
    std::memcpy(to, bytes.data() + start, size);
  }
  detail::swap_bytes(to, size, item_size(dtype));
  return t;
}

}  // namespace tenon::data
