// Registers reductions into the places that an index names on CUDA.
#include <limits>

#include <tenon/composite/reduce_into.hpp>
#include <tenon/composite/scatter.hpp>
#include <tenon/cuda/reduce_into.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/view.hpp>

#include "index_calls.hpp"

namespace tenon::cuda {
namespace {

using composite::ReduceBy;

void check_reduces(ReduceBy by, ScalarType type) {
  bool extreme = by == ReduceBy::Largest || by == ReduceBy::Smallest;
  if (!has_arithmetic(type) || (extreme && is_complex_type(type)) || (by == ReduceBy::Mean && type == kBool))
    not_implemented_for("scatter_gather_tensor_cuda_reduce_", type);
}
/// What changes no element that it is reduced with.
Scalar neutral(ReduceBy by, ScalarType type) {
  if (by == ReduceBy::Prod) return 1;
  if (by == ReduceBy::Sum || by == ReduceBy::Mean) return 0;
  bool least = by == ReduceBy::Largest;
  if (is_floating_type(type))
    return least ? -std::numeric_limits<double>::infinity() : std::numeric_limits<double>::infinity();
  if (type == kBool) return !least;
  Scalar value = 0;
  visit_scalar_type(type, [&]<class T>(type_tag<T>) {
    if constexpr (std::is_integral_v<T>)
      value = static_cast<std::int64_t>(least ? std::numeric_limits<T>::lowest() : std::numeric_limits<T>::max());
  });
  return value;
}
/// By the kernel of lines; `out` holds what the elements are reduced with.
void reduce_lines(const Tensor& out, std::int64_t dim, const Tensor& index, const Tensor& src, Into what) {
  ReduceIntoCall c{};
  DimVector sizes = sizes_1d(index), to = steps_1d(out), from = steps_1d(src), at = steps_1d(index);
  c.count = sizes[dim];
  sizes[dim] = 1;
  c.lines = walk_over(sizes, {&to, &from, &at});
  c.out = static_cast<char*>(out.data_ptr());
  c.in = static_cast<const char*>(src.data_ptr());
  c.index = static_cast<const char*>(index.data_ptr());
  c.dtype = out.dtype(), c.index_dtype = index.dtype(), c.what = what;
  c.size = sizes_1d(out)[dim];
  c.step[0] = to[dim], c.step[1] = from[dim], c.step[2] = at[dim];
  Fault fault(out.device());
  c.fault = fault.data();
  if (!reduce_into_places(c, runtime::current_stream())) not_implemented_for("scatter_reduce_cuda", c.dtype);
  runtime::check_launch("scatter_reduce");
  std::int64_t bad = fault.told();
  if (bad == 0) return;
  alignas(8) char element[8];
  std::int64_t line = (bad - 1) / c.count, k = (bad - 1) % c.count;
  runtime::copy_to_host(element, c.index + Offsets<3>(c.lines, line).at[2] + k * c.step[2], item_size(c.index_dtype));
  fail<IndexError>("index ", load_as<std::int64_t>(element, c.index_dtype), " is out of bounds for dimension ", dim,
                   " with size ", c.size);
}
/// Reduces the elements of `src` that the index has a place for into `out`, which holds those of `self` already.
void reduce_into(const Tensor& given, std::int64_t dim, const Tensor& index, const Tensor& src, ReduceBy by,
                 bool include_self) {
  if (index.numel() == 0 || given.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Tensor out = given;
  if (!include_self) ops::scatter_(out, dim, index, neutral(by, out.dtype()));
  switch (by) {
    case ReduceBy::Prod: return reduce_lines(out, dim, index, src, Into::Product);
    case ReduceBy::Largest: return reduce_lines(out, dim, index, src, Into::Largest);
    case ReduceBy::Smallest: return reduce_lines(out, dim, index, src, Into::Smallest);
    default: ops::scatter_add_(out, dim, index, src);
  }
  if (by != ReduceBy::Mean) return;
  Tensor counts = ops::full(out.sizes(), include_self ? 1 : 0, "dtype"_a = kLong, "device"_a = out.device()),
         one = ops::ones({}, "dtype"_a = kLong, "device"_a = out.device());
  ops::scatter_add_(counts, dim, index, ops::expand(one, index.sizes()));
  counts = ops::clamp_min(counts, 1);
  copy_elements(out, is_integral_type(out.dtype(), true) ? Tensor(ops::div(out, counts, "floor"))
                                                         : Tensor(ops::div(out, counts)));
}
void scatter_reduce_two(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                        std::string_view reduce, bool include_self, const Tensor& out) {
  ReduceBy by = composite::reduce_by(reduce);
  check_reduces(by, out.dtype());
  if (!out.is_same(self)) copy_elements(out, self);
  reduce_into(out, wrap_dim(dim, self.dim()), index, src, by, include_self);
}
void scatter_reduce(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                    std::string_view reduce, const Tensor& out) {
  scatter_reduce_two(self, dim, index, src, composite::adds(reduce) ? "sum" : "prod", true, out);
}
void scatter_value_reduce(const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value,
                          std::string_view reduce, const Tensor& out) {
  Tensor one = make_tensor({}, {}, out.dtype(), out.device());
  fill_elements(one, operand_of(value, out.dtype()));
  DimVector none(index.sizes().size(), 0);
  scatter_reduce(self, dim, index, make_alias(one, index.sizes(), none, 0), reduce, out);
}
/// Each index for a whole slice of the source.
void index_reduce(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                  std::string_view reduce, bool include_self, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  ReduceBy by = composite::reduce_by(reduce);
  check_reduces(by, out.dtype());
  if (!out.is_same(self)) copy_elements(out, self);
  DimVector strides(source.sizes().size(), 0);
  if (!strides.empty()) strides[dim] = index.dim() ? index.strides()[0] : 0;
  reduce_into(out, dim, make_alias(row_major(index, kLong), source.sizes(), strides, 0), source, by, include_self);
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(scatter_reduce_two, CUDA, cuda::scatter_reduce_two);
TENON_STRUCTURED_KERNEL(scatter_reduce_src, CUDA, cuda::scatter_reduce);
TENON_STRUCTURED_KERNEL(scatter_value_reduce, CUDA, cuda::scatter_value_reduce);
TENON_STRUCTURED_KERNEL(index_reduce_base, CUDA, cuda::index_reduce);

}  // namespace tenon::ops
