// Joining, selecting, scattering: values, promotion, layouts, errors, gradients.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "support.hpp"

#include <tenon/autograd/gradcheck.hpp>

using namespace test;

namespace {
Tensor mixed(IntArrayRef sizes, double step = 0.7) {
  return counted(sizes, kDouble).mul(step).sin().contiguous().set_requires_grad(true);
}
}  // namespace

TEST_CASE("cat joins along a dimension and promotes dtypes", "[ops][index]") {
  Tensor a = counted({2, 3}), b = counted({2, 1}, kLong);
  Tensor c = ops::cat({a, b}, 1);
  CHECK(c.dtype() == kFloat);
  CHECK(values(c) == Numbers{0, 1, 2, 0, 3, 4, 5, 1});
  CHECK(values(ops::cat({a, ops::empty({0}), a}, 0).sum()) == Numbers{30});
  CHECK(list(ops::cat({ops::empty({0}), ops::empty({0})}).sizes()) == Ints{0});
  Tensor wide = counted({2, 40});
  CHECK(values(ops::cat({wide, wide}, -1).select(0, 1)) == values(ops::cat({wide.select(0, 1), wide.select(0, 1)})));
  CHECK_ERROR(ops::cat({a, counted({3, 3, 1})}), ValueError,
              "Tensors must have same number of dimensions: got 2 and 3");
  CHECK_ERROR(
      ops::cat({a, counted({2, 4})}), ValueError,
      "Sizes of tensors must match except in dimension 0. Expected size 3 but got size 4 for tensor number 1 in the list.");
  CHECK_ERROR(ops::cat({tensor(1.0)}), ValueError, "zero-dimensional tensor (at position 0) cannot be concatenated");
}

TEST_CASE("cat keeps a memory format that all operands have", "[ops][index]") {
  Tensor x = counted({2, 3, 4, 5}).contiguous("memory_format"_a = MemoryFormat::ChannelsLast);
  CHECK(ops::cat({x, x}, 1).is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(ops::cat({x, counted({2, 3, 4, 5})}, 1).is_contiguous());
  CHECK(values(ops::cat({x, x}, 1)) == values(ops::cat({x.contiguous(), x.contiguous()}, 1)));
}

TEST_CASE("stack makes a new dimension anywhere", "[ops][index]") {
  Tensor a = counted({2}), b = a.add(5);
  CHECK(values(ops::stack({a, b})) == Numbers{0, 1, 5, 6});
  CHECK(values(ops::stack({a, b}, 1)) == Numbers{0, 5, 1, 6});
  CHECK(values(ops::stack({tensor(1.0), tensor(2.0)}, -1)) == Numbers{1, 2});
  CHECK_ERROR(ops::stack({a, counted({3})}), ValueError,
              "stack expects each tensor to be equal size, but got [2] at entry 0 and [3] at entry 1");
}

TEST_CASE("index_select reads rows, columns and strided tensors", "[ops][index]") {
  Tensor x = counted({3, 4}), i = tensor({2, 0, 2});
  CHECK(values(x.index_select(0, i)) == Numbers{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
  CHECK(values(x.index_select(1, tensor({3, 1}))) == Numbers{3, 1, 7, 5, 11, 9});
  CHECK(values(x.t().index_select(0, i)) == values(x.index_select(1, i).t()));
  CHECK(values(x.index_select(0, i.to(kInt))) == values(x.index_select(0, i)));
  CHECK_ERROR_CONTAINS(x.index_select(0, i.to(kShort)), TypeError,
                       "Expected dtype int32 or int64 for index, got int16");
  CHECK(list(x.index_select(0, tensor({1}).narrow(0, 0, 0)).sizes()) == Ints{0, 4});
  CHECK_ERROR(x.index_select(0, tensor({3})), IndexError, "index out of range in self");
  CHECK_ERROR_CONTAINS(x.index_select(0, tensor({1.0})), TypeError, "Expected dtype int32 or int64 for index");
}

TEST_CASE("one_hot marks classes", "[ops][index]") {
  CHECK(values(ops::one_hot(tensor({1, 0}))) == Numbers{0, 1, 1, 0});
  CHECK(list(ops::one_hot(tensor({{1, 0}}), 4).sizes()) == Ints{1, 2, 4});
  CHECK_ERROR(ops::one_hot(tensor({3}), 2), ValueError, "Class values must be smaller than num_classes.");
  CHECK_ERROR(ops::one_hot(tensor({-1})), ValueError, "Class values must be non-negative.");
}

TEST_CASE("elements are gathered, scattered and added by index", "[ops][index]") {
  Tensor x = counted({2, 3}), i = tensor({{2, 0}, {1, 1}});
  CHECK(values(x.gather(1, i)) == Numbers{2, 0, 4, 4});
  Tensor y = ops::zeros({2, 3});
  y.scatter_(1, i, tensor({{1.0, 2.0}, {3.0, 4.0}}).to(kFloat));
  CHECK(values(y) == Numbers{2, 0, 1, 0, 4, 0});
  y.scatter_(0, tensor({{1}}), 7);
  CHECK(values(y) == Numbers{2, 0, 1, 7, 4, 0});
  CHECK(values(ops::scatter_add(ops::zeros({3}), 0, tensor({1, 1}), ops::ones({2}))) == Numbers{0, 2, 0});
  CHECK(values(ops::index_add(ops::zeros({3, 2}), 0, tensor({2, 2}), counted({2, 2}), "alpha"_a = 2)) ==
        Numbers{0, 0, 0, 0, 4, 8});
  CHECK_ERROR(x.gather(1, tensor({{3}})), IndexError, "index 3 is out of bounds for dimension 1 with size 3");
  CHECK_ERROR(ops::gather_backward(x, x, 1, i, true), NotImplementedError,
              "gather_backward: sparse gradients are not supported; pass sparse_grad=False");
  CHECK_ERROR(ops::index_add(x, 0, tensor({0}), counted({1, 3}, kLong)), TypeError,
              "index_add_(): self (Float) and source (Long) must have the same scalar type");
}

// The words and the shapes are those of torch 2.15.
TEST_CASE("index_add and index_reduce refuse another source, each under its own name", "[ops][index]") {
  for (const std::string name : {"index_add", "index_reduce"}) {
    auto call = [&](const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) -> Tensor {
      if (name == "index_add") return ops::index_add(self, dim, index, source);
      return ops::index_reduce(self, dim, index, source, "amax");
    };
    Tensor x = ops::ones({3, 4}), one = tensor(1.f), i = tensor({0, 1}), first = tensor({0}), rows = ops::ones({2, 4});
    CHECK_ERROR(call(x, 0, tensor({{0, 0}}), rows), IndexError,
                name + "_(): Index is supposed to be a vector, but got dim: 2 with type: Long and size: [1, 2]");
    CHECK_ERROR(call(x, 0, i.to(kShort), rows), TypeError,
                name + "_(): Expected dtype int32/int64 for index but got: Short");
    CHECK_ERROR(call(x, 0, i, rows.to(kLong)), TypeError,
                name + "_(): self (Float) and source (Long) must have the same scalar type");
    CHECK_ERROR(call(x, 1, i, ops::ones({4})), ValueError,
                name + "_(): Indexing dim 1 is out of bounds of the source tensor with dim 1");
    CHECK_ERROR(call(x, 0, i, x), ValueError,
                name + "_(): Number of indices (2) should be equal to source.size(dim): (3), for dim: 0");
    const std::string shapes =
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ";
    CHECK_ERROR(call(x, 0, i, ops::ones({2, 5})), ValueError, shapes + "[3, 4] source.shape = [2, 5]");
    CHECK_ERROR(call(one, 0, first, ops::ones({1})), ValueError, shapes + "[] source.shape = [1]");
    CHECK_ERROR(call(ops::ones({3}), 0, first, one), ValueError, shapes + "[3] source.shape = []");
    CHECK(call(one, 0, first, one).dim() == 0);
  }
}

TEST_CASE("flip takes elements of every size, in tensors of any layout", "[ops][index]") {
  for (ScalarType dtype : {kByte, kShort, kInt, kLong, kComplexDouble})
    for (std::int64_t n : {1, 3, 16, 37}) {
      CAPTURE(dtype, n);
      Tensor x = ops::arange(4 * n, "dtype"_a = kInt).remainder(101).to(dtype).view({4, n}),
             back = ops::arange(n - 1, -1, -1), up = ops::arange(3, -1, -1);
      for (const Tensor& t : {x, x.t().contiguous().t()}) {
        CHECK(ops::equal(ops::flip(t, {1}), ops::index_select(t, 1, back)));
        CHECK(ops::equal(ops::flip(t, {0}), ops::index_select(t, 0, up)));
        CHECK(ops::equal(ops::flip(t, {0, 1}), ops::index_select(ops::index_select(t, 0, up), 1, back)));
        CHECK(ops::equal(ops::flip(t.unsqueeze(1), {-1}), ops::index_select(t.unsqueeze(1), 2, back)));
      }
    }
}
TEST_CASE("flip reverses dimensions", "[ops][index]") {
  CHECK(values(ops::flip(counted({2, 3}), {0, 1})) == Numbers{5, 4, 3, 2, 1, 0});
  CHECK(values(ops::flip(counted({2, 3}), {1})) == Numbers{2, 1, 0, 5, 4, 3});
  // Strides stay, those of dimensions of one element too.
  Tensor odd = ops::as_strided(counted({6}), {1, 3, 1, 2}, {7, 2, 9, 1});
  CHECK(list(ops::flip(odd, {1}).strides()) == Ints{7, 2, 9, 1});
  CHECK(list(ops::slice_scatter(odd, ops::zeros({1, 1, 1, 2}), 1, 0, 1).strides()) == Ints{7, 2, 9, 1});
}

TEST_CASE("gradients of joining and selecting agree with finite differences", "[ops][index][autograd]") {
  using List = std::vector<Tensor>;
  Tensor a = mixed({2, 3}), b = mixed({2, 2}, 0.3), i = tensor({1, 1, 0}), j = tensor({{2, 0}, {1, 1}});
  autograd::gradcheck([](const List& x) { return ops::cat({x[0], x[1]}, 1); }, {a, b});
  autograd::gradcheck([](const List& x) { return ops::stack({x[0], x[0]}, 1); }, {a});
  autograd::gradcheck([&](const List& x) { return x[0].index_select(0, i); }, {a});
  autograd::gradcheck([&](const List& x) { return x[0].gather(1, j); }, {a});
  autograd::gradcheck([&](const List& x) { return ops::scatter_add(x[0], 1, j, x[1]); }, {a, b});
  autograd::gradcheck(
      [&](const List& x) {
        return ops::index_add(x[0], 0, tensor({0, 0}), x[1], "alpha"_a = 3);
      },
      {a, mixed({2, 3}, 0.4)});
}

TEST_CASE("masks fill, rotations wrap around, and sorting keeps the order of equals", "[ops][index]") {
  Tensor x = tensor({{3, 1, 2}, {0, 5, 4}}).to(kFloat), m = tensor({1, 0, 1}).to(kBool);
  CHECK(values(x.masked_fill(m, 9)) == Numbers{9, 1, 9, 9, 5, 9});
  Tensor y = x.clone();
  y.t().masked_fill_(tensor({{1}, {0}, {0}}).to(kBool), tensor(7.0));
  CHECK(values(y) == Numbers{7, 1, 2, 7, 5, 4});
  CHECK(values(ops::roll(x, 1, 1)) == Numbers{2, 3, 1, 4, 0, 5});
  CHECK(values(ops::roll(x, {-2})) == Numbers{2, 0, 5, 4, 3, 1});
  auto [v, i] = ops::sort(x, 1, true);
  CHECK(values(v) == Numbers{3, 2, 1, 5, 4, 0});
  CHECK(values(i) == Numbers{0, 2, 1, 1, 2, 0});
  CHECK(values(ops::argsort(tensor({1, 0, 1, 0}))) == Numbers{1, 3, 0, 2});
  auto [columns, from] = ops::sort(x.t(), 0);  // in the operand's order
  CHECK(values(columns) == Numbers{1, 0, 2, 4, 3, 5});
  CHECK((list(columns.strides()) == Ints{1, 3} && list(from.strides()) == Ints{1, 3}));
  CHECK(list(ops::argsort(x.t(), 0).strides()) == Ints{1, 3});
  auto [top, where] = ops::topk(x, 2, 1);
  CHECK(values(top) == Numbers{3, 2, 5, 4});
  CHECK_ERROR(ops::topk(x, 4, 1), ValueError, "selected index k out of range");
  CHECK_ERROR(x.masked_fill(x, 0), TypeError,
              "masked_fill_ only supports boolean masks, but got mask with dtype float32");
  using List = std::vector<Tensor>;
  Tensor d = mixed({2, 3});
  autograd::gradcheck([&](const List& a) { return a[0].masked_fill(m, 2); }, {d});
  autograd::gradcheck([](const List& a) { return ops::roll(a[0], {1, 2}, {0, 1}); }, {d});
  autograd::gradcheck([](const List& a) { return std::get<0>(ops::sort(a[0], 1)); }, {d});
  autograd::gradcheck([](const List& a) { return std::get<0>(ops::topk(a[0], 2, 1)); }, {d});
}

TEST_CASE("the largest elements come in PyTorch's order, equal ones too", "[ops][index]") {
  Tensor x = tensor({3, 1, 3, 2, 3, 1, 0, 3});
  auto [values_of, places] = ops::topk(x, 3);
  CHECK(values(values_of) == Numbers{3, 3, 3});
  CHECK(values(places) == Numbers{4, 7, 0});  // recorded from PyTorch 2.15
  CHECK(values(std::get<1>(ops::topk(x, 5, -1, false))) == Numbers{6, 1, 5, 3, 0});
  CHECK(values(ops::argsort_stable(tensor({2, 1, 2, 0}), true)) == Numbers{3, 1, 0, 2});
}

TEST_CASE("a few largest of many elements are found to the last one", "[ops][index]") {
  // 64 elements to each that is asked for, and fewer: two ways to choose.
  for (std::int64_t n : {200, 192, 191, 20})
    for (std::int64_t k : {1, 2, 3}) {
      CAPTURE(n, k);
      Tensor places = ops::remainder(ops::arange(n) * 77 + 5, n), x = places.to(kFloat);  // a permutation of 0 to n - 1
      Numbers largest, smallest;
      for (std::int64_t i = 0; i < k; ++i) {
        largest.push_back(static_cast<double>(n - 1 - i));
        smallest.push_back(static_cast<double>(i));
      }
      auto [high, high_at] = ops::topk(x, k);
      CHECK(values(high) == largest);
      CHECK(values(x.index_select(0, high_at)) == largest);
      auto [low, low_at] = ops::topk(x, k, 0, false);
      CHECK(values(low) == smallest);
      CHECK(values(x.index_select(0, low_at)) == smallest);
    }
}

// Lines short and long, with many equal elements, zeros of both signs and not-a-numbers, which come last and keep their
// order among each other, too.
TEST_CASE("sorting is stable for every dtype, length and direction", "[ops][index]") {
  auto before = [](double a, double b) { return a < b || (std::isnan(b) && !std::isnan(a)); };
  for (ScalarType type : {kFloat, kDouble, kHalf, kBFloat16, kByte, kChar, kShort, kInt, kLong, kBool, kUInt16})
    for (std::int64_t n : {1, 2, 63, 64, 65, 300, 5000}) {
      Tensor x = ops::empty({2, n}, "dtype"_a = kDouble).random_(-40, std::optional<std::int64_t>(41));
      if (is_floating_type(type)) {
        x = x.div(8);
        Tensor odd = ops::randint(12, {2, n}), zero = ops::zeros({2, n}, "dtype"_a = kDouble);
        x = ops::where(odd.eq(0), zero.neg(), ops::where(odd.eq(1), zero, x));
        x = x.masked_fill(odd.eq(2), NAN).masked_fill(odd.eq(3), -INFINITY).masked_fill(odd.eq(4), INFINITY);
        x = ops::where(odd.eq(5), ops::full({}, -NAN, "dtype"_a = kDouble), x);
      } else if (type == kLong && n > 64) {
        x = x.mul(double{1LL << 40}).add(x);
      } else if (type == kByte || type == kUInt16) {
        x = x.abs().mul(3);
      }
      x = x.to(type);
      for (bool descending : {false, true}) {
        CAPTURE(type, n, descending);
        auto [sorted, places] = ops::sort(x, 1, descending);
        auto [down, places_down] = ops::sort(x.t().contiguous(), 0, descending);
        CHECK(values(places_down.t()) == values(places));
        for (int row : {0, 1}) {
          Numbers from = values(x.select(0, row)), got = values(sorted.select(0, row)), order(from.size());
          std::iota(order.begin(), order.end(), 0.0);
          auto at = [&](double place) { return from[static_cast<std::size_t>(place)]; };
          // By the place last: std::stable_sort of libstdc++ 12 warns under newer Clangs.
          std::sort(order.begin(), order.end(), [&](double a, double b) {
            bool up = before(at(a), at(b)), down = before(at(b), at(a));
            return up == down ? a < b : up != descending;
          });
          CHECK(values(places.select(0, row)) == order);
          bool same = true;
          for (std::size_t i = 0; i < order.size(); ++i)
            same = same && std::memcmp(&got[i], &from[static_cast<std::size_t>(order[i])], sizeof(double)) == 0;
          CHECK(same);
        }
      }
    }
}

TEST_CASE("a tensor can be sorted into itself", "[ops][index]") {
  Tensor x = tensor({{3, 1, 2}, {0, 5, 4}}), places = ops::empty({0}, "dtype"_a = kLong);
  ops::sort_base_out(x, 1, true, x, places);
  CHECK(values(x) == Numbers{3, 2, 1, 5, 4, 0});
  CHECK(values(places) == Numbers{0, 2, 1, 1, 2, 0});
}

TEST_CASE("gather takes an index without elements of any dtype", "[ops][index]") {
  CHECK(list(ops::gather(counted({3}), 0, ops::empty({0})).sizes()) == Ints{0});
}

TEST_CASE("16-bit sums of rows and columns are rounded once, as in PyTorch 2.15", "[ops][index]") {
  auto added = [](IntArrayRef shape, std::int64_t dim, double alpha, ScalarType indices = kLong) {
    DimVector many(shape);
    many[static_cast<std::size_t>(dim)] = 40;
    Tensor index = ops::zeros({40}, "dtype"_a = indices), rows = ops::full(many, 0.00390625).to(kBFloat16);
    return values(ops::index_add(ops::ones(shape).to(kBFloat16), dim, index, rows, "alpha"_a = alpha))[0];
  };
  CHECK(added({3, 1}, 1, 1) == 1.15625);
  CHECK(added({1, 3}, 0, 1) == 1.15625);
  CHECK(added({1}, 0, 1) == 1);
  CHECK(added({2, 1, 2}, 1, 1) == 1);
  CHECK(added({3, 1}, 1, 2) == 1.3125);
  CHECK(added({3, 1}, 1, 1, kInt) == 1);
}

TEST_CASE("masked_fill is row-major and refuses values beyond the dtype", "[ops][index]") {
  Tensor x = counted({2, 3}).t(), mask = ops::gt(x, 2);
  CHECK(seen(ops::masked_fill(x, mask, 0)) == Seen{{3, 2}, {2, 1}, 0});
  CHECK(values(ops::masked_fill(x, mask, -1)) == Numbers{0, -1, 1, -1, 2, -1});
  CHECK_ERROR(ops::masked_fill(x, mask, 1e300), ValueError,
              "value cannot be converted to type float32 without overflow");
  CHECK_ERROR(ops::masked_fill(x, mask, Complex<double>{0, 1}), ValueError,
              "value cannot be converted to type float32 without overflow");
}

TEST_CASE("what index_add adds is not to change before the gradient", "[ops][index]") {
  Tensor x = mixed({2, 3}), source = counted({2, 3}, kDouble).set_requires_grad(true), added = source * 2;
  Tensor y = ops::index_add(x, 0, tensor({1, 0}), added);
  added.mul_(3);
  CHECK_ERROR_CONTAINS(y.sum().backward(), AutogradError, "has been modified by an inplace operation");
}

TEST_CASE("layouts that copies keep in dimensions of one element", "[ops][index]") {
  Tensor x = counted({8, 6}).narrow(0, 0, 1).narrow(1, 0, 3);
  CHECK(list(x.strides()) == Ints{6, 1});
  CHECK(list(ops::index_fill(x, 1, tensor({0}), 1).strides()) == Ints{6, 1});
  CHECK(list(ops::put(x, tensor({0}), tensor({1.0f})).strides()) == Ints{6, 1});
  CHECK(list(ops::clamp_max(counted({3, 1}).t(), 1).strides()) == Ints{3, 1});
}

TEST_CASE("a number that is scattered or filled in must fit the dtype", "[ops][index]") {
  Tensor bytes = ops::zeros({2}, "dtype"_a = kByte), words = ops::zeros({2}, "dtype"_a = kLong), first = tensor({0});
  const char* no_byte = "value cannot be converted to type uint8 without overflow";
  CHECK_ERROR(ops::scatter(bytes, 0, first, 300), ValueError, no_byte);
  CHECK_ERROR(ops::scatter(bytes, 0, first, 300, "reduce"_a = "add"), ValueError, no_byte);
  CHECK_ERROR(ops::index_fill(bytes, 0, first, 300), ValueError, no_byte);
  CHECK_ERROR(ops::scatter(words, 0, first, std::nan("")), ValueError,
              "value cannot be converted to type int64 without overflow");
  CHECK_ERROR(ops::index_fill(bytes.to(kHalf), 0, first, 1e6), ValueError,
              "value cannot be converted to type float16 without overflow");
  CHECK(values(ops::scatter(bytes, 0, first, -1)) == Numbers{255, 0});
  CHECK(values(ops::index_fill(words, 0, first, 2.5)) == Numbers{2, 0});
}
