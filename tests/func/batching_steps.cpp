// Batching rules of steps of optimisers, bags of embeddings, counts in bins and assertions beside the loop over the
// examples.
#include <tenon/func/batching_steps.hpp>
#include <tenon/func/vmap.hpp>

#include "examples.hpp"

using namespace test;

namespace {
Value number(double n) { return Value(n); }
Value integer(std::int64_t n) { return Value(n); }
const Value none;

/// Runs a step on the lists of three examples at once and of one after the other; `lists` hold all three.
void steps_agree(const std::string& name, const std::vector<std::vector<Tensor>>& lists, const Stack& rest) {
  INFO(name);
  OperatorHandle op = Registry::get().find_schema(name);
  REQUIRE(op);
  auto given = [&](auto&& of) {
    Stack call;
    for (const auto& list : lists) {
      std::vector<Value> items;
      for (const Tensor& t : list) items.emplace_back(of(t));
      call.push_back(Value::list(std::move(items), ValueKind::Tensor));
    }
    call.insert(call.end(), rest.begin(), rest.end());
    return call;
  };
  auto tensors_of = [](const Value& v) {
    std::vector<Tensor> found;
    for (const Value& item : v.to_list()) found.push_back(item.to_tensor());
    return found;
  };
  // What an operator returns, and all that it may write.
  auto run = [&](Stack call) {
    Stack before(call.begin(), call.begin() + static_cast<std::ptrdiff_t>(lists.size()));
    op.call_boxed(call);
    call.insert(call.end(), before.begin(), before.end());
    std::vector<Tensor> all;
    for (const Value& v : call)
      for (const Tensor& t : tensors_of(v)) all.push_back(t);
    return all;
  };
  std::vector<std::vector<Tensor>> loop;
  for (std::int64_t n = 0; n < kExamples; ++n)
    loop.push_back(run(given([&](const Tensor& t) { return Tensor(t.select(0, n).clone()); })));
  Warnings warnings;
  func::LevelGuard guard(func::LevelKind::Batch, kExamples);
  std::vector<Tensor> all = run(given([&](const Tensor& t) { return func::make_batched(t.clone(), guard.level()); }));
  CHECK(warnings.texts == std::vector<std::string>());
  REQUIRE(all.size() == loop[0].size());
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t n = 0; n < kExamples; ++n)
      check_close(func::detail::batch_of(all[k], guard.level()).select(0, static_cast<std::int64_t>(n)), loop[n][k]);
}
std::vector<Tensor> two() { return {drawn({3, 4}), drawn({3, 2, 2})}; }
std::vector<Tensor> above_zero() {
  return {ops::rand({3, 4}, "dtype"_a = kDouble), ops::rand({3, 2, 2}, "dtype"_a = kDouble)};
}
std::vector<Tensor> counts() {
  auto of = [](double a, double b, double c) { return ops::to(tensor({a, b, c}), kFloat); };
  return {of(1, 5, 2), of(3, 1, 1)};
}
}  // namespace

TEST_CASE("steps of optimisers count each example's parameters for themselves", "[func]") {
  Value no(false), yes(true);
  for (const char* end : {"", "_"}) {
    steps_agree(concat("aten::_fused_sgd", end), {two(), two(), two()},
                {number(0.1), number(0.9), number(0.01), number(0), no, no, no, none, none});
    steps_agree(concat("aten::_fused_adagrad", end), {two(), two(), above_zero(), counts()},
                {number(0.1), number(0.5), number(0.1), number(1e-8), no, none, none});
    for (const char* name : {"aten::_fused_adam", "aten::_fused_adamw"}) {
      Stack options{number(0.1), number(0.9), number(0.99), number(0.1), number(1e-8), yes, no, none, none};
      steps_agree(concat(name, end), {two(), two(), two(), above_zero(), above_zero(), counts()}, options);
    }
  }
  steps_agree("tenon::_fused_rmsprop_", {two(), two(), above_zero(), two(), two()},
              {number(0.1), number(0.9), number(1e-8), number(0), number(0.9), no, no});
  steps_agree("tenon::_fused_radam_", {two(), two(), two(), above_zero(), counts()},
              {number(0.1), number(0.9), number(0.99), number(0), number(1e-8), no, no});
  // What all examples share cannot be written for each of them.
  auto shared = [w = drawn({4})](const Tensor& g) {
    auto list = [](const Tensor& t) { return Value::list({Value(t)}, ValueKind::Tensor); };
    (void)func::detail::call("aten::_fused_sgd_",
                             {list(w), list(g), Value::list({}, ValueKind::Tensor), Value(0.0), Value(0.0), Value(0.1),
                              Value(0.0), Value(false), Value(false), Value(true), Value(), Value()});
    return g;
  };
  CHECK_THROWS_AS(func::vmap(shared)(drawn({3, 4})), func::BatchError);
}

TEST_CASE("the scale of each example's loss is brought up to date", "[func]") {
  Tensor scale = ops::to(tensor({2.0, 4.0, 8.0}), kFloat).reshape({3, 1}),
         found = ops::to(tensor({0.0, 1.0, 0.0}), kFloat).reshape({3, 1}),
         grown = ops::to(tensor({0, 0, 1}), kInt).reshape({3, 1});
  agrees("aten::_amp_update_scale_", {scale, grown, found, number(2), number(0.5), integer(2)}, {0, 1, 2});
  agrees("aten::_amp_update_scale", {scale, grown, found, number(2), number(0.5), integer(2)}, {0, 1, 2});
}

TEST_CASE("bags of rows of a table are those of each example", "[func]") {
  Tensor table = drawn({3, 5, 2}), one = table.select(0, 0), x = ops::randint(5, {3, 6}), first = tensor({0, 2, 2, 5}),
         offsets = tensor({{0, 2, 2, 5}, {0, 0, 3, 6}, {0, 1, 4, 4}}), weights = drawn({3, 6});
  Value no(false);
  for (const char* name : {"aten::_embedding_bag", "aten::_embedding_bag_forward_only"})
    for (std::int64_t mode : {0, 1, 2})
      for (std::int64_t padding : {-1, 3})
        for (bool last : {false, true}) {
          INFO(mode << " " << padding << " " << last);
          Stack options{no, integer(mode), no, none, Value(last), integer(padding)};
          auto call = [&](const Tensor& w, const Tensor& i, const Tensor& o) {
            Stack all{w, i, o};
            all.insert(all.end(), options.begin(), options.end());
            return all;
          };
          agrees(name, call(table, x, offsets), {0, 1, 2});
          agrees(name, call(table, x.select(0, 0), first), {0});
          agrees(name, call(one, x, first), {1});
          agrees(name, call(one, x.select(0, 1), offsets), {2});
          if (mode != 0) continue;
          options[3] = Value(weights);
          agrees(name, call(table, x, offsets), {0, 1, 2, 6});
          agrees(name, call(one, x.select(0, 1), first), {6});
        }
  // In single precision the bag of each index is left out.
  agrees("aten::_embedding_bag", {ops::to(table, kFloat), x, offsets, no, integer(0), no, none, no, integer(-1)},
         {0, 1, 2});
}

TEST_CASE("gradients of bags are those of each example", "[func]") {
  Tensor table = drawn({3, 5, 2}), x = ops::randint(5, {3, 6}),
         offsets = tensor({{0, 2, 2, 5}, {0, 0, 3, 6}, {0, 1, 4, 4}}), weights = drawn({3, 6});
  for (std::int64_t mode : {0, 1, 2})
    for (bool last : {false, true})
      for (std::int64_t padding : {-1, 3})
        for (ScalarType dtype : {kDouble, kFloat}) {
          INFO(mode << " " << padding << " " << last << " " << dtype);
          auto loss = [&](const Tensor& w, const Tensor& i, const Tensor& o) {
            Tensor y = std::get<0>(ops::_embedding_bag(w, i, o, false, mode, false, std::nullopt, last, padding));
            return ops::sum(ops::mul(y, ops::add(ops::detach(y), 1)));
          };
          Warnings warnings;
          Tensor t = ops::to(table, dtype), all = func::vmap(func::grad(loss))(t, x, offsets),
                 shared = func::vmap(func::grad(loss), {.in_dims = {std::nullopt, 0, 0}})(t.select(0, 0), x, offsets);
          CHECK(warnings.texts == std::vector<std::string>());
          for (std::int64_t n = 0; n < 3; ++n) {
            Tensor i = x.select(0, n), o = offsets.select(0, n);
            CHECK(ops::allclose(all.select(0, n), func::grad(loss)(t.select(0, n), i, o), 1e-5, 1e-6));
            CHECK(ops::allclose(shared.select(0, n), func::grad(loss)(t.select(0, 0), i, o), 1e-5, 1e-6));
          }
        }
  auto by_weights = [&](const Tensor& p, const Tensor& w, const Tensor& i, const Tensor& o) {
    Tensor y = std::get<0>(ops::_embedding_bag(w, i, o, false, 0, false, p, true, 3));
    return ops::sum(ops::mul(y, y));
  };
  Warnings warnings;
  Tensor all = func::vmap(func::grad(by_weights))(weights, table, x, offsets);
  CHECK(warnings.texts == std::vector<std::string>());
  for (std::int64_t n = 0; n < 3; ++n)
    check_close(all.select(0, n),
                func::grad(by_weights)(weights.select(0, n), table.select(0, n), x.select(0, n), offsets.select(0, n)));
}

TEST_CASE("rows are brought down to a norm in each example's table", "[func]") {
  Tensor table = ops::mul(drawn({3, 5, 2}), 3), x = ops::randint(5, {3, 2, 2});
  for (const char* name : {"aten::embedding_renorm", "aten::embedding_renorm_"}) {
    agrees(name, {table, x, number(1), number(2)}, {0, 1});
    agrees(name, {table, x.select(0, 0), number(0.5), number(1)}, {0});
  }
}

TEST_CASE("counts in bins are those of each example", "[func]") {
  Tensor x = drawn({3, 4, 5}), weight = ops::rand({3, 4, 5}, "dtype"_a = kDouble);
  Tensor same = ops::zeros_like(x), edges = std::get<0>(ops::sort(drawn({3, 5}), -1));
  for (const Tensor& t : {x, same, Tensor(ops::to(x, kFloat))}) {
    agrees("aten::histc", {t, integer(6), Value(Scalar(0)), Value(Scalar(0))}, {0});
    agrees("aten::histc", {t, integer(4), Value(Scalar(-1)), Value(Scalar(1.5))}, {0});
  }
  Value range = Value::list({number(-1), number(1)}, ValueKind::Double), no(false), yes(true);
  for (bool density : {false, true}) {
    Value dense(density);
    agrees("aten::histogram.bin_ct", {x, integer(5), none, none, dense}, {0});
    agrees("aten::histogram.bin_ct", {x, integer(4), range, weight, dense}, {0, 3});
    agrees("aten::histogram.bins_tensor", {x, edges, weight.select(0, 0), dense}, {0, 1});
    agrees("aten::histogram.bins_tensor", {x.select(0, 1), edges, weight, dense}, {1, 2});
    agrees("aten::histogram.bins_tensor", {x, edges.select(0, 0), none, dense}, {0});
  }
  // A range that is not finite is refused as for one.
  Tensor infinite = ops::full_like(x, std::numeric_limits<double>::infinity());
  func::warn_of_loops(false);
  CHECK_THROWS_AS(func::vmap([](const Tensor& t) { return ops::histc(t, 5); })(infinite), ValueError);
  func::warn_of_loops(true);
}

TEST_CASE("points of each example are counted at once", "[func]") {
  Tensor x = drawn({3, 4, 5, 2}), weight = ops::rand({3, 4, 5}, "dtype"_a = kDouble),
         first = std::get<0>(ops::sort(drawn({3, 5}), -1)), second = std::get<0>(ops::sort(drawn({4})));
  std::vector<Value> ends;
  for (double end : {-1.0, 1.0, -0.5, 2.0}) ends.push_back(number(end));
  Value range = Value::list(std::move(ends), ValueKind::Double);
  const char* name = "aten::_histogramdd_from_bin_cts";
  for (bool density : {false, true}) {
    Value dense(density);
    agrees(name, {x, ints({3, 4}), none, none, dense}, {0});
    agrees(name, {x, ints({3, 4}), range, weight, dense}, {0, 3});
    agrees(name, {x.select(0, 0), ints({3, 4}), range, weight, dense}, {3});
    agrees(name, {ops::to(x, kFloat), ints({2, 1}), none, none, dense}, {0});
    Warnings warnings;
    auto by_edges = [&](const Tensor& t, const Tensor& e) {
      auto [counts, edges] = ops::histogramdd(t, TensorList{e, second}, "density"_a = density);
      return std::vector<Tensor>{counts, edges[0], edges[1]};
    };
    auto by_counts = [&](const Tensor& t, const Tensor&) {
      auto [counts, edges] = ops::histogramdd(t, 3, "density"_a = density);
      return std::vector<Tensor>{counts, edges[0], edges[1]};
    };
    auto at_once = func::vmap(by_edges)(x, first), counted = func::vmap(by_counts)(x, first);
    for (std::int64_t n = 0; n < 3; ++n)
      for (std::size_t k = 0; k < 3; ++k) {
        check_close(at_once[k].select(0, n), by_edges(x.select(0, n), first.select(0, n))[k]);
        check_close(counted[k].select(0, n), by_counts(x.select(0, n), first)[k]);
      }
    CHECK(warnings.texts == std::vector<std::string>());
  }
}

TEST_CASE("integers of each example are counted where all have the same greatest", "[func]") {
  Tensor x = tensor({{0, 3, 1}, {3, 3, 0}, {2, 3, 2}}), weight = ops::rand({3, 3});
  agrees("aten::bincount", {x, none, integer(0)}, {0});
  agrees("aten::bincount", {x, weight, integer(6)}, {0, 1});
  agrees("aten::bincount", {x.select(0, 1), ops::to(weight, kDouble), integer(2)}, {1});
  func::warn_of_loops(false);
  CHECK_THROWS_AS(func::vmap([](const Tensor& t) { return ops::bincount(t); })(tensor({{0, 1}, {0, 2}})), ValueError);
  func::warn_of_loops(true);
}

TEST_CASE("scans that write, chunks and hashes are those of each example", "[func]") {
  Tensor x = drawn({3, 2, 4}), at = ops::zeros({3, 2, 4}, "dtype"_a = kLong);
  for (const char* name : {"aten::_cummax_helper", "aten::_cummin_helper"})
    agrees(name, {x, ops::zeros_like(x), at, integer(-1)}, {0, 1, 2});
  agrees("aten::hash_tensor", {x, ints({1}), Value(false), integer(0)}, {0});
  agrees("aten::hash_tensor", {x, ints({}), Value(false), integer(0)}, {0});
  Warnings warnings;
  auto chunks = [](const Tensor& a, const Tensor& b) { return ops::_chunk_cat(TensorList{a, b}, 0, 2); };
  Tensor got = func::vmap(chunks, {.in_dims = {0, std::nullopt}})(x, drawn({4, 4}));
  CHECK(warnings.texts == std::vector<std::string>());
  CHECK(got.size(0) == 3);
  Tensor y = drawn({4, 4}), all = func::vmap(chunks, {.in_dims = {0, std::nullopt}})(x, y);
  for (std::int64_t n = 0; n < 3; ++n) check_close(all.select(0, n), chunks(x.select(0, n), y));
}

TEST_CASE("an assertion has to hold for every example", "[func]") {
  auto all_positive = [](const Tensor& x) {
    ops::_assert_async(ops::gt(x.sum(), 0));
    return x;
  };
  Tensor x = ops::ones({3, 2}, "dtype"_a = kDouble);
  Warnings warnings;
  check_close(func::vmap(all_positive)(x), x);
  CHECK(warnings.texts == std::vector<std::string>());
  x.select(0, 1).fill_(-1);
  CHECK_THROWS_AS(func::vmap(all_positive)(x), Error);
}

TEST_CASE("gradients of an LSTM for many weights of its results at once go by its steps", "[func]") {
  Tensor x = drawn({4, 2, 3}), h = drawn({1, 2, 2}), c = drawn({1, 2, 2});
  std::vector<Tensor> params{drawn({8, 3}), drawn({8, 2}), drawn({8}), drawn({8})};
  auto run = [&](const Tensor& input) {
    return std::get<0>(ops::lstm(input, TensorList{h, c}, TensorList(params), true, 1, 0.0, false, false, false));
  };
  Warnings warnings;
  Tensor rows = func::jacrev(run)(x), columns = func::jacfwd(run)(x);
  CHECK(warnings.texts == std::vector<std::string>());
  check_close(rows, columns);
}

TEST_CASE("the list of operators without a rule has none of these", "[func]") {
  auto without = func::operators_without_batching_rule();
  for (const char* name : {"aten::_fused_adam_", "aten::_embedding_bag", "aten::histc", "aten::histogram.bin_ct",
                           "aten::embedding_renorm_", "aten::_amp_update_scale_", "aten::_assert_async"})
    CHECK(std::find(without.begin(), without.end(), name) == without.end());
}
