// The copies of an instruction set as a group of the kernel tables.
#pragma once
#include <tenon/cpu/copy.hpp>
#include <tenon/cpu/kernel_tables.hpp>

namespace tenon::cpu {

/// What depends on the instruction set here.
struct CopyKernels {
  void (*copy)(const std::int64_t* sizes, int dims, const Operand& dst, const Operand& src);
};
template <class Arch>
struct kernel_group<CopyKernels, Arch> {
  static constexpr CopyKernels value{&copy<Arch>};
};

}  // namespace tenon::cpu
