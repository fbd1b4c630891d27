// Writing along an index or a mask: values, gradients, symbolic sizes, and the words of refusals.
#include <tenon/autograd/gradcheck.hpp>

#include "symbolic.hpp"

using namespace test;

namespace {
Tensor bools(const Ints& items, IntArrayRef sizes) {
  Tensor out = ops::zeros(sizes, "dtype"_a = kBool);
  for (std::size_t i = 0; i < items.size(); ++i) out.data_ptr<bool>()[i] = items[i] != 0;
  return out;
}
}  // namespace

TEST_CASE("rows are copied to the places of an index", "[ops][index_copy]") {
  Tensor x = counted({3, 2}), i = tensor({2, 0});
  CHECK(values(ops::index_copy(x, 0, i, ops::full({2, 2}, 9.))) == Numbers{9, 9, 2, 3, 9, 9});
  CHECK(values(ops::index_copy(x.t(), -1, i, counted({2, 2}))) == Numbers{1, 2, 0, 3, 3, 2});
  // Long rows.
  Tensor wide = ops::index_copy(ops::zeros({3, 100}), 0, i, counted({2, 100})), rows = wide.index_select(0, i);
  CHECK(values(rows) == values(counted({200})));
  CHECK(values(wide.select(0, 1)) == Numbers(100, 0));
  Tensor columns = ops::index_copy(ops::zeros({100, 3}), 1, i, counted({100, 2}));
  CHECK(values(columns.index_select(1, i)) == values(counted({200})));
  // The last of several rows for one place stays.
  CHECK(values(ops::index_copy(x, 0, tensor({1, 1}), counted({2, 2}))) == Numbers{0, 1, 2, 3, 4, 5});
  CHECK(values(ops::index_copy(x, 0, tensor(1), counted({1, 2}))) == Numbers{0, 1, 0, 1, 4, 5});
  CHECK(values(ops::index_copy(counted({3}), 0, tensor({1}), tensor(9.))) == Numbers{0, 9, 2});
  CHECK(values(ops::index_copy(tensor(1.), 0, tensor({0}), ops::full({1}, 9.))) == Numbers{9});
  CHECK(values(ops::index_copy(x, 0, ops::empty({0}, "dtype"_a = kLong), ops::zeros({0, 2}))) == values(x));
  Tensor y = ops::zeros({2, 3}), turned = y.t();
  auto version = y.version();
  CHECK(ops::index_copy_(turned, 0, i, counted({2, 2})).is_same(turned));
  CHECK(values(y) == Numbers{2, 0, 0, 3, 0, 1});
  CHECK(y.version() == version + 1);
  Tensor out = ops::zeros({0});
  ops::index_copy(x, 1, tensor({1}), ops::zeros({3, 1}), "out"_a = out);
  CHECK(values(out) == Numbers{0, 0, 2, 0, 4, 0});

  CHECK_ERROR(ops::index_copy(x, 0, i.to(kInt), counted({2, 2})), TypeError,
              "index_copy_(): Expected a long tensor for index, but got int32");
  CHECK_ERROR(ops::index_copy(x, 0, i, counted({2, 2}, kLong)), TypeError,
              "index_copy_(): self and source expected to have the same dtype, but got (self) float32 and (source) "
              "int64");
  CHECK_ERROR(ops::index_copy(x, 0, i, counted({3, 2})), IndexError,
              "index_copy_(): Number of indices (2) should be equal to source.size(dim) (3)");
  CHECK_ERROR(ops::index_copy(x, 0, i, counted({2, 3})), ValueError,
              "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: [2] at "
              "dimension 0 and source slice shape: [3] at dimension 0.");
  CHECK_ERROR(ops::index_copy(x, 0, i, counted({2})), IndexError,
              "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
              "dimensionality (1), destination dimensionality (2)");
  CHECK_ERROR(ops::index_copy(x, 0, i, tensor(1.)), IndexError,
              "index_copy_(): When source is scalar, index should have one element (got 2)");
  CHECK_ERROR(ops::index_copy(x, 0, i.view({1, 2}), counted({2, 2})), IndexError,
              "index_copy_(): Index should have dimension 1 or 0 (got 2)");
  CHECK_ERROR(ops::index_copy(x, 0, i + 1, counted({2, 2})), IndexError,
              "index_copy_(): index 3 is out of bounds for dimension 0 with size 3");
  CHECK_ERROR_CONTAINS(ops::index_copy_(x, 0, i, x.narrow(0, 0, 2)), ValueError, "refer to a single memory location");
}

TEST_CASE("a mask takes the elements of its source in order", "[ops][index_copy]") {
  Tensor x = counted({2, 3}), m = bools({1, 0, 1, 0, 1, 1}, {2, 3}), source = counted({2, 4}) + 10;
  CHECK(values(ops::masked_scatter(x, m, source)) == Numbers{10, 1, 11, 3, 12, 13});
  CHECK(values(ops::masked_scatter(x.t(), m.t(), source.t())) == Numbers{10, 3, 1, 14, 11, 15});
  CHECK(list(ops::masked_scatter(x.t(), m.t(), source).strides()) == Ints{2, 1});
  CHECK(values(ops::masked_scatter(x, bools({0, 1, 1}, {3}), source)) == Numbers{0, 10, 11, 3, 12, 13});
  CHECK(values(ops::masked_scatter(x.select(0, 0), m, source)) == Numbers{10, 1, 11, 0, 12, 13});
  CHECK(values(ops::masked_scatter(tensor(1.), tensor(1).to(kBool), source)) == Numbers{10});
  Tensor y = ops::zeros({3, 2}), turned = y.t();
  CHECK(ops::masked_scatter_(turned, m, source).is_same(turned));
  CHECK(values(y) == Numbers{10, 0, 0, 12, 11, 13});
  ops::masked_scatter_(y, bools({0, 1}, {2}), y);
  CHECK(values(y) == Numbers{10, 10, 0, 0, 11, 0});
  Tensor out = ops::zeros({0});
  ops::masked_scatter(x, m, source, "out"_a = out);
  CHECK(values(out) == Numbers{10, 1, 11, 3, 12, 13});

  CHECK_ERROR(ops::masked_scatter(x, m, counted({3})), ValueError,
              "Number of elements of source < number of ones in mask");
  CHECK_ERROR(ops::masked_scatter(x, m.to(kLong), source), TypeError,
              "masked_scatter_ only supports boolean masks, but got mask with dtype int64");
  CHECK_ERROR(ops::masked_scatter(x, m, source.to(kLong)), TypeError,
              "masked_scatter: expected self and source to have same dtypes but got float32 and int64");
  CHECK_ERROR(ops::masked_scatter_(x, bools({1, 1}, {2, 1, 1}), source), ValueError,
              "output with shape [2, 3] doesn't match the broadcast shape [2, 2, 3]");

  CHECK(values(ops::masked_scatter_backward(x, m, {3, 2})) == Numbers{0, 2, 4, 5, 0, 0});
  CHECK(values(ops::masked_scatter_backward(counted({3}), m, {2, 2})) == Numbers{0, 2, 1, 2});
  CHECK(values(ops::masked_scatter_backward(counted({2, 1}), m, {4})) == Numbers{0, 0, 1, 1});
  CHECK_ERROR(ops::masked_scatter_backward(x, m, {2}), ValueError,
              "shape '[2]' is invalid for more than 2 selected elements");
}

TEST_CASE("gradients of writing along an index or a mask agree with finite differences",
          "[ops][index_copy][autograd]") {
  using List = std::vector<Tensor>;
  auto leaf = [](IntArrayRef sizes) { return (counted(sizes, kDouble) + 1).requires_grad_(); };
  Tensor a = leaf({3, 2}), b = leaf({2, 2}), c = leaf({3}), scalar = leaf({}), i = tensor({2, 0});
  Tensor m = bools({1, 0, 1, 0, 1, 1}, {3, 2});
  autograd::gradcheck([&](const List& x) { return ops::index_copy(x[0], 0, i, x[1]).pow(2); }, {a, b});
  autograd::gradcheck([&](const List& x) { return ops::index_copy(x[0], 0, tensor(1), x[1]).pow(2); }, {c, scalar});
  autograd::gradcheck([&](const List& x) { return ops::index_copy(x[0], 0, tensor({0}), x[1]).pow(2); },
                      {scalar, leaf({1})});
  autograd::gradcheck([&](const List& x) { return ops::masked_scatter(x[0], m, x[1]).pow(2); }, {a, leaf({5})});
  autograd::gradcheck([&](const List& x) { return ops::masked_scatter(x[0], m, x[1]).pow(2); }, {leaf({2}), b});
  autograd::gradcheck(
      [&](const List& x) {
        Tensor y = x[0] * 1;
        ops::masked_scatter_(y, m, x[1]);
        return ops::index_copy_(y, 1, tensor({0}), y.narrow(1, 1, 1).clone()).pow(2);
      },
      {a, b});
  autograd::gradcheck([&](const List& x) { return ops::masked_scatter_backward(x[0], m, {5}).pow(2); }, {a});
}

TEST_CASE("symbolic tensors are written along an index or a mask", "[ops][index_copy][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::index_copy(meta({n, m}), 1, meta({2}, kLong), meta({n, 2}));
        })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::masked_scatter(meta({m}), meta({n, 1}, kBool), meta({n}));
        })) == "[s0, s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return ops::masked_scatter_backward(meta({n, m}), meta({m}, kBool), SymDimVector{m});
        })) == "[s1]");
  Tensor x = t.make({t.n, t.m});
  CHECK(shape(ops::masked_scatter_(x, t.make({t.m}, kBool), x)) == "[s0, s1]");
  CHECK_ERROR(ops::index_copy(x, 0, t.make({t.m}, kLong), t.make({t.n, t.m})), IndexError,
              "index_copy_(): Number of indices (s1) should be equal to source.size(dim) (s0)");
}
