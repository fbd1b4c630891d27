// Replays recorded training runs of every optimiser: optim FILE.jsonl [--verbose] [--here]
#include <algorithm>
#include <fstream>
#include <map>

#include "../test_data.hpp"
#include "lines.hpp"
#include "optimizers.hpp"

using namespace oracle;

namespace {

constexpr std::int64_t kPixels = 64, kBatch = 32, kBatches = 20;

/// digits.csv lies where the recorded answers are kept, in ../../data, or beside the digits example.
std::string digits_path(const std::string& recorded) {
  auto at = recorded.rfind('/');
  std::string path = (at == std::string::npos ? "" : recorded.substr(0, at + 1)) + "../../data/digits.csv";
  return std::ifstream(path) ? path : test_data("../../examples/digits/digits.csv");
}

struct Digits {
  std::vector<double> pixels;
  std::vector<std::int64_t> classes;
};
Digits read_digits(const std::string& path) {
  Digits digits;
  std::ifstream in(path);
  if (!in) mismatch("cannot read ", path);
  for (std::string line; std::getline(in, line) && digits.classes.size() < kBatch * kBatches;) {
    const char* at = line.c_str();
    for (std::int64_t i = 0; i <= kPixels; ++i) {
      char* end = nullptr;
      long value = std::strtol(at, &end, 10);
      if (end == at) mismatch(path, ": line ", digits.classes.size() + 1, " has too few numbers");
      if (i < kPixels)
        digits.pixels.push_back(static_cast<double>(value) / 16);
      else
        digits.classes.push_back(value);
      at = end + (*end == ',');
    }
  }
  if (digits.classes.size() != kBatch * kBatches) mismatch(path, ": too few lines");
  return digits;
}

class Run {
 public:
  Run(const json& line, const std::string& path)
      : line_(line), file_(opened_beside(path)), dtype_(dtype_of(line)), mlp_(line.at("problem") == "mlp") {
    for (const auto& [name, v] : line.at("initial").items()) {
      Tensor t = make(v, file_);
      t.set_requires_grad(true);
      names_.push_back(name);
      parameters_.push_back(t);
    }
    if (mlp_) {
      digits_ = read_digits(digits_path(path));
    } else {
      x_ = make(line.at("x"), file_);
      y_ = make(line.at("y"), file_);
    }
  }

  void check() {
    std::vector<OptimizerGroup> groups;
    if (line_.contains("param_groups")) {
      for (const json& g : line_.at("param_groups")) {
        OptimizerGroup group{{}, g};
        for (const json& name : g.at("params")) group.parameters.push_back(parameter(name.get<std::string>()));
        groups.push_back(group);
      }
    } else {
      groups.push_back({parameters_, json::object()});
    }
    auto optimizer = make_optimizer(line_.at("optimizer").get<std::string>(), line_.at("options"), groups);
    const bool maximize = line_.at("options").value("maximize", false);
    std::vector<double> losses;
    for (std::int64_t step = 0; step < line_.at("steps").get<std::int64_t>(); ++step) {
      auto closure = [&] {
        optimizer->zero_grad();
        Tensor loss = loss_at(step);
        (maximize ? ops::neg(loss) : loss).backward();
        clip();
        return loss;
      };
      Tensor loss;
      if (line_.value("closure", false)) {
        loss = optimizer->step(closure);
      } else {
        loss = closure();
        optimizer->step();
      }
      losses.push_back(loss.item<double>());
    }
    const double tolerance = line_.at("tolerance").get<double>();
    // Losses and norms are single numbers in time, compared as one tensor.
    compare_numbers("losses", losses, values(make(line_.at("losses"), file_)), tolerance);
    for (const auto& [name, v] : line_.at("final").items())
      compare_numbers(name, values(parameter(name)), values(make(v, file_)), tolerance);
    if (line_.contains("norms"))
      compare_numbers("norms", norms_, values(make(line_.at("norms"), file_)), 10 * tolerance);
  }

 private:
  const Tensor& parameter(const std::string& name) const {
    for (std::size_t i = 0; i < names_.size(); ++i)
      if (names_[i] == name) return parameters_[i];
    mismatch("the case names an unknown parameter ", name);
  }

  Tensor loss_at(std::int64_t step) {
    namespace f = nn::functional;
    if (!mlp_) return f::mse_loss(ops::mv(x_, parameter("w")), y_);
    Tensor pixels = make_tensor({kBatch, kPixels}, {}, kDouble), classes = make_tensor({kBatch}, {}, kLong);
    std::int64_t first = step % kBatches * kBatch;
    std::copy_n(digits_.pixels.begin() + first * kPixels, kBatch * kPixels, pixels.data_ptr<double>());
    std::copy_n(digits_.classes.begin() + first, kBatch, classes.data_ptr<std::int64_t>());
    Tensor x = on_judged_device(pixels.to(dtype_));
    Tensor hidden = f::relu(f::linear(x, parameter("w1"), parameter("b1")));
    return f::cross_entropy(f::linear(hidden, parameter("w2"), parameter("b2")), on_judged_device(classes));
  }

  void clip() {
    if (line_.contains("clip_grad_norm_")) {
      double max_norm = 0, norm_type = 2;
      for (const auto& [name, v] : line_.at("clip_grad_norm_").items()) {
        if (name != "max_norm" && name != "norm_type") mismatch("clip_grad_norm_ has no argument '", name, "' here");
        (name == "max_norm" ? max_norm : norm_type) = number(v);
      }
      norms_.push_back(nn::utils::clip_grad_norm_(parameters_, max_norm, norm_type).item<double>());
    }
    if (line_.contains("clip_grad_value_"))
      nn::utils::clip_grad_value_(parameters_, number(line_.at("clip_grad_value_").at("clip_value")));
  }

  static std::vector<double> values(const Tensor& t) {
    NoGradGuard no_grad;
    Tensor flat = on_host(t).to(kDouble).contiguous();
    return {flat.data_ptr<double>(), flat.data_ptr<double>() + flat.numel()};
  }
  static void compare_numbers(const std::string& what, const std::vector<double>& got,
                              const std::vector<double>& expected, double tolerance) {
    if (got.size() != expected.size()) mismatch(what, ": expected ", expected.size(), " numbers, got ", got.size());
    double largest = 0;
    for (double e : expected) largest = std::max(largest, std::abs(e));
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!(std::abs(got[i] - expected[i]) <= tolerance * largest) && !close(got[i], expected[i], {}))
        mismatch(what, ": number ", i, ": expected ", to_text(expected[i]), ", got ", to_text(got[i]),
                 ", which is beyond ", to_text(tolerance), " times ", to_text(largest));
  }

  const json& line_;
  const SafetensorsFile& file_;
  ScalarType dtype_;
  bool mlp_;
  std::vector<std::string> names_;
  std::vector<Tensor> parameters_;
  Tensor x_, y_;
  Digits digits_;
  std::vector<double> norms_;
};

}  // namespace

int main(int argc, char** argv) {
  return run_lines("optim", argc, argv, [](const json& line, const std::string& path) { Run(line, path).check(); });
}
