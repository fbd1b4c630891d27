// Networks whose checkpoints go to PyTorch and come from there: checkpoint_peer load|save NETWORK STATE INPUT OUTPUT.
// `load` takes the state from a file; `save` writes one that has been trained a little. Both then answer an input.
#include <cstdio>
#include <string>

#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

using namespace tenon;

namespace {

struct Convolutional {
  nn::Conv2d first{.in_channels = 2, .out_channels = 6, .kernel_size = 3, .padding = 1};
  nn::BatchNorm2d norm{6};
  nn::Sequential<nn::Conv2d, nn::GroupNorm, nn::PReLU, nn::Dropout> middle{
      nn::Conv2d{.in_channels = 6, .out_channels = 8, .kernel_size = {3, 1}, .stride = 2, .groups = 2, .bias = false},
      nn::GroupNorm{.num_groups = 2, .num_channels = 8}, nn::PReLU{8}, nn::Dropout{0.5}};
  nn::ConvTranspose2d up{.in_channels = 8, .out_channels = 4, .kernel_size = 2, .stride = 2};
  nn::AdaptiveAvgPool2d pool{2};
  nn::Linear output{16, 5};
  Tensor operator()(const Tensor& x) const { return output(pool(up(middle(ops::relu(norm(first(x)))))).flatten(1)); }
  TENON_FIELDS(first, norm, middle, up, pool, output)
};
struct Lstm {
  nn::Embedding embedding{.num_embeddings = 11, .embedding_dim = 6};
  nn::LSTM lstm{
      .input_size = 6, .hidden_size = 8, .num_layers = 2, .batch_first = true, .bidirectional = true, .proj_size = 3};
  nn::Linear output{6, 11};
  Tensor operator()(const Tensor& x) const { return output(std::get<0>(lstm(embedding(x)))); }
  TENON_FIELDS(embedding, lstm, output)
};
struct Transformer {
  nn::Embedding embedding{.num_embeddings = 11, .embedding_dim = 16};
  nn::Transformer transformer{.d_model = 16,
                              .nhead = 4,
                              .num_encoder_layers = 2,
                              .num_decoder_layers = 2,
                              .dim_feedforward = 24,
                              .activation = "gelu",
                              .batch_first = true};
  nn::Linear output{16, 11};
  Tensor operator()(const Tensor& x) const {
    Tensor y = embedding(x);
    return output(transformer(y, y, {}, {.tgt_mask = nn::square_subsequent_mask(x.size(1)), .tgt_is_causal = true}));
  }
  TENON_FIELDS(embedding, transformer, output)
};

template <class Network>
void answer(const std::string& how, const std::string& state, const std::string& input, const std::string& output) {
  manual_seed(3);
  Network network;
  Tensor x = load_safetensors(input).at(0).second;
  if (how == "load") {
    nn::load(network, state);
  } else {
    optim::AdamW adam(nn::parameters(network), {.lr = 0.01});
    for (int i = 0; i < 3; ++i) {
      adam.zero_grad();
      network(x).square().mean().backward();
      adam.step();
    }
    // A whole run's file holds the model beside other things.
    if (how == "save")
      nn::save(network, state);
    else
      training::save_checkpoint(state, {{"model", network}, {"optimizer", adam}, {"generator", default_generator()}});
  }
  nn::eval(network);
  NoGradGuard no_grad;
  save_safetensors(output, {{"y", network(x)}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  std::string name = argv[2];
  auto run = name == "convolutional" ? &answer<Convolutional> : name == "lstm" ? &answer<Lstm> : &answer<Transformer>;
  try {
    run(argv[1], argv[3], argv[4], argv[5]);
  } catch (const Error& e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
  }
}
