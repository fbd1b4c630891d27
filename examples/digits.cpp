// Learns to read hand-written digits: data from a file, a network, training that can be resumed, pictures in the
// terminal, weights saved.
#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <tenon/data.hpp>
#include <tenon/tenon.hpp>
#include <tenon/training.hpp>

using namespace tenon;

namespace {

constexpr std::int64_t kSide = 8, kPixels = kSide * kSide, kClasses = 10;

struct Settings {
  std::string data = TENON_EXAMPLE_DATA "/digits/digits.csv", weights, checkpoint, resume;
  Device device = kCPU;
  std::int64_t epochs = 40, batch = 64, seed = 1;
  double lr = 0.002;
};

struct Network {
  nn::Linear hidden{kPixels, 128};
  nn::Linear output{128, kClasses};

  Tensor operator()(const Tensor& images) const { return output(ops::relu(hidden(images))); }

  TENON_FIELDS(hidden, output)
};

struct Digits {
  Tensor images;   // (n, 64), 0 to 1
  Tensor classes;  // (n), int64
  std::int64_t size() const { return classes.size(0); }
};

// ---- input

struct BadInput {
  std::string message;
};

/// Reads lines of 64 pixels from 0 to 16 and a class from 0 to 9.
Digits read_digits(const std::string& path) {
  if (std::filesystem::is_directory(path)) throw BadInput{"cannot read " + path + ": it is a folder"};
  std::ifstream in(path);
  if (!in) throw BadInput{"cannot read " + path + (std::filesystem::exists(path) ? "" : ": no such file")};
  std::vector<float> pixels;
  std::vector<std::int64_t> classes;
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    auto bad = [&](const std::string& what) { throw BadInput{path + ":" + std::to_string(number) + ": " + what}; };
    std::int64_t columns = 0;
    for (const char *at = line.data(), *end = at + line.size(); at <= end;) {
      const char* comma = std::find(at, end, ',');
      int value = -1;
      auto [stop, error] = std::from_chars(at, comma, value);
      if (error != std::errc() || stop != comma)
        bad("column " + std::to_string(columns + 1) + ": expected an integer, got '" + std::string(at, comma) + "'");
      int most = columns < kPixels ? 16 : 9;
      if (value < 0 || value > most)
        bad("column " + std::to_string(columns + 1) + ": expected 0 to " + std::to_string(most) + ", got " +
            std::to_string(value));
      if (columns < kPixels)
        pixels.push_back(static_cast<float>(value) / 16);
      else if (columns == kPixels)
        classes.push_back(value);
      ++columns;
      at = comma + 1;
    }
    if (columns != kPixels + 1) bad("expected 65 columns (64 pixels, class), got " + std::to_string(columns));
  }
  if (classes.size() < 12)
    throw BadInput{path + ": expected at least 12 digits, got " + std::to_string(classes.size())};
  auto n = static_cast<std::int64_t>(classes.size());
  Digits digits{ops::empty({n, kPixels}, "dtype"_a = kFloat), ops::empty({n}, "dtype"_a = kLong)};
  std::copy(pixels.begin(), pixels.end(), digits.images.data_ptr<float>());
  std::copy(classes.begin(), classes.end(), digits.classes.data_ptr<std::int64_t>());
  return digits;
}

Digits part(const Digits& all, std::int64_t first, std::int64_t count) {
  return {all.images.narrow(0, first, count), all.classes.narrow(0, first, count)};
}

template <class T>
bool parse(const char* text, T least, T most, T& to) {
  char* end = nullptr;
  double value = std::strtod(text, &end);
  if (end == text || *end || !(value >= static_cast<double>(least) && value <= static_cast<double>(most)) ||
      static_cast<double>(static_cast<T>(value)) != value)
    return false;
  to = static_cast<T>(value);
  return true;
}

Settings read_settings(int argc, char** argv) {
  Settings s;
  s.weights = (std::filesystem::path(argv[0]).parent_path() / "digits.safetensors").string();
  for (int i = 1; i < argc; i += 2) {
    std::string name = argv[i];
    if (name == "--help" || name == "-h") {
      std::puts(
          "usage: digits [--data FILE.csv] [--weights FILE.safetensors] [--epochs N] [--batch N] [--lr X] [--seed N]\n"
          "              [--device cpu | cuda | cuda:N]\n"
          "              [--checkpoint FILE.safetensors (written after each epoch)] [--resume FILE.safetensors]");
      std::exit(0);
    }
    if (i + 1 == argc) throw BadInput{name + ": expected a value after it, or --help alone"};
    const char* value = argv[i + 1];
    bool ok = true;
    if (name == "--data")
      s.data = value;
    else if (name == "--weights")
      s.weights = value;
    else if (name == "--checkpoint")
      s.checkpoint = value;
    else if (name == "--resume")
      s.resume = value;
    else if (name == "--device")
      s.device = Device(value);
    else if (name == "--epochs")
      ok = parse<std::int64_t>(value, 1, 100000, s.epochs);
    else if (name == "--batch")
      ok = parse<std::int64_t>(value, 1, 100000, s.batch);
    else if (name == "--lr")
      ok = parse<double>(value, 0, 10, s.lr);
    else if (name == "--seed")
      ok = parse<std::int64_t>(value, 0, 1LL << 40, s.seed);
    else
      throw BadInput{"unknown option '" + name + "'; --help lists the options"};
    if (!ok) throw BadInput{name + ": got '" + value + "', which is no number that it takes"};
  }
  return s;
}

// ---- training

/// Trains in place; returns the mean loss of each epoch from the one after the last that a resumed run had ended.
std::vector<double> train(const Network& network, const Digits& digits, const Settings& s) {
  optim::Adam adam(nn::parameters(network), {.lr = s.lr});
  data::DataLoader loader(data::TensorDataset(digits.images, digits.classes),
                          {.batch_size = s.batch, .shuffle = true, .seed = static_cast<std::uint64_t>(s.seed)});
  std::vector<training::CheckpointPart> run{
      {"model", network}, {"optimizer", adam}, {"loader", loader}, {"generator", default_generator()}};
  if (!s.resume.empty()) {
    training::load_checkpoint(s.resume, run);
    std::printf("resumed after %lld epochs\n", static_cast<long long>(loader.position().epoch));
  }
  std::vector<double> losses;
  training::Progress progress(s.epochs, {.samples = digits.size()});
  while (loader.position().epoch < s.epochs) {
    training::Mean mean;
    for (auto& [images, classes] : loader) {
      adam.zero_grad();
      Tensor loss = nn::functional::cross_entropy(network(images.to(s.device, kFloat)), classes.to(s.device, kLong));
      loss.backward();
      adam.step();
      mean.update(loss.item<double>(), static_cast<double>(classes.size(0)));
    }
    losses.push_back(mean.compute());
    progress.show(loader.position().epoch, {{"loss", losses.back()}});
    if (!s.checkpoint.empty()) training::save_checkpoint(s.checkpoint, run);
  }
  return losses;
}

/// The class that the network reads in each image.
Tensor read(const Network& network, const Digits& digits, Device device) {
  NoGradGuard no_grad;
  return network(digits.images.to(device, kFloat)).argmax(1).to(kCPU, kLong);
}
std::int64_t count_right(const Tensor& read, const Digits& digits) {
  return ops::eq(read, digits.classes).sum().item<std::int64_t>();
}

std::string accuracy(std::int64_t right, std::int64_t of) {
  char text[80];
  std::snprintf(text, sizeof text, "%.1f %% (%lld of %lld)",
                100.0 * static_cast<double>(right) / static_cast<double>(of), static_cast<long long>(right),
                static_cast<long long>(of));
  return text;
}

// ---- pictures

bool has_unicode() {
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"})
    if (const char* value = std::getenv(name); value && *value)
      return std::strstr(value, "UTF-8") || std::strstr(value, "utf8");
  return false;
}

/// The losses against the epochs, on a logarithmic scale.
void draw_curve(const std::vector<double>& losses) {
  constexpr int rows = 8, columns = 60;
  double high = std::log(*std::max_element(losses.begin(), losses.end()) + 1e-12),
         low = std::log(*std::min_element(losses.begin(), losses.end()) + 1e-12);
  if (high - low < 1e-9) high = low + 1;
  auto width = static_cast<int>(std::min<std::size_t>(columns, losses.size()));
  std::vector<int> heights;
  for (int c = 0; c < width; ++c) {
    double loss = losses[static_cast<std::size_t>(c) * losses.size() / static_cast<std::size_t>(width)];
    heights.push_back(static_cast<int>(std::lround((std::log(loss + 1e-12) - low) / (high - low) * (rows * 8 - 1))) +
                      1);
  }
  static const char* const fine[] = {" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
  bool unicode = has_unicode();
  std::printf("\nloss by epoch (logarithmic)\n");
  for (int r = rows - 1; r >= 0; --r) {
    double edge = std::exp(low + (high - low) * (r + 1) / rows);
    std::printf("%9.4f |", edge);
    for (int h : heights) {
      int eighths = std::clamp(h - r * 8, 0, 8);
      std::fputs(unicode ? fine[eighths] : eighths >= 4 ? "#" : eighths > 0 ? "." : " ", stdout);
    }
    std::puts("");
  }
  std::printf("          +%s\n           1%*zu\n", std::string(static_cast<std::size_t>(width), '-').c_str(),
              std::max(width - 1, 2), losses.size());
}

/// Some of the digits that were misread, side by side.
void draw_misread(const Digits& digits, const Tensor& read) {
  static const char* const shades[2][5] = {{"  ", "..", "::", "++", "##"}, {"  ", "░░", "▒▒", "▓▓", "██"}};
  bool unicode = has_unicode();
  std::vector<std::int64_t> wrong;
  const auto *is = digits.classes.data_ptr<std::int64_t>(), *said = read.data_ptr<std::int64_t>();
  for (std::int64_t i = 0; i < digits.size() && wrong.size() < 4; ++i)
    if (is[i] != said[i]) wrong.push_back(i);
  if (wrong.empty()) return;
  std::printf("\nmisread\n");
  for (std::int64_t y = 0; y < kSide; ++y) {
    for (std::int64_t i : wrong) {
      std::fputs("  ", stdout);
      for (std::int64_t x = 0; x < kSide; ++x) {
        float ink = digits.images.data_ptr<float>()[i * kPixels + y * kSide + x];
        std::fputs(shades[unicode][std::min(4, static_cast<int>(ink * 5))], stdout);
      }
    }
    std::puts("");
  }
  for (std::int64_t i : wrong)
    std::printf("  %-16s", ("a " + std::to_string(is[i]) + ", read as " + std::to_string(said[i])).c_str());
  std::puts("");
}

int run(const Settings& s) {
  Digits all = read_digits(s.data);
  // 1,500 of the 1,797 digits of the file that comes with the library.
  std::int64_t n = all.size(), for_training = n * 1500 / 1797;
  Digits training = part(all, 0, for_training), test = part(all, for_training, n - for_training);

  manual_seed(static_cast<std::uint64_t>(s.seed));
  Network network;
  nn::to(network, s.device);
  std::printf("%lld digits to learn from, %lld to test with; a network of %lld numbers\n",
              static_cast<long long>(training.size()), static_cast<long long>(test.size()),
              static_cast<long long>(nn::parameter_count(network)));
  std::vector<double> losses = train(network, training, s);

  Tensor answers = read(network, test, s.device);
  std::int64_t right = count_right(answers, test);
  if (!losses.empty()) draw_curve(losses);
  draw_misread(test, answers);
  std::printf("\ntest accuracy %s\n", accuracy(right, test.size()).c_str());

  nn::to(network, kCPU);
  nn::save(network, s.weights, {{"made_by", "tenon examples/digits"}});
  Network again;
  nn::load(again, s.weights);
  std::int64_t right_again = count_right(read(again, test, kCPU), test);
  std::printf("saved to %s and loaded again: test accuracy %s\n", s.weights.c_str(),
              accuracy(right_again, test.size()).c_str());
  return right_again == right ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    return run(read_settings(argc, argv));
  } catch (const BadInput& e) {
    std::fprintf(stderr, "digits: %s\n", e.message.c_str());
    return 2;
  } catch (const std::exception& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
