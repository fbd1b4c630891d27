// An LSTM, or a small transformer, that learns to write a text character by character, and writes some of its own:
// text [EPOCHS] [lstm|transformer]
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

using namespace tenon;

namespace {

constexpr std::int64_t kHidden = 96, kWindow = 48;

/// The characters that a text has, as numbers from 0.
struct Alphabet {
  std::string characters;
  std::map<char, std::int64_t> numbers;

  explicit Alphabet(std::string_view text) {
    for (char c : text)
      if (numbers.emplace(c, size()).second) characters += c;
  }
  std::int64_t size() const { return static_cast<std::int64_t>(characters.size()); }
  Tensor encode(std::string_view text) const {
    std::vector<std::int64_t> found;
    for (char c : text) found.push_back(numbers.at(c));
    return tensor(found);
  }
};

/// What comes next by all characters before, in their order.
struct Lstm {
  static constexpr double kRate = 0.005;
  nn::Embedding embedding;
  nn::LSTM lstm;
  nn::Linear output;

  explicit Lstm(std::int64_t characters)
      : embedding{.num_embeddings = characters, .embedding_dim = 32},
        lstm{.input_size = 32, .hidden_size = kHidden, .batch_first = true},
        output{kHidden, characters} {}
  /// Scores (batch, length, characters) of what comes next.
  Tensor operator()(const Tensor& text) const { return output(std::get<0>(lstm(embedding(text)))); }
  TENON_FIELDS(embedding, lstm, output)
};

/// What comes next by the characters of a window, each of which sees itself and those before it.
struct Transformer {
  static constexpr double kRate = 0.002;
  nn::Embedding embedding, position;
  nn::TransformerEncoder encoder;
  nn::Linear output;

  explicit Transformer(std::int64_t characters)
      : embedding{.num_embeddings = characters, .embedding_dim = kHidden},
        position{.num_embeddings = kWindow, .embedding_dim = kHidden},
        encoder{.encoder_layer = {.d_model = kHidden,
                                  .nhead = 4,
                                  .dim_feedforward = 2 * kHidden,
                                  .dropout = 0,
                                  .activation = "gelu",
                                  .batch_first = true,
                                  .norm_first = true},
                .num_layers = 2,
                .norm = nn::LayerNorm{{kHidden}}},
        output{kHidden, characters} {}
  Tensor operator()(const Tensor& text) const {
    std::int64_t length = text.size(1);
    Tensor x = embedding(text) + position(ops::arange(length));
    return output(encoder(x, {.src_mask = nn::square_subsequent_mask(length), .is_causal = true}));
  }
  TENON_FIELDS(embedding, position, encoder, output)
};

/// Goes on from a beginning, drawing each character by its probability.
template <class Network>
std::string write(const Network& network, const Alphabet& alphabet, std::string text, int length, double temperature) {
  NoGradGuard no_grad;
  data::Random random(1, 0, 0);
  for (int i = 0; i < length; ++i) {
    // A window's worth of what is written says what comes next.
    std::string_view seen = text;
    if (seen.size() > kWindow) seen.remove_prefix(seen.size() - kWindow);
    Tensor scores = network(alphabet.encode(seen).unsqueeze(0));
    Tensor chances = ops::softmax(scores.select(1, -1).select(0, 0) / temperature, 0).contiguous();
    double left = random.uniform();
    std::int64_t next = 0;
    while (next + 1 < alphabet.size() && (left -= static_cast<double>(chances.data_ptr<float>()[next])) > 0) ++next;
    text += alphabet.characters[static_cast<std::size_t>(next)];
  }
  return text;
}

template <class Network>
bool learn(const Alphabet& alphabet, const Tensor& text, std::int64_t epochs) {
  // Sample i begins at one of four characters, drawn anew each epoch; what is to be foretold is one character further
  // on.
  auto windows =
      data::map(data::FunctionDataset((text.numel() - kWindow - 1) / 4, [](std::int64_t i) { return 4 * i; }),
                [text](std::int64_t begin, data::Random& random) {
                  begin += random.integer(0, 3);
                  return std::pair(text.narrow(0, begin, kWindow), text.narrow(0, begin + 1, kWindow));
                });
  data::DataLoader loader(windows, {.batch_size = 32, .shuffle = true, .drop_last = true, .seed = 1});

  Network network(alphabet.size());
  optim::Adam adam(nn::parameters(network), {.lr = Network::kRate});
  std::printf("%lld characters, %lld of them different; a network of %lld numbers\n",
              static_cast<long long>(text.numel()), static_cast<long long>(alphabet.size()),
              static_cast<long long>(nn::parameter_count(network)));
  training::Progress progress(epochs, {.samples = loader.size() * 32});
  double first = 0, last = 0;
  while (loader.position().epoch < epochs) {
    training::Mean mean;
    for (auto& [before, after] : loader) {
      adam.zero_grad();
      Tensor loss = nn::functional::cross_entropy(network(before).flatten(0, 1), after.flatten());
      loss.backward();
      nn::utils::clip_grad_norm_(nn::parameters(network), 1.0);
      adam.step();
      mean.update(loss.item<double>());
    }
    last = mean.compute();
    if (loader.position().epoch == 1) first = last;
    progress.show(loader.position().epoch, {{"loss", last}});
  }
  std::printf("\n%s\n", write(network, alphabet, "Alice was ", 300, 0.6).c_str());
  // Of all characters alike the loss is log(size), and it falls with each epoch; a whole run knows the text.
  return epochs == 1 || (epochs < 30 ? last < first : last < 0.5);
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t epochs = argc > 1 ? std::atoll(argv[1]) : 30;
  const std::string network = argc > 2 ? argv[2] : "lstm";
  manual_seed(1);
  data::MappedFile file(TENON_EXAMPLE_DATA "/text/alice.txt");
  Alphabet alphabet(file.bytes());
  Tensor text = alphabet.encode(file.bytes());
  bool learned =
      network == "transformer" ? learn<Transformer>(alphabet, text, epochs) : learn<Lstm>(alphabet, text, epochs);
  return learned ? 0 : 1;
}
