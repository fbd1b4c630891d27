// Registers places in sorted sequences, and membership, on CUDA.
#include <tenon/cuda/search.hpp>

#include <tenon/composite/search.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/sort.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// A number as a tensor of no dimensions.
Tensor number_on(Device device, const Scalar& value, ScalarType dtype) {
  Tensor t = make_tensor(IntArrayRef(), {}, dtype, device);
  fill_elements(t, operand_of(value, dtype));
  return t;
}
/// The dtype that elements of another are compared in, which has all of their values.
ScalarType compared_in(ScalarType dtype) {
  if (is_floating_type(dtype)) return dtype == kDouble ? kDouble : kFloat;
  return is_integral_type(dtype, true) && dtype != kUInt64 ? kLong : dtype;
}
void check_in_range(const Tensor& order, std::int64_t n) {
  if (order.numel() == 0 || runtime::is_capturing()) return;
  AutoDispatchBelowADInplaceOrView below;
  TENON_CHECK(ops::min(order).item().to_int() >= 0 && ops::max(order).item().to_int() < n, IndexError,
              "torch.searchsorted(): sorter index out of range");
}
/// Both in the dtype `common`.
void search(const Tensor& boundaries, const Tensor& values, ScalarType common, bool right,
            const std::optional<Tensor>& sorter, const Tensor& out) {
  if (!has_arithmetic(common) || common == kBool || is_complex_type(common))
    not_implemented_for("searchsorted_out_cuda", common);
  if (out.numel() == 0) return;
  ScalarType dtype = compared_in(common);
  // First the common dtype, which may round, then the one that is compared in.
  Tensor lines = row_major(row_major(boundaries, common), dtype), sought = row_major(row_major(values, common), dtype),
         order;
  if (sorter && sorter->defined()) {
    order = row_major(*sorter);
    check_in_range(order, boundaries.sizes().back());
  }
  Result to(out, kLong);
  SearchCall c{};
  c.dtype = dtype, c.count = out.numel(), c.size = boundaries.sizes().back();
  c.each = boundaries.dim() == 1 ? out.numel() : values.sizes().back();
  c.lines = lines.data_ptr(), c.values = sought.data_ptr(), c.out = static_cast<std::int64_t*>(to.data());
  c.order = order.defined() ? static_cast<const std::int64_t*>(order.data_ptr()) : nullptr;
  c.right = right;
  find_in_sorted(c, runtime::current_stream());
  runtime::check_launch("searchsorted");
  to.done();
}
void searchsorted(const Tensor& boundaries, const Tensor& self, bool, bool right, std::optional<std::string_view> side,
                  const std::optional<Tensor>& sorter, const Tensor& out) {
  search(boundaries, self, result_type(boundaries, self), composite::from_the_right(right, side), sorter, out);
}
void searchsorted_scalar(const Tensor& boundaries, const Scalar& self, bool, bool right,
                         std::optional<std::string_view> side, const std::optional<Tensor>& sorter, const Tensor& out) {
  ScalarType common = result_type(boundaries, self);
  search(boundaries, number_on(out.device(), self, common), common, composite::from_the_right(right, side), sorter,
         out);
}
void bucketize(const Tensor& self, const Tensor& boundaries, bool, bool right, const Tensor& out) {
  search(boundaries, self, result_type(boundaries, self), right, {}, out);
}
void bucketize_scalar(const Scalar& self, const Tensor& boundaries, bool, bool right, const Tensor& out) {
  ScalarType common = result_type(boundaries, self);
  search(boundaries, number_on(out.device(), self, common), common, right, {}, out);
}

/// An element is one of a sorted list where the places before and behind its equals are two. Not-a-numbers are left out
/// of the list, where no order holds for them.
void find_members(const Tensor& elements, const Tensor& tests, ScalarType common, bool invert, const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  ScalarType dtype = compared_in(common);
  Tensor list = row_major(row_major(tests, common), dtype), x = row_major(row_major(elements, common), dtype);
  if (is_floating_type(dtype)) list = ops::masked_select(list, ops::eq(list, list));  // waits for the device
  if (list.numel() == 0) return fill_elements(out, operand_of(Scalar(invert), kBool));
  Tensor sorted = std::get<0>(ops::sort(ops::reshape(list, {-1})));
  Tensor before = make_tensor(out.sizes(), {}, kLong, out.device()),
         behind = make_tensor(out.sizes(), {}, kLong, out.device());
  search(sorted, x, dtype, false, {}, before);
  search(sorted, x, dtype, true, {}, behind);
  copy_elements(out, invert ? ops::eq(before, behind) : ops::ne(before, behind));
}
void isin(const Tensor& elements, const Tensor& tests, bool, bool invert, const Tensor& out) {
  find_members(elements, tests, result_type(elements, tests), invert, out);
}
void isin_tensor_scalar(const Tensor& elements, const Scalar& test, bool, bool invert, const Tensor& out) {
  ScalarType common = result_type(elements, test);
  find_members(elements, number_on(out.device(), test, common), common, invert, out);
}
void isin_scalar_tensor(const Scalar& element, const Tensor& tests, bool, bool invert, const Tensor& out) {
  ScalarType common = result_type(tests, element);
  find_members(number_on(out.device(), element, common), tests, common, invert, out);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(searchsorted_Tensor, CUDA, cuda::searchsorted);
TENON_STRUCTURED_KERNEL(searchsorted_Scalar, CUDA, cuda::searchsorted_scalar);
TENON_STRUCTURED_KERNEL(bucketize_Tensor, CUDA, cuda::bucketize);
TENON_STRUCTURED_KERNEL(bucketize_Scalar, CUDA, cuda::bucketize_scalar);
TENON_STRUCTURED_KERNEL(isin_Tensor_Tensor, CUDA, cuda::isin);
TENON_STRUCTURED_KERNEL(isin_Tensor_Scalar, CUDA, cuda::isin_tensor_scalar);
TENON_STRUCTURED_KERNEL(isin_Scalar_Tensor, CUDA, cuda::isin_scalar_tensor);

}  // namespace tenon::ops
