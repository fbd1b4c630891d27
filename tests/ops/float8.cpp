// Tensors of 8-bit floats: stored, filled, converted and compared; what would calculate with them refuses. The bits and
// the words are those of PyTorch 2.15.
#include <tenon/io.hpp>

#include "support.hpp"

using namespace test;

namespace {
std::vector<int> bits(const Tensor& t) {
  Tensor c = t.contiguous();
  auto p = static_cast<const std::uint8_t*>(c.data_ptr());
  return {p, p + c.numel()};
}
using Bits = std::vector<int>;
Tensor samples() {
  return tensor({1.5, -2.0, 448.0, 500.0, std::numeric_limits<double>::quiet_NaN(),
                 std::numeric_limits<double>::infinity(), 0.1});
}
}  // namespace

TEST_CASE("conversions to 8-bit floats round and saturate as PyTorch's", "[ops][float8]") {
  Tensor x = samples();
  for (ScalarType from : {kFloat, kDouble, kComplexFloat}) {
    CHECK(bits(x.to(from).to(kFloat8_e4m3fn)) == Bits{60, 192, 126, 126, 127, 126, 29});
    CHECK(bits(x.to(from).to(kFloat8_e5m2)) == Bits{62, 192, 95, 96, 127, 124, 46});
  }
  CHECK(values(tensor({300, -5}).to(kFloat8_e4m3fn)) == Numbers{288, -5});
  CHECK(values(tensor({300, -5}).to(kFloat8_e5m2)) == Numbers{320, -5});
  CHECK(values(tensor({true, false}).to(kFloat8_e4m3fn)) == Numbers{1, 0});
  Tensor y = tensor({1.5, -2.0, 0.0}).to(kFloat8_e4m3fn);
  CHECK(values(y.to(kInt)) == Numbers{1, -2, 0});
  CHECK(values(y.to(kBool)) == Numbers{1, 1, 0});
  CHECK(values(y.to(kHalf)) == Numbers{1.5, -2, 0});
  CHECK(values(y.to(kFloat8_e5m2)) == Numbers{1.5, -2, 0});
  CHECK(y.to(kComplexFloat).dtype() == kComplexFloat);
}

TEST_CASE("8-bit floats are made, filled and read", "[ops][float8]") {
  for (ScalarType type : {kFloat8_e4m3fn, kFloat8_e5m2}) {
    CAPTURE(to_string(type));
    CHECK(values(ops::zeros({2}, "dtype"_a = type)) == Numbers{0, 0});
    CHECK(values(ops::full({2}, 3.0, "dtype"_a = type)) == Numbers{3, 3});
    CHECK(values(tensor({1e3, -0.25}, "dtype"_a = kFloat8_e5m2)) == Numbers{1024, -0.25});
    Tensor two = ops::ones({2}, "dtype"_a = type), one = ops::ones({1}, "dtype"_a = type);
    CHECK(one.item<double>() == 1);
    CHECK(values(two.fill_(2)) == Numbers{2, 2});
    CHECK_ERROR(two.fill_(1e6), ValueError,
                concat("value cannot be converted to type ", to_string(type), " without overflow"));
    CHECK(values(one.fill_(1e6)) ==
          (type == kFloat8_e5m2 ? Numbers{std::numeric_limits<double>::infinity()} : Numbers{448}));
    CHECK(values(two.select(0, 1)) == Numbers{2});
    CHECK(values(ops::cat({two, one.fill_(1)})) == Numbers{2, 2, 1});
    CHECK(values(two.clone()) == Numbers{2, 2});
    CHECK(values(ops::index_select(two, 0, tensor({1}))) == Numbers{2});
  }
}

TEST_CASE("8-bit floats are compared for equality, and chosen from", "[ops][float8]") {
  for (ScalarType type : {kFloat8_e4m3fn, kFloat8_e5m2}) {
    CAPTURE(to_string(type));
    Tensor y = samples().to(type);
    CHECK(values(ops::eq(y, y)) == Numbers{1, 1, 1, 1, 0, 1, 1});
    CHECK(values(ops::ne(y, y)) == Numbers{0, 0, 0, 0, 1, 0, 0});
    CHECK(values(ops::eq(y, 1.5)) == Numbers{1, 0, 0, 0, 0, 0, 0});
    CHECK(values(ops::eq(y, -2)) == Numbers{0, 1, 0, 0, 0, 0, 0});
    // A number becomes an 8-bit float first.
    const bool e5m2 = type == kFloat8_e5m2;
    CHECK(values(ops::eq(y, 1e9)) == (e5m2 ? Numbers{0, 0, 0, 0, 0, 1, 0} : Numbers{0, 0, 1, 1, 0, 1, 0}));
    CHECK(values(ops::isnan(y)) == Numbers{0, 0, 0, 0, 1, 0, 0});
    CHECK(values(ops::isinf(y)) == (e5m2 ? Numbers{0, 0, 0, 0, 0, 1, 0} : Numbers{0, 0, 0, 0, 0, 0, 0}));
    CHECK(values(ops::isfinite(y)) == (e5m2 ? Numbers{1, 1, 1, 1, 0, 0, 1} : Numbers{1, 1, 1, 1, 0, 1, 1}));
    CHECK(values(ops::eq(y, y.select(0, 0))) == Numbers{1, 0, 0, 0, 0, 0, 0});
    CHECK(values(ops::eq(y, tensor(1.5))) == Numbers{1, 0, 0, 0, 0, 0, 0});
    CHECK(bits(ops::where(ops::ne(y, y), ops::ones_like(y), y))[4] == (type == kFloat8_e5m2 ? 60 : 56));
    CHECK_ERROR(ops::eq(y, Complex<double>(0, 1)), TypeError,
                concat("Unknown Complex ScalarType for ", enumerator_name(type)));
    CHECK_ERROR(ops::eq(y, y.to(type == kFloat8_e5m2 ? kFloat8_e4m3fn : kFloat8_e5m2)), TypeError,
                concat("Promotion for Float8 Types is not supported, attempted to promote ", enumerator_name(type),
                       " and ", type == kFloat8_e5m2 ? "Float8_e4m3fn" : "Float8_e5m2"));
  }
}

TEST_CASE("8-bit floats are not calculated with", "[ops][float8]") {
  for (ScalarType type : {kFloat8_e4m3fn, kFloat8_e5m2}) {
    Tensor y = tensor({1.5, 2.0}).to(type), matrix = ops::ones({2, 2}, "dtype"_a = type), index = tensor({0, 1});
    const std::string word(enumerator_name(type)), refused = "not implemented for '" + word + "'";
    CHECK_ERROR_CONTAINS(y + y, NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(y + 1, NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(y * 2.0, NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(y / 2.0, NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::neg(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::exp(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::lt(y, y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::maximum(y, y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::relu(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::sum(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::prod(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::mean(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::max(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::argmax(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::cumsum(y, 0), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::sort(y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::dot(y, y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::mm(matrix, matrix), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::softmax(y, 0), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::masked_fill(y, tensor({true, false}), 1), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::scatter_add(y, 0, index, y), NotImplementedError, refused);
    CHECK_ERROR_CONTAINS(ops::index_add(y, 0, index, y), NotImplementedError, refused);
    CHECK(ops::any(y).item<bool>());
    CHECK_THROWS_AS(ops::rand({2}, "dtype"_a = type), NotImplementedError);
    CHECK_THROWS_AS(ops::arange(3, "dtype"_a = type), NotImplementedError);
    CHECK_ERROR(y + ops::ones({2}), TypeError,
                "Promotion for Float8 Types is not supported, attempted to promote " + word + " and Float");
    CHECK_ERROR(ops::ones({2}) + y, TypeError,
                "Promotion for Float8 Types is not supported, attempted to promote Float and " + word);
    CHECK_ERROR(ops::cat({y, ops::ones({2})}), TypeError,
                "Promotion for Float8 Types is not supported, attempted to promote " + word + " and Float");
  }
}

TEST_CASE("8-bit floats are printed and kept in files", "[ops][float8]") {
  CHECK(to_string(samples().to(kFloat8_e4m3fn)) ==
        "tensor([ 1.5000e+00, -2.0000e+00,  4.4800e+02,  4.4800e+02,         nan,\n"
        "         4.4800e+02,  1.0156e-01], dtype=float8_e4m3fn)");
  CHECK(to_string(tensor({1.5, 2.0}).to(kFloat8_e5m2)) == "tensor([1.5000, 2.0000], dtype=float8_e5m2)");
  for (ScalarType type : {kFloat8_e4m3fn, kFloat8_e5m2}) {
    Tensor y = samples().to(type);
    std::string file = to_safetensors({{"t", y}});
    CHECK(file.find(type == kFloat8_e5m2 ? "\"F8_E5M2\"" : "\"F8_E4M3\"") != std::string::npos);
    Tensor back = SafetensorsFile::from_bytes(file).tensor("t");
    CHECK(back.dtype() == type);
    CHECK(bits(back) == bits(y));
  }
}
