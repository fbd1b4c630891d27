// NumPy's files: the array of a header, and archives of them.
#pragma once
#include <algorithm>
#include <cstring>
#include <optional>
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/base/byte_order.hpp>
#include <tenon/data/detail/bytes.hpp>
#include <tenon/data/detail/npy_header.hpp>
#include <tenon/data/detail/write_file.hpp>
#include <tenon/data/detail/zip.hpp>
#include <tenon/data/detail/zip_writer.hpp>
#include <tenon/data/npy.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/header_json.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/in_memory.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/methods.hpp>

namespace tenon::data {

TENON_COLD_BODY Tensor load_npy(const std::string& path) {
  return decode_npy(::tenon::detail::FileBytes::map(path)->view(), path);
}
TENON_COLD_BODY Tensor decode_npy(std::string_view bytes, const std::string& name) {
  detail::NpyHeader header = detail::NpyHeaderReader(bytes, name).read();
  std::string_view data = bytes.substr(header.data_offset);
  std::uint64_t item = item_size(header.dtype);
  std::uint64_t size = detail::checked_bytes(name, header.sizes, item, data.size());
  TENON_CHECK(size == data.size(), FileError, name, ": expected ", size, " bytes for shape ", header.sizes, ", got ",
              data.size());
  if (header.dtype == kBool)
    for (char c : data) TENON_CHECK(c == 0 || c == 1, FileError, name, ": expected bytes 0 and 1 for bools");
  DimVector sizes, strides;
  for (std::int64_t n : header.sizes) sizes.push_back(n);
  if (header.fortran_order) {
    std::int64_t step = 1;
    for (std::int64_t n : header.sizes) {
      strides.push_back(step);
      step *= std::max<std::int64_t>(n, 1);
    }
  }
  Tensor t = make_tensor(sizes, strides, header.dtype);
  if (size > 0) std::memcpy(t.data_ptr(), data.data(), data.size());
  if (header.big_endian)
    detail::swap_bytes(static_cast<char*>(t.data_ptr()), data.size(), item_size(to_real_type(header.dtype)));
  return t;
}
TENON_COLD_BODY std::string encode_npy(const Tensor& tensor) {
  TENON_CHECK(tensor.defined() && tensor.is_cpu(), ValueError, "save_npy(): expected a tensor in CPU memory");
  const char* type = detail::npy_type(tensor.dtype());
  TENON_CHECK(type, ValueError, "save_npy(): NumPy has no elements of dtype ", tensor.dtype(),
              "; convert it with to()");
  std::string shape;
  for (std::int64_t n : tensor.sizes()) shape += std::to_string(n) + ", ";
  // One size needs its comma; of more, none stands last.
  if (tensor.dim() > 1) shape.resize(shape.size() - 2);
  if (tensor.dim() == 1) shape.resize(shape.size() - 1);
  std::string header = ::tenon::concat("{'descr': '", type, "', 'fortran_order': False, 'shape': (", shape, "), }");
  header.append(63 - (header.size() + 10) % 64, ' ');
  header += '\n';
  bool is_long = header.size() > 0xffff;
  std::string out = std::string("\x93NUMPY", 6) + (is_long ? '\2' : '\1') + '\0';
  if (is_long)
    append_little_endian<4>(out, header.size());
  else
    append_little_endian<2>(out, header.size());
  out += header;
  Tensor plain = ::tenon::detail::in_memory(tensor);
  if (!plain.is_contiguous()) plain = ops::detach(plain).contiguous();
  if (plain.numel() > 0) out.append(static_cast<const char*>(plain.data_ptr()), plain.nbytes());
  return out;
}
TENON_COLD_BODY void save_npy(const std::string& path, const Tensor& tensor) {
  detail::write_file(path, encode_npy(tensor));
}

TENON_COLD_BODY NamedTensors load_npz(const std::string& path, Inflate inflate) {
  return decode_npz(::tenon::detail::FileBytes::map(path)->view(), path, inflate);
}
TENON_COLD_BODY NamedTensors decode_npz(std::string_view bytes, const std::string& name, Inflate inflate) {
  NamedTensors tensors;
  for (const detail::ZipEntry& e : detail::read_zip_directory(bytes, name, &::tenon::detail::is_utf8)) {
    std::string unpacked, own = e.name;
    std::string_view data = detail::read_zip_entry(bytes, e, name, inflate, unpacked, &::tenon::detail::is_utf8);
    TENON_CHECK(detail::crc32(data) == e.crc, FileError, name, ": ", e.name,
                ": the checksum does not agree with the data");
    if (own.size() >= 4 && own.substr(own.size() - 4) == ".npy") own.resize(own.size() - 4);
    tensors.emplace_back(std::move(own), decode_npy(data, name + ": " + e.name));
  }
  return tensors;
}
TENON_COLD_BODY std::string encode_npz(const NamedTensors& tensors) {
  std::string out;
  detail::ZipWriter zip([&](const char* bytes, std::size_t n) { out.append(bytes, n); });
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j)
      TENON_CHECK(tensors[i].first != tensors[j].first, ValueError, "save_npz(): expected one tensor named '",
                  tensors[i].first, "', got two");
    std::string name = tensors[i].first + ".npy", data = encode_npy(tensors[i].second);
    TENON_CHECK(name.size() <= 0xffff && tensors.size() < 0xffff && out.size() + data.size() < 0xffff0000u, ValueError,
                "save_npz(): a file of 4 GiB, 65,535 tensors or a name of that length is not supported; use "
                "save_safetensors()");
    zip.add(name, data);
  }
  zip.finish();
  return out;
}
TENON_COLD_BODY void save_npz(const std::string& path, const NamedTensors& tensors) {
  detail::write_file(path, encode_npz(tensors));
}

}  // namespace tenon::data
