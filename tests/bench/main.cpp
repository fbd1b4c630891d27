// Prints how long calls take, a row each, by the names of the peer's program: bench [--device cuda] [PART-OF-A-NAME];
// what survey.py writes: bench --survey
#include <cstdio>
#include <string_view>

#include <tenon/cpu/kernel_tables.hpp>

#include "row.hpp"

int bench_cuda();
void bench_survey();

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--survey") {
    bench_survey();
    return 0;
  }
  bool on_cuda = argc > 2 && std::string_view(argv[1]) == "--device" && std::string_view(argv[2]) == "cuda";
  int first = on_cuda ? 3 : 1;
  if (argc > first) bench::only = argv[first];
  if (on_cuda) return bench_cuda();
  std::printf("# tenon, kernels for %s\n", to_string(tenon::cpu::active_tables().capability));
  for (bench::Part* part = bench::Part::first; part; part = part->next) part->run();
  if (bench::rows == 0) std::fprintf(stderr, "no row has '%s' in its name\n", bench::only);
  return bench::rows == 0;
}
