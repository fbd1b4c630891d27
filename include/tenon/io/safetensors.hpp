// Tensors by name in safetensors files: reading through a mapping of the file, and writing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/base/dim_vector.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon {

/// Tensors by name, in an order that the holder chooses.
using NamedTensors = std::vector<std::pair<std::string, Tensor>>;
/// Free text by name.
using Metadata = std::vector<std::pair<std::string, std::string>>;

/// What a safetensors file says of one tensor. `begin` and `end` count bytes from the end of the header.
struct SafetensorsEntry {
  std::string name;
  std::string dtype_name;           ///< `F32`
  std::optional<ScalarType> dtype;  ///< nothing for a type that tenon has no elements of, such as F8_E4M3
  DimVector sizes;
  std::uint64_t begin = 0, end = 0;
};

namespace detail {
class FileBytes;
struct SafetensorsHeader {
  std::vector<SafetensorsEntry> entries;  // by name
  Metadata metadata;                      // by name
  std::size_t data_offset = 0;            // bytes from the start of the file
};
}  // namespace detail

/// A safetensors file whose header was read and checked; its tensors are made when they are asked for.
/// Cost: opening maps the file and reads the header only. Copies share the mapping.
class SafetensorsFile {
 public:
  /// Opens a file.
  /// Errors: FileError names file, tensor, expected and got for a file that cannot be read, a header that is no JSON of
  /// the format, a shape that disagrees with its bytes, and data that overlap, leave holes or lie outside the file.
  static SafetensorsFile open(const std::string& path);
  /// Reads a buffer that holds a whole file; `name` stands for the file in messages.
  static SafetensorsFile from_bytes(std::string bytes, std::string name = "safetensors");

  /// The tensors' descriptions, sorted by name.
  const std::vector<SafetensorsEntry>& entries() const { return header_.entries; }
  const Metadata& metadata() const { return header_.metadata; }
  /// The text of one metadata entry, or nothing.
  std::optional<std::string_view> metadata(std::string_view key) const;
  /// The description of one tensor, or null.
  const SafetensorsEntry* find(std::string_view name) const;
  /// The description of one tensor. Throws FileError.
  const SafetensorsEntry& entry(std::string_view name) const;
  /// The bytes of one tensor, row-major, little-endian, at any address. They live as long as this object or a copy.
  std::string_view bytes(const SafetensorsEntry& e) const;

  /// One tensor on the CPU, contiguous.
  /// Aliasing: it views the mapping where the file holds it aligned for its elements, and is a copy otherwise. Writing
  /// into it never changes the file. A view keeps the mapping; the file must not be shortened while one lives.
  /// Errors: FileError for an unknown name, and for a byte other than 0 and 1 in a BOOL; NotImplementedError for a type
  /// that tenon has no elements of.
  /// Cost: none per element for a view, except BOOL, which is read once.
  Tensor tensor(std::string_view name) const { return tensor(entry(name)); }
  Tensor tensor(const SafetensorsEntry& e) const;
  /// All tensors, sorted by name. Errors as tensor().
  NamedTensors tensors() const;

 private:
  SafetensorsFile(const intrusive_ptr<detail::FileBytes>& bytes, std::string name);

  intrusive_ptr<RefCounted> keeper_;  // what owns the bytes
  char* data_;
  std::size_t size_;
  std::string name_;
  detail::SafetensorsHeader header_;
};

/// Every tensor of a safetensors file, sorted by name; aliasing and errors as SafetensorsFile.
NamedTensors load_safetensors(const std::string& path);

/// Writes tensors to a safetensors file, which appears under its name only when it is complete.
/// Links are followed, a replaced file keeps its permissions, a device or a pipe is written as it is.
/// Shapes and strides: any; what is written is row-major. Dtypes: all but complex32 and complex128.
/// Errors: ValueError for a name twice, a name or text that is not UTF-8, a dtype the format lacks, a tensor that is
/// undefined or not in CPU memory; FileError if the file cannot be written.
/// Cost: one pass over the data; no copy of a contiguous tensor.
void save_safetensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata = {});
/// The bytes that save_safetensors() would write; errors as there.
std::string to_safetensors(const NamedTensors& tensors, const Metadata& metadata = {});

}  // namespace tenon
