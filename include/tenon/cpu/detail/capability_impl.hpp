// How the instruction set of a program is chosen, and the tables of the chosen one.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

constexpr const char* to_string(Capability c) {
  constexpr const char* names[] = {"sse2", "avx2", "avx512", "neon64"};
  return names[static_cast<int>(c)];
}

/// The richest set of kernels_cpu that this machine runs.
inline Capability machine_capability() {
#if TENON_CPU_X86
  __builtin_cpu_init();
  bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
  if (avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl"))
    return Capability::avx512;
  return avx2 ? Capability::avx2 : Capability::sse2;
#else
  return Capability::neon64;
#endif
}

namespace detail {

inline Capability choose_capability() noexcept {
  Capability best = machine_capability();
  const char* asked = std::getenv("TENON_CPU_CAPABILITY");
  if (!asked || !*asked) return best;
  for (auto c : {Capability::sse2, Capability::avx2, Capability::avx512, Capability::neon64})
    if (std::strcmp(asked, to_string(c)) == 0) {
      if (c <= best && (c == Capability::neon64) == (best == Capability::neon64)) return c;
      std::fprintf(stderr, "Warning: TENON_CPU_CAPABILITY=%s asks for more than this machine has; %s is used.\n", asked, to_string(best));
      return best;
    }
  std::fprintf(stderr, "Warning: TENON_CPU_CAPABILITY=%s is not one of sse2, avx2, avx512; %s is used.\n", asked, to_string(best));
  return best;
}

template <class Group>
struct group_slot;
#define X(MEMBER, TYPE)                                                       \
  template <>                                                                 \
  struct group_slot<TYPE> {                                                   \
    static const TYPE*& in(KernelTables& t) { return t.MEMBER; }              \
    static const TYPE* compiled(Capability c) {                               \
      const Executor* e = forwarding_executor();                              \
      switch (c) { TENON_CPU_SETS(X_SET, MEMBER, TYPE) default: return nullptr; } \
    }                                                                         \
  };
#define X_SET(MEMBER, TYPE, SET) case Capability::SET: return tenon_kernels_##MEMBER##_##SET(e);
#ifdef TENON_KERNELS_COMPILED
TENON_CPU_KERNEL_GROUPS(X)
#endif
#undef X
#undef X_SET

}  // namespace detail
}  // namespace tenon::cpu
