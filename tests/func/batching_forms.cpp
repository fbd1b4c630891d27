// Batching rules of out forms, random numbers, look-ups and attention beside the loop over the examples.
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/vmap.hpp>

#include "examples.hpp"

using namespace test;

TEST_CASE("an out form within vmap is the form that returns, and a copy", "[func]") {
  Tensor x = drawn({3, 2, 4}), y = drawn({3, 4, 5}), shared = drawn({4, 5});
  auto zeros = [](IntArrayRef sizes) { return ops::zeros(sizes, "dtype"_a = kDouble); };
  agrees("aten::sin.out", {x, zeros({3, 2, 4})}, {0, 1});
  agrees("aten::mm.out", {x, y, zeros({3, 2, 5})}, {0, 1, 2});
  agrees("aten::mm.out", {x, shared, zeros({3, 2, 5})}, {0, 2});
  agrees("aten::sum.IntList_out", {x, ints({1}), truth(true), Value(), zeros({3, 2, 1})}, {0, 4});
  agrees("aten::max.dim_max",
         {x, Value(std::int64_t{0}), truth(false), zeros({3, 4}), ops::zeros({3, 4}, "dtype"_a = kLong)}, {0, 3, 4});
  // The examples' result is written, though only the memory is theirs.
  agrees("aten::sin.out", {shared, zeros({3, 4, 5})}, {1});
  CHECK_THROWS_WITH(func::vmap([&](const Tensor& a) {
                      Tensor out = zeros({2, 4});
                      return ops::sin(a, "out"_a = out);
                    })(x),
                    ContainsSubstring("the same tensor for all examples"));
  auto without = func::operators_without_batching_rule();
  for (const char* name : {"aten::sin.out", "aten::mm.out", "aten::arange", "aten::zeros"})
    CHECK(std::find(without.begin(), without.end(), name) == without.end());
  CHECK(without.size() < 120);
}

TEST_CASE("look-ups in a sequence of each example are its look-ups", "[func]") {
  Tensor sorted = std::get<0>(ops::sort(drawn({3, 6}))), shared = sorted.select(0, 0), x = drawn({3, 2, 4}),
         columns = std::get<0>(ops::sort(drawn({3, 2, 6}))), one = drawn({3});
  Value no = truth(false), yes = truth(true), none;
  for (bool right : {false, true}) {
    agrees("aten::searchsorted.Tensor", {sorted, x, no, truth(right), none, none}, {0, 1});
    agrees("aten::searchsorted.Tensor", {sorted, x.select(0, 1), no, truth(right), none, none}, {0});
    agrees("aten::searchsorted.Tensor", {shared, x, yes, truth(right), none, none}, {1});
    agrees("aten::searchsorted.Tensor", {columns, x, no, truth(right), none, none}, {0, 1});
    agrees("aten::searchsorted.Scalar", {sorted, Value(Scalar(0.25)), no, truth(right), none, none}, {0});
    agrees("aten::bucketize.Tensor", {x, sorted, yes, truth(right)}, {0, 1});
    agrees("aten::bucketize.Tensor", {one, sorted, no, truth(right)}, {0, 1});
    agrees("aten::bucketize.Scalar", {Value(Scalar(-0.5)), sorted, no, truth(right)}, {1});
  }
  Tensor numbers = ops::randint(5, {3, 2, 4}), tested = ops::randint(5, {3, 3});
  for (bool invert : {false, true}) {
    agrees("aten::isin.Tensor_Tensor", {numbers, tested, no, truth(invert)}, {0, 1});
    agrees("aten::isin.Tensor_Tensor", {numbers.select(0, 0), tested, no, truth(invert)}, {1});
    agrees("aten::isin.Scalar_Tensor", {Value(Scalar(std::int64_t{2})), tested, no, truth(invert)}, {1});
  }
}

TEST_CASE("what a mask of all examples chooses, and what is repeated, is that of each", "[func]") {
  Tensor x = drawn({3, 2, 4}), mask = ops::gt(drawn({2, 4}), 0), row = tensor({true, false, true, true});
  agrees("aten::masked_select", {x, mask}, {0});
  agrees("aten::masked_select", {x, row}, {0});
  agrees("aten::masked_select", {drawn({3, 4}), mask}, {0});
  agrees("aten::masked_select", {x, ops::zeros({4}, "dtype"_a = kBool)}, {0});
  Tensor repeats = tensor({{1, 0, 2}, {0, 3, 0}, {1, 1, 1}});
  agrees("aten::repeat_interleave.Tensor", {repeats, Value(std::int64_t{3})}, {0});
  Tensor rows = drawn({3, 3, 2});
  auto repeated = [](const Tensor& t, const Tensor& n) {
    return ops::repeat_interleave(t, n, 0, "output_size"_a = std::int64_t{3});
  };
  Tensor all = func::vmap(repeated)(rows, repeats);
  for (std::int64_t n = 0; n < 3; ++n) check_close(all.select(0, n), repeated(rows.select(0, n), repeats.select(0, n)));
}

TEST_CASE("sums of products keep the type of bytes", "[func]") {
  Tensor a = ops::to(ops::randint(4, {3, 2, 2, 3}), kByte), b = ops::to(ops::randint(4, {3, 2, 3, 2}), kByte),
         c = ops::to(ops::randint(4, {3, 2, 2}), kByte);
  Value one(Scalar(std::int64_t{1}));
  agrees("aten::addbmm", {c, a, b, one, one}, {0, 1, 2});
}

TEST_CASE("elements put by their numbers, copies, shuffles and quantised examples are those of each", "[func]") {
  Tensor x = drawn({3, 2, 4}), places = tensor({{0, 7, -2}, {1, 2, 3}, {-8, 4, 0}}), values = drawn({3, 3});
  Tensor shared = places.select(0, 1);
  for (bool add : {false, true})
    for (const char* name : {"aten::put", "aten::put_"}) {
      agrees(name, {x, places, values, truth(add)}, {0, 1, 2});
      agrees(name, {x, shared, values.select(0, 0), truth(add)}, {0});
    }
  agrees("aten::copy", {x, drawn({3, 4}), truth(false)}, {0, 1});
  agrees("aten::copy", {x.select(0, 0), drawn({3, 4}), truth(false)}, {1});
  agrees("aten::channel_shuffle", {drawn({3, 2, 6, 2, 2}), Value(std::int64_t{3})}, {0});
  Value low(std::int64_t{-8}), high(std::int64_t{7}), zero(std::int64_t{0});
  agrees("aten::fake_quantize_per_tensor_affine_cachemask", {x, Value(0.1), zero, low, high}, {0});
  agrees("aten::fake_quantize_per_channel_affine_cachemask",
         {ops::to(x, kFloat), tensor({0.1f, 0.2f}), ops::zeros({2}, "dtype"_a = kInt), zero, low, high}, {0});
}

TEST_CASE("attention and fractional pools of examples run at once", "[func]") {
  Tensor q = drawn({3, 2, 2, 4, 6}), k = drawn({3, 2, 2, 5, 6}), v = drawn({3, 2, 2, 5, 6}), mask = drawn({3, 4, 5}),
         heads = drawn({3, 2, 1, 4, 5});
  const char* name = "aten::_scaled_dot_product_flash_attention_for_cpu";
  Value none, p(0.0), no = truth(false);
  agrees(name, {q, k, v, p, no, none, none}, {0, 1, 2});
  agrees(name, {q, k.select(0, 0), v, p, truth(true), none, Value(0.3)}, {0, 2});
  agrees(name, {q, k, v, p, no, mask, none}, {0, 1, 2, 5});
  agrees(name, {q, k, v, p, no, mask.select(0, 0), none}, {0, 1, 2});
  agrees(name, {q, k, v, p, no, heads, none}, {0, 1, 2, 5});
  agrees(name, {q, k, v, p, no, heads.select(0, 1), none}, {0, 1, 2});
  Tensor images = drawn({3, 2, 3, 6, 6}), samples = ops::rand({3, 2, 3, 2}, "dtype"_a = kDouble);
  agrees("aten::fractional_max_pool2d", {images, ints({2, 2}), ints({3, 3}), samples}, {0, 3});
}

TEST_CASE("random numbers for all examples come from one call", "[func]") {
  Tensor x = ops::zeros({4, 3}, "dtype"_a = kDouble), weights = ops::rand({4, 2, 5});
  Warnings warnings;
  auto noisy = [](const Tensor& a) { return ops::add(a, ops::randn({3}, "dtype"_a = kDouble)); };
  Tensor got = func::vmap(noisy, {.randomness = func::Randomness::Different})(x);
  CHECK(got.sizes() == IntArrayRef({4, 3}));
  CHECK_FALSE(got.select(0, 0).equal(got.select(0, 1)));
  Tensor same = func::vmap(noisy, {.randomness = func::Randomness::Same})(x);
  CHECK(same.select(0, 0).equal(same.select(0, 3)));
  CHECK_THROWS_AS(func::vmap(noisy)(x), func::RandomnessError);
  auto drawn_rows = [](const Tensor& w) { return ops::multinomial(w, 2); };
  CHECK(func::vmap(drawn_rows, {.randomness = func::Randomness::Different})(weights).sizes() == IntArrayRef({4, 2, 2}));
  CHECK(warnings.texts == std::vector<std::string>());
  // A composite that may draw numbers and does not is none that does.
  Tensor q = drawn({2, 3, 4});
  auto attended = [&](const Tensor& a) { return ops::add(a, ops::scaled_dot_product_attention(q, q, q)); };
  check_close(func::vmap(attended)(drawn({5, 2, 3, 4}).zero_()).select(0, 4),
              ops::scaled_dot_product_attention(q, q, q));
}
