// Kernels of running values and of extremes with their places.
#include <tenon/cuda/scan.hpp>

#include "dtypes.hpp"

namespace tenon::cuda {
namespace {

template <class Operation>
bool run(const ScanCall& c, void* stream) {
  unsigned threads = threads_for(c.lines.size / c.parts / scan_lines<Operation>::kEach, 256);
  std::int64_t blocks = c.lines.lines.count * c.parts;
  if (c.parts > 1) launch<scan_lines<Operation>>({blocks, threads}, stream, c, true);
  launch<scan_lines<Operation>>({blocks, threads}, stream, c, false);
  return true;
}
template <template <class> class Operation>
bool run_arithmetic(const ScanCall& c, void* stream) {
  switch (c.lines.dtype) {
    case kDouble: return run<Operation<double>>(c, stream);
    case kComplexFloat: return run<Operation<Complex<float>>>(c, stream);
    case kComplexDouble: return run<Operation<Complex<double>>>(c, stream);
    default: break;
  }
  if (is_floating_type(c.lines.dtype)) return run<Operation<float>>(c, stream);
  if (is_complex_type(c.lines.dtype)) return false;
  // Integers wrap as their own type does.
  if constexpr (std::is_same_v<Operation<float>, running_log_sum<float>>)
    return false;
  else
    return run<Operation<std::int64_t>>(c, stream);
}
template <bool Largest>
bool run_extreme(const ScanCall& c, void* stream) {
  return with_wide(c.lines.dtype, [&]<class T>(type_tag<T>) { run<running_extreme<T, Largest>>(c, stream); });
}

}  // namespace

bool scan(const ScanCall& c, Scan what, void* stream) {
  switch (what) {
    case Scan::Sum: return run_arithmetic<running_sum>(c, stream);
    case Scan::Product: return run_arithmetic<running_product>(c, stream);
    case Scan::LogSum: return run_arithmetic<running_log_sum>(c, stream);
    case Scan::Largest: return run_extreme<true>(c, stream);
    default: return run_extreme<false>(c, stream);
  }
}
bool find_extremes(const LinesCall& c, bool largest, void* stream) {
  return with_wide(c.dtype, [&]<class T>(type_tag<T>) {
    Shape shape{c.lines.count, threads_for(c.size, 256)};
    if (largest)
      launch<find_extreme<T, true>>(shape, stream, c);
    else
      launch<find_extreme<T, false>>(shape, stream, c);
  });
}

}  // namespace tenon::cuda
