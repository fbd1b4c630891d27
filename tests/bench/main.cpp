// Prints how long calls take, a row each, by the names of the peer's program: bench [PART-OF-A-NAME]
#include <cstdio>

#include <tenon/cpu/kernel_tables.hpp>

#include "row.hpp"

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  std::printf("# tenon, kernels for %s\n", to_string(tenon::cpu::active_tables().capability));
  for (bench::Part* part = bench::Part::first; part; part = part->next) part->run();
  if (bench::rows == 0) std::fprintf(stderr, "no row has '%s' in its name\n", bench::only);
  return bench::rows == 0;
}
