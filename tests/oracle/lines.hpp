// The command line of programs that read a file of recorded cases, one a line, and what they print.
#pragma once
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include <tenon/tenon.hpp>

#include "forked.hpp"
#include "replay.hpp"

namespace oracle {

/// The tensors of FILE.jsonl, in FILE.safetensors beside it.
inline SafetensorsFile tensors_beside(std::string path) {
  const std::string end = ".jsonl";
  if (path.size() > end.size() && path.compare(path.size() - end.size(), end.size(), end) == 0)
    path.erase(path.size() - end.size());
  return SafetensorsFile::open(path + ".safetensors");
}

/// The same, opened once: parsing the list of thousands of tensors takes longer than a case.
inline const SafetensorsFile& opened_beside(const std::string& path) {
  static const std::string opened = path;
  static const SafetensorsFile file = tensors_beside(path);
  if (opened != path) mismatch("the cases of one run lie beside one file of tensors");
  return file;
}

/// A float64 tensor of the CPU whose elements are written in the line.
inline Tensor written_tensor(const json& v) {
  Tensor t = make_tensor(ints(v.at("size")), {}, kDouble);
  std::size_t i = 0;
  for (const json& x : v.at("data")) t.data_ptr<double>()[i++] = number(x);
  return t;
}
/// A list of places that is written in the line.
inline Tensor index_tensor(const json& v) {
  auto list = ints(v.at("index"));
  Tensor t = make_tensor(static_cast<std::int64_t>(list.size()), {}, kLong);
  std::copy(list.begin(), list.end(), t.data_ptr<std::int64_t>());
  return on_judged_device(t);
}

/// Thrown by a check that cannot judge a line; its text says why.
struct Skipped : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Runs `check(line, path)`, which throws where an answer differs, for every line of `FILE [--device NAME] [--verbose]
/// [--here]` in child processes, and prints what `more` does before the sum; the exit status.
template <class Check>
int run_lines(const char* program, int argc, char** argv, Check check, void (*more)() = nullptr) {
  std::string path;
  bool verbose = false, here = false, usage = false;
  for (int i = 1; i < argc; ++i) {
    std::string a = argv[i];
    if (a == "--verbose")
      verbose = true;
    else if (a == "--here")
      here = true;
    else if (a == "--device" && i + 1 < argc)
      judge_on(argv[++i]);
    else if (path.empty() && a[0] != '-')
      path = a;
    else
      usage = true;
  }
  std::ifstream in(path);
  if (usage || path.empty() || !in) {
    std::fprintf(
        stderr,
        "usage: %s FILE [--device NAME] [--verbose] [--here]\n"
        "--device NAME puts the tensors there; --verbose prints what differs in every case that fails; --here runs\n"
        "without child processes\n",
        program);
    return 2;
  }
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);)
    if (!line.empty()) lines.push_back(line);
  Suite suite;
  suite.open = [&] { return lines.size(); };
  suite.id = [&](std::size_t i) {
    json p = json::parse(lines[i], nullptr, false);
    return p.is_object() && p.contains("id") ? p.at("id").get<std::string>() : concat("line ", i + 1);
  };
  const std::string skipped = "skipped: ";
  suite.run = [&](std::size_t i) -> std::string {
    try {
      check(json::parse(lines[i]), path);
      return {};
    } catch (const Skipped& e) { return skipped + e.what(); } catch (const std::exception& e) {
      return *e.what() ? e.what() : "an error without a text";
    }
  };
  int passed = 0, failed = 0;
  std::map<std::string, int> reasons;
  for (const Outcome& o : run_all(suite, here)) {
    if (o.failure.starts_with(skipped)) {
      ++reasons[o.failure.substr(skipped.size())];
      continue;
    }
    ++(o.passed ? passed : failed);
    if (!o.passed && verbose) std::printf("FAILED: %s: %s\n", o.id.c_str(), o.failure.c_str());
  }
  for (const auto& [reason, count] : reasons) std::printf("skipped %d: %s\n", count, reason.c_str());
  if (more) more();
  std::printf("%d passed, %d failed\n", passed, failed);
  return failed == 0 && passed != 0 ? 0 : 1;
}

}  // namespace oracle
