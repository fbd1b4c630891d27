// Replays recorded training runs on the digits, loss by loss: training FILE CSV [--device NAME] [--verbose]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include <tenon/tenon.hpp>

#include "replay.hpp"

using namespace oracle;

namespace {

constexpr std::int64_t kPixels = 64, kTrain = 1500, kBatch = 64, kEpochs = 6;
constexpr std::size_t kFirstSteps = 48;
constexpr double kFirstTolerance = 1e-4, kTolerance = 1e-3;  // relative

struct Digits {
  std::vector<float> pixels;  // row-major, in [0, 1]
  std::vector<std::int64_t> classes;
};

Digits read_digits(const std::string& path) {
  Digits digits;
  std::ifstream in(path);
  if (!in) mismatch("cannot read ", path);
  for (std::string line; std::getline(in, line);) {
    if (line.empty()) continue;
    std::vector<long> numbers;
    for (const char* at = line.c_str(); *at;) {
      char* end = nullptr;
      numbers.push_back(std::strtol(at, &end, 10));
      if (end == at) mismatch(path, ": line ", digits.classes.size() + 1, " holds no number where one is expected");
      at = *end == ',' ? end + 1 : end;
    }
    if (static_cast<std::int64_t>(numbers.size()) != kPixels + 1)
      mismatch(path, ": line ", digits.classes.size() + 1, " has ", numbers.size(), " numbers");
    for (std::int64_t i = 0; i < kPixels; ++i)
      digits.pixels.push_back(static_cast<float>(numbers[static_cast<std::size_t>(i)]) / 16);
    digits.classes.push_back(numbers.back());
  }
  return digits;
}

Tensor call(const char* name, std::initializer_list<Value> values) {
  OperatorHandle op = find(name);
  Stack stack(values);
  for (std::size_t i = stack.size(); i < op.schema().n_args(); ++i)
    stack.push_back(default_value(op.schema(), op.schema().arg(i)));
  op.call_boxed(stack);
  return stack.at(0).to_tensor();
}

struct Model {
  Tensor w1, b1, w2, b2;
  explicit Model(const SafetensorsFile& file) {
    for (auto [name, to] : {std::pair{"w1", &w1}, {"b1", &b1}, {"w2", &w2}, {"b2", &b2}}) {
      const Tensor recorded = file.tensor(name);
      Tensor here = make_tensor(recorded.sizes(), {}, kFloat);
      std::memcpy(here.data_ptr(), recorded.data_ptr(), recorded.nbytes());
      *to = on_judged_device(here);
      to->set_requires_grad(true);
    }
  }
  std::vector<Tensor> parameters() const { return {w1, b1, w2, b2}; }
  Tensor operator()(const Tensor& x) const {
    Tensor hidden = call("aten::relu", {call("aten::linear", {x, w1, b1})});
    return call("aten::linear", {hidden, w2, b2});
  }
};

Tensor batch_of(const Digits& digits, std::int64_t first, std::int64_t count, Tensor& classes) {
  Tensor x = make_tensor({count, kPixels}, {}, kFloat);
  classes = make_tensor({count}, {}, kLong);
  std::copy_n(digits.pixels.begin() + first * kPixels, count * kPixels, x.data_ptr<float>());
  std::copy_n(digits.classes.begin() + first, count, classes.data_ptr<std::int64_t>());
  return x;
}

/// Sets an option by the name that PyTorch gives it.
template <class Options>
void set_option(Options& options, const std::string& name, const json& v) {
  bool known = false;
#define TENON_OPTION(NAME)                                                 \
  if constexpr (requires { options.NAME; }) {                              \
    if (name == #NAME) {                                                   \
      options.NAME = v.get<std::remove_cvref_t<decltype(options.NAME)>>(); \
      known = true;                                                        \
    }                                                                      \
  }
  TENON_OPTION(lr)
  TENON_OPTION(momentum)
  TENON_OPTION(dampening)
  TENON_OPTION(weight_decay)
  TENON_OPTION(nesterov)
  TENON_OPTION(maximize)
  TENON_OPTION(lr_decay)
  TENON_OPTION(initial_accumulator_value)
  TENON_OPTION(eps)
  TENON_OPTION(alpha)
  TENON_OPTION(centered)
  TENON_OPTION(betas)
  TENON_OPTION(amsgrad)
  TENON_OPTION(decoupled_weight_decay)
#undef TENON_OPTION
  // How the same numbers are computed.
  for (const char* way : {"foreach", "fused", "capturable", "differentiable"}) known = known || name == way;
  if (!known) mismatch("the optimiser has no option '", name, "'");
}

struct Run {
  std::vector<double> losses;
  double accuracy = 0;
};

template <class Optimizer, class Options>
Run train(const Digits& digits, const SafetensorsFile& file, const json& given) {
  Options options;
  for (const auto& [name, v] : given.items()) set_option(options, name, v);
  Model model(file);
  Optimizer optimizer(model.parameters(), options);
  Run run;
  for (std::int64_t epoch = 0; epoch < kEpochs; ++epoch)
    for (std::int64_t first = 0; first < kTrain; first += kBatch) {
      Tensor classes, x = batch_of(digits, first, std::min(kBatch, kTrain - first), classes);
      optimizer.zero_grad();
      Tensor scores = model(on_judged_device(x));
      Tensor loss = call("aten::cross_entropy_loss", {scores, on_judged_device(classes)});
      loss.backward();
      optimizer.step();
      run.losses.push_back(loss.item<double>());
    }
  NoGradGuard no_grad;
  auto count = static_cast<std::int64_t>(digits.classes.size()) - kTrain;
  Tensor classes, x = batch_of(digits, kTrain, count, classes), scores = on_host(model(on_judged_device(x)));
  if (!scores.is_contiguous() || scores.dtype() != kFloat) mismatch("expected contiguous float32 scores");
  int right = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const float* row = scores.data_ptr<float>() + i * scores.size(1);
    right += std::max_element(row, row + scores.size(1)) - row == classes.data_ptr<std::int64_t>()[i];
  }
  run.accuracy = static_cast<double>(right) / static_cast<double>(count);
  return run;
}

Run train_as(const std::string& optimizer, const Digits& digits, const SafetensorsFile& file, const json& options) {
  if (optimizer == "sgd") return train<optim::SGD, optim::SGDOptions>(digits, file, options);
  if (optimizer == "adagrad") return train<optim::Adagrad, optim::AdagradOptions>(digits, file, options);
  if (optimizer == "rmsprop") return train<optim::RMSprop, optim::RMSpropOptions>(digits, file, options);
  if (optimizer == "adam") return train<optim::Adam, optim::AdamOptions>(digits, file, options);
  if (optimizer == "adamw") return train<optim::AdamW, optim::AdamWOptions>(digits, file, options);
  mismatch("no optimiser is named ", optimizer);
}

/// Throws Mismatch unless the run went as recorded; returns the largest relative differences of the losses.
std::pair<double, double> check(const std::string& name, const json& recorded, const Digits& digits,
                                const SafetensorsFile& file) {
  Run run = train_as(name.substr(0, name.find('_')), digits, file, recorded.at("options"));
  Tensor losses = file.tensor(name + "/losses");
  if (losses.numel() != static_cast<std::int64_t>(run.losses.size()))
    mismatch("expected ", losses.numel(), " steps, got ", run.losses.size());
  double first = 0, all = 0;
  for (std::size_t i = 0; i < run.losses.size(); ++i) {
    double expected = losses.dtype() == kDouble ? losses.data_ptr<double>()[i] : losses.data_ptr<float>()[i];
    double difference =
        close(run.losses[i], expected, {}) ? 0 : std::abs(run.losses[i] - expected) / std::abs(expected);
    if (!(difference <= (i < kFirstSteps ? kFirstTolerance : kTolerance)))
      mismatch("step ", i, ": expected a loss of ", to_text(expected), ", got ", to_text(run.losses[i]));
    if (i < kFirstSteps) first = std::max(first, difference);
    all = std::max(all, difference);
  }
  double expected = recorded.at("test_accuracy").get<double>(),
         count = static_cast<double>(digits.classes.size()) - kTrain;
  // One digit, and what the record was rounded by.
  if (std::abs(run.accuracy - expected) > 1 / count + 5e-5)
    mismatch("expected an accuracy of ", to_text(expected), ", got ", to_text(run.accuracy));
  return {first, all};
}

}  // namespace

int main(int argc, char** argv) {
  bool verbose = false, usage = argc < 3;
  for (int i = 3; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--verbose")
      verbose = true;
    else if (a == "--device" && i + 1 < argc)
      judge_on(argv[++i]);
    else
      usage = true;
  }
  if (usage) {
    std::fprintf(stderr, "usage: training FILE CSV [--device NAME] [--verbose]\n");
    return 2;
  }
  int passed = 0, failed = 0;
  try {
    SafetensorsFile file = SafetensorsFile::open(argv[1]);
    Digits digits = read_digits(argv[2]);
    auto runs = file.metadata("runs");
    if (!runs) mismatch(argv[1], ": no metadata entry 'runs'");
    const json recorded = json::parse(*runs);
    for (const auto& [name, run] : recorded.items()) {
      try {
        auto [first, all] = check(name, run, digits, file);
        ++passed;
        std::printf("%s 1 0\n", name.c_str());
        if (verbose)
          std::printf("%s: losses differ by at most %.1e in the first %zu steps, %.1e in all\n", name.c_str(), first,
                      kFirstSteps, all);
      } catch (const std::exception& e) {
        ++failed;
        std::printf("FAILED: %s: %s\n%s 0 1\n", name.c_str(), e.what(), name.c_str());
      }
    }
  } catch (const std::exception& e) {
    ++failed;
    std::printf("FAILED: %s\n", e.what());
  }
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}
