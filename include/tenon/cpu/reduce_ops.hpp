// Reductions of tensors on the CPU: sums, means, products, extremes and their places, truth.
#pragma once
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/reduce_kernels.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/pointwise.hpp>
#include <tenon/ops/reduce.hpp>

namespace tenon::cpu::detail {

using OptionalDims = std::optional<IntArrayRef>;

/// Bit d: dimension d is reduced. No list, and an empty one unless `empty_is_none`, means all dimensions.
inline std::uint64_t dim_mask(const OptionalDims& dims, std::int64_t n, bool empty_is_none = false) {
  TENON_CHECK(n <= kMaxDims, ValueError, "reductions take at most ", kMaxDims, " dimensions, got ", n);
  if (!dims || (dims->empty() && !empty_is_none)) return n == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
  std::uint64_t mask = 0;
  for (std::int64_t d : *dims) {
    std::int64_t at = wrap_dim(d, n);
    TENON_CHECK(!(mask >> at & 1), ValueError, "dim ", at, " appears multiple times in the list of dims");
    mask |= std::uint64_t{1} << at;
  }
  return mask;
}
template <class Int>
dims_t<Int> reduced_sizes(ArrayRef<Int> sizes, std::uint64_t mask, bool keepdim) {
  dims_t<Int> out;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    if (!(mask >> d & 1))
      out.push_back(sizes[d]);
    else if (keepdim)
      out.push_back(1);
  }
  return out;
}
/// The geometry of reducing `self` into `out`; `strides` receives the result's strides at the kept dimensions.
inline Reduction reduction_of(const Tensor& self, const Tensor& out, std::uint64_t mask, bool keepdim,
                              DimVector& strides) {
  std::size_t n = self.sizes().size();
  strides.resize(n);
  std::size_t at = 0;
  for (std::size_t d = 0; d < n; ++d) {
    bool reduced = mask >> d & 1;
    strides[d] = reduced ? 0 : out.strides()[keepdim ? d : at];
    if (!reduced) ++at;
  }
  return {out.data_ptr(),        out.dtype(),         strides.data(),
          self.data_ptr(),       self.dtype(),        self.sizes().data(),
          self.strides().data(), static_cast<int>(n), mask};
}
/// What values of a dtype are summed in.
constexpr ScalarType accumulation_dtype(ScalarType t) { return is_differentiable_type(t) ? compute_type_of(t) : kLong; }
/// PyTorch's name for a reduction's kernel.
constexpr std::string_view kernel_name(ReduceKind kind) {
  switch (kind) {
    case ReduceKind::Prod: return "prod_out_cpu";
    case ReduceKind::Max: return "max_values_cpu";
    case ReduceKind::Min: return "min_values_cpu";
    case ReduceKind::NanSum: return "nansum_cpu";
    case ReduceKind::Sum:
    case ReduceKind::Mean: return "sum_cpu";
    default: return "norm_cpu";
  }
}
inline void run_reduction(ReduceKind kind, ScalarType compute, const Tensor& self, std::uint64_t mask, bool keepdim,
                          const Tensor& out, double p = 0) {
  if (compute != kBool && !has_arithmetic(self.dtype())) not_implemented_for(kernel_name(kind), self.dtype());
  DimVector strides;
  active_tables().reduce->reduce(kind, compute, reduction_of(self, out, mask, keepdim, strides), p);
}

/// The dtype of a sum of all elements: that asked for, else int64 for bools and integers.
inline ScalarType sum_all_dtype(const Tensor& self, std::optional<ScalarType> dtype) {
  return dtype ? *dtype : is_integral_type(self.dtype(), true) ? kLong : self.dtype();
}
/// Of a sum over dimensions: that asked for, else that of the caller's result, else the same.
inline ScalarType sum_dtype(const Outputs& out, const Tensor& self, std::optional<ScalarType> dtype) {
  if (!dtype && out.maybe_get_output().defined()) return out.maybe_get_output().dtype();
  return sum_all_dtype(self, dtype);
}
template <class Int>
void sum_meta(Outputs& out, const Tensor& self, OptionalDims dims, bool keepdim, std::optional<ScalarType> dtype) {
  dims_t<Int> sizes = reduced_sizes(sizes_of<Int>(self), dim_mask(dims, self.dim()), keepdim);
  out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, sum_dtype(out, self, dtype), self.device());
}
/// The caller's result has no say in the dtype of a sum or product of all elements.
inline void sum_all_meta(Outputs& out, const Tensor& self, std::optional<ScalarType> dtype) {
  out.set_output_raw_strided(0, {}, {}, sum_all_dtype(self, dtype), self.device());
}
template <ReduceKind Kind>
void sum_cpu(const Tensor& self, OptionalDims dims, bool keepdim, std::optional<ScalarType>, const Tensor& out) {
  bool truth = out.dtype() == kBool;
  // Elements are first what the result is, and then added: it matters where fewer values fit into that dtype. A mean
  // adds floats.
  bool rounds = (is_reduced_floating_type(out.dtype()) && Kind != ReduceKind::Mean) ||
                (is_integral_type(out.dtype(), false) && !is_integral_type(self.dtype(), true));
  run_reduction(truth ? (Kind == ReduceKind::Prod ? ReduceKind::All : ReduceKind::Any) : Kind,
                accumulation_dtype(out.dtype()),
                rounds && self.dtype() != out.dtype() ? row_major(self, out.dtype()) : self, dim_mask(dims, self.dim()),
                keepdim, out);
}
template <ReduceKind Kind>
void sum_all_cpu(const Tensor& self, std::optional<ScalarType> dtype, const Tensor& out) {
  sum_cpu<Kind>(self, std::nullopt, false, dtype, out);
}
inline void check_mean_dtype(const Outputs& out, const Tensor& self, std::optional<ScalarType> dtype) {
  ScalarType used = dtype.value_or(self.dtype());
  TENON_CHECK(is_differentiable_type(used), TypeError, "mean(): could not infer output dtype. ",
              dtype ? "Optional" : "Input", " dtype must be either a floating point or complex dtype. Got: ", used);
  const Tensor& given = out.maybe_get_output();
  // A complex mean goes into a real result without its imaginary part, as in PyTorch.
  TENON_CHECK(!given.defined() || is_differentiable_type(given.dtype()), TypeError, "result type ", used,
              " can't be cast to the desired output type ", given.dtype());
}
template <class Int>
void mean_meta(Outputs& out, const Tensor& self, OptionalDims dims, bool keepdim, std::optional<ScalarType> dtype) {
  check_mean_dtype(out, self, dtype);
  sum_meta<Int>(out, self, dims, keepdim, dtype);
}
inline void mean_all_meta(Outputs& out, const Tensor& self, std::optional<ScalarType> dtype) {
  check_mean_dtype(out, self, dtype);
  const Tensor& given = out.maybe_get_output();
  TENON_CHECK(!given.defined() || can_cast(self.dtype(), given.dtype()), TypeError,
              "mean.dtype_out(): input types can't be cast to the desired output type ", given.dtype());
  out.set_output_raw_strided(0, {}, {}, sum_dtype(out, self, dtype), self.device());
}
template <class Int>
void prod_meta(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim, std::optional<ScalarType> dtype) {
  sum_meta<Int>(out, self, IntArrayRef(dim), keepdim, dtype);
}
inline void prod_cpu(const Tensor& self, std::int64_t dim, bool keepdim, std::optional<ScalarType> dtype,
                     const Tensor& out) {
  sum_cpu<ReduceKind::Prod>(self, IntArrayRef(dim), keepdim, dtype, out);
}
inline void nansum_cpu(const Tensor& self, OptionalDims dims, bool keepdim, std::optional<ScalarType> dtype,
                       const Tensor& out) {
  if (is_integral_type(self.dtype(), true))
    sum_cpu<ReduceKind::Sum>(self, dims, keepdim, dtype, out);
  else
    sum_cpu<ReduceKind::NanSum>(self, dims, keepdim, dtype, out);
}

/// Extremes have no value for no elements: every reduced dimension must hold some.
template <class Int>
void check_not_empty(const char* name, const Tensor& self, std::uint64_t mask, bool listed) {
  if (numel_of<Int>(self) != 0) return;
  TENON_CHECK(
      listed, IndexError, name,
      "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1)
      TENON_CHECK(sizes_of<Int>(self)[d] != 0, IndexError, name, "(): Expected reduction dim ", d,
                  " to have non-zero size.");
}
inline void check_ordered(const char* name, const Tensor& self) {
  if (self.is_complex()) not_implemented_for(name, self.dtype());
}
template <bool Largest, class Int>
void extreme_meta(Outputs& out, const Tensor& self, IntArrayRef dims, bool keepdim) {
  const char* name = Largest ? "amax" : "amin";
  std::uint64_t mask = dim_mask(dims, self.dim());
  check_not_empty<Int>(name, self, mask, !dims.empty());
  dims_t<Int> sizes = reduced_sizes(sizes_of<Int>(self), mask, keepdim);
  if (count_elements(sizes) != 0) check_ordered(name, self);
  if (out.maybe_get_output().defined())
    TENON_CHECK(out.maybe_get_output().dtype() == self.dtype(), TypeError,
                "Expected the dtype for input and out to match, but got ", self.dtype(), " for input's dtype and ",
                out.maybe_get_output().dtype(), " for out's dtype.");
  out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
}
template <bool Largest>
void extreme_cpu(const Tensor& self, IntArrayRef dims, bool keepdim, const Tensor& out) {
  if (out.numel() == 0) return;
  run_reduction(Largest ? ReduceKind::Max : ReduceKind::Min, accumulation_dtype(self.dtype()), self,
                dim_mask(dims, self.dim()), keepdim, out);
}
template <bool Largest, class Int>
void extreme_all_meta(Outputs& out, const Tensor& self) {
  const char* name = Largest ? "max" : "min";
  TENON_CHECK(
      numel_of<Int>(self) > 0, IndexError, name,
      "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
  check_ordered(name, self);
  out.set_output_raw_strided(0, {}, {}, self.dtype(), self.device(), OutputCast::Allowed);
}
template <bool Largest>
void extreme_all_cpu(const Tensor& self, const Tensor& out) {
  extreme_cpu<Largest>(self, {}, false, out);
}

template <class Int>
std::int64_t check_place_dim(const char* name, const Tensor& self, std::int64_t dim) {
  std::int64_t at = wrap_dim(dim, self.dim());
  TENON_CHECK(self.dim() == 0 || sizes_of<Int>(self)[at] != 0, IndexError, name, "(): Expected reduction dim ", at,
              " to have non-zero size.");
  return at;
}
inline std::uint64_t one_dim(const Tensor& self, std::int64_t at) {
  return self.dim() == 0 ? 0 : std::uint64_t{1} << at;
}
template <bool Largest, class Int>
void place_meta(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) {
  const char* name = Largest ? "argmax" : "argmin";
  TENON_CHECK(self.dtype() != kBool, NotImplementedError, name, "(): does not support bool input");
  check_ordered(name, self);
  std::uint64_t mask = 0;
  if (dim)
    mask = one_dim(self, check_place_dim<Int>(name, self, *dim));
  else {
    TENON_CHECK(
        numel_of<Int>(self) != 0, IndexError, name,
        "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
    mask = dim_mask(std::nullopt, self.dim());
  }
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), mask, keepdim), {}, kLong, self.device());
}
/// Indices of the extremes along `at` into `indices`; with no dimension, the index in row-major order.
inline void find_places(bool largest, const Tensor& self, std::optional<std::int64_t> at, bool keepdim,
                        const Tensor& indices) {
  if (!has_arithmetic(self.dtype())) not_implemented_for(largest ? "argmax_cpu" : "argmin_cpu", self.dtype());
  if (indices.numel() == 0) return;
  ScalarType compute = accumulation_dtype(self.dtype());
  auto to = static_cast<std::int64_t*>(indices.data_ptr());
  if (self.numel() == 1 || self.dim() == 0) {
    *to = 0;
    return;
  }
  DimVector strides;
  if (at) {
    Reduction r = reduction_of(self, indices, one_dim(self, *at), keepdim, strides);
    return active_tables().reduce->arg_extreme(largest, compute, r, to);
  }
  Tensor flat = row_major(self);
  std::int64_t n = flat.numel(), one = 1, none = 0;
  active_tables().reduce->arg_extreme(largest, compute,
                                      {to, kLong, &none, flat.data_ptr(), flat.dtype(), &n, &one, 1, 1}, to);
}
template <bool Largest>
void place_cpu(const Tensor& self, std::optional<std::int64_t> dim, bool keepdim, const Tensor& out) {
  find_places(Largest, self, dim ? std::optional(wrap_dim(*dim, self.dim())) : std::nullopt, keepdim, out);
}

/// Values and places along one dimension.
template <bool Largest, class Int>
void extreme_dim_meta(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) {
  const char* name = Largest ? "max" : "min";
  std::uint64_t mask = one_dim(self, check_place_dim<Int>(name, self, dim));
  check_ordered(name, self);
  dims_t<Int> sizes = reduced_sizes(sizes_of<Int>(self), mask, keepdim);
  out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  out.set_output_raw_strided(1, ArrayRef<Int>(sizes), {}, kLong, self.device());
}
template <bool Largest>
void extreme_dim_cpu(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& values, const Tensor& indices) {
  std::int64_t at = wrap_dim(dim, self.dim());
  find_places(Largest, self, at, keepdim, indices);
  DimVector sizes(self.sizes()), v, i;
  if (self.dim() == 0) return copy_elements(values, self);
  if (values.numel() == 0) return;
  // Seen with the reduced dimension of size 1, so that one walk serves the three tensors.
  for (std::size_t d = 0, k = 0; d < sizes.size(); ++d) {
    bool reduced = static_cast<std::int64_t>(d) == at;
    v.push_back(reduced ? 0 : values.strides()[keepdim ? d : k]);
    i.push_back(reduced ? 0 : indices.strides()[keepdim ? d : k]);
    if (!reduced) ++k;
  }
  sizes[at] = 1;
  auto p = static_cast<const std::int64_t*>(indices.data_ptr());
  std::int64_t step = self.strides()[at];
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(values.data_ptr());
    each_line(sizes, at, {self.strides(), IntArrayRef(v), IntArrayRef(i)}, 0, values.numel(),
              [&](const std::int64_t* o, std::int64_t) { y[o[1]] = x[o[0] + p[o[2]] * step]; });
  });
}

template <class Int>
void truth_meta(Outputs& out, const char* name, const Tensor& self, std::uint64_t mask, bool keepdim) {
  const Tensor& given = out.maybe_get_output();
  TENON_CHECK(!given.defined() || given.dtype() == kBool || given.dtype() == kByte, TypeError, name,
              " only supports bool tensor for result, got: ", given.dtype());
  ScalarType dtype = given.defined() ? given.dtype() : self.dtype() == kByte ? kByte : kBool;
  out.set_output_raw_strided(0, reduced_sizes(sizes_of<Int>(self), mask, keepdim), {}, dtype, self.device());
}
template <ReduceKind Kind>
constexpr const char* truth_name = Kind == ReduceKind::All ? "all" : "any";
template <ReduceKind Kind, class Int>
void truth_all_meta(Outputs& out, const Tensor& self) {
  truth_meta<Int>(out, truth_name<Kind>, self, dim_mask(std::nullopt, self.dim()), false);
}
template <ReduceKind Kind>
void truth_all_cpu(const Tensor& self, const Tensor& out) {
  run_reduction(Kind, kBool, self, dim_mask(std::nullopt, self.dim()), false, out);
}
template <ReduceKind Kind, class Int>
void truth_dim_meta(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) {
  truth_meta<Int>(out, truth_name<Kind>, self, one_dim(self, wrap_dim(dim, self.dim())), keepdim);
}
template <ReduceKind Kind>
void truth_dim_cpu(const Tensor& self, std::int64_t dim, bool keepdim, const Tensor& out) {
  run_reduction(Kind, kBool, self, one_dim(self, wrap_dim(dim, self.dim())), keepdim, out);
}
template <ReduceKind Kind, class Int>
void truth_dims_meta(Outputs& out, const Tensor& self, OptionalDims dims, bool keepdim) {
  truth_meta<Int>(out, truth_name<Kind>, self, dim_mask(dims, self.dim(), true), keepdim);
}
template <ReduceKind Kind>
void truth_dims_cpu(const Tensor& self, OptionalDims dims, bool keepdim, const Tensor& out) {
  run_reduction(Kind, kBool, self, dim_mask(dims, self.dim(), true), keepdim, out);
}

inline Tensor max_other(const Tensor& self, const Tensor& other) { return ops::maximum(self, other); }
inline Tensor min_other(const Tensor& self, const Tensor& other) { return ops::minimum(self, other); }
inline Tensor& max_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::maximum(self, other, "out"_a = out);
}
inline Tensor& min_out(const Tensor& self, const Tensor& other, Tensor& out) {
  return ops::minimum(self, other, "out"_a = out);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  install_kernels<&KernelTables::reduce>();
  using enum ReduceKind;
  define_structured<ops::sum_base, &detail::sum_all_meta, &detail::sum_all_cpu<Sum>>(m);
  define_structured<ops::sum_dim_IntList, &detail::sum_meta<std::int64_t>, &detail::sum_cpu<Sum>,
                    &detail::sum_meta<SymInt>>(m);
  define_structured<ops::mean_base, &detail::mean_all_meta, &detail::sum_all_cpu<Mean>>(m);
  define_structured<ops::mean_dim, &detail::mean_meta<std::int64_t>, &detail::sum_cpu<Mean>,
                    &detail::mean_meta<SymInt>>(m);
  define_structured<ops::prod_base, &detail::sum_all_meta, &detail::sum_all_cpu<Prod>>(m);
  define_structured<ops::prod_dim_int, &detail::prod_meta<std::int64_t>, &detail::prod_cpu, &detail::prod_meta<SymInt>>(
      m);
  define_structured<ops::nansum_base, &detail::sum_meta<std::int64_t>, &detail::nansum_cpu, &detail::sum_meta<SymInt>>(
      m);
  define_structured<ops::amax_base, &detail::extreme_meta<true, std::int64_t>, &detail::extreme_cpu<true>,
                    &detail::extreme_meta<true, SymInt>>(m);
  define_structured<ops::amin_base, &detail::extreme_meta<false, std::int64_t>, &detail::extreme_cpu<false>,
                    &detail::extreme_meta<false, SymInt>>(m);
  define_structured<ops::max_base, &detail::extreme_all_meta<true, std::int64_t>, &detail::extreme_all_cpu<true>,
                    &detail::extreme_all_meta<true, SymInt>>(m);
  define_structured<ops::min_base, &detail::extreme_all_meta<false, std::int64_t>, &detail::extreme_all_cpu<false>,
                    &detail::extreme_all_meta<false, SymInt>>(m);
  define_structured<ops::argmax_base, &detail::place_meta<true, std::int64_t>, &detail::place_cpu<true>,
                    &detail::place_meta<true, SymInt>>(m);
  define_structured<ops::argmin_base, &detail::place_meta<false, std::int64_t>, &detail::place_cpu<false>,
                    &detail::place_meta<false, SymInt>>(m);
  define_structured<ops::max_dim, &detail::extreme_dim_meta<true, std::int64_t>, &detail::extreme_dim_cpu<true>,
                    &detail::extreme_dim_meta<true, SymInt>>(m);
  define_structured<ops::min_dim, &detail::extreme_dim_meta<false, std::int64_t>, &detail::extreme_dim_cpu<false>,
                    &detail::extreme_dim_meta<false, SymInt>>(m);
  define_structured<ops::all_base, &detail::truth_all_meta<All, std::int64_t>, &detail::truth_all_cpu<All>,
                    &detail::truth_all_meta<All, SymInt>>(m);
  define_structured<ops::any_base, &detail::truth_all_meta<Any, std::int64_t>, &detail::truth_all_cpu<Any>,
                    &detail::truth_all_meta<Any, SymInt>>(m);
  define_structured<ops::all_dim, &detail::truth_dim_meta<All, std::int64_t>, &detail::truth_dim_cpu<All>,
                    &detail::truth_dim_meta<All, SymInt>>(m);
  define_structured<ops::any_dim, &detail::truth_dim_meta<Any, std::int64_t>, &detail::truth_dim_cpu<Any>,
                    &detail::truth_dim_meta<Any, SymInt>>(m);
  define_structured<ops::all_dims, &detail::truth_dims_meta<All, std::int64_t>, &detail::truth_dims_cpu<All>,
                    &detail::truth_dims_meta<All, SymInt>>(m);
  define_structured<ops::any_dims, &detail::truth_dims_meta<Any, std::int64_t>, &detail::truth_dims_cpu<Any>,
                    &detail::truth_dims_meta<Any, SymInt>>(m);
  m.def<ops::max_other>().def<ops::min_other>().def<ops::max_out>().def<ops::min_out>();
  m.impl<ops::max_other, &detail::max_other>().impl<ops::min_other, &detail::min_other>();
  m.impl<ops::max_out, &detail::max_out>(DispatchKey::CompositeExplicitAutograd)
      .impl<ops::min_out, &detail::min_out>(DispatchKey::CompositeExplicitAutograd);
}

}  // namespace tenon::cpu
