// How far training is: one line that changes on a terminal, a few plain lines elsewhere.
#pragma once
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tenon::training {

/// What a line of progress counts, and where it goes.
struct ProgressOptions {
  std::string unit = "epoch";  ///< what is counted
  std::int64_t samples = 0;    ///< in each; 0: no rate is shown
  std::FILE* file = stdout;
  std::optional<bool> terminal = {};  ///< nothing: asks the file
};

/// Counts what is done and shows figures, rate and time left:
///     epoch  5/40  [###.....................]  loss 0.1234  35521 samples/s  2.6 s left
/// On a terminal the line is drawn again, at most 20 times a second; elsewhere about 8 plain lines are written, without
/// the bar. The first and the last are always shown.
class Progress {
 public:
  explicit Progress(std::int64_t total, ProgressOptions options = {});
  /// `done` of the total are done, counted from 1. Figures are shown with four digits after the point.
  void show(std::int64_t done, const std::vector<std::pair<std::string, double>>& figures = {});

 private:
  using clock = std::chrono::steady_clock;
  std::int64_t total_;
  ProgressOptions options_;
  bool terminal_;
  clock::time_point start_ = clock::now();
  double shown_ = -1;  // seconds
  std::size_t width_ = 0;
};

}  // namespace tenon::training
