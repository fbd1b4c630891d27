// The seam over instruction sets: kernels that depend on the set are reached through groups of pointers chosen at
// start-up.
#pragma once
#include <cstdint>

#include <tenon/math/arch.hpp>
#include <tenon/cpu/parallel.hpp>

// The groups: member of KernelTables, type. A group is a struct of function pointers and constant tables, stated once
// per set by `template <class Arch> struct kernel_group<TYPE, Arch> { static constexpr TYPE value{...}; };`
// clang-format off
#define TENON_CPU_KERNEL_GROUPS(X)      \
  X(pointwise, PointwiseKernels)        \
  X(copy, CopyKernels)                  \
  X(reduce, ReduceKernels)              \
  X(softmax, SoftmaxKernels)            \
  X(gemm, GemmKernels)                  \
  X(convolution, ConvolutionKernels)    \
  X(index, IndexKernels)                \
  X(random, RandomKernels)              \
  X(optim, OptimKernels)                \
  X(fft, FftKernels)                    \
  X(recurrent, RecurrentKernels)
// clang-format on

#if TENON_CPU_X86
#define TENON_CPU_SETS(X, MEMBER, TYPE) X(MEMBER, TYPE, sse2) X(MEMBER, TYPE, avx2) X(MEMBER, TYPE, avx512)
#else
#define TENON_CPU_SETS(X, MEMBER, TYPE) X(MEMBER, TYPE, neon64)
#endif

namespace tenon::cpu {

#define TENON_INTERNAL_GROUP(MEMBER, TYPE) struct TYPE;
TENON_CPU_KERNEL_GROUPS(TENON_INTERNAL_GROUP)
#undef TENON_INTERNAL_GROUP

/// The instruction sets of kernels_cpu, the poorest first.
enum class Capability : std::uint8_t { sse2, avx2, avx512, neon64 };
constexpr const char* to_string(Capability c) {
  constexpr const char* names[] = {"sse2", "avx2", "avx512", "neon64"};
  return names[static_cast<int>(c)];
}

/// The kernels in use; a group is null until its family has installed it.
struct KernelTables {
#define TENON_INTERNAL_GROUP(MEMBER, TYPE) const TYPE* MEMBER = nullptr;
  TENON_CPU_KERNEL_GROUPS(TENON_INTERNAL_GROUP)
#undef TENON_INTERNAL_GROUP
  /// The set of the groups installed so far.
  Capability capability{};
};

/// A family's group for one instruction set, specialised by the family.
template <class Group, class Arch>
struct kernel_group;

}  // namespace tenon::cpu

// What kernels_cpu exports per group and set. The object of a set owns no threads: it is given the program's executor.
#define TENON_INTERNAL_SET(MEMBER, TYPE, SET) \
  extern "C" const tenon::cpu::TYPE* tenon_kernels_##MEMBER##_##SET(const tenon::Executor*);
#define TENON_INTERNAL_GROUP(MEMBER, TYPE) TENON_CPU_SETS(TENON_INTERNAL_SET, MEMBER, TYPE)
TENON_CPU_KERNEL_GROUPS(TENON_INTERNAL_GROUP)
#undef TENON_INTERNAL_GROUP
#undef TENON_INTERNAL_SET

#ifdef TENON_KERNELS_ARCH

/// Exports a group from a source of kernels_cpu that is compiled once per set: TENON_EXPORT_KERNELS(reduce,
/// ReduceKernels).
#define TENON_EXPORT_KERNELS(MEMBER, TYPE) TENON_INTERNAL_EXPORT_KERNELS(MEMBER, TYPE, TENON_KERNELS_ARCH)
#define TENON_INTERNAL_EXPORT_KERNELS(MEMBER, TYPE, SET) TENON_INTERNAL_EXPORT_KERNELS_(MEMBER, TYPE, SET)
#define TENON_INTERNAL_EXPORT_KERNELS_(MEMBER, TYPE, SET)                                              \
  extern "C" const tenon::cpu::TYPE* tenon_kernels_##MEMBER##_##SET(const tenon::Executor* executor) { \
    tenon::set_executor(executor);                                                                     \
    return &tenon::cpu::kernel_group<tenon::cpu::TYPE, tenon::cpu::SET>::value;                        \
  }

#else

namespace tenon::cpu {

namespace detail {
// Written while the program starts, before any kernel that needs it is registered.
inline constinit KernelTables kernel_tables;
}  // namespace detail

/// The kernels of the set in use. Cost: one load per group.
inline const KernelTables& active_tables() { return detail::kernel_tables; }

/// The richest set of kernels_cpu that this machine runs.
Capability machine_capability() noexcept;
/// The same, or the set that the environment's TENON_CPU_CAPABILITY (sse2, avx2, avx512) asks for, if the machine has
/// it.
Capability chosen_capability() noexcept;

/// Puts a family's group in force, by its registration: `install_kernels<&KernelTables::reduce>()`. In a program of
/// headers alone the group of the including unit's set, in kernels_cpu (TENON_KERNELS_COMPILED) that of the chosen set.
template <auto Member>
void install_kernels() noexcept;

}  // namespace tenon::cpu

#include <tenon/cpu/detail/capability_impl.hpp>
#endif
