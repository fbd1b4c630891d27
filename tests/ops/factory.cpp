// Tensors made from nothing.
#include <cmath>

#include "support.hpp"

using namespace test;

TEST_CASE("empty makes aligned memory with the keys of its device", "[ops][factory]") {
  Tensor a = ops::empty({3, 5});
  CHECK(reinterpret_cast<std::uintptr_t>(a.data_ptr()) % 64 == 0);
  CHECK(a.dtype() == kFloat);
  CHECK(a->storage()->nbytes() == 60);
  CHECK(a->storage()->resizable());
  CHECK(a.keys().has(DispatchKey::CPU));
  CHECK(a.keys().has(DispatchKey::AutogradCPU));
  CHECK(a.keys().has(DispatchKey::ADInplaceOrView));
  Tensor m = ops::empty({3, 5}, "device"_a = kMeta, "dtype"_a = kHalf);
  CHECK(m.is_meta());
  CHECK(m.data_ptr() == nullptr);
  CHECK(m.dtype() == kHalf);
}

TEST_CASE("fill flags decide what fresh memory holds", "[ops][factory]") {
  set_cpu_fill(CpuFill::Zero);
  CHECK(values(ops::empty({4}, "dtype"_a = kLong)) == Numbers{0, 0, 0, 0});
  set_cpu_fill(CpuFill::Junk);
  CHECK(values(ops::empty({4}, "dtype"_a = kByte)) == Numbers{127, 127, 127, 127});
  set_cpu_fill(CpuFill::None);
}

TEST_CASE("empty follows a memory format", "[ops][factory]") {
  Tensor a = ops::empty({2, 3, 4, 5}, "memory_format"_a = MemoryFormat::ChannelsLast);
  CHECK(list(a.strides()) == Ints{60, 1, 15, 3});
  CHECK(a.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK_ERROR(ops::empty({2}, "memory_format"_a = MemoryFormat::ChannelsLast), ValueError,
              "required rank 4 tensor to use channels_last format");
  CHECK_ERROR(ops::empty({2}, "memory_format"_a = MemoryFormat::Preserve), ValueError,
              "unsupported memory format Preserve");
}

TEST_CASE("impossible sizes are refused", "[ops][factory]") {
  CHECK_ERROR(ops::empty({-1}), ValueError, "Trying to create tensor with negative dimension -1: [-1]");
  std::int64_t huge = std::int64_t{1} << 40;
  CHECK_THROWS_AS(ops::empty({huge, huge}), OutOfMemoryError);
  // The same where a tensor grows, or its strides are wide: 2^62 floats are 2^64 bytes.
  CHECK_THROWS_AS(ops::empty({1}).resize_({std::int64_t{1} << 62}), OutOfMemoryError);
  CHECK_THROWS_AS(ops::range(0, 0x1p62 - 1024, 1), OutOfMemoryError);
  CHECK_THROWS_AS(ops::empty_strided({2, 2}, {std::int64_t{1} << 62, std::int64_t{1} << 62}), OutOfMemoryError);
  CHECK_ERROR(ops::empty_strided({2}, {1, 2}), ValueError,
              "dimensionality of sizes (1) must match dimensionality of strides (2)");
}

TEST_CASE("empty_like keeps strides where it can", "[ops][factory]") {
  Tensor a = ops::empty({2, 3, 4});
  CHECK(list(ops::empty_like(a.permute({2, 0, 1})).strides()) == Ints{1, 12, 4});
  CHECK(list(ops::empty_like(a.permute({2, 0, 1}), "memory_format"_a = MemoryFormat::Contiguous).strides()) ==
        Ints{6, 3, 1});
  Tensor gaps = ops::slice(a.permute({2, 1, 0}), 0, std::nullopt, std::nullopt, 2);
  CHECK(list(ops::empty_like(gaps).strides()) == Ints{1, 2, 6});
  Tensor repeated = ops::empty({3, 1}).expand({3, 4});
  CHECK(list(ops::empty_like(repeated).strides()) == Ints{4, 1});
  CHECK(ops::empty_like(a, "dtype"_a = kLong, "device"_a = kMeta).is_meta());
}

TEST_CASE("constant tensors infer their dtype from the value", "[ops][factory]") {
  CHECK(ops::full({2}, 3).dtype() == kLong);
  CHECK(ops::full({2}, 3.5).dtype() == kFloat);
  CHECK(ops::full({2}, true).dtype() == kBool);
  CHECK(ops::full({2}, Complex<double>(0, 1)).dtype() == kComplexFloat);
  CHECK(values(ops::full({2}, 3, "dtype"_a = kDouble)) == Numbers{3, 3});
  CHECK(values(ops::zeros({2, 2})) == Numbers{0, 0, 0, 0});
  CHECK(values(ops::ones({3}, "dtype"_a = kBool)) == Numbers{1, 1, 1});
  CHECK_ERROR(ops::full({2}, 300, "dtype"_a = kByte), ValueError,
              "value cannot be converted to type uint8 without overflow");
  CHECK_THROWS_AS(ops::full({2}, Complex<double>(0, 1), "dtype"_a = kFloat), ValueError);
  Tensor like = ops::full_like(ops::zeros({2, 3}).t(), 7);
  CHECK(list(like.strides()) == Ints{1, 3});
  CHECK(values(like) == Numbers(6, 7));
  Tensor a = ops::zeros({1}, "dtype"_a = kDouble);
  CHECK(a.new_ones({2}).dtype() == kDouble);
  CHECK(values(a.new_full({2}, 5)) == Numbers{5, 5});
  CHECK(a.new_zeros({2, 0}).numel() == 0);
}

TEST_CASE("out forms resize and keep the dtype", "[ops][factory]") {
  Tensor out = ops::empty({0}, "dtype"_a = kInt);
  CHECK(ops::ones({2, 3}, "out"_a = out).is_same(out));
  CHECK(list(out.sizes()) == Ints{2, 3});
  CHECK(values(out) == Numbers(6, 1));
  Tensor f = ops::empty({0});
  ops::arange(1, 2, 0.25, "out"_a = f);
  CHECK(values(f) == Numbers{1, 1.25, 1.5, 1.75});
}

TEST_CASE("only an out tensor that is no factory's is resized with a warning", "[ops][factory]") {
  std::string told;
  WarningGuard guard([](const std::string& text, void* to) { *static_cast<std::string*>(to) += text; }, &told);
  Tensor out = ops::ones({2}), x = ops::ones({3});
  ops::zeros({4}, "out"_a = out);
  ops::empty({2, 2}, "out"_a = out);
  CHECK(told.empty());
  ops::add(x, x, "out"_a = out);
  std::string expected =
      "An output with one or more elements was resized since it had shape [2, 2], which does not match the required "
      "output shape [3]. Reuse an out tensor t by resizing it to zero elements first.";
  CHECK(told == expected);
  out.resize_({2, 2});
  ops::index_select(x, 0, tensor({0, 1, 2}), "out"_a = out);
  CHECK(told == expected + expected);
  // Forms that make their result before they write it, and arange, whose size follows from values.
  auto resized = [&](auto call) {
    told.clear();
    Tensor t = ops::ones({2});
    call(t);
    return told;
  };
  auto needed = [](const char* shape) {
    return concat(
        "An output with one or more elements was resized since it had shape [2], which does not match the required "
        "output shape ",
        shape, ". Reuse an out tensor t by resizing it to zero elements first.");
  };
  CHECK(resized([](Tensor& t) { ops::arange(1, 5, 1, "out"_a = t); }) == needed("[4]"));
  CHECK(resized([](Tensor& t) { ops::arange(1, 3, 1, "out"_a = t); }).empty());
  auto copied = [&](Tensor& t) {
    Stack stack{Value(x), Value(), Value(t)};
    Registry::get().find_schema_or_throw("aten::clone", "out").call_boxed(stack);
  };
  CHECK(resized(copied) == needed("[3]"));
}

TEST_CASE("arange counts as PyTorch counts", "[ops][factory]") {
  CHECK(ops::arange(5).dtype() == kLong);
  CHECK(ops::arange(5.).dtype() == kFloat);
  CHECK(values(ops::arange(2, -3, -2)) == Numbers{2, 0, -2});
  CHECK(values(ops::arange(0, 1, 0.3, "dtype"_a = kDouble)) == Numbers{0, 0.3, 0.6, 0.3 * 3});
  CHECK(ops::arange(3, 3).numel() == 0);
  CHECK(values(ops::arange(0, 5, 1.5, "dtype"_a = kLong)) == Numbers{0, 1, 2, 3});
  CHECK(values(ops::arange(0, 1, 0.25, "dtype"_a = kInt)) == Numbers{0, 0, 0, 0});
  CHECK(values(ops::arange(5, 0, -1.5, "dtype"_a = kLong)) == Numbers{5, 4, 3, 2});
  CHECK(list(ops::arange(7, "device"_a = kMeta).sizes()) == Ints{7});
  CHECK_ERROR(ops::arange(3, 0), ValueError, "upper bound and lower bound inconsistent with step sign");
  CHECK_ERROR(ops::arange(0, 3, 0), ValueError, "step must be nonzero");
  CHECK_THROWS_AS(ops::arange(0, INFINITY), ValueError);
  CHECK_THROWS_AS(ops::arange(2, "dtype"_a = kBool), NotImplementedError);
}

// Recorded from PyTorch 2.15 (CPU, seed 7).
TEST_CASE("the same seed gives PyTorch's numbers", "[ops][factory][random]") {
  auto close = [](const Tensor& t, const Numbers& want) {
    Numbers got = values(t);
    bool good = got.size() == want.size();
    for (std::size_t i = 0; good && i < want.size(); ++i)
      good = std::abs(got[i] - want[i]) <= 1e-6 * (1 + std::abs(want[i]));
    return good;
  };
  manual_seed(7);
  CHECK(close(ops::rand({4}), {0.5349225401878357, 0.19880318641662598, 0.6592116951942444, 0.6568902730941772}));
  manual_seed(7);
  CHECK(close(ops::rand({4}, "dtype"_a = kDouble),
              {0.279380429906404, 0.27369371365176565, 0.8620929614176255, 0.6566884305882014}));
  manual_seed(7);
  CHECK(close(ops::randn({5}),
              {-0.1467950940132141, 0.7861412763595581, 0.9468216300010681, -1.1143440008163452, 1.6907901763916016}));
  manual_seed(7);
  CHECK(close(
      ops::randn({20}),
      {-0.8201345205307007,  0.39563116431236267, 0.8989084959030151,  -1.3884038925170898, 0.19844505190849304,
       0.7820726633071899,   1.0391076803207397,  -0.7245107293128967, -0.8489086031913757, -1.2169294357299805,
       -0.08102158457040787, 1.3614851236343384,  -2.0614778995513916, 0.6741006970405579,  -1.3233457803726196,
       -1.3597689867019653,  -0.866701602935791,  -0.5640066862106323, -2.056462526321411,  -0.35672253370285034}));
  manual_seed(7);
  CHECK(close(
      ops::randn({17}, "dtype"_a = kBFloat16),
      {-0.8203125, -1.5859375, -0.32421875, 1.9296875, -0.330078125, 0.1982421875, 0.78125, 1.0390625, -0.72265625,
       -0.208984375, -0.2158203125, -1.8125, -0.345703125, -2.0625, 0.67578125, -1.3203125, -1.359375}));
  manual_seed(7);
  Tensor t = ops::empty({2, 3}).t();
  CHECK(close(t.uniform_(-3., 5.), {1.2793803215026855, 2.255122184753418, -1.4095745086669922, -1.1379075050354004,
                                    2.273693561553955, 0.40049123764038086}));
  manual_seed(7);
  Tensor gaps = ops::slice(ops::empty({4, 10}), 1, std::nullopt, std::nullopt, 2);
  gaps.normal_();
  CHECK(close(gaps.select(0, 3),
              {1.3470226526260376, 2.4382081031799316, 0.2027582824230194, 2.4505412578582764, 2.025601863861084}));
  manual_seed(7);
  CHECK(values(ops::randint(10, {4})) == Numbers{5, 2, 1, 6});
  manual_seed(7);
  CHECK(values(ops::randint(-5, 1 << 30, {3})) == Numbers{864032561, 947454259, 902108210});
  manual_seed(7);
  Tensor whole = ops::empty({3}, "dtype"_a = kLong);
  CHECK(values(whole.random_()) == Numbers{1407639518939636932.0, 5163590386780219894.0, 8087222774582268115.0});
  manual_seed(7);
  Tensor z = ops::randn({2}, "dtype"_a = kComplexFloat);
  CHECK(std::abs(z.select(0, 1).item<Complex<double>>().im + 0.7879602313041687) < 1e-6);
}

// Recorded from PyTorch 2.15 (CPU, seed 7). The sizes are no multiples of 16 and cross the engine's blocks of 624.
TEST_CASE("long random tensors have PyTorch's numbers and leave its state", "[ops][factory][random]") {
  auto picked = [](const Tensor& t, std::initializer_list<int> places) {
    Numbers all = values(t), r;
    for (int i : places) r.push_back(all[static_cast<std::size_t>(i)]);
    return r;
  };
  auto near = [](const Numbers& got, const Numbers& want, double error) {
    bool good = got.size() == want.size();
    for (std::size_t i = 0; good && i < want.size(); ++i) good = std::abs(got[i] - want[i]) <= error;
    return good;
  };
  manual_seed(7);
  Tensor a = ops::empty({1037});
  CHECK(near(picked(a.normal_(3.0, 0.25), {0, 8, 623, 624, 1020, 1021, 1036}),
             {2.794966459274292, 3.231635808944702, 3.1128382682800293, 2.7370753288269043, 3.0390634536743164,
              3.1696925163269043, 3.291666030883789},
             1e-6));
  CHECK(values(ops::rand({2})) == Numbers{0.09893298149108887, 0.22990143299102783});
  manual_seed(7);
  CHECK(near(picked(ops::randn({1037}, "dtype"_a = kDouble), {0, 8, 623, 1020, 1021, 1036}),
             {0.06626753966449943, -0.8067815436367963, 0.2599880235397667, -0.5885465888875784, 0.23846876474139214,
              2.0043962077224595},
             1e-14));
  CHECK(values(ops::rand({1})) == Numbers{0.5646988749504089});
  manual_seed(7);
  CHECK(near(picked(ops::randn({1037}, "dtype"_a = kHalf), {0, 8, 623, 1020, 1021, 1036}),
             {-0.8203125, 0.9267578125, 0.451416015625, 0.15625, 0.85107421875, 0.01611328125}, 5e-4));
  CHECK(values(ops::rand({1})) == Numbers{0.427213191986084});
  manual_seed(7);
  CHECK(picked(ops::rand({1300}), {623, 624, 1023, 1024, 1299}) == Numbers{0.07923638820648193, 0.47894805669784546,
                                                                           0.8957189321517944, 0.33944034576416016,
                                                                           0.03868287801742554});
  CHECK(values(ops::randint(std::int64_t{1} << 40, {2})) == Numbers{35680224510, 1013519046256});
  Tensor digits = ops::randint(10, {1300});
  CHECK(values(ops::slice(digits, 0, 1292)) == Numbers{2, 3, 9, 1, 0, 3, 5, 1});
  CHECK(values(digits.sum()) == Numbers{5803});
}

TEST_CASE("random numbers run through memory whatever the strides", "[ops][factory][random]") {
  manual_seed(3);
  Tensor dense = ops::rand({3, 700, 2}), integers = ops::randint(100, {3, 700, 2});
  manual_seed(3);
  Tensor gaps = ops::slice(ops::zeros({3, 700, 4}), 2, std::nullopt, std::nullopt, 2), crossed = gaps.transpose(0, 1);
  crossed.uniform_();
  CHECK(values(gaps) == values(dense));
  Tensor whole = ops::slice(ops::zeros({3, 1400, 2}, "dtype"_a = kLong), 1, std::nullopt, std::nullopt, 2);
  whole.random_(100);
  CHECK(values(whole) == values(integers));
}

TEST_CASE("an explicit generator is used and the default one is not", "[ops][factory][random]") {
  Generator g(7);
  manual_seed(1);
  Tensor a = ops::rand({8}, "generator"_a = std::optional(g)), b = ops::rand({8});
  manual_seed(7);
  CHECK(values(ops::rand({8})) == values(a));
  manual_seed(1);
  CHECK(values(ops::rand({8})) == values(b));
}

TEST_CASE("random numbers are refused where they have no meaning", "[ops][factory][random]") {
  Tensor whole = ops::zeros({2}, "dtype"_a = kLong), f = ops::zeros({2}), byte = ops::zeros({2}, "dtype"_a = kByte);
  CHECK_THROWS_AS(whole.normal_(), NotImplementedError);
  CHECK_THROWS_AS(whole.uniform_(), NotImplementedError);
  CHECK_ERROR_CONTAINS(f.normal_(0., -1.), ValueError, "normal expects std >= 0.0, but found std -1");
  CHECK_ERROR_CONTAINS(f.uniform_(2., 1.), ValueError, "uniform_ expects to return a [from, to) range");
  CHECK_ERROR(whole.random_(3, std::optional<std::int64_t>(3)), ValueError,
              "random_ expects 'from' to be less than 'to', but got from=3 >= to=3");
  CHECK_ERROR(byte.random_(0, std::optional<std::int64_t>(300)), ValueError, "to - 1 is out of bounds for uint8");
  CHECK_ERROR(byte.random_(-1, std::optional<std::int64_t>(3)), ValueError, "from is out of bounds for uint8");
}

TEST_CASE("eye has ones on its diagonal", "[ops][factory]") {
  CHECK(values(ops::eye(2)) == Numbers{1, 0, 0, 1});
  CHECK(values(ops::eye(2, 3)) == Numbers{1, 0, 0, 0, 1, 0});
  CHECK(values(ops::eye(3, 2, "dtype"_a = kBool)) == Numbers{1, 0, 0, 1, 0, 0});
  CHECK(ops::eye(2).dtype() == kFloat);
  CHECK(list(ops::eye(0).sizes()) == Ints{0, 0});
  CHECK(list(ops::eye(2, 3, "device"_a = kMeta).sizes()) == Ints{2, 3});
  CHECK(ops::eye(2, "requires_grad"_a = true).requires_grad());
  Tensor out = ops::ones({5}, "dtype"_a = kInt);
  CHECK(ops::eye(2, 3, "out"_a = out).is_same(out));
  CHECK(values(out) == Numbers{1, 0, 0, 0, 1, 0});
  CHECK(values(ops::eye(1, "out"_a = out)) == Numbers{1});
  CHECK_ERROR(ops::eye(-1), ValueError, "n must be greater or equal to 0, got -1");
  CHECK_ERROR(ops::eye(2, -3), ValueError, "m must be greater or equal to 0, got -3");
}

TEST_CASE("range counts to its end, as PyTorch's does", "[ops][factory]") {
  CHECK(ops::range(1, 4).dtype() == kFloat);
  CHECK(values(ops::range(1, 4)) == Numbers{1, 2, 3, 4});
  CHECK(values(ops::range(0, 1, 0.25)) == Numbers{0, 0.25, 0.5, 0.75, 1});
  CHECK(values(ops::range(3, 1, -1)) == Numbers{3, 2, 1});
  CHECK(values(ops::range(0, 1, 0.3, "dtype"_a = kDouble)) == Numbers{0, 0.3, 0.6, 0.3 * 3});
  CHECK(values(ops::range(0, 5, 2, "dtype"_a = kInt)) == Numbers{0, 2, 4});
  CHECK(values(ops::range(0, 5, 1.5, "dtype"_a = kLong)) == Numbers{0, 1, 2, 3, 4, 5});  // the step is whole, too
  CHECK(list(ops::range(0, 7, "device"_a = kMeta).sizes()) == Ints{8});
  Tensor out = ops::empty({5});
  CHECK(ops::range(0, 1, 1, "out"_a = out).is_same(out));
  CHECK(values(out) == Numbers{0, 1});
  CHECK(values(ops::range_base_out(2, 4, out)) == Numbers{2, 3, 4});
  CHECK_ERROR(ops::range(3, 1), ValueError, "upper bound and lower bound inconsistent with step sign");
  CHECK_ERROR(ops::range(0, 1, 0), ValueError, "step must be nonzero");
  CHECK_ERROR(ops::range(0, 3, 0.5, "dtype"_a = kLong), ValueError, "step must be nonzero");  // PyTorch stops there
  CHECK_ERROR(ops::range(0, INFINITY), ValueError, "unsupported range: 0 -> inf");
  CHECK_THROWS_AS(ops::range(0, 1, "dtype"_a = kBool), NotImplementedError);
  CHECK_THROWS_AS(ops::range(0, 1, "dtype"_a = kComplexFloat), NotImplementedError);
}
