// The command line of programs that read a folder of recorded cases, DIR/NAME.jsonl, and what they print.
#pragma once
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace oracle {

struct Counts {
  int passed = 0, failed = 0, skipped = 0;
};

/// DIR [--only NAME]... [--device NAME] and flags.
class CaseFolder {
 public:
  /// False where an argument is neither a known flag nor the folder, or there is no such folder.
  bool parse(int argc, char** argv, std::initializer_list<std::string_view> known) {
    for (int i = 1; i < argc; ++i) {
      std::string a = argv[i];
      if (a == "--only" && i + 1 < argc)
        only_.push_back(argv[++i]);
      else if (a == "--device" && i + 1 < argc && std::find(known.begin(), known.end(), a) != known.end())
        device_ = argv[++i];
      else if (std::find(known.begin(), known.end(), a) != known.end())
        flags_.push_back(a);
      else if (folder_.empty() && a[0] != '-')
        folder_ = a;
      else
        return false;
    }
    return !folder_.empty() && std::filesystem::is_directory(folder_);
  }
  /// As `--device NAME` says where a program knows it.
  const std::string& device() const { return device_; }
  bool has(std::string_view flag) const { return std::find(flags_.begin(), flags_.end(), flag) != flags_.end(); }

  /// Runs every file that was asked for, in order, and prints the sum; the exit status. A name without a file fails.
  template <class F>
  int run(F run_file) const {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      if (entry.path().extension() == ".jsonl" && (only_.empty() || names(only_, entry.path())))
        files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    Counts sum;
    for (const auto& file : files) {
      Counts c = run_file(file);
      std::printf("%s %d %d\n", file.stem().string().c_str(), c.passed, c.failed);
      std::fflush(stdout);
      sum.passed += c.passed;
      sum.failed += c.failed;
      sum.skipped += c.skipped;
    }
    for (const std::string& name : only_) {
      if (std::any_of(files.begin(), files.end(), [&](const auto& file) { return names({name}, file); })) continue;
      std::printf("FAILED: %s: no cases of this name\n%s 0 1\n", name.c_str(), name.c_str());
      ++sum.failed;
    }
    if (sum.skipped != 0) std::printf("%d skipped\n", sum.skipped);
    std::printf("%d passed, %d failed\n", sum.passed, sum.failed);
    return sum.failed == 0 && sum.passed != 0 ? 0 : 1;
  }

 private:
  static bool names(const std::vector<std::string>& wanted, const std::filesystem::path& file) {
    return std::find(wanted.begin(), wanted.end(), file.stem().string()) != wanted.end();
  }

  std::filesystem::path folder_;
  std::string device_ = "cpu";
  std::vector<std::string> only_, flags_;
};

}  // namespace oracle
