// Rows of reductions on the CPU. Included before a row of TENON_REDUCTION, it gives the operator kernels for the CPU.
#pragma once
#include <tenon/cpu/reduction_rows.hpp>
#ifndef TENON_KERNELS_ARCH
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/reduction/device.hpp>

namespace tenon::cpu {

/// Reduces `self` into `out`, whose strides are those of the kept dimensions, in the type `accumulates`.
inline void run_reduction(const ReduceTable& loops, std::string_view name, ScalarType accumulates, const Tensor& self,
                          std::uint64_t mask, bool keepdim, const Tensor& out, const void* arguments = nullptr) {
  if (accumulates != kBool && !has_arithmetic(self.dtype())) not_implemented_for(name, self.dtype());
  ReduceLoop loop = loops.find(accumulates);
  if (!loop) not_implemented_for(name, self.dtype());
  if (loops.arguments) arguments = loops.arguments;
  if (std::size_t dims = self.sizes().size();
      self.is_contiguous() && dims < 64 && mask == (std::uint64_t{1} << dims) - 1) {
    // All elements: as they lie.
    std::int64_t count = self.numel(), step = 1, none = 0;
    return loop({out.data_ptr(), out.dtype(), &none, self.data_ptr(), self.dtype(), &count, &step, 1, 1}, arguments);
  }
  std::size_t n = self.sizes().size(), at = 0;
  DimVector strides(n, 0);
  for (std::size_t d = 0; d < n; ++d) {
    if (mask >> d & 1) continue;
    strides[d] = out.strides()[keepdim ? d : at];
    ++at;
  }
  loop({out.data_ptr(), out.dtype(), strides.data(), self.data_ptr(), self.dtype(), self.sizes().data(),
        self.strides().data(), static_cast<int>(n), mask},
       arguments);
}
/// The same by a library operation that is given nothing.
template <class Operation, bool Compiled = kReduceCompiled>
void reduce_by(ScalarType accumulates, const Tensor& self, std::uint64_t mask, bool keepdim, const Tensor& out) {
  run_reduction(loops_of<reduction::given<Operation>, Compiled>(), reduction::kernel_name<Operation>, accumulates, self,
                mask, keepdim, out);
}

namespace detail {

/// The absolute values of complex numbers.
inline Tensor magnitudes_of(const Tensor& t) {
  Tensor wide = row_major(t, t.dtype() == kComplexDouble ? kComplexDouble : kComplexFloat),
         size = make_tensor(t.sizes(), {}, to_real_type(wide.dtype()));
  auto fill = [&]<class T>(type_tag<T>) {
    auto z = static_cast<const Complex<T>*>(wide.data_ptr());
    auto m = static_cast<T*>(size.data_ptr());
    for (std::int64_t i = 0; i < size.numel(); ++i) m[i] = std::hypot(z[i].re, z[i].im);
  };
  if (wide.dtype() == kComplexDouble)
    fill(type_tag<double>{});
  else
    fill(type_tag<float>{});
  return size;
}

struct ReductionKernel {
  const ReduceTable* loops;
  std::string_view name;
};
inline void run_row(const reduction::Rule& rule, const ReductionKernel& kernel, const reduction::Arguments& a,
                    const Tensor& out, const void* numbers) {
  if (out.numel() == 0) return;
  ScalarType elements = rule.elements(a, out.dtype());
  Tensor changed;
  const Tensor* from = &a.self;
  if (elements != a.self.dtype()) from = &(changed = row_major(a.self, elements));
  if (rule.magnitudes && from->is_complex()) from = &(changed = magnitudes_of(*from));
  run_reduction(*kernel.loops, kernel.name.empty() ? rule.name : kernel.name,
                rule.accumulates(from->dtype(), out.dtype()), *from, rule.mask(a), a.keepdim, out, numbers);
}

}  // namespace detail

/// How the CPU reads a row.
template <bool Compiled>
struct ReductionBackend {
  static constexpr DispatchKey key = DispatchKey::CPU;
  template <class Row, class Numbers>
  static void run(const reduction::Arguments& a, const Numbers& numbers, const Tensor& out) {
    auto kernel = reduction::choose<typename Row::operation_type>(
        typename Row::cases{}, a, out.dtype(), numbers, []<class Operation>(std::type_identity<Operation>) {
          return detail::ReductionKernel{&detail::loops_of_row<Row, Operation, Compiled>(),
                                         reduction::kernel_name<Operation>};
        });
    detail::run_row(reduction::rule_of<Row>, kernel, a, out, &numbers);
  }
};

}  // namespace tenon::cpu

namespace tenon::reduction {

/// What a row finds where it is registered: the CPU is among its back ends, and CUDA may be.
template <class... R>
TENON_COLD void add_reduction(row<R...>, Library& m, const Place& place) {
  cpu::install_reduce_kernels();
  add_kernels<cpu::ReductionBackend<cpu::kReduceCompiled>, row<R...>>(m, place);
  add_cuda_reduction<row<R...>>(m, place);
}

}  // namespace tenon::reduction
#endif
