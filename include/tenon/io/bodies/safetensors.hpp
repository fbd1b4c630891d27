// Safetensors files: the mapping, tensors that view it, and writing.
#pragma once
#include <algorithm>
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/safetensors_header.hpp>
#include <tenon/io/detail/safetensors_writer.hpp>
#include <tenon/io/safetensors.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

TENON_COLD_BODY SafetensorsFile::SafetensorsFile(const intrusive_ptr<detail::FileBytes>& bytes, std::string name)
    : keeper_(bytes),
      data_(bytes->data()),
      size_(bytes->size()),
      name_(std::move(name)),
      header_(detail::SafetensorsHeaderReader(bytes->view(), name_).read()) {}
TENON_COLD_BODY SafetensorsFile SafetensorsFile::open(const std::string& path) {
  return {detail::FileBytes::map(path), path};
}
TENON_COLD_BODY SafetensorsFile SafetensorsFile::from_bytes(std::string bytes, std::string name) {
  return {detail::FileBytes::own(std::move(bytes)), std::move(name)};
}
TENON_COLD_BODY std::optional<std::string_view> SafetensorsFile::metadata(std::string_view key) const {
  for (const auto& [name, text] : header_.metadata)
    if (name == key) return text;
  return std::nullopt;
}
TENON_COLD_BODY const SafetensorsEntry* SafetensorsFile::find(std::string_view name) const {
  auto at = std::lower_bound(entries().begin(), entries().end(), name,
                             [](const SafetensorsEntry& e, std::string_view n) { return e.name < n; });
  return at != entries().end() && at->name == name ? &*at : nullptr;
}
TENON_COLD_BODY const SafetensorsEntry& SafetensorsFile::entry(std::string_view name) const {
  const auto* e = find(name);
  TENON_CHECK(e, FileError, name_, ": expected a tensor named '", name, "', got none among ", entries().size(),
              " tensors");
  return *e;
}
TENON_COLD_BODY std::string_view SafetensorsFile::bytes(const SafetensorsEntry& e) const {
  return std::string_view(data_, size_).substr(header_.data_offset + e.begin, e.end - e.begin);
}
TENON_COLD_BODY Tensor SafetensorsFile::tensor(const SafetensorsEntry& e) const {
  TENON_CHECK(e.dtype, NotImplementedError, name_, ": tensor '", e.name,
              "': expected a dtype with elements in tenon, got ", e.dtype_name);
  std::string_view data = bytes(e);
  if (*e.dtype == kBool)
    for (char c : data)
      TENON_CHECK(c == 0 || c == 1, FileError, name_, ": tensor '", e.name, "': expected bytes 0 and 1 in BOOL, got ",
                  static_cast<int>(static_cast<unsigned char>(c)));
  std::size_t alignment = item_size(to_real_type(*e.dtype));
  if (data.empty() || reinterpret_cast<std::uintptr_t>(data.data()) % alignment != 0) {
    Tensor copy = make_tensor(e.sizes, {}, *e.dtype);
    if (!data.empty()) std::memcpy(copy.data_ptr(), data.data(), data.size());
    return copy;
  }
  auto keeper = keeper_;
  return from_blob(
      data_ + (data.data() - data_), e.sizes, *e.dtype, [](void* bytes) { static_cast<RefCounted*>(bytes)->release(); },
      keeper.release());
}
TENON_COLD_BODY NamedTensors SafetensorsFile::tensors() const {
  NamedTensors all;
  for (const auto& e : entries()) all.emplace_back(e.name, tensor(e));
  return all;
}

TENON_COLD_BODY NamedTensors load_safetensors(const std::string& path) { return SafetensorsFile::open(path).tensors(); }

TENON_COLD_BODY void save_safetensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata) {
  detail::FileWriter file(path);
  detail::SafetensorsWriter(tensors, metadata).write([&](const char* data, std::size_t n) { file.write(data, n); });
  file.finish();
}
TENON_COLD_BODY std::string to_safetensors(const NamedTensors& tensors, const Metadata& metadata) {
  std::string out;
  detail::SafetensorsWriter(tensors, metadata).write([&](const char* data, std::size_t n) { out.append(data, n); });
  return out;
}

}  // namespace tenon
