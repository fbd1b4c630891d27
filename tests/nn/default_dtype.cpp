// Layers are made in the dtype that is the default when they are made.
#include <tenon/nn/dynamic/lazy.hpp>
#include <tenon/nn/dynamic/parametrizations.hpp>
#include <tenon/nn/dynamic/weight_norms.hpp>

#include "support.hpp"

using namespace test;

namespace {

struct DefaultDtype {
  explicit DefaultDtype(ScalarType type) { set_default_dtype(type); }
  ~DefaultDtype() { set_default_dtype(before); }
  ScalarType before = get_default_dtype();
};

/// The floating tensors of a layer are all of that dtype, and there is one.
template <class L>
void check_all(const L& layer, ScalarType type) {
  INFO(nn::to_string(layer));
  std::size_t seen = 0;
  for (const auto& [name, t] : nn::state(layer)) {
    INFO(name);
    if (!t.is_floating_point()) continue;
    CHECK(t.dtype() == type);
    ++seen;
  }
  CHECK(seen > 0);
}
template <class... L>
void check_each(ScalarType type, const L&... layer) {
  (check_all(layer, type), ...);
}

}  // namespace

TEST_CASE("layers of every family have the default dtype of their making", "[nn][dtype]") {
  DefaultDtype doubles(kDouble);
  check_each(kDouble, nn::Linear{2, 3}, nn::Bilinear{2, 2, 3}, nn::Conv1d{2, 2, 1}, nn::Conv2d{2, 2, 1},
             nn::Conv3d{2, 2, 1}, nn::ConvTranspose1d{2, 2, 1}, nn::ConvTranspose2d{2, 2, 1},
             nn::ConvTranspose3d{2, 2, 1}, nn::BatchNorm1d{2}, nn::BatchNorm2d{2}, nn::BatchNorm3d{2},
             nn::InstanceNorm2d{.num_features = 2, .affine = true, .track_running_stats = true}, nn::LayerNorm{{4}},
             nn::RMSNorm{{4}}, nn::GroupNorm{2, 4}, nn::PReLU{}, nn::Embedding{3, 2}, nn::EmbeddingBag{3, 2},
             nn::RNN{2, 3}, nn::LSTM{2, 3}, nn::GRU{2, 3}, nn::RNNCell{2, 3}, nn::LSTMCell{2, 3}, nn::GRUCell{2, 3},
             nn::MultiheadAttention{.embed_dim = 4, .num_heads = 2, .add_bias_kv = true, .kdim = 3, .vdim = 2},
             nn::TransformerEncoderLayer{4, 2, 4}, nn::TransformerDecoderLayer{4, 2, 4}, nn::Transformer{4, 2, 1, 1, 4},
             nn::LinearCrossEntropyLoss{.in_features = 2, .num_classes = 3},
             nn::AdaptiveLogSoftmaxWithLoss{4, 6, {2, 4}});
  CHECK(nn::square_subsequent_mask(2).dtype() == kDouble);
  check_each(kFloat, nn::Linear{.in_features = 2, .out_features = 3, .dtype = kFloat},
             nn::LSTM{.input_size = 2, .hidden_size = 3, .dtype = kFloat},
             nn::Transformer{.d_model = 4,
                             .nhead = 2,
                             .num_encoder_layers = 1,
                             .num_decoder_layers = 1,
                             .dim_feedforward = 4,
                             .dtype = kFloat});
}

TEST_CASE("layers of the default dtype compute with inputs of it", "[nn][dtype]") {
  DefaultDtype doubles(kDouble);
  Tensor rows = ops::randn({2, 4}), steps = ops::randn({3, 2, 4}), image = ops::randn({2, 4, 3, 3});
  auto is_double = [](const Tensor& t) { CHECK(t.dtype() == kDouble); };
  is_double(nn::Linear{4, 3}(rows));
  is_double(nn::Sequential{nn::Conv2d{4, 2, 2}, nn::BatchNorm2d{2}, nn::PReLU{}, nn::FractionalMaxPool2d{1, 1}}(image));
  is_double(nn::Sequential{nn::GroupNorm{2, 4}, nn::LocalResponseNorm{2}, nn::Dropout{0.5}}(image));
  is_double(std::get<0>(nn::LSTM{4, 3}(steps)));
  is_double(std::get<0>(nn::GRU{.input_size = 4, .hidden_size = 3, .bidirectional = true}(steps)));
  is_double(nn::GRUCell{4, 3}(rows));
  is_double(nn::Embedding{.num_embeddings = 5, .embedding_dim = 2, .max_norm = 0.5}(tensor({0, 4})));
  nn::Transformer net{4, 2, 1, 1, 4};
  Tensor out = net(steps, steps, {.src_mask = nn::square_subsequent_mask(3)});
  is_double(out);
  out.sum().backward();
  for (const Tensor& p : nn::parameters(net)) is_double(p.grad());
  is_double(nn::CrossEntropyLoss{}(rows, tensor({1, 2})));
  is_double(nn::AdaptiveLogSoftmaxWithLoss{4, 6, {2, 4}}(rows, tensor({1, 5})).loss);
  is_double(nn::utils::weight_norm(nn::Linear{4, 3})(rows));
  is_double(nn::utils::spectral_norm(nn::Linear{4, 3})(rows));
  is_double(nn::utils::parametrizations::orthogonal(nn::Linear{4, 3})(rows));
}

TEST_CASE("a lazy layer keeps the dtype that was the default before its first call", "[nn][dtype][dynamic]") {
  auto make = [] {
    DefaultDtype doubles(kDouble);
    return nn::Sequential{nn::LazyConv2d{.out_channels = 2, .kernel_size = 1},
                          nn::LazyConvTranspose2d{.out_channels = 2, .kernel_size = 1}, nn::LazyBatchNorm2d{},
                          nn::Flatten{}, nn::LazyLinear{3}};
  };
  auto net = make();
  CHECK(net(ops::ones({2, 3, 2, 2}, "dtype"_a = kDouble)).dtype() == kDouble);
  check_all(net, kDouble);
  CHECK(nn::Linear{2, 3}.weight.dtype() == kFloat);
}
