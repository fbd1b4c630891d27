// Where elements are not zero, and the elements that a mask selects, on the CPU.
#pragma once
#include <cstring>

#include <tenon/composite/indexing_shapes.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

/// A tensor cut into runs of lines along its last dimension, with what each run holds of the elements sought: two
/// passes, so that threads know where to write.
struct LineRuns {
  DimVector sizes;
  std::int64_t last, n, lines, per_run, runs;
  std::vector<std::int64_t> starts;  ///< for each run, and behind the last
  explicit LineRuns(const Tensor& t) : sizes(t.dim() == 0 ? DimVector{1} : DimVector(t.sizes())) {
    last = static_cast<std::int64_t>(sizes.size()) - 1;
    n = sizes.back();
    lines = t.numel() == 0 ? 0 : line_count(sizes, last);
    per_run = (1 << 15) / (n + 1) + 1;
    runs = (lines + per_run - 1) / per_run;
    starts.assign(static_cast<std::size_t>(runs) + 1, 0);
  }
  /// f(run, first line, last line) for every run.
  template <class F>
  void each(F f) const {
    parallel_for(0, runs, 1, [&](std::int64_t a, std::int64_t b) {
      for (std::int64_t r = a; r < b; ++r)
        f(static_cast<std::size_t>(r), r * per_run, (r + 1) * per_run < lines ? (r + 1) * per_run : lines);
    });
  }
  std::int64_t add_up() {
    std::int64_t total = 0;
    for (auto& s : starts) {
      std::int64_t count = s;
      s = total;
      total += count;
    }
    return total;
  }
};
inline DimVector line_strides(const Tensor& t) { return t.dim() == 0 ? DimVector{0} : DimVector(t.strides()); }

template <class T>
bool is_nonzero_element(const T& x) {
  if constexpr (is_complex_v<T>)
    return x.re != 0 || x.im != 0;
  else if constexpr (std::is_same_v<T, bool>)
    return x;
  else if constexpr (is_floating_type(scalar_type_v<T>))
    return static_cast<float>(x) != 0 || static_cast<double>(x) != 0;
  else
    return x != 0;
}
/// How many elements of a line are not zero.
template <class T>
std::int64_t count_nonzero_line(const T* p, std::int64_t step, std::int64_t n) {
  std::int64_t count = 0, k = 0;
  if constexpr (std::is_same_v<T, bool>)
    if (step == 1) {
      // Eight at a time: a bool's byte is 0 or 1, and a product by ones adds the bytes up.
      for (std::uint64_t eight; k + 8 <= n; k += 8) {
        std::memcpy(&eight, p + k, 8);
        count += static_cast<std::int64_t>(eight * 0x0101010101010101u >> 56);
      }
    }
  for (; k < n; ++k) count += is_nonzero_element(p[k * step]);
  return count;
}
/// Counts the elements of each run that are not zero; returns their number.
template <class T>
std::int64_t count_nonzero_runs(const T* x, IntArrayRef strides, LineRuns& runs) {
  runs.each([&](std::size_t r, std::int64_t first, std::int64_t end) {
    std::int64_t count = 0, step = strides.back();
    each_line(runs.sizes, runs.last, {strides}, first, end,
              [&](const std::int64_t* at, std::int64_t) { count += count_nonzero_line(x + at[0], step, runs.n); });
    runs.starts[r] = count;
  });
  return runs.add_up();
}
/// Writes the places of the first `most` elements that are not zero: place i, dimension d at y[i * row + d * column].
template <class T>
void write_places(const T* x, IntArrayRef strides, const LineRuns& runs, std::int64_t dims, std::int64_t most,
                  std::int64_t* y, std::int64_t row, std::int64_t column) {
  if (dims == 0) return;
  runs.each([&](std::size_t r, std::int64_t first, std::int64_t end) {
    std::int64_t found = runs.starts[r], stop = runs.starts[r + 1] < most ? runs.starts[r + 1] : most;
    const std::int64_t step = strides.back(), n = runs.n;
    each_line(runs.sizes, runs.last, {strides}, first, end, [&](const std::int64_t* at, std::int64_t line) {
      const T* p = x + at[0];
      // Every element is written where the next one found belongs: a branch would be guessed wrong half the time.
      std::int64_t *to = y + (dims - 1) * column, before = found;
      for (std::int64_t k = 0; k < n && found < stop; ++k) {
        to[found * row] = k;
        found += is_nonzero_element(p[k * step]);
      }
      for (std::int64_t d = dims - 2; d >= 0; --d) {
        const std::int64_t place = line % runs.sizes[d];
        line /= runs.sizes[d];
        for (std::int64_t i = before; i < found; ++i) y[i * row + d * column] = place;
      }
    });
  });
}

/// The places column by column: an index for one dimension lies in one piece.
inline Tensor nonzero_cpu(const Tensor& self) {
  LineRuns runs(self);
  DimVector strides = line_strides(self);
  Tensor out;
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    std::int64_t count = count_nonzero_runs(x, strides, runs);
    std::int64_t sizes[] = {count, self.dim()}, places[] = {1, count};
    out = make_tensor(sizes, places, kLong);
    write_places(x, strides, runs, self.dim(), count, static_cast<std::int64_t*>(out.data_ptr()), out.strides()[0],
                 out.strides()[1]);
  });
  return out;
}
inline Tensor& nonzero_out_cpu(const Tensor& self, Tensor& out) {
  TENON_CHECK(out.dtype() == kLong, TypeError,
              "nonzero: Expected out tensor to have scalar type Long but got scalar type", out.dtype());
  check_no_internal_overlap(out);
  check_no_overlap(out, self);
  Outputs o(StructuredForm::Out, false);
  o.give(0, out);
  o.read(self);
  Tensor found = nonzero_cpu(self);
  o.set_output_raw_strided(0, found.sizes(), found.strides(), kLong, self.device());
  copy_elements(o[0], found);
  if (o.proxy(0).defined()) tenon::detail::copy_back(o, 1);
  return out;
}
inline void nonzero_static_cpu(const Tensor& self, std::int64_t size, std::int64_t fill_value, const Tensor& out) {
  LineRuns runs(self);
  DimVector strides = line_strides(self);
  visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    std::int64_t count = count_nonzero_runs(x, strides, runs);
    count = count < size ? count : size;
    if (out.numel() == 0) return;
    write_places(x, strides, runs, self.dim(), count, static_cast<std::int64_t*>(out.data_ptr()), out.strides()[0],
                 out.strides()[1]);
    if (count < size) fill_elements(narrowed(out, 0, count, size - count), fill_value);
  });
}
/// `t` seen in a shape that it broadcasts to.
inline Tensor seen_as(const Tensor& t, IntArrayRef sizes) {
  if (t.sizes() == sizes) return t;
  DimVector strides(sizes.size(), 0);
  for (std::size_t i = 0; i < t.sizes().size(); ++i) {
    std::size_t from = t.sizes().size() - 1 - i;
    if (t.sizes()[from] != 1) strides[sizes.size() - 1 - i] = t.strides()[from];
  }
  return make_alias(t, sizes, strides, t.storage_offset());
}
/// The elements in row-major order; `make(count)` gives a row-major tensor for them.
template <class Make>
void select_masked(const Tensor& self, const Tensor& mask, Make make) {
  DimVector sizes = broadcast_shapes(self.sizes(), mask.sizes());
  Tensor from = seen_as(self, sizes), chosen = seen_as(mask, sizes);
  LineRuns runs(from);
  DimVector s = line_strides(from), m = line_strides(chosen);
  auto p = static_cast<const bool*>(chosen.data_ptr());
  Tensor out = make(count_nonzero_runs(p, m, runs));
  visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t a = s.back(), b = m.back();
    runs.each([&](std::size_t r, std::int64_t first, std::int64_t end) {
      T* to = y + runs.starts[r];
      each_line(runs.sizes, runs.last, {IntArrayRef(s), IntArrayRef(m)}, first, end,
                [&](const std::int64_t* at, std::int64_t) {
                  for (std::int64_t k = 0; k < runs.n; ++k)
                    if (p[at[1] + k * b]) *to++ = x[at[0] + k * a];
                });
    });
  });
}
inline Tensor masked_select_cpu(const Tensor& self, const Tensor& mask) {
  check_masked_select(self, mask, nullptr);
  Tensor out;
  select_masked(self, mask, [&](std::int64_t count) { return out = make_tensor({count}, {}, self.dtype()); });
  return out;
}
inline Tensor& masked_select_out_cpu(const Tensor& self, const Tensor& mask, Tensor& out) {
  check_masked_select(self, mask, &out);
  check_no_internal_overlap(out);
  check_no_overlap(out, self);
  check_no_overlap(out, mask);
  Outputs o(StructuredForm::Out, false);
  o.give(0, out);
  select_masked(self, mask, [&](std::int64_t count) {
    std::int64_t sizes[] = {count};
    o.set_output_strided(0, sizes, {}, self.dtype(), self.device());
    return o[0];
  });
  if (o.proxy(0).defined()) tenon::detail::copy_back(o, 1);
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.impl<ops::nonzero_base, &detail::nonzero_cpu>(DispatchKey::CPU)
      .impl<ops::nonzero_base_out, &detail::nonzero_out_cpu>(DispatchKey::CPU);
  m.impl<ops::masked_select_base, &detail::masked_select_cpu>(DispatchKey::CPU)
      .impl<ops::masked_select_base_out, &detail::masked_select_out_cpu>(DispatchKey::CPU);
}

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(nonzero_static_base, CPU, cpu::detail::nonzero_static_cpu);

}  // namespace tenon::ops
