// Indexing by tensors, masks and positions: values, layouts, gradients, symbolic sizes, and the words of refusals.
#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

#include "symbolic.hpp"

using namespace test;

namespace {
using Indices = std::vector<std::optional<Tensor>>;
Tensor bools(const Ints& items, IntArrayRef sizes) {
  Tensor out = ops::zeros(sizes, "dtype"_a = kBool);
  for (std::size_t i = 0; i < items.size(); ++i) out.data_ptr<bool>()[i] = items[i] != 0;
  return out;
}
struct Threads {
  explicit Threads(int n) { set_num_threads(n); }
  ~Threads() { set_num_threads(before); }
  int before = get_num_threads();
};
}  // namespace

TEST_CASE("tensors of integers and masks select elements", "[ops][indexing]") {
  Tensor x = counted({2, 3, 4}), i = tensor({1, 0}), j = tensor({-1, 0});
  CHECK(values(ops::index(x, Indices{i, j, tensor({0, 1})})) == Numbers{20, 1});
  CHECK(list(ops::index(x, Indices{std::nullopt, j}).sizes()) == Ints{2, 2, 4});
  CHECK(values(ops::index(x, Indices{std::nullopt, std::nullopt, j})) ==
        Numbers{3, 0, 7, 4, 11, 8, 15, 12, 19, 16, 23, 20});
  // Dimensions of indices that are not neighbours come first.
  CHECK(list(ops::index(x, Indices{i, std::nullopt, tensor({{0}, {1}, {2}})}).sizes()) == Ints{3, 2, 3});
  CHECK(values(ops::index(x, Indices{i, std::nullopt, j})) == Numbers{15, 19, 23, 0, 4, 8});
  CHECK(values(ops::index(x, Indices{i.to(kInt), bools({0, 1, 1}, {3})})) == Numbers{16, 17, 18, 19, 8, 9, 10, 11});
  CHECK(values(ops::index(x.select(0, 0), Indices{bools({1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1}, {3, 4})})) ==
        Numbers{0, 3, 11});
  CHECK(list(ops::index(x, Indices{ops::empty({0}, "dtype"_a = kLong)}).sizes()) == Ints{0, 3, 4});
  // The dimensions taken whole keep their order in memory.
  CHECK(list(ops::index(x.permute({0, 2, 1}), Indices{i}).strides()) == Ints{12, 1, 4});
  Tensor out = ops::zeros({0});
  ops::index(x, Indices{i, j}, "out"_a = out);
  CHECK(values(out) == Numbers{20, 21, 22, 23, 0, 1, 2, 3});

  CHECK_ERROR(ops::index(x, Indices{i, j, i, j}), IndexError, "too many indices for tensor of dimension 3 (got 4)");
  CHECK_ERROR(ops::index(x, Indices{tensor({0, 2})}), IndexError,
              "index 2 is out of bounds for dimension 0 with size 2");
  CHECK_ERROR(ops::index(x, Indices{i, tensor({0, 1, 2})}), IndexError,
              "shape mismatch: indexing tensors could not be broadcast together with shapes [2], [3]");
  CHECK_ERROR(ops::index(x, Indices{bools({1, 0, 1}, {3})}), IndexError,
              "The shape of the mask [3] at index 0 does not match the shape of the indexed tensor [2, 3, 4] at index "
              "0");
  CHECK_ERROR(ops::index(x, Indices{tensor({1.5})}), IndexError,
              "tensors used as indices must be long, int, byte or bool tensors");
}

TEST_CASE("the method adds to what is there if it accumulates", "[ops][indexing]") {
  Tensor x = ops::zeros({3}), at = tensor({0, 2, 0}), y = tensor({1.f, 2.f, 3.f});
  CHECK(x.index_put_({at}, y, true).is_same(x));
  CHECK(values(x) == Numbers{4, 0, 2});
  x.index_put_({at}, 1, "accumulate"_a = true);
  CHECK(values(x) == Numbers{6, 0, 3});
  x.index_put_({at}, 7, false);
  CHECK(values(x) == Numbers{7, 0, 7});
  // Where no tensor indexes, every element is named once.
  x.index_put_({Slice(1, None)}, tensor({{1.f, 2.f}}), true);
  CHECK(values(x) == Numbers{7, 1, 9});
  x.index_put_(std::vector<TensorIndex>{0}, 2, true);
  CHECK(values(x) == Numbers{9, 1, 9});
  x.index_put_({false}, y, true);
  CHECK(values(x) == Numbers{9, 1, 9});
  Tensor z = ops::zeros({2, 3});
  z.index_put_({Slice(), at}, y, "accumulate"_a = true);
  CHECK(values(z) == Numbers{4, 0, 2, 4, 0, 2});
}

TEST_CASE("values are put where indices select, the last one for a place stays", "[ops][indexing]") {
  Tensor x = ops::zeros({2, 3}), i = tensor({1, 1}), j = tensor({2, 2});
  CHECK(values(ops::index_put(x, Indices{i, j}, tensor({5.f, 7.f}))) == Numbers{0, 0, 0, 0, 0, 7});
  CHECK(values(ops::index_put(x, Indices{i, j}, tensor({5.f, 7.f}), true)) == Numbers{0, 0, 0, 0, 0, 12});
  CHECK(values(ops::index_put(x, Indices{std::nullopt, tensor({0, 2})}, tensor({1.f, 2.f}))) ==
        Numbers{1, 0, 2, 1, 0, 2});
  // A mask is filled with one number of any dtype.
  Tensor mask = bools({1, 0, 0, 0, 0, 1}, {2, 3});
  CHECK(values(ops::index_put(x, Indices{mask}, tensor(4))) == Numbers{4, 0, 0, 0, 0, 4});
  CHECK(values(ops::index_put(x, Indices{bools({0, 1}, {2})}, tensor(3.f))) == Numbers{0, 0, 0, 3, 3, 3});
  Tensor turned = x.t();
  CHECK(ops::index_put_(turned, Indices{tensor({0})}, counted({2}) + 1).is_same(turned));
  CHECK(values(x) == Numbers{1, 0, 0, 2, 0, 0});

  CHECK_ERROR(ops::index_put(x, Indices{i, j}, tensor({5, 7})), IndexError,
              "Index put requires the source and destination dtypes match, got float32 for the destination and int64 "
              "for the source.");
  CHECK_ERROR(ops::index_put(x, Indices{i}, counted({2})), ValueError,
              "shape mismatch: value tensor of shape [2] cannot be broadcast to indexing result of shape [2, 3]");
  CHECK_ERROR_CONTAINS(ops::index_put_(x, Indices{i}, x), ValueError, "refer to a single memory location");
}

TEST_CASE("what is put does not depend on the number of threads", "[ops][indexing]") {
  constexpr std::int64_t n = 60000;
  Tensor places = ops::remainder(ops::arange(n) * 7919, 1000);
  for (const Ints& rest : {Ints{}, Ints{3}, Ints{80}})
    for (bool accumulate : {false, true}) {
      DimVector sizes{1000}, given{n};
      for (std::int64_t s : rest) {
        sizes.push_back(s);
        given.push_back(s);
      }
      Tensor v = ops::sin(counted(IntArrayRef(given))), x = ops::zeros(IntArrayRef(sizes)), one, many;
      {
        Threads t(1);
        one = ops::index_put(x, Indices{places}, v, accumulate);
      }
      {
        Threads t(4);
        many = ops::index_put(x, Indices{places}, v, accumulate);
      }
      CHECK(values(one) == values(many));
      CHECK(values(ops::index(v, Indices{tensor({n - 1})})) == values(v.select(0, n - 1)));
    }
}

TEST_CASE("places of elements that are not zero come in row-major order", "[ops][indexing]") {
  Tensor m = bools({0, 1, 1, 0, 0, 1}, {2, 3});
  CHECK(values(ops::nonzero(m)) == Numbers{0, 1, 0, 2, 1, 2});
  CHECK(list(ops::nonzero(m).strides()) == Ints{1, 3});
  CHECK(values(ops::nonzero(m.t())) == Numbers{1, 0, 2, 0, 2, 1});
  CHECK(list(ops::nonzero(tensor(3.)).sizes()) == Ints{1, 0});
  CHECK(values(ops::argwhere(tensor({0., -2., 5.}))) == Numbers{1, 2});
  CHECK(values(ops::nonzero_static(m, "size"_a = 4)) == Numbers{0, 1, 0, 2, 1, 2, -1, -1});
  CHECK(values(ops::nonzero_static(m, "size"_a = 2)) == Numbers{0, 1, 0, 2});
  CHECK(ops::nonzero_numpy(m).size() == 2);
  Tensor long_one = ops::remainder(ops::arange(200000), 3), found = ops::nonzero(long_one);
  CHECK(found.size(0) == 133333);
  CHECK(found.select(0, 133332).item<std::int64_t>() == 199999);
  Tensor x = counted({2, 3});
  CHECK(values(ops::masked_select(x, bools({0, 1, 1}, {3}))) == Numbers{1, 2, 4, 5});
  CHECK(values(ops::masked_select(x.t(), m.t())) == Numbers{1, 2, 5});
  CHECK_ERROR(ops::masked_select(x, x), TypeError, "masked_select: expected BoolTensor for mask");
}

TEST_CASE("flat positions are read and written", "[ops][indexing]") {
  Tensor x = counted({2, 3}), i = tensor({{0, -1}, {3, 3}});
  CHECK(values(ops::take(x, i)) == Numbers{0, 5, 3, 3});
  CHECK(values(ops::take(x.t(), i)) == Numbers{0, 5, 4, 4});
  CHECK(values(ops::put(x, i, counted({4}) + 10)) == Numbers{10, 1, 2, 13, 4, 11});
  CHECK(values(ops::put(x, i, counted({4}) + 10, true)) == Numbers{10, 1, 2, 28, 4, 16});
  CHECK(values(ops::index_fill(x, 1, tensor({0, -1}), 9)) == Numbers{9, 1, 9, 9, 4, 9});
  CHECK_ERROR(ops::take(x, tensor({6})), IndexError,
              "out of range: tried to access index 6 on a tensor of 6 elements.");
  CHECK_ERROR(ops::index_fill(x, 1, tensor({3}), 9), IndexError,
              "index 3 is out of bounds for dimension 1 with size 3");
}

TEST_CASE("gradients of indexing agree with finite differences", "[ops][indexing][autograd]") {
  using List = std::vector<Tensor>;
  auto leaf = [](IntArrayRef sizes) { return (counted(sizes, kDouble) + 1).requires_grad_(); };
  Tensor x = leaf({3, 2}), i = tensor({2, 0, 2}), m = bools({1, 0, 1, 0, 1, 1}, {3, 2});
  autograd::gradcheck([&](const List& a) { return ops::index(a[0], Indices{i}).pow(2); }, {x});
  autograd::gradcheck([&](const List& a) { return ops::index(a[0], Indices{m}).pow(2); }, {x});
  autograd::gradcheck(
      [&](const List& a) {
        return ops::index_put(a[0], Indices{tensor({2, 0})}, a[1]).pow(2);
      },
      {x, leaf({2})});
  autograd::gradcheck([&](const List& a) { return ops::index_put(a[0], Indices{i}, a[1], true).pow(2); },
                      {x, leaf({3, 1})});
  autograd::gradcheck([&](const List& a) { return ops::masked_select(a[0], m).pow(2); }, {leaf({2})});
  autograd::gradcheck([&](const List& a) { return ops::take(a[0], i).pow(2); }, {x});
  autograd::gradcheck([&](const List& a) { return ops::put(a[0], tensor({4, 1}), a[1]).pow(2); }, {x, leaf({2})});
  autograd::gradcheck(
      [&](const List& a) {
        return ops::index_fill(a[0], 0, tensor({2, 2}), a[1]).pow(2);
      },
      {x, leaf({})});
  autograd::gradcheck([&](const List& a) { return ops::take_along_dim(a[0], tensor({{1}, {0}, {1}}), 1).pow(2); }, {x});
}

TEST_CASE("symbolic tensors are indexed", "[ops][indexing][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::index(meta({n, 7, m}), Indices{std::nullopt, meta({m, 1}, kLong)});
        })) == "[s0, s1, 1, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::index_put(meta({n, m}), Indices{meta({3}, kLong)}, meta({m}));
        })) == "[s0, s1]");
  CHECK_ERROR_CONTAINS(ops::nonzero(t.make({t.n})), NotImplementedError, "depends on data");
}

TEST_CASE("places in nothing are not read", "[ops][indexing]") {
  for (bool accumulate : {false, true}) {
    Tensor none = ops::zeros({0, 2});
    CHECK(ops::index_put_(none, Indices{std::nullopt, tensor({1, 3})}, tensor(1.f), accumulate).is_same(none));
  }
  CHECK(ops::index(ops::zeros({0, 2}), Indices{std::nullopt, tensor({1, 3})}).sizes() == IntArrayRef({0, 2}));
  CHECK_THROWS_AS(ops::index(ops::zeros({1, 2}), Indices{std::nullopt, tensor({1, 3})}), IndexError);
}

// Words of PyTorch 2.15.
TEST_CASE("expanded tensors are filled in place with a warning", "[ops][indexing]") {
  std::vector<std::string> warnings;
  WarningGuard guard(
      [](const std::string& text, void* to) { static_cast<std::vector<std::string>*>(to)->push_back(text); },
      &warnings);
  auto deprecated = [](const std::string& name, const std::string& last = "mask] = scalar") {
    return "Use of " + name +
           " on expanded tensors is deprecated. Please clone() the tensor before performing this operation. This also "
           "applies to advanced indexing e.g. tensor[" +
           last;
  };
  auto expanded = [] { return ops::zeros({1}).expand({3}); };
  Tensor mask = bools({1, 0, 0}, {3}), one = tensor({1.0}).to(kFloat), first = tensor({0});
  auto filled = [&](auto f) {
    Tensor t = expanded();
    f(t);
    return values(t);
  };
  CHECK(filled([&](Tensor& t) { ops::masked_fill_(t, mask, 2); }) == Numbers{2, 2, 2});
  CHECK(filled([&](Tensor& t) { ops::masked_fill_(t, mask, one[0]); }) == Numbers{1, 1, 1});
  CHECK(filled([&](Tensor& t) { ops::masked_fill_(t, bools({0, 0, 0}, {3}), 2); }) == Numbers{0, 0, 0});
  CHECK(warnings == std::vector<std::string>(3, deprecated("masked_fill_")));
  warnings.clear();
  CHECK(filled([&](Tensor& t) { ops::index_fill_(t, 0, first, 2); }) == Numbers{2, 2, 2});
  CHECK(filled([&](Tensor& t) { ops::index_fill_(t, 0, first, one[0]); }) == Numbers{1, 1, 1});
  CHECK(warnings == std::vector<std::string>(2, deprecated("index_fill_")));
  warnings.clear();
  CHECK(filled([&](Tensor& t) { ops::index_put_(t, Indices{mask}, one); }) == Numbers{1, 1, 1});
  CHECK(warnings ==
        std::vector<std::string>{deprecated("index_put_", "indices] = tensor"), deprecated("masked_fill_")});
  warnings.clear();
  // What is not in place makes elements of its own, and results that are given may not share places.
  CHECK(values(ops::masked_fill(expanded(), mask, 2)) == Numbers{2, 0, 0});
  CHECK(values(ops::index_fill(expanded(), 0, first, 2)) == Numbers{2, 0, 0});
  Tensor out = expanded();
  CHECK_ERROR_CONTAINS(ops::masked_fill(ops::zeros({3}), mask, 2, "out"_a = out), ValueError,
                       "more than one element of the written-to tensor refers to a single memory location");
  Tensor self = expanded();
  CHECK_ERROR_CONTAINS(ops::index_add_(self, 0, first, one), ValueError, "more than one element of the written-to");
  CHECK(warnings.empty());
}
