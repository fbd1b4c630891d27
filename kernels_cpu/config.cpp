// The facts of the compiled library, as tenon/config.hpp asks for them.
#include <tenon/config.hpp>
#include <tenon/cpu/kernel_tables.hpp>
#include <tenon/cpu/parallel.hpp>

#include "built_with.hpp"

extern "C" {
const char* tenon_library_revision() { return TENON_BUILT_REVISION; }
void tenon_library_facts(std::string& lines) {
  using namespace tenon;
  using cpu::chosen_capability, cpu::machine_capability;
  lines += "compiled kernels: by " + detail::compiler_text() + ", " + detail::options_text() + "\n";
  lines += "instruction sets: " TENON_BUILT_SETS "; this machine has ";
  lines += to_string(machine_capability());
  lines += ", in use is ";
  lines += to_string(chosen_capability());
  lines += "\nthreads: " + std::to_string(get_num_threads()) + "\n";
  lines += "BLAS: " TENON_BUILT_BLAS "\nLAPACK: " TENON_BUILT_LAPACK "\n";
}
}
