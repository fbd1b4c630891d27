// Reductions into the places that indices name, and of segments, on the CPU.
#pragma once
#include <limits>
#include <type_traits>

#include <tenon/composite/reduce_into.hpp>
#include <tenon/cpu/detail/element_order.hpp>
#include <tenon/cpu/detail/index_lines.hpp>
#include <tenon/cpu/scatter.hpp>

namespace tenon::cpu::detail {

using composite::ReduceBy;

/// What a reduction begins with.
template <class T>
T neutral(ReduceBy by) {
  if (by == ReduceBy::Prod) return T(1);
  if (by == ReduceBy::Sum || by == ReduceBy::Mean) return T(0);
  if constexpr (is_complex_v<T>)
    return T(0);
  else if constexpr (std::is_same_v<T, bool>)
    return by == ReduceBy::Smallest;
  else if constexpr (is_floating_type(scalar_type_v<T>)) {
    float infinity = std::numeric_limits<float>::infinity();
    return static_cast<T>(by == ReduceBy::Largest ? -infinity : infinity);
  } else
    return by == ReduceBy::Largest ? std::numeric_limits<T>::min() : std::numeric_limits<T>::max();
}
/// A not-a-number is larger and smaller than all numbers.
template <class T>
T reduce_two(ReduceBy by, T a, T b) {
  if (by == ReduceBy::Sum || by == ReduceBy::Mean) return add_elements(a, b);
  if (by == ReduceBy::Prod) return multiply_elements(a, b);
  if constexpr (is_complex_v<T>)
    return a;
  else {
    if (is_nan_element(a)) return a;
    if (is_nan_element(b)) return b;
    return by == ReduceBy::Largest ? (less_element(a, b) ? b : a) : (less_element(b, a) ? b : a);
  }
}
/// Whole numbers are rounded towards minus infinity.
template <class T>
T divide_by_count(T sum, std::int64_t count) {
  if constexpr (is_complex_v<T> || is_floating_type(scalar_type_v<T>)) {
    using C = compute_t<T>;
    if constexpr (is_complex_v<T>) {
      using R = decltype(C{}.re);
      C z = static_cast<C>(sum);
      return static_cast<T>(C(z.re / static_cast<R>(count), z.im / static_cast<R>(count)));
    } else
      return static_cast<T>(static_cast<C>(sum) / static_cast<C>(count));
  } else {
    auto n = static_cast<std::int64_t>(sum), q = n / count;
    return static_cast<T>(n % count != 0 && n < 0 ? q - 1 : q);
  }
}

/// Reduces the elements of `src` into `out`, which holds those of `self` already.
inline void reduce_into(const Tensor& out, std::int64_t dim, const Tensor& index, const Tensor& src, ReduceBy by,
                        bool include_self) {
  std::int64_t size = out.dim() ? out.sizes()[dim] : 1;
  DimVector o = strides_1d(out), s = strides_1d(src), c = contiguous_strides(composite::at_least_1d(out.sizes())),
            none(o.size(), 0);
  // Memory first: nothing is written where it runs out.
  Tensor counts, places = row_major(index, kLong);
  if (by == ReduceBy::Mean) counts = make_tensor(out.sizes(), {}, kLong);
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(src.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    if (!include_self)
      each_index(places, dim, size, o, none, [=](std::int64_t i, std::int64_t) { y[i] = neutral<T>(by); });
    each_index(places, dim, size, o, s, [=](std::int64_t i, std::int64_t k) { y[i] = reduce_two(by, y[i], x[k]); });
    if (by != ReduceBy::Mean) return;
    fill_elements(counts, Scalar(include_self ? 1 : 0));
    auto n = static_cast<std::int64_t*>(counts.data_ptr());
    each_index(places, dim, size, c, none, [=](std::int64_t i, std::int64_t) { ++n[i]; });
    DimVector sizes = composite::at_least_1d(out.sizes());
    if (out.numel() == 0) return;
    each_line(sizes, dim, {IntArrayRef(o), IntArrayRef(c)}, 0, line_count(sizes, dim),
              [&](const std::int64_t* at, std::int64_t) {
                for (std::int64_t k = 0; k < sizes[dim]; ++k)
                  if (std::int64_t count = n[at[1] + k * c[dim]]; count > 1) {
                    T& mean = y[at[0] + k * o[dim]];
                    mean = divide_by_count(mean, count);
                  }
              });
  });
}
inline void check_reduces(const char* name, ReduceBy by, ScalarType type) {
  bool extreme = by == ReduceBy::Largest || by == ReduceBy::Smallest;
  constexpr const char* words[] = {"sum", "prod", "mean", "amax", "amin"};
  if (!has_arithmetic(type) || (extreme && is_complex_type(type)) || (by == ReduceBy::Mean && type == kBool))
    not_implemented_for(concat(name, words[static_cast<int>(by)]), type);
}
inline void scatter_reduce_two_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                                   std::string_view reduce, bool include_self, const Tensor& out) {
  ReduceBy by = composite::reduce_by(reduce);
  check_reduces("scatter_gather_tensor_cpu_reduce_", by, out.dtype());
  if (!out.is_same(self)) copy_elements(out, self);
  reduce_into(out, wrap_dim(dim, self.dim()), index, src, by, include_self);
}
inline void index_reduce_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                             std::string_view reduce, bool include_self, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  ReduceBy by = composite::reduce_by(reduce);
  check_reduces("index_reduce_func_", by, out.dtype());
  Tensor list = checked_indices(index, self.dim() ? self.sizes()[dim] : 1, "index out of range in self");
  if (!out.is_same(self)) copy_elements(out, self);
  // Each index for a whole slice of the source.
  DimVector strides(source.sizes().size(), 0);
  if (!strides.empty()) strides[dim] = 1;
  reduce_into(out, dim, make_alias(list, source.sizes(), strides, list.storage_offset()), source, by, include_self);
}

/// Lines of `data` along an axis, cut into segments: f(start of the line in data, start of it in the output, first
/// place, end, number of the segment), all row-major.
struct SegmentWalk {
  Tensor bounds;
  std::int64_t outer = 1, inner = 1, size, segments;
  bool by_length;
  SegmentWalk(const Tensor& data, const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets,
              std::int64_t axis, bool checked)
      : by_length(lengths && lengths->defined()) {
    bounds = row_major(by_length ? *lengths : *offsets, kLong);
    axis = wrap_dim(axis, data.dim());
    for (std::int64_t d = 0; d < data.dim(); ++d) {
      if (d < axis) outer *= data.sizes()[d];
      if (d > axis) inner *= data.sizes()[d];
    }
    size = data.sizes()[axis];
    segments = bounds.sizes()[axis] - (by_length ? 0 : 1);
    auto p = static_cast<const std::int64_t*>(bounds.data_ptr());
    for (std::int64_t o = 0; o < outer; ++o) {
      std::int64_t end = 0;
      for (std::int64_t i = 0; i < segments; ++i) {
        auto [from, to] = segment(p, o, i, end);
        TENON_CHECK(to >= from, ValueError,
                    by_length ? "lengths contains negative value!" : "segment_reduce(): offsets must not decrease");
        TENON_CHECK(
            from >= 0 && to <= size, ValueError,
            "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");
        end = to;
      }
      TENON_CHECK(
          !checked || !by_length || end == size, ValueError,
          "segment_reduce(): Expected all rows of lengths along axis to sum to data.size(lengths.dim()-1) when !unsafe.");
    }
  }
  template <class F>
  void each(F f) const {
    auto p = static_cast<const std::int64_t*>(bounds.data_ptr());
    parallel_for(0, outer, (1 << 14) / (size * inner + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t o = first; o < last; ++o) {
        std::int64_t end = 0;
        for (std::int64_t i = 0; i < segments; ++i) {
          auto [from, to] = segment(p, o, i, end);
          end = to;
          for (std::int64_t k = 0; k < inner; ++k) f(o * size * inner + k, (o * segments + i) * inner + k, from, to);
        }
      }
    });
  }

 private:
  std::pair<std::int64_t, std::int64_t> segment(const std::int64_t* p, std::int64_t line, std::int64_t i,
                                                std::int64_t before) const {
    if (by_length) return {before, before + p[line * segments + i]};
    return {p[line * (segments + 1) + i], p[line * (segments + 1) + i + 1]};
  }
};
inline void segment_reduce_cpu(const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths,
                               const std::optional<Tensor>&, const std::optional<Tensor>& offsets, std::int64_t axis,
                               bool unsafe, const std::optional<Scalar>& initial, const Tensor& out) {
  ReduceBy by = composite::reduce_segments_by(reduce);
  visit_floating_type(
      data.dtype(),
      [&]<class T>(type_tag<T>) {
        using C = compute_t<T>;
        Tensor from = row_major(data), to = make_tensor(out.sizes(), {}, out.dtype());
        SegmentWalk walk(data, lengths, offsets, axis, !unsafe);
        auto x = static_cast<const T*>(from.data_ptr());
        auto y = static_cast<T*>(to.data_ptr());
        C start = initial ? static_cast<C>(initial->to_double()) : static_cast<C>(neutral<T>(by));
        bool undefined = by == ReduceBy::Mean && !initial;
        walk.each([&](std::int64_t in, std::int64_t at, std::int64_t first, std::int64_t end) {
          // As in PyTorch, 16-bit floats are rounded at each step.
          C sum = start;
          for (std::int64_t i = first; i < end; ++i)
            sum = static_cast<C>(static_cast<T>(reduce_two<C>(by, sum, static_cast<C>(x[in + i * walk.inner]))));
          if (by == ReduceBy::Mean && end > first) sum = sum / static_cast<C>(end - first);
          y[at] = static_cast<T>(end == first && undefined ? std::numeric_limits<C>::quiet_NaN() : sum);
        });
        copy_elements(out, to);
      },
      [&] { not_implemented_for("_segment_reduce_cpu", data.dtype()); });
}
/// Extremes share their gradient evenly; a factor's is the product of the others.
inline void segment_reduce_backward_cpu(const Tensor& grad, const Tensor& output, const Tensor& data,
                                        std::string_view reduce, const std::optional<Tensor>& lengths,
                                        const std::optional<Tensor>& offsets, std::int64_t axis,
                                        const std::optional<Scalar>& initial, const Tensor& out) {
  ReduceBy by = composite::reduce_segments_by(reduce);
  visit_floating_type(
      data.dtype(),
      [&]<class T>(type_tag<T>) {
        using C = compute_t<T>;
        Tensor from = row_major(data), results = row_major(output), grads = row_major(grad),
               to = make_tensor(out.sizes(), {}, out.dtype());
        fill_elements(to, Scalar(0));
        SegmentWalk walk(data, lengths, offsets, axis, false);
        auto x = static_cast<const T*>(from.data_ptr()), r = static_cast<const T*>(results.data_ptr()),
             g = static_cast<const T*>(grads.data_ptr());
        auto y = static_cast<T*>(to.data_ptr());
        C factor = initial ? static_cast<C>(initial->to_double()) : C(1);
        walk.each([&](std::int64_t in, std::int64_t at, std::int64_t first, std::int64_t end) {
          auto value = [&](std::int64_t i) { return static_cast<C>(x[in + i * walk.inner]); };
          auto is_result = [&](std::int64_t i) {
            return is_nan_element(value(i)) || value(i) == static_cast<C>(r[at]);
          };
          auto count = static_cast<C>(end - first);
          if (by == ReduceBy::Largest || by == ReduceBy::Smallest) {
            count = 0;
            for (std::int64_t i = first; i < end; ++i) count += is_result(i) ? 1 : 0;
          }
          for (std::int64_t i = first; i < end; ++i) {
            C slope = 1;
            if (by == ReduceBy::Mean) slope = 1 / count;
            if (by == ReduceBy::Largest || by == ReduceBy::Smallest) slope = is_result(i) ? 1 / count : C(0);
            if (by == ReduceBy::Prod) {
              slope = static_cast<C>(r[at]) / value(i);
              if (value(i) == 0 || is_nan_element(value(i))) {
                slope = factor;
                for (std::int64_t k = first; k < end; ++k)
                  if (k != i) slope = slope * value(k);
              }
            }
            y[in + i * walk.inner] = static_cast<T>(static_cast<C>(g[at]) * slope);
          }
        });
        copy_elements(out, to);
      },
      [&] { not_implemented_for("_segment_reduce_backward_cpu", data.dtype()); });
}

}  // namespace tenon::cpu::detail

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(scatter_reduce_two, CPU, cpu::detail::scatter_reduce_two_cpu);
TENON_STRUCTURED_KERNEL(index_reduce_base, CPU, cpu::detail::index_reduce_cpu);
TENON_STRUCTURED_KERNEL(segment_reduce_base, CPU, cpu::detail::segment_reduce_cpu);
TENON_STRUCTURED_KERNEL(_segment_reduce_backward_base, CPU, cpu::detail::segment_reduce_backward_cpu);

}  // namespace tenon::ops
