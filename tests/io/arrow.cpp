// Columns of Arrow's C data interface, made by hand: what is shared, what is refused, and when memory is released.
#include <tenon/io/arrow.hpp>

#include <catch.hpp>
#include <cstring>
#include <vector>

#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

using namespace tenon;

namespace {

/// A producer's structures over memory of its own, and how often they were released.
struct Producer {
  ArrowSchema schema{};
  ArrowArray array{};
  const void* buffers[2] = {nullptr, nullptr};
  int schemas = 0, arrays = 0;

  Producer(const char* format, const void* data, std::int64_t length) {
    schema.format = format;
    schema.name = "price";
    schema.private_data = array.private_data = this;
    schema.release = [](ArrowSchema* s) { ++static_cast<Producer*>(s->private_data)->schemas, s->release = nullptr; };
    array.release = [](ArrowArray* a) { ++static_cast<Producer*>(a->private_data)->arrays, a->release = nullptr; };
    buffers[1] = data;
    array.length = length;
    array.n_buffers = 2;
    array.buffers = buffers;
  }
  Producer(const Producer&) = delete;
};
std::vector<float> floats_of(const Tensor& t) {
  std::vector<float> all;
  for (std::int64_t i = 0; i < t.numel(); ++i) all.push_back(static_cast<float*>(t.data_ptr())[i * t.stride(0)]);
  return all;
}

}  // namespace

TEST_CASE("a column is a tensor over the same memory until its last view ends", "[io][arrow]") {
  float data[] = {1, 2, 3, 4};
  Producer p("f", data, 3);
  p.array.offset = 1;
  Tensor view;
  {
    ArrowColumn column = column_from_arrow(&p.schema, &p.array);
    CHECK(column.name == "price");
    CHECK_FALSE(column.valid.defined());
    CHECK(column.values.data_ptr() == data + 1);
    CHECK(column.values.sizes() == IntArrayRef({3}));
    CHECK((p.schema.release == nullptr && p.array.release == nullptr && p.schemas == 1));
    view = ops::slice(column.values, 0, 1, 3);
  }
  CHECK(p.arrays == 0);
  CHECK(floats_of(view) == std::vector<float>{3, 4});
  view = Tensor();
  CHECK(p.arrays == 1);
}

TEST_CASE("missing values are refused, or told by a mask", "[io][arrow]") {
  float data[] = {1, 2, 3, 4};
  unsigned char valid = 0b1011;
  for (std::int64_t count : {std::int64_t{1}, std::int64_t{-1}}) {
    Producer p("f", data, 3);
    p.buffers[0] = &valid;
    p.array.null_count = count;
    p.array.offset = 1;
    CHECK_ERROR(from_arrow(&p.schema, &p.array), ValueError,
                "from_arrow(): expected a column without missing values, got 1 of 3; column_from_arrow() tells which");
    CHECK((p.schemas == 0 && p.arrays == 0));  // still the caller's
    ArrowColumn column = column_from_arrow(&p.schema, &p.array);
    REQUIRE(column.valid.defined());
    const bool* mask = column.valid.data_ptr<bool>();
    CHECK((mask[0] && !mask[1] && mask[2]));
    CHECK(floats_of(column.values) == std::vector<float>{2, 3, 4});
  }
  Producer whole("f", data, 2);
  whole.buffers[0] = &valid;
  whole.array.null_count = -1;
  CHECK_FALSE(column_from_arrow(&whole.schema, &whole.array).valid.defined());
}

TEST_CASE("bits become bools, and what is misaligned is copied", "[io][arrow]") {
  unsigned char bits[] = {0b10110000, 0b1};
  Producer bools("b", bits, 5);
  bools.array.offset = 4;
  Tensor t = from_arrow(&bools.schema, &bools.array);
  CHECK(t.dtype() == kBool);
  for (std::int64_t i = 0; i < 5; ++i) CHECK(t.data_ptr<bool>()[i] == (i != 2));
  CHECK((bools.arrays == 1 && bools.schemas == 1));
  alignas(8) unsigned char raw[12] = {};
  float one = 1;
  std::memcpy(raw + 2, &one, 4);
  Producer odd("f", raw + 2, 1);
  Tensor copy = from_arrow(&odd.schema, &odd.array);
  CHECK((floats_of(copy) == std::vector<float>{1} && odd.arrays == 1));
  Producer none("l", nullptr, 0);
  CHECK(from_arrow(&none.schema, &none.array).numel() == 0);
  CHECK(none.arrays == 1);
}

TEST_CASE("structures that are no columns of numbers are refused and stay the caller's", "[io][arrow]") {
  float data[] = {1};
  Producer text("u", data, 1);
  CHECK_ERROR(from_arrow(&text.schema, &text.array), NotImplementedError,
              "column_from_arrow(): expected a column of numbers or bools, got format 'u'");
  auto malformed = [&](auto change) {
    Producer p("f", data, 1);
    change(p.array);
    CHECK_ERROR_CONTAINS(column_from_arrow(&p.schema, &p.array), ValueError, "expected a column of two buffers");
    CHECK((p.schemas == 0 && p.arrays == 0));
  };
  malformed([](ArrowArray& a) { a.length = -1; });
  malformed([](ArrowArray& a) { a.offset = INT64_MAX; });
  malformed([](ArrowArray& a) { a.length = INT64_MAX / 2; });
  malformed([](ArrowArray& a) { a.n_buffers = 1; });
  malformed([](ArrowArray& a) { a.buffers = nullptr; });
  malformed([](ArrowArray& a) { a.null_count = 1; });  // without a bitmap
  Producer released("f", data, 1);
  released.array.release = nullptr;
  CHECK_ERROR(column_from_arrow(&released.schema, &released.array), ValueError,
              "column_from_arrow(): expected structures that are not released");
}

TEST_CASE("a tensor is handed out as a column, released by its consumer in any order", "[io][arrow]") {
  ArrowSchema schema;
  ArrowArray array;
  float data[] = {0, 1, 2, 3};
  int ended = 0;
  Tensor t = from_blob(
      data, {4}, kFloat, [](void* count) { ++*static_cast<int*>(count); }, &ended);
  to_arrow(t, &schema, &array, "count");
  CHECK((std::string(schema.format) == "f" && std::string(schema.name) == "count" && schema.n_children == 0));
  CHECK((array.buffers[1] == t.data_ptr() && array.null_count == 0 && array.length == 4));
  t = Tensor();
  schema.release(&schema);
  CHECK((schema.release == nullptr && array.release != nullptr));
  CHECK(ended == 0);
  array.release(&array);
  CHECK((array.release == nullptr && ended == 1));
  t = from_blob(data, {4}, kFloat);
  // Gaps are closed, bools packed.
  Tensor gaps = ops::slice(t, 0, 0, 4, 2);
  to_arrow(gaps, &schema, &array);
  CHECK(static_cast<const float*>(array.buffers[1])[1] == 2);
  CHECK(floats_of(from_arrow(&schema, &array)) == std::vector<float>{0, 2});
  Tensor bools = make_tensor({10}, {}, kBool);
  for (int i = 0; i < 10; ++i) bools.data_ptr<bool>()[i] = i % 3 == 0;
  to_arrow(bools, &schema, &array);
  CHECK((static_cast<const unsigned char*>(array.buffers[1])[0] == 0b01001001));
  CHECK((static_cast<const unsigned char*>(array.buffers[1])[1] == 0b10));
  Tensor back = from_arrow(&schema, &array);
  for (int i = 0; i < 10; ++i) CHECK(back.data_ptr<bool>()[i] == (i % 3 == 0));
  CHECK_ERROR_CONTAINS(to_arrow(make_tensor({2, 2}, {}, kFloat), &schema, &array), ValueError,
                       "got 2 dimensions on cpu");
  CHECK_ERROR(to_arrow(make_tensor({2}, {}, kComplexFloat), &schema, &array), NotImplementedError,
              "to_arrow(): expected a dtype that Arrow has, got complex64");
  CHECK_ERROR_CONTAINS(to_arrow(make_tensor({2}, {}, kFloat).requires_grad_(), &schema, &array), ValueError,
                       "use tensor.detach()");
}
