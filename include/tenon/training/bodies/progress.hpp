// The line, and when it is written.
#pragma once
#include <algorithm>
#include <unistd.h>

#include <tenon/base/body.hpp>
#include <tenon/base/error.hpp>
#include <tenon/training/progress.hpp>

namespace tenon::training {

TENON_COLD_BODY Progress::Progress(std::int64_t total, ProgressOptions options)
    : total_(total),
      options_(std::move(options)),
      terminal_(options_.terminal.value_or(::isatty(::fileno(options_.file)) != 0)) {
  TENON_CHECK(total >= 1, ValueError, "Progress: expected a total of at least 1, got ", total);
}

TENON_COLD_BODY void Progress::show(std::int64_t done, const std::vector<std::pair<std::string, double>>& figures) {
  constexpr std::int64_t lines = 8, bar = 24;
  double seconds = std::chrono::duration<double>(clock::now() - start_).count();
  bool last = done == total_, first = shown_ < 0;
  if (!first && !last && (terminal_ ? seconds - shown_ < 0.05 : done * lines / total_ == (done - 1) * lines / total_))
    return;
  shown_ = seconds;
  std::string count = std::to_string(done), total = std::to_string(total_);
  std::string line = options_.unit + " " + std::string(total.size() - std::min(total.size(), count.size()), ' ');
  line += count + "/" + total;
  if (terminal_) {
    auto filled = static_cast<std::size_t>(std::clamp(done, std::int64_t{0}, total_) * bar / total_);
    line += "  [" + std::string(filled, '#') + std::string(bar - filled, '.') + "]";
  }
  char text[64];
  for (const auto& [name, value] : figures) {
    std::snprintf(text, sizeof text, " %.4f", value);
    line += "  " + name + text;
  }
  if (options_.samples > 0 && seconds > 0) {
    std::snprintf(text, sizeof text, "  %.0f samples/s",
                  static_cast<double>(done) * static_cast<double>(options_.samples) / seconds);
    line += text;
  }
  double share = static_cast<double>(done) / static_cast<double>(total_);
  std::snprintf(text, sizeof text, "  %.1f s left", done > 0 ? seconds / share - seconds : 0.0);
  line += text;
  // What is left of a longer line before is blanked out.
  std::size_t blanks = terminal_ && line.size() < width_ ? width_ - line.size() : 0;
  width_ = line.size();
  std::fprintf(options_.file, "%s%s%s%s", terminal_ ? "\r" : "", line.c_str(), std::string(blanks, ' ').c_str(),
               terminal_ && !last ? "" : "\n");
  std::fflush(options_.file);
}

}  // namespace tenon::training
