// What ./dev mutate includes before every unit of its copy of the library: TENON_MUTANT(n) is true where change n is
// the one under test. The environment names the change (TENON_MUTANT) and a file that has a byte per change, set when
// a program reaches it (TENON_MUTANT_REACHED).
#pragma once
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>

namespace tenon_mutant {

inline int active = -2;
inline unsigned char* reached = nullptr;

inline void start() {
  const char* number = std::getenv("TENON_MUTANT");
  active = number ? std::atoi(number) : -1;
  const char* path = std::getenv("TENON_MUTANT_REACHED");
  int file = path ? ::open(path, O_RDWR) : -1;
  if (file < 0) return;
  void* memory = ::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (memory != MAP_FAILED) reached = static_cast<unsigned char*>(memory);
  ::close(file);
}
inline bool is_active(int n) {
  if (active == -2) start();
  if (reached) reached[n] = 1;
  return n == active;
}
// What the compiler computes stays as it is; with TENON_MUTANT_PROBE it is an error, which names the change.
#ifdef TENON_MUTANT_PROBE
constexpr bool on(int n) { return n == active; }
#else
constexpr bool on(int n) { return !__builtin_is_constant_evaluated() && is_active(n); }
#endif

}  // namespace tenon_mutant

#define TENON_MUTANT(N) (::tenon_mutant::on(N))
