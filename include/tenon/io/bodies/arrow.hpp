// Arrow's C data interface: formats, bitmaps, and who owns what.
#pragma once
#include <cstring>
#include <memory>
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/io/arrow.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace arrow {

struct Format {
  ScalarType dtype;
  const char* text;
};
inline constexpr Format formats[] = {{kBool, "b"},   {kChar, "c"}, {kByte, "C"},   {kShort, "s"},
                                     {kUInt16, "S"}, {kInt, "i"},  {kUInt32, "I"}, {kLong, "l"},
                                     {kUInt64, "L"}, {kHalf, "e"}, {kFloat, "f"},  {kDouble, "g"}};

inline bool bit(const void* bits, std::int64_t i) {
  return static_cast<const unsigned char*>(bits)[i / 8] >> i % 8 & 1;
}
inline Tensor bools_of(const void* bits, std::int64_t first, std::int64_t count) {
  Tensor t = make_tensor({count}, {}, kBool);
  for (std::int64_t i = 0; i < count; ++i) t.data_ptr<bool>()[i] = bit(bits, first + i);
  return t;
}

/// An array that somebody took over; released at its end.
struct Owned {
  ArrowArray array;
  explicit Owned(const ArrowArray& taken) : array(taken) {}
  Owned(const Owned&) = delete;
  ~Owned() { array.release(&array); }
};

/// What the two structures of an exported column point to.
struct ExportedSchema {
  std::string format, name;
};
struct ExportedArray {
  Tensor keeper;
  const void* buffers[2];
};

}  // namespace arrow

TENON_COLD_BODY ArrowColumn column_from_arrow(ArrowSchema* schema, ArrowArray* array) {
  TENON_CHECK(schema && schema->release && array && array->release, ValueError,
              "column_from_arrow(): expected structures that are not released");
  const arrow::Format* format = nullptr;
  for (const arrow::Format& f : arrow::formats)
    if (schema->format && std::strcmp(schema->format, f.text) == 0) format = &f;
  TENON_CHECK(format && !schema->dictionary, NotImplementedError,
              "column_from_arrow(): expected a column of numbers or bools, got format '",
              schema->format ? schema->format : "", "'", schema->dictionary ? " with a dictionary" : "");
  const std::int64_t n = array->length, first = array->offset,
                     bytes = static_cast<std::int64_t>(item_size(format->dtype));
  std::int64_t end;
  TENON_CHECK(n >= 0 && first >= 0 && !__builtin_add_overflow(n, first, &end) && end <= INT64_MAX / bytes &&
                  array->n_buffers == 2 && array->buffers && array->n_children == 0 && !array->dictionary &&
                  (array->buffers[1] || n == 0) && array->null_count >= -1 && array->null_count <= n &&
                  (array->buffers[0] || array->null_count <= 0),
              ValueError, "column_from_arrow(): expected a column of two buffers without children, got length ", n,
              ", offset ", first, ", ", array->null_count, " missing values, ", array->n_buffers, " buffers, ",
              array->n_children, " children");
  ArrowColumn column;
  if (schema->name) column.name = schema->name;
  if (array->buffers[0] && array->null_count != 0) {
    bool any = false;
    for (std::int64_t i = 0; i < n && !any; ++i) any = !arrow::bit(array->buffers[0], first + i);
    if (any) column.valid = arrow::bools_of(array->buffers[0], first, n);
  }
  const char* data = static_cast<const char*>(array->buffers[1]);
  bool is_bits = format->dtype == kBool, copies = is_bits || n == 0;
  if (!copies) {
    data += first * bytes;
    copies = reinterpret_cast<std::uintptr_t>(data) % static_cast<std::size_t>(bytes) != 0;
  }
  if (is_bits) {
    column.values = arrow::bools_of(data, first, n);
  } else if (copies) {
    column.values = make_tensor({n}, {}, format->dtype);
    if (n > 0) std::memcpy(column.values->data(), data, static_cast<std::size_t>(n * bytes));
  }
  if (copies) {
    array->release(array);
  } else {
    auto owned = std::make_unique<arrow::Owned>(*array);
    array->release = nullptr;
    // The structure goes back if no tensor can be made.
    try {
      column.values = from_blob(
          const_cast<char*>(data), {n}, {1}, format->dtype,
          [](void* context) { delete static_cast<arrow::Owned*>(context); }, owned.get(), kCPU);
      owned.release();
    } catch (...) {
      *array = owned->array;
      owned->array.release = [](ArrowArray*) {};
      throw;
    }
  }
  if (array->release) array->release = nullptr;
  schema->release(schema);
  schema->release = nullptr;
  return column;
}

TENON_COLD_BODY Tensor from_arrow(ArrowSchema* schema, ArrowArray* array) {
  if (array && array->release && array->length >= 0 && array->n_buffers > 0 && array->buffers && array->buffers[0] &&
      array->null_count != 0) {
    std::int64_t missing = 0;
    for (std::int64_t i = 0; i < array->length; ++i) missing += !arrow::bit(array->buffers[0], array->offset + i);
    TENON_CHECK(missing == 0, ValueError, "from_arrow(): expected a column without missing values, got ", missing,
                " of ", array->length, "; column_from_arrow() tells which");
  }
  return column_from_arrow(schema, array).values;
}

TENON_COLD_BODY void to_arrow(const Tensor& tensor, ArrowSchema* schema, ArrowArray* array, std::string_view name) {
  TENON_CHECK(tensor.dim() == 1 && tensor.is_cpu() && tensor.layout() == kStrided, ValueError,
              "to_arrow(): expected a strided tensor of one dimension in CPU memory, got ", tensor.dim(),
              " dimensions on ", tensor.device());
  TENON_CHECK(!tensor.is_neg(), ValueError,
              "to_arrow(): expected a tensor without the negative bit; use tensor.resolve_neg()");
  TENON_CHECK(!tensor._is_zerotensor(), ValueError,
              "to_arrow(): expected a tensor with memory, got zeros without; use tensor.clone()");
  TENON_CHECK(!tensor.requires_grad(), ValueError,
              "to_arrow(): expected a tensor that does not require a gradient; use tensor.detach()");
  const arrow::Format* format = nullptr;
  for (const arrow::Format& f : arrow::formats)
    if (f.dtype == tensor.dtype()) format = &f;
  TENON_CHECK(format, NotImplementedError, "to_arrow(): expected a dtype that Arrow has, got ", tensor.dtype());
  const std::int64_t n = tensor.numel();
  auto own_schema = std::make_unique<arrow::ExportedSchema>(arrow::ExportedSchema{format->text, std::string(name)});
  auto own_array = std::make_unique<arrow::ExportedArray>();
  auto item = item_size(format->dtype);
  if (format->dtype == kBool) {
    own_array->keeper = make_tensor({(n + 7) / 8}, {}, kByte);
    auto* bits = static_cast<unsigned char*>(own_array->keeper->data());
    if (n > 0) std::memset(bits, 0, static_cast<std::size_t>((n + 7) / 8));
    for (std::int64_t i = 0; i < n; ++i)
      if (static_cast<const bool*>(tensor.data_ptr())[i * tensor.stride(0)])
        bits[i / 8] |= static_cast<unsigned char>(1 << i % 8);
  } else if (n < 2 || tensor.stride(0) == 1) {
    own_array->keeper = tensor;
  } else {
    own_array->keeper = make_tensor({n}, {}, format->dtype);
    auto* to = static_cast<char*>(own_array->keeper->data());
    const auto* from = static_cast<const char*>(tensor.data_ptr());
    auto step = tensor.stride(0) * static_cast<std::int64_t>(item);
    for (std::int64_t i = 0; i < n; ++i) std::memcpy(to + i * static_cast<std::int64_t>(item), from + i * step, item);
  }
  // Consumers of empty columns may ask for an address, too.
  static const std::int64_t nothing = 0;
  own_array->buffers[0] = nullptr;
  own_array->buffers[1] = n > 0 ? own_array->keeper.data_ptr() : static_cast<const void*>(&nothing);
  *schema = {};
  schema->format = own_schema->format.c_str();
  schema->name = own_schema->name.c_str();
  schema->release = [](ArrowSchema* s) {
    delete static_cast<arrow::ExportedSchema*>(s->private_data);
    s->release = nullptr;
  };
  *array = {};
  array->length = n;
  array->n_buffers = 2;
  array->buffers = own_array->buffers;
  array->release = [](ArrowArray* a) {
    delete static_cast<arrow::ExportedArray*>(a->private_data);
    a->release = nullptr;
  };
  array->private_data = own_array.release();
  schema->private_data = own_schema.release();
}

}  // namespace tenon
