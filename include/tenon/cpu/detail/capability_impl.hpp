// How the instruction set of a program is chosen.
#pragma once
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace tenon::cpu {

inline Capability machine_capability() noexcept {
#if TENON_CPU_X86
  __builtin_cpu_init();
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return Capability::sse2;
  bool wide = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
              __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
              __builtin_cpu_supports("avx512cd");
  return wide ? Capability::avx512 : Capability::avx2;
#else
  return Capability::neon64;
#endif
}

inline Capability chosen_capability() noexcept {
  static const Capability chosen = [] {
    Capability best = machine_capability();
    const char* asked = std::getenv("TENON_CPU_CAPABILITY");
    if (!asked || !*asked) return best;
    for (auto c : {Capability::sse2, Capability::avx2, Capability::avx512})
      if (std::strcmp(asked, to_string(c)) == 0 && c <= best && best != Capability::neon64) return c;
    std::fprintf(
        stderr,
        "Warning: TENON_CPU_CAPABILITY=%s is no instruction set of this machine (sse2, avx2, avx512); %s is used.\n",
        asked, to_string(best));
    return best;
  }();
  return chosen;
}

namespace detail {

/// The member's group of a set in kernels_cpu.
template <class Group>
struct compiled_group;
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  case Capability::SET:                       \
    return tenon_kernels_##MEMBER##_##SET(forwarding_executor());
#define TENON_INTERNAL_GROUP(MEMBER, TYPE)               \
  template <>                                            \
  struct compiled_group<TYPE> {                          \
    static const TYPE* of(Capability c) {                \
      switch (c) {                                       \
        TENON_CPU_SETS(TENON_INTERNAL_SET, MEMBER, TYPE) \
        default: return nullptr;                         \
      }                                                  \
    }                                                    \
  };
TENON_CPU_KERNEL_GROUPS(TENON_INTERNAL_GROUP)
#undef TENON_INTERNAL_GROUP
#undef TENON_INTERNAL_SET

template <class Arch>
constexpr Capability capability_of() {
  for (auto c : {Capability::sse2, Capability::avx2, Capability::avx512, Capability::neon64})
    if (std::string_view(Arch::name) == to_string(c)) return c;
  return Capability::sse2;
}

template <class Group>
Group member_type(const Group* KernelTables::*);

}  // namespace detail

template <auto Member>
void install_kernels() noexcept {
  using Group = decltype(detail::member_type(Member));
  auto& tables = detail::kernel_tables;
  if (tables.*Member) return;
#ifdef TENON_KERNELS_COMPILED
  tables.capability = chosen_capability();
  tables.*Member = detail::compiled_group<Group>::of(tables.capability);
#else
  tables.capability = detail::capability_of<default_arch>();
  tables.*Member = &kernel_group<Group, default_arch>::value;
#endif
}

}  // namespace tenon::cpu
