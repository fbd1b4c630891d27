// What the meta functions of pointwise operators compute, for any signature.
#pragma once
#include <utility>

#include <tenon/base/body.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/tensor/detail/dense_strides.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::detail {

TENON_BODY const PointwiseRule& PointwiseRow::choose_case(PointwiseArguments& a) const {
  if (reversed) std::swap(a.tensors[0], a.tensors[1]);
  if (prepare) prepare(a);
  for (unsigned i = 0; i < n_cases; ++i) {
    const PointwiseCase& c = cases[i];
    if (c.applies && !c.applies(a)) continue;
    if (c.n_tensors != 0) {
      const Tensor* left[PointwiseRule::kMostElements];
      for (unsigned k = 0; k < c.n_tensors; ++k) left[k] = a.tensors[c.tensors[k]];
      for (unsigned k = 0; k < c.n_tensors; ++k) a.tensors[k] = left[k];
      a.n_tensors = c.n_tensors;
    }
    return c.rule;
  }
  refuse(a);
  fail<InternalError>("a pointwise operator has no case for its arguments");
}

/// The dtype that the loops compute in.
inline ScalarType compute_dtype(const PointwiseRule& rule, const PointwiseArguments& a) {
  ScalarType type;
  if (a.n_tensors == 1 && rule.number_operands == 0)
    type = a.tensors[0]->dtype();
  else if (a.n_tensors == 2 && rule.masks == 0 && rule.number_operands == 0 &&
           a.tensors[0]->dtype() == a.tensors[1]->dtype())
    type = a.tensors[0]->dtype();
  else {
    PromotionState state;
    for (unsigned i = rule.masks; i < a.n_tensors; ++i) state.add(*a.tensors[i]);
    for (unsigned i = 0; i < rule.number_operands; ++i)
      if (a.is_given(i)) state.add(a.numbers[i]);
    type = state.result();
  }
  if (computes_as_float(rule, type)) type = get_default_dtype();
  return type;
}

/// `strides` lists the operands' where they are not the tensors' own.
template <class Int>
dims_t<Int> result_strides_of(ArrayRef<Int> sizes, const Tensor* const* tensors, unsigned n,
                              const ArrayRef<Int>* strides = nullptr) {
  std::size_t dims = sizes.size();
  auto stride = [&](unsigned i, std::int64_t d) -> Int {
    const Tensor& t = *tensors[i];
    auto own = d - (static_cast<std::int64_t>(dims) - t.dim());
    if (own < 0) return 0;
    if constexpr (std::is_same_v<Int, std::int64_t>)
      return t->sizes()[own] == 1 && sizes[d] != 1 ? 0 : (strides ? strides[i] : t->strides())[own];
    const Int& size = sizes_of<Int>(t)[own];
    return !known_equal(size, sizes[d]) && size == 1 && sizes[d] != 1
               ? Int(0)
               : (strides ? strides[i] : strides_of<Int>(t))[own];
  };
  auto compare = [&](std::int64_t a, std::int64_t b) {
    for (unsigned i = 0; i < n; ++i) {
      if (!tensors[i]->defined()) continue;
      Int x = stride(i, a), y = stride(i, b);
      if (x == 0 || y == 0) continue;
      if (x < y) return -1;
      if (x > y) return 1;
      if (sizes[a] > sizes[b]) return 1;
    }
    return 0;
  };
  return dense_strides_by<Int>(sizes, compare, true);
}
TENON_BODY DimVector result_strides(IntArrayRef sizes, const Tensor* const* tensors, unsigned n) {
  return result_strides_of<std::int64_t>(sizes, tensors, n);
}
TENON_COLD_BODY SymDimVector sym_result_strides(SymIntArrayRef sizes, const Tensor* const* tensors, unsigned n) {
  return result_strides_of<SymInt>(sizes, tensors, n);
}

/// The same for operands of one shape: a layout that all of them have is kept as it is, also where a size is 1.
template <class Int>
dims_t<Int> common_strides(ArrayRef<Int> sizes, const Tensor* const* tensors, unsigned n) {
  auto all = [&](auto test) {
    for (unsigned i = 0; i < n; ++i)
      if (tensors[i]->defined() && !test(*tensors[i])) return false;
    return true;
  };
  if (all([](const Tensor& t) { return t.is_contiguous(); })) return {};
  if (all([](const Tensor& t) { return t.is_contiguous(MemoryFormat::ChannelsLast); }))
    return strides_for(sizes, MemoryFormat::ChannelsLast);
  const Tensor& first = *tensors[0];
  if constexpr (std::is_same_v<Int, std::int64_t>)
    if (first.is_non_overlapping_and_dense() && all([&](const Tensor& t) { return t.strides() == first.strides(); }))
      return DimVector(first.strides());
  return result_strides_of<Int>(sizes, tensors, n);
}

/// The strides of a result where some operands are converted: these count as dense copies, which have no gaps and no
/// repeated elements. `same`: the operands have one shape and no number is among them.
template <class Int>
[[gnu::cold, gnu::noinline]] dims_t<Int> strides_after_conversion(ArrayRef<Int> sizes, const PointwiseRule& rule,
                                                                  const PointwiseArguments& a, ScalarType compute,
                                                                  bool same) {
  constexpr unsigned kMost = 4;
  unsigned n = a.n_tensors;
  dims_t<Int> copies[kMost];
  ArrayRef<Int> strides[kMost];
  bool row_major = true, alike = true;
  for (unsigned i = 0; i < n; ++i) {
    const Tensor& t = *a.tensors[i];
    bool converted = i >= rule.masks && t.dtype() != compute;
    if (converted) copies[i] = dense_strides_like(sizes_of<Int>(t), strides_of<Int>(t));
    strides[i] = converted ? ArrayRef<Int>(copies[i]) : strides_of<Int>(t);
    if constexpr (std::is_same_v<Int, std::int64_t>) {
      row_major = row_major && is_contiguous_geometry(t.sizes(), strides[i]);
      alike = alike && strides[i] == strides[0] && is_non_overlapping_and_dense(t.sizes(), strides[i]);
    } else {
      row_major = alike = false;
    }
  }
  if (same && row_major) return {};
  if (same && alike) return dims_t<Int>(strides[0]);
  return result_strides_of<Int>(sizes, a.tensors, n, strides);
}
/// Whether an operand is converted that has gaps or repeated elements.
inline bool converts_sparse(const PointwiseRule& rule, const PointwiseArguments& a, ScalarType compute) {
  for (unsigned i = rule.masks; i < a.n_tensors; ++i) {
    const Tensor& t = *a.tensors[i];
    if (t.dtype() != compute && (t.is_symbolic() || !t.is_non_overlapping_and_dense())) return true;
  }
  return false;
}

[[gnu::cold, gnu::noinline]] inline Device mixed_device(const Tensor* const* tensors, unsigned n) {
  Device device = kCPU;
  bool found = false;
  for (unsigned i = 0; i < n; ++i) {
    const Tensor& t = *tensors[i];
    if (!t.defined() || (t.dim() == 0 && t.device().is_cpu())) continue;
    if (found && t.device() != device)
      fail<ValueError>("Expected all tensors to be on the same device, but found at least two devices, ", device,
                       " and ", t.device());
    device = t.device();
    found = true;
  }
  return device;
}

[[noreturn, gnu::cold, gnu::noinline]] inline void undefined_operand(const PointwiseRule& rule, unsigned i) {
  fail<ValueError>(rule.name, "(): operand ", i + 1, ": expected a defined Tensor, got an undefined one");
}

template <class Int>
ScalarType pointwise_meta_of(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a) {
  for (unsigned i = 0; i < a.n_tensors; ++i)
    if (!a.tensors[i]->defined()) [[unlikely]]
      undefined_operand(rule, i);
  using Dims = dims_t<Int>;
  using Ref = ArrayRef<Int>;
  ScalarType compute = compute_dtype(rule, a);
  if (rule.check) rule.check(rule, a, compute, out.form());
  ScalarType result = result_dtype(rule, compute);
  // A modulus may be asked for as any dtype; in place the words are those of a cast.
  bool casts = out.form() == StructuredForm::InPlace || (rule.promote == Promote::ComplexToReal && result != compute);
  OutputCast cast = casts ? OutputCast::Allowed : rule.cast;
  const Tensor& first = *a.tensors[0];
  unsigned n = a.n_tensors;
  // A number is an operand without dimensions: it asks for the sorted strides of a broadcast.
  bool number = rule.number_operands != 0 && !rule.unary;
  auto strides_for = [&](const Dims& sizes, bool same) -> Dims {
    if (converts_sparse(rule, a, compute)) return strides_after_conversion<Int>(sizes, rule, a, compute, same);
    return same ? common_strides<Int>(sizes, a.tensors, n) : result_strides_of<Int>(sizes, a.tensors, n);
  };
  if (n == 1 || (n == 2 && known_equal(sizes_of<Int>(first), sizes_of<Int>(*a.tensors[1])) &&
                 first.device() == a.tensors[1]->device())) [[likely]] {
    // The result may be resized: the operand's lists must not be its own.
    Dims sizes(sizes_of<Int>(first));
    // Strides beside a number are the usual ones only if they are so in dimensions of size 1 too and none has size 0.
    auto usual = [&] {
      for (const Int& size : sizes)
        if (known_equal(size, Int(0))) return false;
      return known_equal(strides_of<Int>(first), Ref(contiguous_strides(sizes)));
    };
    if (rule.row_major || (first.is_contiguous() && (n == 1 || a.tensors[1]->is_contiguous()) && (!number || usual())))
      out.set_output_raw_strided(0, Ref(sizes), {}, result, first.device(), cast);
    else
      out.set_output_raw_strided(0, Ref(sizes), strides_for(sizes, !number), result, first.device(), cast);
  } else {
    Dims sizes(sizes_of<Int>(first));
    bool same = true;
    for (unsigned i = 1; i < n; ++i) {
      const Tensor& t = *a.tensors[i];
      same = same && known_equal(sizes_of<Int>(t), sizes_of<Int>(first));
      sizes = broadcast_shapes(sizes, sizes_of<Int>(t));
    }
    out.set_output_raw_strided(0, Ref(sizes), strides_for(sizes, same), result, mixed_device(a.tensors, n), cast);
  }
  if (std::is_same_v<Int, std::int64_t> && out.form() != StructuredForm::Functional)
    for (unsigned i = 0; i < n; ++i) check_no_partial_overlap(out[0], *a.tensors[i]);
  return compute;
}

TENON_BODY ScalarType pointwise_meta(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a) {
  return pointwise_meta_of<std::int64_t>(rule, out, a);
}
TENON_COLD_BODY ScalarType pointwise_meta_only(const PointwiseRule& rule, Outputs& out, const PointwiseArguments& a) {
  bool symbolic = out.maybe_get_output().defined() && out.maybe_get_output().is_symbolic();
  for (unsigned i = 0; i < a.n_tensors; ++i)
    symbolic = symbolic || (a.tensors[i]->defined() && a.tensors[i]->is_symbolic());
  return symbolic ? pointwise_meta_of<SymInt>(rule, out, a) : pointwise_meta_of<std::int64_t>(rule, out, a);
}

}  // namespace tenon::detail
