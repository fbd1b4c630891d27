// Writing safetensors: a header of sorted names, padded so that data start at a multiple of 8 bytes, then the data.
#pragma once
#include <algorithm>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/io/detail/safetensors_header.hpp>
#include <tenon/ops/in_memory.hpp>

namespace tenon::detail {

/// Calls `row(pointer, elements)` for the rows of a CPU tensor in row-major order; a row's elements lie `stride` apart.
template <class F>
void for_each_row(const Tensor& t, F&& row) {
  IntArrayRef sizes = t.sizes(), strides = t.strides();
  if (t.numel() == 0) return;
  const char* base = static_cast<const char*>(t.data_ptr());
  auto item = static_cast<std::int64_t>(t.element_size());
  if (t.is_contiguous()) return row(base, t.numel(), std::int64_t{1});
  std::size_t outer = sizes.size() - 1;
  DimVector index(outer);
  for (;;) {
    std::int64_t offset = 0;
    for (std::size_t d = 0; d < outer; ++d) offset += index[d] * strides[d];
    row(base + offset * item, sizes[outer], strides[outer]);
    std::size_t d = outer;
    while (d > 0 && ++index[d - 1] == sizes[d - 1]) index[--d] = 0;
    if (d == 0) return;
  }
}

class SafetensorsWriter {
 public:
  /// Throws ValueError for what the format cannot hold.
  SafetensorsWriter(const NamedTensors& tensors, const Metadata& metadata) {
    for (const auto& [name, tensor] : tensors) {
      const auto& type = checked_dtype(name, tensor);
      items_.push_back({&name, in_memory(tensor), &type});
    }
    // Wide elements first: then all are aligned for their type without gaps.
    std::sort(items_.begin(), items_.end(), [](const Item& a, const Item& b) {
      return a.type->bits != b.type->bits ? a.type->bits > b.type->bits : *a.name < *b.name;
    });
    check_names();
    header_ = "{";
    if (!metadata.empty()) add_metadata(metadata);
    std::uint64_t offset = 0;
    for (const Item& item : items_) offset = add_entry(item, offset);
    header_ += '}';
    header_.append((8 - header_.size() % 8) % 8, ' ');
  }

  /// Calls `sink(data, bytes)` for the parts of the file in order.
  template <class Sink>
  void write(Sink&& sink) const {
    char length[8];
    write_little_endian<8>(length, header_.size());
    sink(length, std::size_t{8});
    sink(header_.data(), header_.size());
    std::string row;
    for (const Item& item : items_) {
      std::size_t size = item.tensor.element_size();
      for_each_row(item.tensor, [&](const char* p, std::int64_t n, std::int64_t stride) {
        if (stride == 1 || n == 1) return sink(p, static_cast<std::size_t>(n) * size);
        row.resize(static_cast<std::size_t>(n) * size);
        for (std::int64_t i = 0; i < n; ++i)
          std::memcpy(row.data() + static_cast<std::size_t>(i) * size, p + i * stride * static_cast<std::int64_t>(size),
                      size);
        sink(row.data(), row.size());
      });
    }
  }

 private:
  struct Item {
    const std::string* name;
    Tensor tensor;
    const SafetensorsDtype* type;
  };

  static const SafetensorsDtype& checked_dtype(const std::string& name, const Tensor& tensor) {
    auto bad = [&](std::string_view expected, std::string_view got, std::string_view remedy) {
      fail<ValueError>("save_safetensors(): tensor '", name, "': expected ", expected, ", got ", got, "; ", remedy);
    };
    if (!is_utf8(name)) bad("a name in UTF-8", "other bytes", "rename it");
    if (name == "__metadata__") bad("another name", "the one that the format reserves", "rename it");
    if (!tensor.defined()) bad("a tensor", "an undefined one", "leave it out");
    if (!tensor.is_cpu()) bad("a tensor on the CPU", to_string(tensor.device()), "move it with to()");
    if (tensor.layout() != kStrided) bad("a strided tensor", to_string(tensor.layout()), "make it dense first");
    const auto* type = find_safetensors_dtype([&](const auto& t) { return t.dtype == tensor.dtype(); });
    if (!type) bad("a dtype of the format", to_string(tensor.dtype()), "save its real and imaginary parts");
    return *type;
  }
  void check_names() const {
    std::vector<const std::string*> names;
    for (const Item& item : items_) names.push_back(item.name);
    std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
    for (std::size_t i = 1; i < names.size(); ++i)
      TENON_CHECK(*names[i - 1] != *names[i], ValueError, "save_safetensors(): expected one tensor named '", *names[i],
                  "', got two; rename one");
  }
  void add_member(std::string_view name) {
    if (header_.size() > 1 && header_.back() != '{') header_ += ',';
    header_ += json_string(name) + ":";
  }
  void add_metadata(const Metadata& metadata) {
    Metadata sorted = metadata;
    std::sort(sorted.begin(), sorted.end());
    add_member("__metadata__");
    header_ += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto& [key, text] = sorted[i];
      TENON_CHECK(is_utf8(key) && is_utf8(text), ValueError, "save_safetensors(): metadata '", key,
                  "': expected text in UTF-8, got other bytes; encode it");
      TENON_CHECK(i == 0 || sorted[i - 1].first != key, ValueError, "save_safetensors(): expected one metadata entry '",
                  key, "', got two; rename one");
      add_member(key);
      header_ += json_string(text);
    }
    header_ += '}';
  }
  /// Returns where the tensor's data end.
  std::uint64_t add_entry(const Item& item, std::uint64_t offset) {
    add_member(*item.name);
    std::uint64_t end = offset + item.tensor.nbytes();
    header_ += "{\"dtype\":\"";
    header_ += item.type->name;
    header_ += "\",\"shape\":[";
    for (std::size_t d = 0; d < item.tensor.sizes().size(); ++d)
      header_ += (d ? "," : "") + std::to_string(item.tensor.sizes()[d]);
    header_ += concat("],\"data_offsets\":[", offset, ",", end, "]}");
    return end;
  }

  std::vector<Item> items_;
  std::string header_;
};

}  // namespace tenon::detail
