// Copies, fills and conversions.
#include <cmath>
#include <limits>

#include "support.hpp"

using namespace test;

TEST_CASE("copy_ casts, broadcasts and follows strides", "[ops][copy]") {
  Tensor a = ops::zeros({3, 2}), b = counted({2}, kLong);
  CHECK(a.copy_(b).is_same(a));
  CHECK(values(a) == Numbers{0, 1, 0, 1, 0, 1});
  Tensor t = a.t();
  t.copy_(counted({2, 3}));
  CHECK(values(a) == Numbers{0, 3, 1, 4, 2, 5});
  Tensor flags = ops::empty({3}, "dtype"_a = kBool);
  CHECK(values(flags.copy_(tensor({0., 0.5, -2.}))) == Numbers{0, 1, 1});
  CHECK(values(a.copy_(a)) == Numbers{0, 3, 1, 4, 2, 5});
}

TEST_CASE("copy_ refuses shapes, overlaps and absent data in PyTorch's words", "[ops][copy]") {
  Tensor x = counted({3, 4});
  CHECK_ERROR(x.copy_(ops::zeros({2, 2})), ValueError,
              "The size of tensor a (4) must match the size of tensor b (2) at non-singleton dimension 1");
  CHECK_ERROR(x.copy_(ops::zeros({2, 3, 4})), ValueError,
              "output with shape [3, 4] doesn't match the broadcast shape [2, 3, 4]");
  Tensor row = x.select(0, 0), wide = row.expand({3, 4});
  CHECK_ERROR_CONTAINS(wide.copy_(x), ValueError, "more than one element of the written-to tensor");
  Tensor again = wide.detach();
  CHECK(again.copy_(wide).is_same(again));  // the same elements: nothing is written
  Tensor y = ops::zeros({6}), tail = y.narrow(0, 1, 5), head = y.narrow(0, 0, 5);
  CHECK_ERROR_CONTAINS(tail.copy_(head), ValueError,
                       "some elements of the input tensor and the written-to tensor refer to a single memory location");
  CHECK_ERROR(x.copy_(ops::empty({3, 4}, "device"_a = kMeta)), NotImplementedError,
              "Cannot copy out of meta tensor; no data!");
  Tensor m = ops::empty({3, 4}, "device"_a = kMeta);
  CHECK(m.copy_(x).is_same(m));
}

TEST_CASE("fill_ with a tensor writes each element once", "[ops][copy]") {
  Tensor one = ops::zeros({1}), row = one.expand({2});
  CHECK_ERROR_CONTAINS(
      ops::fill_(row, tensor(1.0)), ValueError,
      "unsupported operation: more than one element of the written-to tensor refers to a single memory location");
  CHECK(values(one) == Numbers{0});
  ops::fill_(row, 1);
  CHECK(values(one) == Numbers{1});
}

TEST_CASE("copy_ between tensors that overlap goes element after element", "[ops][copy]") {
  // Results of PyTorch 2.15 on the CPU.
  Tensor x = counted({2, 2}), windows = x.as_strided({2, 2}, {1, 1}, 1);
  windows.copy_(x);
  CHECK(values(x) == Numbers{0, 0, 0, 3});
  Tensor y = counted({2, 3}), places = y.as_strided({2, 3}, {1, 1}, 0);
  places.copy_(ops::mul(counted({2, 3}), 10));
  CHECK(values(y) == Numbers{0, 10, 20, 50, 4, 5});
}

TEST_CASE("fill_ writes views and nothing else, and checks the value", "[ops][copy]") {
  Tensor x = ops::zeros({4, 4});
  Tensor v = ops::slice(x, 1, 1, 4, 2);
  v.fill_(2.5);
  CHECK(values(x) == Numbers{0, 2.5, 0, 2.5, 0, 2.5, 0, 2.5, 0, 2.5, 0, 2.5, 0, 2.5, 0, 2.5});
  v.zero_();
  CHECK(values(x) == Numbers(16, 0));
  CHECK(values(x.t().fill_(tensor(3))) == Numbers(16, 3));
  CHECK_ERROR(x.fill_(ops::zeros({2})), ValueError,
              "fill_ only supports 0-dimension value tensor but got tensor with 1 dimensions.");
  CHECK_THROWS_AS(x.fill_(Complex<double>(0, 1)), ValueError);
  CHECK_THROWS_AS(x.fill_(1e39), ValueError);
  Tensor i = ops::zeros({2}, "dtype"_a = kLong), b = ops::zeros({2}, "dtype"_a = kByte);
  CHECK(values(i.fill_(2.7)) == Numbers{2, 2});
  CHECK(values(b.fill_(-1)) == Numbers{255, 255});
  // A tensor's value is copied: it wraps. 16-bit floats take what is too large as infinity.
  CHECK(values(b.fill_(tensor(300))) == Numbers{44, 44});
  CHECK(values(ops::zeros({1}, "dtype"_a = kHalf).fill_(1e10)) == Numbers{std::numeric_limits<double>::infinity()});
  Tensor e = ops::zeros({3}).expand({2, 3});
  CHECK(values(e.fill_(1)) == Numbers(6, 1));
}

TEST_CASE("every dtype can be filled, zeroed and cloned", "[ops][copy]") {
  for (ScalarType type : {kByte, kChar, kShort, kInt, kLong, kHalf, kFloat, kDouble, kComplexHalf, kComplexFloat,
                          kComplexDouble, kBool, kBFloat16, kUInt16, kUInt32, kUInt64})
    for (std::int64_t n : {0, 1, 7, 1000}) {
      Tensor t = ops::full({n}, 1, "dtype"_a = type);
      CHECK(values(t.clone().to(kDouble)) == Numbers(static_cast<std::size_t>(n), 1));
      CHECK(values(t.zero_()) == Numbers(static_cast<std::size_t>(n), 0));
    }
}

TEST_CASE("W5: contiguous follows memory formats and returns what already fits", "[ops][copy]") {
  Tensor x = counted({1, 64, 5, 4}), y = x.contiguous(MemoryFormat::ChannelsLast);
  CHECK(list(y.sizes()) == Ints{1, 64, 5, 4});
  CHECK(list(y.strides()) == Ints{1280, 1, 256, 64});
  CHECK_FALSE(y.is_contiguous());
  CHECK(y.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(values(y) == values(x));
  CHECK(y.contiguous(MemoryFormat::ChannelsLast).is_same(y));
  CHECK(x.contiguous().is_same(x));
  CHECK_THROWS_AS(x.transpose(1, 2).contiguous(MemoryFormat::Preserve), ValueError);
  CHECK_ERROR(ops::zeros({3, 4}).contiguous(MemoryFormat::ChannelsLast), ValueError,
              "required rank 4 tensor to use channels_last format");
}

TEST_CASE("clone keeps dense strides and closes gaps", "[ops][copy]") {
  Tensor x = counted({2, 3, 4});
  CHECK(list(x.permute({2, 0, 1}).clone().strides()) == Ints{1, 12, 4});
  CHECK(list(ops::slice(x, 2, 0, 4, 2).clone().strides()) == Ints{6, 2, 1});
  CHECK(list(x.permute({2, 0, 1}).clone("memory_format"_a = MemoryFormat::Contiguous).strides()) == Ints{6, 3, 1});
  Tensor c = x.clone();
  c.zero_();
  CHECK(values(x)[5] == 5);
  Tensor out = ops::empty({0});
  CHECK(values(ops::clone_base_out(x, "out"_a = out)) == values(x));
}

TEST_CASE("to returns the same tensor when nothing changes", "[ops][copy]") {
  Tensor x = counted({2, 3});
  CHECK(x.to(kFloat).is_same(x));
  CHECK(x.to(kCPU, kFloat).is_same(x));
  CHECK(x.to(x).is_same(x));
  CHECK(x.type_as(x).is_same(x));
  CHECK_FALSE(x.to(kFloat, "copy"_a = true).is_same(x));
  Tensor d = x.t().to(kDouble);
  CHECK(d.dtype() == kDouble);
  CHECK(list(d.strides()) == Ints{1, 3});
  CHECK(values(d) == values(x.t()));
  CHECK(x.type_as(d).dtype() == kDouble);
  CHECK(x.to(kMeta, kFloat).is_meta());
  CHECK(list(x.to("dtype"_a = kLong, "device"_a = kMeta).sizes()) == Ints{2, 3});
  CHECK_THROWS_AS(x.to(kMeta, kFloat).to(kCPU, kFloat), NotImplementedError);
}

TEST_CASE("resize_ keeps what fits and grows the storage", "[ops][copy]") {
  Tensor x = counted({2, 3});
  x.resize_({3});
  CHECK(values(x) == Numbers{0, 1, 2});
  x.resize_({4, 100});
  CHECK(x->storage()->nbytes() >= 1600);
  CHECK(values(x.view({400}).narrow(0, 0, 6)) == Numbers{0, 1, 2, 3, 4, 5});
  CHECK_THROWS_AS(x.resize_({-1}), ValueError);
}

TEST_CASE("writes are counted once", "[ops][copy]") {
  Tensor x = tensor({1., 2.});
  CHECK(x.version() == 0);
  x.fill_(1);
  x.copy_(tensor({3., 4.}));
  x.zero_();
  CHECK(x.version() == 3);
}

TEST_CASE("what is made from a tensor starts unwritten", "[ops][copy]") {
  Tensor x = tensor({1., 2.});
  CHECK(x.clone().version() == 0);
  CHECK(x.to(kDouble).version() == 0);
  CHECK(ops::zeros_like(x).version() == 0);
  CHECK(x.new_full({2}, 1).version() == 0);
  Tensor out = ops::empty({0});
  CHECK(ops::zeros_like(x, "out"_a = out).version() == 1);
}

TEST_CASE("clone keeps the stride of a dimension of size 1", "[ops][copy]") {
  Tensor x = ops::slice(counted({3}), 0, 0, 1, 3);
  CHECK(list(x.clone().strides()) == Ints{3});
  CHECK(list(ops::zeros_like(x).strides()) == Ints{3});
}

TEST_CASE("an undefined tensor is not written", "[ops][copy]") {
  Tensor a = tensor({1.0, 2.0}), none;
  const std::string words =
      "(): expected a defined tensor to write to, got an undefined one; make it by empty({0}), say";
  CHECK_ERROR(ops::add(a, a, "out"_a = none), ValueError, "aten::add.out" + words);
  CHECK_ERROR(ops::copy_(none, a), ValueError, "aten::copy_" + words);
  CHECK_ERROR(ops::zeros({2}, "out"_a = none), ValueError, "aten::zeros.out" + words);
  CHECK_ERROR(none.add_(a), ValueError, "aten::add_.Tensor" + words);
  CHECK_THROWS_AS(ops::cat({a, a}, 0, "out"_a = none), ValueError);
  InferenceMode inference;
  Tensor b = tensor({1.0, 2.0});
  CHECK_ERROR(ops::add(b, b, "out"_a = none), ValueError, "Expected a defined out tensor, but got an undefined one");
}

TEST_CASE("a tensor goes to a device by position", "[ops][copy]") {
  const Tensor a = tensor({1.0, 2.0});
  CHECK(a.to(kCPU).is_same(a));
  Tensor meta = a.to(Device(DeviceType::Meta));
  CHECK(meta.is_meta());
  CHECK(meta.dtype() == a.dtype());
  CHECK(a.to(kDouble).dtype() == kDouble);
}

TEST_CASE("a number that a C++ type cannot hold is refused", "[ops][copy]") {
  CHECK_ERROR(tensor({300}).item<std::int8_t>(), ValueError, "value cannot be converted to type int8 without overflow");
  CHECK_ERROR(tensor({1e10}).item<int>(), ValueError, "value cannot be converted to type int32 without overflow");
  CHECK_ERROR(tensor({1e10}).item<char>(), ValueError, "value cannot be converted to type int8 without overflow");
  CHECK(tensor({5}).item<long long>() == 5);
  CHECK(tensor({2.75}).item<int>() == 2);
  CHECK(to_string(Scalar(1e-9)) == "1e-09");
}

TEST_CASE("tensors that require grad keep their size", "[ops][copy]") {
  Tensor w = tensor({1.0, 2.0}).requires_grad_(), y = w * 2, x = tensor({1.0, 2.0});
  CHECK_ERROR(ops::resize_(y, {3}), AutogradError, "cannot resize variables that require grad");
  NoGradGuard guard;
  CHECK_ERROR(ops::resize_(w, {3}), AutogradError, "cannot resize variables that require grad");
  CHECK(ops::resize_(x, {3}).sizes() == IntArrayRef({3}));
}

TEST_CASE("a number beyond 16 bits fills a single element only", "[ops][copy]") {
  CHECK(values(ops::full({1}, 70000, "dtype"_a = kHalf)) == Numbers{std::numeric_limits<double>::infinity()});
  CHECK_ERROR(ops::full({2}, 70000, "dtype"_a = kHalf), ValueError,
              "value cannot be converted to type float16 without overflow");
}

TEST_CASE("contiguous takes preserve_format for what is contiguous already", "[ops][copy]") {
  Tensor x = counted({2, 3});
  CHECK(x.contiguous(MemoryFormat::Preserve).is_same(x));
  CHECK_ERROR(x.t().contiguous(MemoryFormat::Preserve), ValueError,
              "preserve memory format is unsupported by the contiguous operator");
}

TEST_CASE("equal compares shapes and elements, of integers by their bytes", "[ops][closeness]") {
  for (ScalarType t : {kBool, kByte, kInt, kLong, kFloat, kDouble}) {
    Tensor a = tensor({0, 1, 1, 0, 1, 1}).to(t), b = a.clone();
    CHECK(ops::equal(a, b));
    CHECK(ops::equal(a.view({2, 3}).t(), b.view({2, 3}).t().contiguous()));
    CHECK_FALSE(ops::equal(a, b.view({2, 3})));
    CHECK(ops::equal(a.narrow(0, 2, 0), b.narrow(0, 4, 0)));
    b[5] = 0;
    CHECK_FALSE(ops::equal(a, b));
    CHECK(ops::equal(a.narrow(0, 0, 5), b.narrow(0, 0, 5)));
  }
  Tensor nan = tensor({std::nan("")});
  CHECK_FALSE(ops::equal(nan, nan));
  CHECK(ops::equal(tensor({0.0}), tensor({-0.0})));
}
