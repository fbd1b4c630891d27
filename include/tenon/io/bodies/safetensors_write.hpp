// Writing safetensors: a header of sorted names, padded so that data start at a multiple of 8 bytes, then the data.
#pragma once
#include <algorithm>
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/io/detail/file_bytes.hpp>
#include <tenon/io/detail/safetensors_header.hpp>

namespace tenon {

namespace detail {

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

template <class Sink>
void write_safetensors(Sink&& sink, const NamedTensors& tensors, const Metadata& metadata) {
  struct Item {
    const std::string* name;
    const Tensor* tensor;
    const SafetensorsDtype* type;
  };
  std::vector<Item> items;
  for (const auto& [name, tensor] : tensors) {
    auto bad = [&name = name](std::string_view expected, std::string_view got, std::string_view remedy) {
      fail<ValueError>("save_safetensors(): tensor '", name, "': expected ", expected, ", got ", got, "; ", remedy);
    };
    if (!is_utf8(name)) bad("a name in UTF-8", "other bytes", "rename it");
    if (name == "__metadata__") bad("another name", "the one that the format reserves", "rename it");
    if (!tensor.defined()) bad("a tensor", "an undefined one", "leave it out");
    if (!tensor.is_cpu()) bad("a tensor on the CPU", to_string(tensor.device()), "move it with to()");
    if (tensor.layout() != kStrided) bad("a strided tensor", to_string(tensor.layout()), "make it dense first");
    if (tensor.is_conj() || tensor.is_neg())
      bad("plain elements", "a lazily conjugated or negated view", "use clone() first");
    const auto* type = find_safetensors_dtype([&](const auto& t) { return t.dtype == tensor.dtype(); });
    if (!type) bad("a dtype of the format", to_string(tensor.dtype()), "save its real and imaginary parts");
    items.push_back({&name, &tensor, type});
  }
  // Wide elements first: then all are aligned for their type without gaps.
  std::sort(items.begin(), items.end(), [](const Item& a, const Item& b) {
    return a.type->bits != b.type->bits ? a.type->bits > b.type->bits : *a.name < *b.name;
  });
  std::vector<const std::string*> names;
  for (const Item& item : items) names.push_back(item.name);
  std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
  for (std::size_t i = 1; i < names.size(); ++i)
    TENON_CHECK(*names[i - 1] != *names[i], ValueError, "save_safetensors(): expected one tensor named '", *names[i],
                "', got two; rename one");

  std::string header = "{";
  auto member = [&](std::string_view name) {
    if (header.size() > 1 && header.back() != '{') header += ',';
    header += json_string(name) + ":";
  };
  if (!metadata.empty()) {
    Metadata sorted = metadata;
    std::sort(sorted.begin(), sorted.end());
    member("__metadata__");
    header += '{';
    for (std::size_t i = 0; i < sorted.size(); ++i) {
      const auto& [key, text] = sorted[i];
      TENON_CHECK(is_utf8(key) && is_utf8(text), ValueError, "save_safetensors(): metadata '", key,
                  "': expected text in UTF-8, got other bytes; encode it");
      TENON_CHECK(i == 0 || sorted[i - 1].first != key, ValueError, "save_safetensors(): expected one metadata entry '",
                  key, "', got two; rename one");
      member(key);
      header += json_string(text);
    }
    header += '}';
  }
  std::uint64_t offset = 0;
  for (const Item& item : items) {
    member(*item.name);
    std::uint64_t end = offset + item.tensor->nbytes();
    header += "{\"dtype\":\"";
    header += item.type->name;
    header += "\",\"shape\":[";
    for (std::size_t d = 0; d < item.tensor->sizes().size(); ++d)
      header += (d ? "," : "") + std::to_string(item.tensor->sizes()[d]);
    header += concat("],\"data_offsets\":[", offset, ",", end, "]}");
    offset = end;
  }
  header += '}';
  header.append((8 - header.size() % 8) % 8, ' ');

  char length[8];
  for (int i = 0; i < 8; ++i) length[i] = static_cast<char>(header.size() >> (8 * i) & 0xff);
  sink(length, std::size_t{8});
  sink(header.data(), header.size());
  std::string row;
  for (const Item& item : items) {
    std::size_t size = item.tensor->element_size();
    for_each_row(*item.tensor, [&](const char* p, std::int64_t n, std::int64_t stride) {
      if (stride == 1 || n == 1) return sink(p, static_cast<std::size_t>(n) * size);
      row.resize(static_cast<std::size_t>(n) * size);
      for (std::int64_t i = 0; i < n; ++i)
        std::memcpy(row.data() + static_cast<std::size_t>(i) * size, p + i * stride * static_cast<std::int64_t>(size),
                    size);
      sink(row.data(), row.size());
    });
  }
}

}  // namespace detail

TENON_COLD_BODY void save_safetensors(const std::string& path, const NamedTensors& tensors, const Metadata& metadata) {
  detail::FileWriter file(path);
  detail::write_safetensors([&](const char* data, std::size_t bytes) { file.write(data, bytes); }, tensors, metadata);
  file.finish();
}
TENON_COLD_BODY std::string to_safetensors(const NamedTensors& tensors, const Metadata& metadata) {
  std::string out;
  detail::write_safetensors([&](const char* data, std::size_t bytes) { out.append(data, bytes); }, tensors, metadata);
  return out;
}

}  // namespace tenon
