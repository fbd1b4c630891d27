// The header of a safetensors file as data, checked against the bytes that follow it.
// Source: the format's description, github.com/huggingface/safetensors, README "Format".
#pragma once
#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <tenon/base/byte_order.hpp>
#include <tenon/io/detail/header_json.hpp>
#include <tenon/io/safetensors.hpp>

namespace tenon {

namespace detail {

struct SafetensorsDtype {
  std::string_view name;  // empty: the format has no name for the dtype
  unsigned bits;
  ScalarType dtype;  // Undefined: known to the format only
};
inline constexpr SafetensorsDtype safetensors_dtypes[] = {
#define X(CPP, NAME, CODE, TEXT, CATEGORY, RANK, REAL, COMPUTE, STORED) {STORED, 8 * sizeof(CPP), ScalarType::NAME},
    TENON_FOR_EACH_SCALAR_TYPE(X)
#undef X
        {"F4", 4, ScalarType::Undefined},
    {"F6_E2M3", 6, ScalarType::Undefined},
    {"F6_E3M2", 6, ScalarType::Undefined},
    {"F8_E8M0", 8, ScalarType::Undefined},
    {"F8_E4M3FNUZ", 8, ScalarType::Undefined},
    {"F8_E5M2FNUZ", 8, ScalarType::Undefined},
};

/// Null if the format has none that `is` says true of.
template <class F>
const SafetensorsDtype* find_safetensors_dtype(F is) {
  for (const SafetensorsDtype& t : safetensors_dtypes)
    if (!t.name.empty() && is(t)) return &t;
  return nullptr;
}

/// What a file of another format is and who reads it, by its first bytes; empty for what has no such bytes.
inline std::string_view other_format(std::string_view bytes) {
  if (bytes.starts_with("PK\x03\x04"))
    return "a zip file: load_torch() reads those of torch.save(), load_npz() NumPy's";
  if (bytes.starts_with("\x93NUMPY")) return "an npy file, which load_npy() reads";
  return {};
}

class SafetensorsHeaderReader {
 public:
  SafetensorsHeaderReader(std::string_view bytes, std::string_view file) : bytes_(bytes), file_(file) {}

  /// Throws FileError.
  SafetensorsHeader read() {
    TENON_CHECK(bytes_.size() >= 8, FileError, file_,
                ": expected 8 bytes that hold the size of the header, got a file of ", bytes_.size(), " bytes");
    const std::uint64_t size = read_little_endian<8>(bytes_.data());
    if (std::string_view other = other_format(bytes_); size > bytes_.size() - 8 && !other.empty())
      fail<FileError>(file_, ": expected a safetensors file, got ", other);
    TENON_CHECK(size <= bytes_.size() - 8, FileError, file_, ": header: expected at most the ", bytes_.size() - 8,
                " bytes that follow its size, got a size of ", size, " bytes");
    TENON_CHECK(size <= kLargestHeader, FileError, file_, ": header: expected at most ", kLargestHeader, " bytes, got ",
                size);
    std::string_view text = bytes_.substr(8, size);
    TENON_CHECK(!text.empty() && text[0] == '{', FileError, file_, ": header: expected '{' as its first byte");
    data_ = bytes_.size() - 8 - size;
    header_.data_offset = 8 + size;

    HeaderJson json(text, file_);
    bool has_metadata = false;
    json.object([&](std::string name) {
      if (name == "__metadata__") {
        TENON_CHECK(!std::exchange(has_metadata, true), FileError, file_,
                    ": header: expected one __metadata__, got two");
        json.object([&](std::string key) { header_.metadata.emplace_back(std::move(key), json.string()); });
      } else {
        read_entry(json, std::move(name));
      }
    });
    json.expect_end();
    sort_by_name();
    check_places();
    return std::move(header_);
  }

 private:
  static constexpr std::uint64_t kLargestHeader = 100'000'000;  // bytes, the bound of the format's own reader

  void read_entry(HeaderJson& json, std::string name) {
    SafetensorsEntry e;
    e.name = std::move(name);
    bool has_shape = false;
    unsigned n_offsets = 0;
    json.object([&](const std::string& key) {
      if (key == "dtype") {
        if (!e.dtype_name.empty()) bad(e, "one dtype", "two");
        e.dtype_name = json.string();
      } else if (key == "shape") {
        if (std::exchange(has_shape, true)) bad(e, "one shape", "two");
        json.list([&] {
          std::uint64_t size = json.whole_number();
          if (size > static_cast<std::uint64_t>(INT64_MAX)) bad(e, "a size below 2^63", std::to_string(size));
          e.sizes.push_back(static_cast<std::int64_t>(size));
        });
      } else if (key == "data_offsets") {
        if (n_offsets != 0) bad(e, "data_offsets once", "twice");
        json.list([&] {
          std::uint64_t value = json.whole_number();
          (n_offsets == 0 ? e.begin : e.end) = value;
          ++n_offsets;
        });
        if (n_offsets != 2) bad(e, "two data_offsets", std::to_string(n_offsets));
      } else {
        json.skip();
      }
    });
    if (e.dtype_name.empty() || !has_shape || n_offsets == 0)
      bad(e, "dtype, shape and data_offsets",
          concat("no ", e.dtype_name.empty() ? "dtype"
                        : !has_shape         ? "shape"
                                             : "data_offsets"));
    check_extent(e);
    header_.entries.push_back(std::move(e));
  }

  void check_extent(SafetensorsEntry& e) {
    const auto* type = find_safetensors_dtype([&](const auto& t) { return t.name == e.dtype_name; });
    if (!type) bad(e, "a dtype of the format, F32 for example", concat("'", e.dtype_name, "'"));
    if (type->dtype != ScalarType::Undefined) e.dtype = type->dtype;
    if (e.begin > e.end || e.end > data_)
      bad(e, concat("data_offsets in order within ", data_, " bytes of data"), concat("[", e.begin, ", ", e.end, "]"));
    std::uint64_t bits = type->bits;
    bool empty = false;
    for (std::int64_t size : e.sizes) {
      empty = empty || size == 0;
      if (size != 0 && __builtin_mul_overflow(bits, static_cast<std::uint64_t>(size), &bits))
        bad(e, "a size in bytes below 2^61", concat("shape ", e.sizes));
    }
    if (empty) bits = 0;
    if (bits % 8 != 0) bad(e, "whole bytes", concat(bits, " bits"));
    if (bits / 8 != e.end - e.begin)
      bad(e, concat(bits / 8, " bytes for ", e.dtype_name, " of shape ", e.sizes), concat(e.end - e.begin));
  }

  void sort_by_name() {
    auto by_name = [](const auto& a, const auto& b) { return a.name < b.name; };
    auto& entries = header_.entries;
    std::sort(entries.begin(), entries.end(), by_name);
    for (std::size_t i = 1; i < entries.size(); ++i)
      if (entries[i - 1].name == entries[i].name) bad(entries[i], "one tensor of this name", "two");
    auto& metadata = header_.metadata;
    std::sort(metadata.begin(), metadata.end());
    for (std::size_t i = 1; i < metadata.size(); ++i)
      TENON_CHECK(metadata[i - 1].first != metadata[i].first, FileError, file_, ": header: expected one entry '",
                  metadata[i].first, "' in __metadata__, got two");
  }

  /// The tensors must fill the data one after the other: bytes that two tensors share, or none, hide something.
  void check_places() {
    std::vector<const SafetensorsEntry*> order;
    for (const auto& e : header_.entries) order.push_back(&e);
    std::sort(order.begin(), order.end(),
              [](const auto* a, const auto* b) { return std::pair(a->begin, a->end) < std::pair(b->begin, b->end); });
    std::uint64_t end = 0;
    for (const auto* e : order) {
      if (e->begin != end)
        bad(*e, concat("its data at byte ", end, ", where the tensor before it ends"), concat(e->begin));
      end = e->end;
    }
    TENON_CHECK(end == data_, FileError, file_, ": expected ", end, " bytes of data after the header, got ", data_);
  }

  [[noreturn, gnu::cold, gnu::noinline]] void bad(const SafetensorsEntry& e, std::string_view expected,
                                                  std::string_view got) {
    fail<FileError>(file_, ": tensor '", e.name, "': expected ", expected, ", got ", got);
  }

  std::string_view bytes_, file_;
  std::uint64_t data_ = 0;
  SafetensorsHeader header_;
};

}  // namespace detail
}  // namespace tenon
