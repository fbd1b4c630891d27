// Indexing as C++ writes it, and assignment to what a call returned.
#include "support.hpp"

using namespace test;

static_assert(std::is_nothrow_move_constructible_v<Tensor> && std::is_copy_assignable_v<Tensor>);

TEST_CASE("an index of numbers, slices, None and Ellipsis makes a view", "[ops][tensor_index]") {
  Tensor x = counted({2, 3, 4});
  CHECK(seen(x[1]) == Seen{{3, 4}, {4, 1}, 12});
  CHECK(seen(x[-1][2]) == Seen{{4}, {1}, 20});
  CHECK(x[1][2][3].item<float>() == 23);
  CHECK(seen(x.index({1, Slice(0, 2), None, Ellipsis})) == Seen{{2, 1, 4}, {4, 4, 1}, 12});
  CHECK(seen(x.index({Ellipsis, Slice(None, None, 2)})) == Seen{{2, 3, 2}, {12, 4, 2}, 0});
  CHECK(seen(x.index({"...", -1})) == Seen{{2, 3}, {12, 4}, 3});
  CHECK(seen(x[Slice(1)]) == Seen{{1, 3, 4}, {12, 4, 1}, 12});
  CHECK(seen(x[None]).sizes == Ints{1, 2, 3, 4});
  CHECK(seen(x.index({tensor(1), tensor(0)})) == Seen{{4}, {1}, 12});
  CHECK(x.index({}).storage() == x.storage());
  CHECK_FALSE(x.index({Slice()}).is_same(x));
  std::vector<TensorIndex> given{0, Slice(1, 3)};
  CHECK(seen(x.index(given)) == Seen{{2, 4}, {4, 1}, 4});
  Tensor y = counted({2, 3}).requires_grad_();
  y.index({0, Slice(1, 3)}).sum().backward();
  CHECK(values(y.grad()) == Numbers{0, 1, 1, 0, 0, 0});
}

TEST_CASE("an index with tensors and masks makes a copy", "[ops][tensor_index]") {
  Tensor x = counted({3, 4}), rows = tensor({2, 0});
  CHECK(values(x[rows]) == Numbers{8, 9, 10, 11, 0, 1, 2, 3});
  CHECK(values(x.index({rows, Slice(1, 3)})) == Numbers{9, 10, 1, 2});
  CHECK(values(x.index({Slice(1), x[0] > 1})) == Numbers{6, 7, 10, 11});
  CHECK(values(x[x > 9]) == Numbers{10, 11});
  CHECK(list(x.index({true}).sizes()) == Ints{1, 3, 4});
  CHECK(list(x.index({false}).sizes()) == Ints{0, 3, 4});
  CHECK(list(x.index({Slice(), None, rows}).sizes()) == Ints{3, 1, 2});
  std::vector<std::optional<Tensor>> optional{std::nullopt, rows};
  CHECK(values(x.index(optional)) == Numbers{2, 0, 6, 4, 10, 8});

  CHECK_ERROR(x.index({0, 0, 0}), IndexError, "too many indices for tensor of dimension 2");
  CHECK_ERROR(x.index({0, 4}), IndexError, "index 4 is out of bounds for dimension 1 with size 4");
  CHECK_ERROR(tensor(1.)[0], IndexError,
              "invalid index of a 0-dim tensor. Use `tensor.item()` to convert it to a number");
  CHECK_ERROR(x.index({Slice(None, None, 0)}), ValueError, "slice step cannot be zero");
  CHECK_ERROR(x.index({Slice(None, None, -1)}), ValueError, "step must be greater than zero");
  CHECK_ERROR(x.index({".."}), ValueError, "Expected \"...\" to represent an ellipsis index, but got \"..\"");
}

TEST_CASE("index_put_ writes where index reads", "[ops][tensor_index]") {
  Tensor x = ops::zeros({3, 4});
  CHECK(x.index_put_({1, Slice(1, 3)}, 5).is_same(x));
  CHECK(values(x) == Numbers{0, 0, 0, 0, 0, 5, 5, 0, 0, 0, 0, 0});
  x.index_put_({x > 4}, 1);
  x.index_put_({tensor({0, 2}), -1}, tensor({7.f, 8.f}));
  x.index_put_({Ellipsis, 0}, ops::full({1, 1, 3}, 2.f));
  CHECK(values(x) == Numbers{2, 0, 0, 7, 2, 1, 1, 0, 2, 0, 0, 8});
  x.index_put_({false}, counted({5}));
  std::vector<std::optional<Tensor>> rows{tensor({0, 0})};
  x.index_put_(rows, ops::ones({4}), true);
  CHECK(values(x[0]) == Numbers{4, 2, 2, 9});
}

TEST_CASE("what a call returned is a place, a variable is a handle", "[ops][assignment]") {
  Tensor x = ops::zeros({2, 2}), y = ops::ones({2});
  auto data = x.data_ptr();
  x[0] = y;
  x.select(0, 1) = 5;
  CHECK(values(x) == Numbers{1, 1, 5, 5});
  CHECK(y.use_count() == 1);
  x[1][0] = 2.5;
  x[1] = std::move(y);
  CHECK(values(x) == Numbers{1, 1, 1, 1});
  CHECK((x[0] = 3).sizes() == IntArrayRef{2});
  CHECK(x.data_ptr() == data);
  // Variables, elements of lists and what references lead to are handles.
  Tensor z = x;
  z = ops::ones({3});
  CHECK(values(x) == Numbers{3, 3, 1, 1});
  std::vector<Tensor> all{x, z};
  all[0] = z;
  CHECK(all[0].is_same(z));
  auto [a, b] = std::pair(x, z);
  std::tie(a, b) = std::pair(b, a);
  CHECK((a.is_same(z) && b.is_same(x)));
  CHECK(values(x) == Numbers{3, 3, 1, 1});
  // An undefined one is no place.
  Tensor() = x;
  auto version = x.version();
  x[0] = x[1];
  CHECK(x.version() == version + 1);
  CHECK(values(x) == Numbers{1, 1, 1, 1});
  CHECK_ERROR_CONTAINS(x[0] = ops::ones({3}), ValueError, "size");
  // A gradient passes what is written.
  Tensor w = ops::ones({2}).requires_grad_(), out = ops::zeros({2, 2});
  out[1] = w * 3;
  out.sum().backward();
  CHECK(values(w.grad()) == Numbers{3, 3});
}

TEST_CASE("every view is a place", "[ops][assignment]") {
  Tensor x;
  auto check = [&](auto view, const Numbers& expected) {
    x = ops::zeros({2, 2});
    view(x) = 7;
    CHECK(values(x) == expected);
    x = ops::zeros({2, 2});
    Tensor seen_as = view(x);
    view(x) = ops::full(seen_as.sizes(), 7.f);
    CHECK(values(x) == expected);
  };
  const Numbers all(4, 7);
  check([](Tensor& t) { return t.select(0, 0); }, {7, 7, 0, 0});
  check([](Tensor& t) { return t[1]; }, {0, 0, 7, 7});
  check([](Tensor& t) { return t.index({Slice(), 1}); }, {0, 7, 0, 7});
  check([](Tensor& t) { return t.slice(1, 1, 2); }, {0, 7, 0, 7});
  check([](Tensor& t) { return t.narrow(0, 1, 1); }, {0, 0, 7, 7});
  check([](Tensor& t) { return t.diagonal(); }, {7, 0, 0, 7});
  check([](Tensor& t) { return t.t(); }, all);
  check([](Tensor& t) { return t.transpose(0, 1); }, all);
  check([](Tensor& t) { return t.permute({1, 0}); }, all);
  check([](Tensor& t) { return t.view({4}); }, all);
  check([](Tensor& t) { return t.reshape({4}); }, all);
  check([](Tensor& t) { return t.flatten(); }, all);
  check([](Tensor& t) { return t.unsqueeze(0); }, all);
  check([](Tensor& t) { return t.squeeze(); }, all);
  check([](Tensor& t) { return t.expand({2, 2}); }, all);
  check([](Tensor& t) { return t.view_as(t); }, all);
  check([](Tensor& t) { return t.reshape_as(t); }, all);
  check([](Tensor& t) { return t.expand_as(t); }, all);
  check([](Tensor& t) { return t.alias(); }, all);
  check([](Tensor& t) { return t.detach(); }, all);
  check([](Tensor& t) { return t.as_strided({2}, {3}); }, {7, 0, 0, 7});
  check([](Tensor& t) { return t.unfold(0, 1, 1); }, all);
  check([](Tensor& t) { return ops::view_dtype(t, kFloat); }, all);
  check([](Tensor& t) { return t.unbind(0)[0].alias(); }, {7, 7, 0, 0});
  check([](Tensor& t) { return t.split(1, 1)[1].alias(); }, {0, 7, 0, 7});
  check([](Tensor& t) { return t.chunk(2)[0].alias(); }, {7, 7, 0, 0});
}
