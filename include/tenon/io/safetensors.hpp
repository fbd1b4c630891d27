// Tensors by name in safetensors files: reading through a mapping of the file, and writing.
#pragma once
#include <cstring>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/safetensors_header.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

/// Tensors by name, in an order that the holder chooses.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
/// Free text by name.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// A safetensors file whose header was read and checked; its tensors are made when they are asked for.
/// Cost: opening maps the file and reads the header only. Copies share the mapping.
class SafetensorsFile {
 public:
  /// Opens a file.
  /// Errors: FileError names file, tensor, expected and got for a file that cannot be read, a header that is no JSON of
  /// the format, a shape that disagrees with its bytes, and data that overlap, leave holes or lie outside the file.
  static SafetensorsFile open(const std::string& path) { return {detail::FileBytes::map(path), path}; }
  /// Reads a buffer that holds a whole file; `name` stands for the file in messages.
  static SafetensorsFile from_bytes(std::string bytes, std::string name = "safetensors") {
    return {detail::FileBytes::own(std::move(bytes)), std::move(name)};
  }

  /// The tensors' descriptions, sorted by name.
  const std::vector<SafetensorsEntry>& entries() const { return header_.entries; }
  const Metadata& metadata() const { return header_.metadata; }
  /// The text of one metadata entry, or nothing.
  std::optional<std::string_view> metadata(std::string_view key) const {
    for (const auto& [name, text] : header_.metadata)
      if (name == key) return text;
    return std::nullopt;
  }
  /// The description of one tensor, or null.
  const SafetensorsEntry* find(std::string_view name) const {
    auto at = std::lower_bound(entries().begin(), entries().end(), name,
                               [](const SafetensorsEntry& e, std::string_view n) { return e.name < n; });
    return at != entries().end() && at->name == name ? &*at : nullptr;
  }
  /// The description of one tensor. Throws FileError.
  const SafetensorsEntry& entry(std::string_view name) const {
    const auto* e = find(name);
    TENON_CHECK(e, FileError, name_, ": expected a tensor named '", name, "', got none among ", entries().size(),
                " tensors");
    return *e;
  }
  /// The bytes of one tensor, row-major, little-endian, at any address. They live as long as this object or a copy.
  std::string_view bytes(const SafetensorsEntry& e) const {
    return bytes_->view().substr(header_.data_offset + e.begin, e.end - e.begin);
  }

  /// One tensor on the CPU, contiguous.
  /// Aliasing: it views the mapping where the file holds it aligned for its elements, and is a copy otherwise. Writing
  /// into it never changes the file. A view keeps the mapping; the file must not be shortened while one lives.
  /// Errors: FileError for an unknown name, and for a byte other than 0 and 1 in a BOOL; NotImplementedError for a type
  /// that tenon has no elements of.
  /// Cost: none per element for a view, except BOOL, which is read once.
  Tensor tensor(std::string_view name) const { return tensor(entry(name)); }
  Tensor tensor(const SafetensorsEntry& e) const {
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
    auto keeper = bytes_;
    char* start = bytes_->data() + (data.data() - bytes_->data());
    return from_blob(
        start, e.sizes, *e.dtype, [](void* bytes) { static_cast<detail::FileBytes*>(bytes)->release(); },
        keeper.release());
  }
  /// All tensors, sorted by name. Errors as tensor().
  NamedTensors tensors() const {
    NamedTensors all;
    for (const auto& e : entries()) all.emplace_back(e.name, tensor(e));
    return all;
  }

 private:
  SafetensorsFile(intrusive_ptr<detail::FileBytes> bytes, std::string name)
      : bytes_(std::move(bytes)),
        name_(std::move(name)),
        header_(detail::SafetensorsHeaderReader(bytes_->view(), name_).read()) {}

  intrusive_ptr<detail::FileBytes> bytes_;
  std::string name_;
  detail::SafetensorsHeader header_;
};

/// Every tensor of a safetensors file, sorted by name; aliasing and errors as SafetensorsFile.
inline NamedTensors load_safetensors(const std::string& path) { return SafetensorsFile::open(path).tensors(); }

/// Writes tensors to a safetensors file, which appears under its name only when it is complete.
/// Shapes and strides: any; what is written is row-major. Dtypes: all but complex32 and complex128.
/// Errors: ValueError for a name twice, a name or text that is not UTF-8, a dtype the format lacks, a tensor that is
/// undefined or not in CPU memory; FileError if the file cannot be written.
/// Cost: one pass over the data; no copy of a contiguous tensor.
inline void save_safetensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata = {});
/// The bytes that save_safetensors() would write; errors as there.
inline std::string to_safetensors(const NamedTensors& tensors, const Metadata& metadata = {});

}  // namespace tenon

#include <tenon/io/detail/safetensors_write_impl.hpp>
