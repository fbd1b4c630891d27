// An LSTM that learns to write a text character by character, and writes some of its own.
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

struct Network {
  nn::Embedding embedding;
  nn::LSTM lstm;
  nn::Linear output;

  explicit Network(std::int64_t characters)
      : embedding{.num_embeddings = characters, .embedding_dim = 32},
        lstm{.input_size = 32, .hidden_size = kHidden, .batch_first = true},
        output{kHidden, characters} {}
  /// Scores (batch, length, characters) of what comes next, and the state behind the last character.
  std::tuple<Tensor, nn::LSTM::State> operator()(const Tensor& text, const nn::LSTM::State& before = {}) const {
    auto [hidden, state] = lstm(embedding(text), before);
    return {output(hidden), state};
  }
  TENON_FIELDS(embedding, lstm, output)
};

/// Goes on from a beginning, drawing each character by its probability.
std::string write(const Network& network, const Alphabet& alphabet, std::string text, int length, double temperature) {
  NoGradGuard no_grad;
  data::Random random(1, 0, 0);
  auto [scores, state] = network(alphabet.encode(text).unsqueeze(0));
  for (int i = 0; i < length; ++i) {
    Tensor chances = ops::softmax(scores.select(1, scores.size(1) - 1).select(0, 0) / temperature, 0).contiguous();
    double left = random.uniform();
    std::int64_t next = 0;
    while (next + 1 < alphabet.size() && (left -= static_cast<double>(chances.data_ptr<float>()[next])) > 0) ++next;
    text += alphabet.characters[static_cast<std::size_t>(next)];
    std::tie(scores, state) = network(tensor({next}).unsqueeze(0), state);
  }
  return text;
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t epochs = argc > 1 ? std::atoll(argv[1]) : 30;
  manual_seed(1);
  data::MappedFile file(TENON_EXAMPLE_DATA "/text/alice.txt");
  Alphabet alphabet(file.bytes());
  Tensor text = alphabet.encode(file.bytes());

  // Sample i begins at character 4 i; what is to be foretold is one character further on.
  data::FunctionDataset windows((text.numel() - kWindow - 1) / 4, [text](std::int64_t i) {
    return std::pair(text.narrow(0, 4 * i, kWindow), text.narrow(0, 4 * i + 1, kWindow));
  });
  data::DataLoader loader(windows, {.batch_size = 32, .shuffle = true, .drop_last = true, .seed = 1});

  Network network(alphabet.size());
  optim::Adam adam(nn::parameters(network), {.lr = 0.005});
  std::printf("%lld characters, %lld of them different; a network of %lld numbers\n",
              static_cast<long long>(text.numel()), static_cast<long long>(alphabet.size()),
              static_cast<long long>(nn::parameter_count(network)));
  training::Progress progress(epochs, {.samples = loader.size() * 32});
  double first = 0, last = 0;
  while (loader.position().epoch < epochs) {
    training::Mean mean;
    for (auto& [before, after] : loader) {
      adam.zero_grad();
      auto [scores, state] = network(before);
      Tensor loss = nn::functional::cross_entropy(scores.flatten(0, 1), after.flatten());
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
  return epochs == 1 || (epochs < 30 ? last < first : last < 0.5) ? 0 : 1;
}
