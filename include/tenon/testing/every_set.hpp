// A test program run again with each instruction set of the machine.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <tenon/base/error.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::testing {

/// The instruction sets of the compiled kernels that this machine runs, the poorest first.
inline std::vector<cpu::Capability> instruction_sets() {
  using enum cpu::Capability;
  cpu::Capability best = cpu::machine_capability();
  if (best == neon64) return {neon64};
  std::vector<cpu::Capability> sets;
  for (cpu::Capability c : {sse2, avx2, avx512})
    if (c <= best) sets.push_back(c);
  return sets;
}

/// Runs this program once for each instruction set of the machine, one after the other, with the same folder for
/// opcheck's results, so that its `sets` check compares them; call it first in main():
///
///     if (auto status = testing::run_in_every_set(argv)) return *status;
///
/// Returns the status to exit with in the program that the user started, nothing in those that it runs.
/// Errors: FileError if the program cannot be run again. Cost: as many runs as there are sets.
inline std::optional<int> run_in_every_set(char** argv) {
  if (std::getenv("TENON_OPCHECK_RESULTS")) return std::nullopt;
  namespace fs = std::filesystem;
  std::string folder = (fs::temp_directory_path() / "tenon-opcheck-XXXXXX").string();
  TENON_CHECK(mkdtemp(folder.data()), FileError, "run_in_every_set(): no folder can be made in ",
              fs::temp_directory_path().string());
  int first_failure = 0;
  for (cpu::Capability set : instruction_sets()) {
    pid_t child = fork();
    TENON_CHECK(child >= 0, FileError, "run_in_every_set(): the program cannot be run again");
    if (child == 0) {
      setenv("TENON_OPCHECK_RESULTS", folder.c_str(), 1);
      setenv("TENON_CPU_CAPABILITY", cpu::to_string(set), 1);
      execv("/proc/self/exe", argv);
      _exit(127);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code != 0) std::fprintf(stderr, "with TENON_CPU_CAPABILITY=%s: status %d\n", cpu::to_string(set), code);
    if (first_failure == 0) first_failure = code;
  }
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  return first_failure;
}

}  // namespace tenon::testing
