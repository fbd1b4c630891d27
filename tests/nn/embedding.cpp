// Tables of rows: bags of them, and rows brought down to a norm.
#include "support.hpp"

using namespace test;

TEST_CASE("a bag is the sum, the mean or the maximum of its rows", "[nn][embedding]") {
  nn::EmbeddingBag bags{.num_embeddings = 4, .embedding_dim = 3, .mode = "sum"};
  nn::init::zeros_(bags.weight);
  {
    NoGradGuard no_grad;
    bags.weight.copy_(ops::arange(12, "dtype"_a = kFloat).view({4, 3}));
  }
  Tensor indices = tensor({1, 0, 3, 1, 2}), offsets = tensor({0, 2, 2});
  using Numbers = std::vector<double>;
  CHECK(values(bags(indices, offsets)) == Numbers{3, 5, 7, 0, 0, 0, 18, 21, 24});
  bags.mode = "mean";
  CHECK(values(bags(indices, offsets)) == Numbers{1.5, 2.5, 3.5, 0, 0, 0, 6, 7, 8});
  bags.mode = "max";
  bags(indices, offsets).sum().backward();
  CHECK(values(bags.weight.grad()) == Numbers{0, 0, 0, 1, 1, 1, 0, 0, 0, 1, 1, 1});
  bags.include_last_offset = true;
  CHECK(values(bags(indices, tensor({0, 2, 4}))) == Numbers{3, 4, 5, 9, 10, 11});
  CHECK(values(bags(indices.slice(0, 0, 4).view({2, 2}))) == Numbers{3, 4, 5, 9, 10, 11});
}

TEST_CASE("the samples of a bag may have weights that are trained too", "[nn][embedding]") {
  Tensor table = ops::arange(6, "dtype"_a = kDouble).view({3, 2}), weights = tensor({0.5, -2.0, 1.0});
  weights = weights.to(kDouble);
  weights.requires_grad_();
  table.requires_grad_();
  Tensor out = nn::functional::embedding_bag(tensor({2, 1, 2}), table,
                                             {.offsets = tensor({0, 1}), .mode = "sum", .per_sample_weights = weights});
  CHECK(values(out) == std::vector<double>{2, 2.5, 0, -1});
  out.sum().backward();
  CHECK(values(weights.grad()) == std::vector<double>{9, 5, 9});
  CHECK(values(table.grad()) == std::vector<double>{0, 0, -2, -2, 1.5, 1.5});
}

TEST_CASE("bags say what does not fit them", "[nn][embedding]") {
  nn::EmbeddingBag bags{4, 3};
  CHECK_ERROR(bags(tensor({1, 2})), ValueError, "offsets has to be a 1D Tensor but got None");
  CHECK_ERROR(bags(tensor({1, 4}), tensor({0})), IndexError,
              "Index 1 of input takes value 4 which is not in the valid range [0, 4)");
  CHECK_ERROR_CONTAINS(bags(tensor({1, 2}), tensor({1})), ValueError, "offsets[0] has to be 0");
  CHECK_ERROR_CONTAINS(bags(tensor({1, 2}), tensor({0, 3})), ValueError, "can not be greater than input's length 2");
  CHECK_ERROR_CONTAINS(bags(tensor({1, 2, 3}), tensor({0, 2, 1})), ValueError, "offsets have to ascend");
  CHECK_ERROR_CONTAINS(bags(tensor({1, 2}), tensor({0}), tensor({1.0, 2.0})), NotImplementedError, "mode='sum'");
  bags.mode = "most";
  CHECK_ERROR(bags(tensor({1, 2}), tensor({0})), ValueError, "mode has to be one of sum, mean or max");
  CHECK_ERROR(nn::EmbeddingBag({.num_embeddings = 4, .embedding_dim = 3, .padding_idx = 4}), ValueError,
              "Padding_idx must be within num_embeddings");
}

TEST_CASE("rows that are looked up are brought down to a norm", "[nn][embedding]") {
  Tensor table = ops::full({2, 4}, 2.0);
  Tensor out = nn::functional::embedding(tensor({1}), table, {.max_norm = 1.0});
  CHECK(out.norm().item<double>() == Approx(1).epsilon(1e-5));
  CHECK(values(table.select(0, 0)) == std::vector<double>(4, 2.0));
}

TEST_CASE("a layer is made of a table that there is, frozen or trained", "[nn][embedding]") {
  Tensor table = tensor({1.0, 2.25, 3.0, 4.0, 5.125, 6.25}).view({2, 3});
  Generator& generator = default_generator();
  Tensor before = generator.get_state();
  nn::Embedding frozen = nn::Embedding::from_pretrained(table);
  CHECK(ops::equal(generator.get_state(), before));
  CHECK(values(frozen(tensor({1}))) == std::vector<double>{4, 5.125, 6.25});
  CHECK(frozen.weight.data_ptr() == table.data_ptr());
  CHECK(nn::parameters(frozen).empty());
  CHECK(frozen.extra_repr() == "2, 3");

  nn::Embedding trained = nn::Embedding::from_pretrained(table, {.freeze = false, .padding_idx = -1, .max_norm = 100});
  CHECK(trained.extra_repr() == "2, 3, padding_idx=1, max_norm=100.0");
  CHECK(nn::parameters(trained).size() == 1);
  CHECK_FALSE(table.requires_grad());
  Tensor rows = trained(tensor({0, 1}));
  CHECK(values(rows) == values(table));
  rows.sum().backward();
  CHECK(values(trained.weight.grad()) == std::vector<double>{1, 1, 1, 0, 0, 0});

  nn::EmbeddingBag bags = nn::EmbeddingBag::from_pretrained(table.to(kDouble));
  CHECK(bags.weight.dtype() == kDouble);
  CHECK(nn::parameters(bags).empty());
  CHECK(values(bags(tensor({1, 0}).view({1, 2}))) == std::vector<double>{2.5, 3.6875, 4.625});
  nn::EmbeddingBag sums = nn::EmbeddingBag::from_pretrained(table, {.freeze = false, .mode = "sum", .padding_idx = 0});
  CHECK(values(sums(tensor({1, 0, 1}).view({1, 3}))) == std::vector<double>{8, 10.25, 12.5});
  CHECK(nn::parameters(sums).size() == 1);

  CHECK_ERROR(nn::Embedding::from_pretrained(table[0]), ValueError,
              "Embedding::from_pretrained(): embeddings: expected 2 dimensions, got shape [3]");
  CHECK_ERROR(nn::EmbeddingBag::from_pretrained(table.view({1, 2, 3})), ValueError,
              "EmbeddingBag::from_pretrained(): embeddings: expected 2 dimensions, got shape [1, 2, 3]");
  CHECK_ERROR(nn::Embedding::from_pretrained(table, {.padding_idx = 2}), ValueError,
              "Padding_idx must be within num_embeddings");
}
