// Recurrent layers over padded and packed batches.
#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

#include "support.hpp"

using namespace test;

namespace {

double far(const Tensor& a, const Tensor& b) {
  return a.numel() == 0 ? 0 : ops::amax(ops::abs(ops::sub(a.detach(), b.detach()))).item<double>();
}

/// The weights, states and input of one LSTM layer, those of the gradients too.
struct Layer {
  std::vector<Tensor> tensors;
  Layer(std::int64_t steps, std::int64_t batch, std::int64_t inputs, std::int64_t hidden, ScalarType dtype, bool bias) {
    manual_seed(7);
    std::vector<DimVector> shapes{
        {steps, batch, inputs}, {1, batch, hidden}, {1, batch, hidden}, {4 * hidden, inputs}, {4 * hidden, hidden}};
    if (bias) shapes.insert(shapes.end(), 2, {4 * hidden});
    for (const DimVector& shape : shapes)
      tensors.push_back((ops::rand(shape, "dtype"_a = dtype) - 0.5).set_requires_grad(true));
  }
  using Results = std::tuple<Tensor, Tensor, Tensor>;
  Results run(const Tensor& input) const {
    return ops::lstm(input, TensorList(tensors).slice(1, 2), TensorList(tensors).slice(3, tensors.size() - 3),
                     tensors.size() == 7, 1, 0.0, true, false, false);
  }
  Results run() const { return run(tensors[0]); }
  /// The same by single cells.
  Results run_cells() const {
    Tensor h = tensors[1].select(0, 0), c = tensors[2].select(0, 0);
    std::vector<Tensor> outputs;
    auto bias = [&](std::size_t i) { return tensors.size() == 7 ? std::optional(tensors[i]) : std::nullopt; };
    for (std::int64_t t = 0; t < tensors[0].size(0); ++t) {
      std::tie(h, c) =
          ops::lstm_cell(tensors[0].select(0, t), std::vector<Tensor>{h, c}, tensors[3], tensors[4], bias(5), bias(6));
      outputs.push_back(h);
    }
    return {ops::stack(outputs, 0), h.unsqueeze(0), c.unsqueeze(0)};
  }
  static Tensor loss(const Results& r) {
    return (std::get<0>(r) * std::get<0>(r)).sum() + (std::get<1>(r) * 3).sum() + ops::exp(std::get<2>(r)).sum();
  }
};

}  // namespace

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

TEST_CASE("an LSTM's layer gives values and gradients of its cells", "[nn][recurrent][autograd]") {
  for (ScalarType dtype : {kFloat, kDouble})
    for (bool bias : {false, true})
      for (auto [steps, batch, inputs, hidden] : std::vector<std::array<std::int64_t, 4>>{
               {1, 1, 1, 1}, {3, 2, 5, 7}, {4, 17, 3, 33}, {2, 40, 330, 20}, {5, 1, 2, 130}, {2, 16, 4, 400}}) {
        Layer layer(steps, batch, inputs, hidden, dtype, bias);
        double tolerance = dtype == kFloat ? 2e-4 : 1e-11;
        auto got = layer.run(), wanted = layer.run_cells();
        CHECK(far(std::get<0>(got), std::get<0>(wanted)) < tolerance);
        CHECK(far(std::get<1>(got), std::get<1>(wanted)) < tolerance);
        CHECK(far(std::get<2>(got), std::get<2>(wanted)) < tolerance);
        auto a = autograd::grad({Layer::loss(got)}, layer.tensors),
             b = autograd::grad({Layer::loss(wanted)}, layer.tensors);
        for (std::size_t i = 0; i < a.size(); ++i)
          CHECK(far(a[i], b[i]) < tolerance * (1 + ops::amax(ops::abs(b[i])).item<double>()));
        if (bias) CHECK(a[5].data_ptr() != a[6].data_ptr());
      }
}

TEST_CASE("an LSTM's layer takes inputs that are no rows, few gradients and empty batches",
          "[nn][recurrent][autograd]") {
  Layer layer(4, 3, 5, 6, kDouble, true);
  Tensor turned = layer.tensors[0].transpose(0, 2).contiguous().transpose(0, 2);
  CHECK(far(std::get<0>(layer.run(turned)), std::get<0>(layer.run())) == 0);
  // One of three results alone, by one of its arguments alone.
  for (int which = 0; which < 3; ++which) {
    auto pick = [&](const Layer::Results& r) {
      return which == 0 ? std::get<0>(r) : which == 1 ? std::get<1>(r) : std::get<2>(r);
    };
    for (const Tensor& by : layer.tensors)
      CHECK(far(autograd::grad({pick(layer.run()).sum()}, {by})[0],
                autograd::grad({pick(layer.run_cells()).sum()}, {by})[0]) < 1e-12);
  }
  auto [y, h, c] = Layer(2, 0, 3, 4, kFloat, true).run();
  CHECK(y.sizes() == IntArrayRef({2, 0, 4}));
  CHECK(h.sizes() == IntArrayRef({1, 0, 4}));
}

TEST_CASE("gradients of an LSTM's layer have gradients", "[nn][recurrent][autograd]") {
  Layer layer(3, 2, 2, 3, kDouble, true);
  auto f = [&](const std::vector<Tensor>& in) {
    auto [y, h, c] =
        ops::lstm(in[0], TensorList(in).slice(1, 2), TensorList(in).slice(3, 4), true, 1, 0.0, true, false, false);
    return (y * y).sum() + h.sum() + (c * c).sum();
  };
  autograd::gradcheck(f, layer.tensors);
  autograd::gradgradcheck(f, layer.tensors);
}

TEST_CASE("an LSTM's layer has the same bits for any number of threads", "[nn][recurrent]") {
  for (auto [steps, batch, inputs, hidden] :
       std::vector<std::array<std::int64_t, 4>>{{3, 37, 20, 50}, {2, 5, 60, 300}, {9, 1, 70, 600}}) {
    Layer layer(steps, batch, inputs, hidden, kFloat, true);
    int before = get_num_threads();
    std::vector<Tensor> first;
    for (int threads : {1, 2, 3, 8}) {
      set_num_threads(threads);
      auto r = layer.run();
      auto all = autograd::grad({Layer::loss(r)}, layer.tensors);
      all.push_back(std::get<0>(r));
      if (threads == 1) first = all;
      for (std::size_t i = 0; i < all.size(); ++i) CHECK(ops::equal(all[i], first[i]));
    }
    set_num_threads(before);
  }
}

TEST_CASE("a packed, reversed LSTM passes back what its sequences pass back alone", "[nn][recurrent][autograd]") {
  manual_seed(3);
  nn::LSTM lstm{.input_size = 3, .hidden_size = 5, .bidirectional = true};
  Tensor x = ops::randn({6, 4, 3});
  std::vector<std::int64_t> lengths{6, 4, 4, 1};
  auto gradients = [&](auto run) {
    nn::zero_grad(lstm);
    Tensor in = x.clone().set_requires_grad(true);
    run(in);
    std::vector<Tensor> all{in.grad()};
    for (auto& p : nn::parameters(lstm)) all.push_back(p.grad());
    return all;
  };
  auto packed = gradients([&](const Tensor& in) {
    auto [out, state] = lstm(nn::pack_padded_sequence(in, lengths));
    (ops::sin(out.data).sum() + std::get<0>(state).sum() + std::get<1>(state).square().sum()).backward();
  });
  auto alone = gradients([&](const Tensor& in) {
    for (std::int64_t i = 0; i < 4; ++i) {
      auto [y, state] = lstm(in.select(1, i).narrow(0, 0, lengths[static_cast<std::size_t>(i)]));
      (ops::sin(y).sum() + std::get<0>(state).sum() + std::get<1>(state).square().sum()).backward();
    }
  });
  for (std::size_t i = 0; i < packed.size(); ++i) CHECK(far(packed[i], alone[i]) < 1e-4);
}

TEST_CASE("sequences are packed, padded and given back", "[nn][recurrent]") {
  Tensor a = tensor({1.0f, 2.0f}), b = tensor({3.0f}), c = tensor({4.0f, 5.0f, 6.0f});
  CHECK_ERROR_CONTAINS(nn::pack_sequence({a, b, c}), ValueError, "sorted in decreasing order");
  nn::PackedSequence packed = nn::pack_sequence({a, b, c}, false);
  CHECK(values(packed.data) == std::vector<double>{4, 1, 3, 5, 2, 6});
  CHECK(packed.batch_sizes == std::vector<std::int64_t>{3, 2, 1});
  auto again = nn::unpack_sequence(packed);
  REQUIRE(again.size() == 3);
  CHECK((ops::equal(again[0], a) && ops::equal(again[1], b) && ops::equal(again[2], c)));
  CHECK(ops::equal(nn::invert_permutation(packed.sorted_indices), packed.unsorted_indices));
  CHECK(values(nn::invert_permutation(tensor({2, 0, 3, 1}))) == std::vector<double>{1, 3, 0, 2});
  CHECK_ERROR(nn::invert_permutation(ops::ones({2, 2}, "dtype"_a = kLong)), ValueError,
              "invert_permutation(): expected places of shape (N), got [2, 2]");
  CHECK(values(nn::pad_sequence({b, a}, true, 0, "left")) == std::vector<double>{0, 3, 1, 2});
  CHECK_ERROR(nn::pad_sequence({a}, true, 0, "up"), ValueError,
              "Expected padding_side to be one of left or right, but got up.");
  auto rows = nn::unpad_sequence(nn::pad_sequence({a, b}), {2, 1});
  CHECK((ops::equal(rows[0], a) && ops::equal(rows[1], b)));
  CHECK_ERROR(nn::unpad_sequence(nn::pad_sequence({a, b}), {2}), ValueError,
              "unpad_sequence(): expected as many lengths as sequences, got 1 for a batch of shape [2, 2]");
}

TEST_CASE("packed sequences are converted, and lengths may be a tensor", "[nn][recurrent]") {
  Tensor x = ops::arange(12, "dtype"_a = kFloat).view({3, 2, 2}), lengths = tensor({1, 3});
  nn::PackedSequence packed = nn::pack_padded_sequence(x, lengths, false, false);
  CHECK(packed.batch_sizes == std::vector<std::int64_t>{2, 1, 1});
  CHECK(values(packed.data) == values(nn::pack_padded_sequence(x, {1, 3}, false, false).data));
  CHECK(nn::pack_padded_sequence(x, tensor({3.0, 1.0})).batch_sizes == packed.batch_sizes);
  nn::PackedSequence wide = packed.to(kDouble), same = packed.to(kFloat), meta = packed.to(kMeta);
  CHECK(wide.data.dtype() == kDouble);
  CHECK(values(wide.data) == values(packed.data));
  CHECK(wide.sorted_indices.is_same(packed.sorted_indices));
  CHECK(wide.batch_sizes == packed.batch_sizes);
  CHECK(same.data.is_same(packed.data));
  CHECK((meta.data.device() == kMeta && meta.unsorted_indices.device() == kMeta));
  CHECK_FALSE(nn::pack_padded_sequence(x, {3, 1}).to(kDouble).sorted_indices.defined());
  CHECK(nn::unpad_sequence(x, lengths).at(0).size(0) == 1);
  CHECK_ERROR(nn::pack_padded_sequence(x, lengths.view({1, 2})), ValueError,
              "pack_padded_sequence(): argument 'lengths': expected a tensor of one dimension on the CPU, got one of "
              "shape [1, 2] on cpu");
}
