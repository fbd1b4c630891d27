// Batching rules of sequences and segments, masks, distances and composed operators beside the loop over the examples.
#include <tenon/func/batching_sequences.hpp>
#include <tenon/func/vmap.hpp>

#include "examples.hpp"

using namespace test;

namespace {
/// Of three examples, the first dimension.
Tensor masks(IntArrayRef sizes) { return ops::gt(ops::rand(sizes), 0.4); }
Value number(double n) { return Value(n); }
Value integer(std::int64_t n) { return Value(n); }
Value tensors(std::vector<Value> list) { return Value::list(std::move(list), ValueKind::Tensor); }
}  // namespace

TEST_CASE("losses of sequences are those of each example's", "[func]") {
  Tensor rows = ops::log_softmax(drawn({3, 6, 2, 4}), -1), one = rows.select(0, 0);
  Tensor labels = ops::randint(1, 4, {3, 2, 3}), line = labels.reshape({3, 6}).narrow(1, 0, 4),
         shared = labels.select(0, 1);
  Value lengths = ints({6, 5}), counts = ints({3, 1}), of_line = ints({2, 2});
  for (const Tensor& t : {labels, shared}) {
    std::vector<std::size_t> batched{0};
    if (t.dim() == 3) batched.push_back(1);
    agrees("aten::_ctc_loss", {rows, t, lengths, counts, integer(0), truth(true)}, batched);
  }
  agrees("aten::_ctc_loss", {one, line, lengths, of_line, integer(0), truth(false)}, {1});
  Tensor times = tensor({{6, 5}, {4, 6}, {6, 6}}), many = tensor({3, 2});
  agrees("aten::_ctc_loss.Tensor", {rows, labels, times, many, integer(0), truth(true)}, {0, 1, 2});
  // Per-example gradients go by the rule of the gradient.
  const std::vector<std::int64_t> steps{6, 5}, letters{3, 1};
  auto loss = [&](const Tensor& x, const Tensor& y) {
    return ops::ctc_loss(ops::log_softmax(x, -1), y, IntArrayRef(steps), IntArrayRef(letters), 0, 1, true);
  };
  Warnings warnings;
  Tensor got = func::vmap(func::grad(loss))(rows, labels);
  CHECK(warnings.texts == std::vector<std::string>());
  for (std::int64_t i = 0; i < 3; ++i)
    check_close(got.select(0, i), func::grad(loss)(rows.select(0, i), labels.select(0, i)));
}

TEST_CASE("segments have the lengths of each example", "[func]") {
  Tensor x = drawn({3, 5, 2}), lengths = tensor({{2, 0, 3}, {1, 4, 0}, {5, 0, 0}}), offsets = tensor({0, 2, 5});
  Value none;
  for (const char* reduce : {"sum", "mean", "max"}) {
    agrees("aten::segment_reduce",
           {x, Value(std::string(reduce)), lengths, none, none, integer(0), truth(false), Value(Scalar(0.5))}, {0, 2});
    agrees("aten::segment_reduce", {x, Value(std::string(reduce)), none, none, offsets, integer(0), truth(false), none},
           {0});
  }
  auto f = [&](const Tensor& a) {
    return ops::sum(ops::mul(ops::segment_reduce(a, "sum", "lengths"_a = tensor({2, 3})), 3));
  };
  Warnings warnings;
  check_close(func::vmap(func::grad(f))(x), ops::full_like(x, 3));
  CHECK(warnings.texts == std::vector<std::string>());
}

TEST_CASE("masks choose of each example", "[func]") {
  Tensor x = drawn({3, 2, 4}), mask = masks({3, 2, 4}), source = drawn({3, 9}), row = mask.select(1, 0);
  agrees("aten::masked_scatter", {x, mask, source}, {0, 1, 2});
  agrees("aten::masked_scatter", {x.select(0, 0), mask, source.select(0, 0)}, {1});
  agrees("aten::masked_scatter", {x, row, source}, {0, 1, 2});
  agrees("aten::masked_scatter_", {x, mask, source.select(0, 1)}, {0, 1});
  agrees("aten::masked_scatter_backward", {x, mask, ints({3, 3})}, {0, 1});
  Tensor some = ops::mul(ops::randint(3, {3, 2, 4}), 1);
  for (std::int64_t n : {1, 5, 12}) agrees("aten::nonzero_static", {some, integer(n), integer(-7)}, {0});
  agrees("aten::_masked_softmax", {x, mask, integer(0), integer(2)}, {0, 1});
  Tensor index = tensor({{0, 1}, {1, 0}, {1, 1}}), on = masks({3, 2});
  agrees("aten::_unsafe_masked_index",
         {x, on, tensors({Value(index.select(0, 0)), Value(index.select(0, 1))}), Value(Scalar(0.5))}, {0, 1});
}

TEST_CASE("distances of pairs, norms of weights and blocks are those of each example", "[func]") {
  Tensor x = drawn({3, 4, 2});
  for (double p : {0.0, 1.0, 2.0, 3.5}) {
    agrees("aten::_pdist_forward", {x, number(p)}, {0});
    Tensor d = ops::stack({ops::_pdist_forward(x.select(0, 0), p), ops::_pdist_forward(x.select(0, 1), p),
                           ops::_pdist_forward(x.select(0, 2), p)});
    agrees("aten::_pdist_backward", {drawn({3, 6}), x, number(p), d}, {0, 1, 3});
    agrees("aten::_pdist_backward", {drawn({3, 6}), x.select(0, 0), number(p), d.select(0, 0)}, {0});
  }
  agrees("aten::_euclidean_dist", {x, drawn({5, 2})}, {0});
  Tensor v = drawn({3, 4, 5}), g = drawn({3, 4, 1});
  agrees("aten::_weight_norm_interface", {v, g, integer(0)}, {0, 1});
  agrees("aten::_weight_norm_interface_backward", {drawn({3, 4, 5}), v, g, ops::add(ops::abs(g), 1), integer(0)},
         {0, 1, 2, 3});
  auto blocks = [&](const Tensor& a) { return ops::block_diag(TensorList{a, ops::mul(a.select(0, 0), 2), a.sum()}); };
  Warnings warnings;
  Tensor got = func::vmap(blocks)(x),
         gradients = func::vmap(func::grad([&](const Tensor&a) { return blocks(a).sum(); }))(x);
  CHECK(warnings.texts == std::vector<std::string>());
  for (std::int64_t i = 0; i < 3; ++i) {
    check_close(got.select(0, i), blocks(x.select(0, i)));
    check_close(gradients.select(0, i), func::grad([&](const Tensor& a) { return blocks(a).sum(); })(x.select(0, i)));
  }
  agrees("aten::as_strided_scatter", {x, drawn({3, 2, 2}), ints({2, 2}), ints({3, 2}), integer(1)}, {0, 1});
  Tensor ends = drawn({3});
  Value none;
  for (std::int64_t n : {2, 5})
    agrees("aten::linspace.Tensor_Tensor", {ends, drawn({3}), integer(n), integer(7), none, none, none}, {0, 1});
  agrees("aten::logspace.Scalar_Tensor",
         {Value(Scalar(0.5)), ends, integer(4), number(2), integer(7), none, none, none}, {1});
  Tensor out = ops::zeros({3, 4}, "dtype"_a = kDouble);
  agrees("aten::linspace.Tensor_Tensor_out", {ends, drawn({3}), integer(4), out}, {0, 1, 3});
  agrees("aten::linspace.Tensor_Scalar_out", {ends, Value(Scalar(2)), integer(4), ops::to(out, kFloat)}, {0, 3});
  agrees("aten::logspace.Scalar_Tensor_out", {Value(Scalar(0.5)), ends, integer(4), number(2), out}, {1, 4});
}

TEST_CASE("memory of another size than a result of each example is refused", "[func]") {
  func::warn_of_loops(false);
  auto into = [](const Tensor& end) {
    Tensor out = ops::add(ops::zeros({7}), end);
    return ops::linspace(end, 1, 5, "out"_a = out);
  };
  CHECK_THROWS_WITH(func::vmap(into)(drawn({3})),
                    ContainsSubstring("linspace.Tensor_Scalar_out(): expected memory of [5] for the result of each "
                                      "example, got [7]"));
  func::warn_of_loops(true);
}

TEST_CASE("products of bytes, least squares and layers in one operator are those of each example", "[func]") {
  Tensor a = ops::to(ops::randint(-128, 128, {3, 4, 5}), kChar), b = ops::to(ops::randint(-128, 128, {3, 5, 2}), kChar);
  agrees("aten::_int_mm", {a, b}, {0, 1});
  agrees("aten::_int_mm", {a.select(0, 0), b}, {1});
  Value none;
  for (const char* driver : {"gels", "gelsd"})
    agrees("aten::linalg_lstsq", {drawn({3, 5, 2}), drawn({3, 5, 1}), none, Value(std::string(driver))}, {0, 1});
  agrees("aten::linalg_lstsq", {drawn({5, 2}), drawn({3, 5, 1}), none, none}, {1});
  Tensor x = drawn({3, 2, 5, 4});
  agrees("aten::_transform_bias_rescale_qkv", {drawn({3, 2, 5, 12}), drawn({12}), integer(2)}, {0});
  agrees("aten::_native_multi_head_attention",
         {x, x, x, integer(4), integer(2), drawn({12, 4}), drawn({12}), drawn({4, 4}), drawn({4}), none, truth(true),
          truth(true), none},
         {0, 1, 2});
}

TEST_CASE("out forms of what no example has a say in are written once for all", "[func]") {
  auto of_all = [](IntArrayRef sizes) { return ops::zeros(sizes, "dtype"_a = kDouble); };
  agrees("aten::full.out", {ints({2, 4}), Value(Scalar(1.5)), of_all({3, 2, 4})}, {2});
  agrees("aten::eye.out", {integer(4), of_all({3, 4, 4})}, {1});
  agrees("aten::linspace.out", {Value(Scalar(0)), Value(Scalar(2)), integer(5), of_all({3, 5})}, {3});
  agrees("aten::arange.out", {Value(Scalar(4)), ops::zeros({3, 4}, "dtype"_a = kLong)}, {1});
  // Numbers differ from example to example, or are the same, as the transform says.
  auto drawn_into = [](const Tensor& a) {
    Tensor out = ops::zeros_like(a);
    return func::detail::call("aten::randn.out", {ints({4}), Value(out)})[0].to_tensor();
  };
  Tensor x = drawn({3, 4});
  CHECK_THROWS_AS(func::vmap(drawn_into)(x), func::RandomnessError);
  Tensor other = func::vmap(drawn_into, {.randomness = func::Randomness::Different})(x);
  CHECK(ops::ne(other.select(0, 0), other.select(0, 1)).all().item<bool>());
  Tensor same = func::vmap(drawn_into, {.randomness = func::Randomness::Same})(x);
  check_close(same.select(0, 0), same.select(0, 2));
  auto without = func::operators_without_batching_rule();
  for (const char* name : {"aten::zeros.out", "aten::randn.out", "aten::_ctc_loss", "aten::segment_reduce.out",
                           "aten::_pdist_backward", "aten::block_diag.out", "aten::linalg_lstsq"})
    CHECK(std::find(without.begin(), without.end(), name) == without.end());
}
