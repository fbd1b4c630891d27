// Recurrent layers over padded and packed batches.
#include "support.hpp"

using namespace test;

TEST_CASE("a packed batch gives what each sequence gives alone", "[nn][recurrent]") {
  manual_seed(5);
  nn::LSTM lstm{.input_size = 3, .hidden_size = 4, .num_layers = 2, .bidirectional = true};
  Tensor x = ops::randn({5, 3, 3});
  std::vector<std::int64_t> lengths{3, 5, 2};
  auto packed = nn::pack_padded_sequence(x, lengths, false, false);
  CHECK(packed.batch_sizes == std::vector<std::int64_t>{3, 3, 2, 1, 1});
  auto [out, state] = lstm(packed);
  auto [padded, again] = nn::pad_packed_sequence(out);
  CHECK(again == lengths);
  for (std::int64_t i = 0; i < 3; ++i) {
    std::int64_t n = lengths[static_cast<std::size_t>(i)];
    auto [alone, last] = lstm(x.select(1, i).narrow(0, 0, n));
    CHECK(ops::isclose(padded.select(1, i).narrow(0, 0, n), alone, 1e-5, 1e-6).all().item<bool>());
    CHECK(padded.select(1, i).narrow(0, n, 5 - n).count_nonzero().item<int>() == 0);
    CHECK(ops::isclose(std::get<0>(state).select(1, i), std::get<0>(last), 1e-5, 1e-6).all().item<bool>());
    CHECK(ops::isclose(std::get<1>(state).select(1, i), std::get<1>(last), 1e-5, 1e-6).all().item<bool>());
  }
}

TEST_CASE("packing and padding give a batch back", "[nn][recurrent]") {
  Tensor a = ops::ones({3, 2}), b = ops::ones({1, 2}) * 2;
  Tensor batch = nn::pad_sequence(std::vector<Tensor>{a, b}, true, -1);
  CHECK(values(batch) == std::vector<double>{1, 1, 1, 1, 1, 1, 2, 2, -1, -1, -1, -1});
  auto packed = nn::pack_padded_sequence(batch, {3, 1}, true);
  CHECK(values(packed.data) == std::vector<double>{1, 1, 2, 2, 1, 1, 1, 1});
  CHECK(values(nn::pad_packed_sequence(packed, true, -1).first) == values(batch));
  CHECK(nn::pad_packed_sequence(packed, true, 0, 4).first.sizes() == IntArrayRef({2, 4, 2}));
  CHECK_ERROR(nn::pack_padded_sequence(batch, {1, 3}, true), ValueError,
              "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
              "`enforce_sorted=False` to pack_padded_sequence to sidestep this requirement.");
}

TEST_CASE("a recurrent layer names its weights as PyTorch does", "[nn][recurrent]") {
  nn::GRU gru{.input_size = 2, .hidden_size = 3, .bias = false, .bidirectional = true};
  CHECK(names(nn::named_parameters(gru)) ==
        std::vector<std::string>{"weight_ih_l0", "weight_hh_l0", "weight_ih_l0_reverse", "weight_hh_l0_reverse"});
  CHECK(gru.weights.at("weight_hh_l0").sizes() == IntArrayRef({9, 3}));
}
