// The seam over instruction sets: kernels that depend on the set are reached through groups of pointers chosen at start-up.
#pragma once
#include <atomic>
#include <cstdint>

#include <tenon/cpu/arch.hpp>
#include <tenon/cpu/parallel.hpp>

// The groups: member of KernelTables, type. A group is a struct of function pointers and constant tables.
#define TENON_CPU_KERNEL_GROUPS(X)      \
  X(pointwise, PointwiseKernels)        \
  X(copy, CopyKernels)                  \
  X(reduce, ReduceKernels)              \
  X(softmax, SoftmaxKernels)            \
  X(gemm, GemmKernels)                  \
  X(index, IndexKernels)                \
  X(random, RandomKernels)

namespace tenon::cpu {

#define X(MEMBER, TYPE) struct TYPE;
TENON_CPU_KERNEL_GROUPS(X)
#undef X

/// The kernels in use; a group is null until the family's registration has installed it.
struct KernelTables {
#define X(MEMBER, TYPE) const TYPE* MEMBER = nullptr;
  TENON_CPU_KERNEL_GROUPS(X)
#undef X
};

/// Where a family states its group for an instruction set: a specialisation with `static constexpr Group value`.
template <class Group, class Arch>
struct kernel_group;

/// The instruction sets of kernels_cpu, the poorest first.
enum class Capability : std::uint8_t { sse2, avx2, avx512, neon64 };

}  // namespace tenon::cpu

// What kernels_cpu exports per set. The object of a set owns no threads: it is given the program's executor.
#if TENON_CPU_X86
#define TENON_CPU_SETS(X, MEMBER, TYPE) X(MEMBER, TYPE, sse2) X(MEMBER, TYPE, avx2) X(MEMBER, TYPE, avx512)
#else
#define TENON_CPU_SETS(X, MEMBER, TYPE) X(MEMBER, TYPE, neon64)
#endif
extern "C" {
#define X_SET(MEMBER, TYPE, SET) const tenon::cpu::TYPE* tenon_kernels_##MEMBER##_##SET(const tenon::Executor*);
#define X(MEMBER, TYPE) TENON_CPU_SETS(X_SET, MEMBER, TYPE)
TENON_CPU_KERNEL_GROUPS(X)
#undef X
#undef X_SET
}

#ifdef TENON_KERNELS_ARCH
/// In a source of kernels_cpu that is compiled per set: exports the group MEMBER.
#define TENON_EXPORT_KERNELS(MEMBER, TYPE) TENON_INTERNAL_EXPORT_KERNELS(MEMBER, TYPE, TENON_KERNELS_ARCH)
#define TENON_INTERNAL_EXPORT_KERNELS(MEMBER, TYPE, SET) TENON_INTERNAL_EXPORT_KERNELS_(MEMBER, TYPE, SET)
#define TENON_INTERNAL_EXPORT_KERNELS_(MEMBER, TYPE, SET)                                                                   \
  extern "C" const tenon::cpu::TYPE* tenon_kernels_##MEMBER##_##SET(const tenon::Executor* executor) {                     \
    tenon::set_executor(executor);                                                                                         \
    return &tenon::cpu::kernel_group<tenon::cpu::TYPE, tenon::cpu::SET>::value;                                            \
  }
#else
#include <tenon/cpu/detail/capability_impl.hpp>
#endif
