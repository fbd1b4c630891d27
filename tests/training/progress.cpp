// Progress, on a terminal and elsewhere.
#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>

#include <tenon/base.hpp>
#include <tenon/training/progress.hpp>

#include "../catch.hpp"

using namespace tenon;
using training::Progress;

namespace {
std::string shown(std::int64_t total, bool terminal) {
  std::FILE* file = std::tmpfile();
  Progress progress(total, {.samples = 10, .file = file, .terminal = terminal});
  for (std::int64_t i = 1; i <= total; ++i) progress.show(i, {{"loss", 1.0 / static_cast<double>(i)}});
  std::string text(static_cast<std::size_t>(std::ftell(file)), '\0');
  std::rewind(file);
  std::size_t got = std::fread(text.data(), 1, text.size(), file);
  std::fclose(file);
  text.resize(got);
  return text;
}
}  // namespace

TEST_CASE("elsewhere than on a terminal a few plain lines are written", "[training][progress]") {
  std::string text = shown(40, false);
  CHECK(std::count(text.begin(), text.end(), '\n') == 9);  // the first, and each eighth
  CHECK(text.find('\r') == std::string::npos);
  CHECK(text.rfind("epoch  1/40  loss 1.0000  ", 0) == 0);
  CHECK(text.find("\nepoch 40/40  loss 0.0250  ") != std::string::npos);
  CHECK(text.find(" samples/s  0.0 s left\n") != std::string::npos);
  std::string one = shown(1, false);
  CHECK(std::count(one.begin(), one.end(), '\n') == 1);
}

TEST_CASE("on a terminal one line is drawn again and ends with the last", "[training][progress]") {
  std::string text = shown(40, true);
  CHECK(std::count(text.begin(), text.end(), '\n') == 1);
  CHECK(text.rfind("\repoch  1/40  [........................]  loss 1.0000", 0) == 0);
  CHECK(text.find("\repoch 40/40  [########################]  loss 0.0250") != std::string::npos);
  CHECK(text.back() == '\n');
  CHECK_ERROR(Progress(0), ValueError, "Progress: expected a total of at least 1, got 0");
}
