// Registers elements and rows without repetitions on CUDA. Each waits for the device, to learn how many there are.
#include <tuple>

#include <tenon/composite/unique_checks.hpp>
#include <tenon/cuda/row_order.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/unique.hpp>
#include <tenon/ops/view.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

using ThreeTensors = std::tuple<Tensor, Tensor, Tensor>;

Tensor numbers(IntArrayRef sizes, Device device) { return make_tensor(sizes, {}, kLong, device); }
Tensor numbers(std::int64_t size, Device device) { return numbers(IntArrayRef(&size, 1), device); }

/// Runs of equal items side by side, of n > 0; `differs` says of all but the first whether it is another than the one
/// before.
struct Runs {
  Tensor fresh, starts;
  Runs(const Tensor& differs, std::int64_t n) : fresh(make_tensor({&n, 1}, {}, kBool, differs.device())) {
    fill_elements(fresh, operand_of(Scalar(true), kBool));
    copy_elements(ops::narrow(fresh, 0, 1, n - 1), differs);
    starts = ops::reshape(ops::nonzero(fresh), {-1});
  }
  std::int64_t count() const { return starts.numel(); }
  /// For each item the number of its run; `order` says where it stood, undefined: where it stands.
  void number(const Tensor& inverse, const Tensor& order) const {
    Tensor run = ops::sub(ops::cumsum(fresh, 0), 1);
    if (order.defined()) {
      Tensor to = line_of(inverse);
      ops::scatter_(to, 0, order, run);
    } else {
      copy_elements(line_of(inverse), run);
    }
  }
  void measure(const Tensor& counts) const {
    const std::int64_t n = count();
    Tensor ends = numbers(n, starts.device());
    fill_elements(ends, operand_of(Scalar(fresh.numel()), kLong));
    copy_elements(ops::narrow(ends, 0, 0, n - 1), ops::narrow(starts, 0, 1, n - 1));
    copy_elements(counts, ops::sub(ends, starts));
  }
};

/// The elements of a line that differ from the one before.
ThreeTensors unique_runs(const Tensor& self, const Tensor& flat, const Tensor& order, bool return_inverse,
                         bool return_counts) {
  const std::int64_t n = flat.numel(), none = 0;
  const Device device = self.device();
  Tensor inverse = return_inverse ? numbers(self.sizes(), device) : numbers(none, device);
  if (n == 0) return {make_tensor({&none, 1}, {}, flat.dtype(), device), inverse, numbers(none, device)};
  Runs runs(ops::ne(ops::narrow(flat, 0, 1, n - 1), ops::narrow(flat, 0, 0, n - 1)), n);
  if (return_inverse) runs.number(inverse, order);
  Tensor counts = numbers(return_counts ? runs.count() : none, device);
  if (return_counts) runs.measure(counts);
  return {ops::index_select(flat, 0, runs.starts), inverse, counts};
}
ThreeTensors unique2(const Tensor& self, bool, bool return_inverse, bool return_counts) {
  composite::check_unique(self);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  auto [values, order] = ops::sort(line_of(row_major(self)));
  return unique_runs(self, values, order, return_inverse, return_counts);
}
std::tuple<Tensor, Tensor> unique(const Tensor& self, bool sorted, bool return_inverse) {
  auto [values, inverse, counts] = unique2(self, sorted, return_inverse, false);
  return {values, inverse};
}

/// The numbers of rows in the rows' order.
Tensor order_of_rows(const Tensor& rows, std::int64_t n) {
  ScalarType dtype = rows.dtype();
  ScalarType wide = is_floating_type(dtype) ? dtype == kDouble ? kDouble : kFloat : dtype == kUInt64 ? dtype : kLong;
  Tensor same = row_major(rows, wide), order = ops::arange(n, "dtype"_a = kLong, "device"_a = rows.device()),
         other = numbers(n, rows.device());
  RowOrderCall c{wide,
                 same.data_ptr(),
                 n,
                 rows.numel() / n,
                 {static_cast<std::int64_t*>(order.data_ptr()), static_cast<std::int64_t*>(other.data_ptr())}};
  int in = order_rows(c, runtime::current_stream());
  runtime::check_launch("unique_dim");
  return in == 0 ? order : other;
}
/// The slices along a dimension; inverse and counts are always given.
ThreeTensors unique_slices(const Tensor& self, std::int64_t dim, bool sort) {
  composite::check_unique(self);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  const std::int64_t n = composite::count_slices(self, dim);
  if (n == 0)
    return {make_tensor(self.sizes(), {}, self.dtype(), self.device()), numbers(0, self.device()),
            numbers(0, self.device())};
  Tensor rows = row_major(Tensor(ops::movedim(self, dim, 0))), order;
  if (sort) {
    order = order_of_rows(rows, n);
    rows = ops::index_select(rows, 0, order);
  }
  Tensor flat = ops::reshape(rows, {n, -1});
  Runs runs(ops::any(ops::ne(ops::narrow(flat, 0, 1, n - 1), ops::narrow(flat, 0, 0, n - 1)), 1), n);
  Tensor inverse = numbers(n, self.device()), counts = numbers(runs.count(), self.device());
  runs.number(inverse, order);
  runs.measure(counts);
  return {ops::movedim(ops::index_select(rows, 0, runs.starts), 0, dim), inverse, counts};
}
ThreeTensors unique_dim(const Tensor& self, std::int64_t dim, bool, bool, bool) {
  return unique_slices(self, dim, true);
}
ThreeTensors unique_dim_consecutive(const Tensor& self, std::int64_t dim, bool, bool) {
  return unique_slices(self, dim, false);
}
ThreeTensors unique_consecutive(const Tensor& self, bool return_inverse, bool return_counts,
                                std::optional<std::int64_t> dim) {
  if (dim && !(*dim == 0 && self.dim() == 1)) return unique_slices(self, *dim, false);
  composite::check_unique(self);
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(self.device());
  return unique_runs(self, line_of(row_major(self)), Tensor(), return_inverse, return_counts);
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::_unique_base, &cuda::unique>()
      .impl<ops::_unique2_base, &cuda::unique2>()
      .impl<ops::unique_dim_base, &cuda::unique_dim>()
      .impl<ops::unique_dim_consecutive_base, &cuda::unique_dim_consecutive>()
      .impl<ops::unique_consecutive_base, &cuda::unique_consecutive>();
}
