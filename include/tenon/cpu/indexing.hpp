// Reading and writing by lists of index tensors on the CPU.
#pragma once
#include <tenon/composite/indexing_shapes.hpp>
#include <tenon/cpu/detail/index_walk.hpp>
#include <tenon/library/naming.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

/// Copies the selected elements; `out` is row-major.
inline void copy_selected(const Tensor& self, const Selection<std::int64_t>& s, const Tensor& out) {
  if (out.numel() == 0) return;  // indices are not read, as in PyTorch
  IndexWalk w(self, s, contiguous_strides(s.sizes));
  std::int64_t rows = w.befores * w.count * w.lines;
  std::size_t item = self.element_size();
  if (w.length > 1 && w.mine.step == 1) {
    auto x = static_cast<const char*>(self.data_ptr());
    auto y = static_cast<char*>(out.data_ptr());
    std::size_t bytes = static_cast<std::size_t>(w.length) * item;
    parallel_for(0, rows, static_cast<std::int64_t>((std::size_t{1} << 17) / bytes + 1),
                 [&](std::int64_t first, std::int64_t last) {
                   for (std::int64_t r = first; r < last; ++r) {
                     std::int64_t a = r % w.lines, j = r / w.lines % w.count, b = r / w.lines / w.count,
                                  from = w.mine.before[b] + w.at[j] + w.mine.after[a];
                     std::memcpy(y + static_cast<std::size_t>(r) * bytes, x + from * static_cast<std::int64_t>(item),
                                 bytes);
                   }
                 });
    return;
  }
  visit_item_size(item, [&]<class T>(type_tag<T>) {
    auto x = static_cast<const T*>(self.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    if (w.length == 1 && w.lines == 1) {
      parallel_for(0, rows, 1 << 15, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t r = first; r < last;) {
          std::int64_t b = r / w.count, j = r % w.count, m = last - r < w.count - j ? last - r : w.count - j;
          const T* from = x + w.mine.before[b];
          for (std::int64_t k = 0; k < m; ++k) y[r + k] = from[w.at[j + k]];
          r += m;
        }
      });
      return;
    }
    parallel_for(0, rows, (1 << 15) / w.length + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t r = first; r < last; ++r) {
        std::int64_t a = r % w.lines, j = r / w.lines % w.count, b = r / w.lines / w.count;
        const T* from = x + (w.mine.before[b] + w.at[j] + w.mine.after[a]);
        T* to = y + r * w.length;
        for (std::int64_t k = 0; k < w.length; ++k) to[k] = from[k * w.mine.step];
      }
    });
  });
}
inline Tensor index_cpu(const Tensor& self, IndexList indices) {
  AutoDispatchBelowADInplaceOrView guard;
  Selection<std::int64_t> s = select_by<std::int64_t>(self, indices);
  DimVector strides = selection_strides(self, s);
  Tensor out = make_tensor(s.sizes, {}, self.dtype());
  copy_selected(self, s, out);
  if (strides.empty() || IntArrayRef(strides) == out.strides()) return out;
  Tensor permuted = make_tensor(s.sizes, strides, self.dtype());
  copy_elements(permuted, out);
  return permuted;
}
inline Tensor& index_out_cpu(const Tensor& self, IndexList indices, Tensor& out) {
  AutoDispatchBelowADInplaceOrView guard;
  Selection<std::int64_t> s = select_by<std::int64_t>(self, indices);
  Outputs o(StructuredForm::Out, false);
  o.give(0, out);
  o.read(self);
  if (DimVector strides = selection_strides(self, s); !strides.empty() && out.sizes() != IntArrayRef(s.sizes))
    o.set_output_raw_strided(0, s.sizes, strides, self.dtype(), self.device());
  o.set_output_strided(0, s.sizes, {}, self.dtype(), self.device());
  check_no_internal_overlap(out);
  check_no_overlap(o[0], self);
  for (const auto& t : indices)
    if (is_index_given(t)) check_no_overlap(o[0], *t);
  copy_selected(self, s, o[0]);
  if (o.proxy(0).defined()) tenon::detail::copy_back(o, 1);
  return out;
}

/// f(destination, source) for every selected element, in the order of the indices at every place: the same for any
/// number of threads, also where a place is selected twice.
template <class T, class F>
void write_selected(const Tensor& self, const IndexWalk& w, const T* x, T* y, F f) {
  std::int64_t columns = w.befores * w.lines * w.length, threads = get_num_threads();
  if (columns >= 4 * threads || columns * w.count < (1 << 15)) {
    // Threads share what lies beside one index.
    std::int64_t grain = (1 << 14) / (w.count + 1) + 1;
    parallel_for(0, columns, grain < 16 && w.length >= 64 ? 16 : grain, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t c = first; c < last;) {
        std::int64_t k = c % w.length, m = w.length - k < last - c ? w.length - k : last - c,
                     line = c / w.length % w.lines, b = c / w.length / w.lines;
        T* to = y + (w.mine.before[b] + w.mine.after[line] + k * w.mine.step);
        const T* from = x + (w.theirs.before[b] + w.theirs.after[line] + k * w.theirs.step);
        if (m == 1) {
          for (std::int64_t j = 0; j < w.count; ++j) f(to[w.at[j]], from[w.places[j]]);
        } else {
          for (std::int64_t j = 0; j < w.count; ++j) {
            T* d = to + w.at[j];
            const T* s = from + w.places[j];
            if (w.mine.step == 1 && w.theirs.step == 1)
              for (std::int64_t i = 0; i < m; ++i) f(d[i], s[i]);
            else
              for (std::int64_t i = 0; i < m; ++i) f(d[i * w.mine.step], s[i * w.theirs.step]);
          }
        }
        c += m;
      }
    });
    return;
  }
  // Few columns: each thread serves a range of the places written to, reading all indices. Where places may meet, one
  // thread serves them all.
  std::int64_t low = w.at[0], high = w.at[0];
  for (std::int64_t j = 1; j < w.count; ++j) {
    low = w.at[j] < low ? w.at[j] : low;
    high = w.at[j] > high ? w.at[j] : high;
  }
  std::int64_t ranges = may_overlap(self.sizes(), self.strides()) ? 1 : threads, width = (high - low + ranges) / ranges;
  parallel_for(0, ranges, 1, [&](std::int64_t first, std::int64_t last) {
    std::int64_t from = low + first * width, to = low + last * width;
    if (std::optional<std::int64_t> step = w.places.even(); columns == 1 && step) {
      T* d = y + (w.mine.before[0] + w.mine.after[0]);
      const T* s = x + (w.theirs.before[0] + w.theirs.after[0]);
      const std::int64_t *at = w.at, n = w.count, by = *step;
      // What is another thread's is written aside, by arithmetic: a branch that random places decide costs more.
      const auto span = static_cast<std::uint64_t>(to - from);
      for (std::int64_t j = 0; j < n; ++j) {
        T aside = T();
        const auto here = reinterpret_cast<std::uintptr_t>(&aside), there = reinterpret_cast<std::uintptr_t>(d + at[j]);
        const std::uintptr_t mine = 0 - std::uintptr_t{static_cast<std::uint64_t>(at[j] - from) < span};
        f(*reinterpret_cast<T*>(here ^ ((here ^ there) & mine)), s[j * by]);
      }
      return;
    }
    for (std::int64_t j = 0; j < w.count; ++j) {
      if (w.at[j] < from || w.at[j] >= to) continue;
      for (std::int64_t c = 0; c < columns; ++c) {
        std::int64_t k = c % w.length, line = c / w.length % w.lines, b = c / w.length / w.lines;
        f(y[w.mine.before[b] + w.at[j] + w.mine.after[line] + k * w.mine.step],
          x[w.theirs.before[b] + w.places[j] + w.theirs.after[line] + k * w.theirs.step]);
      }
    }
  });
}

/// The mask, with a dimension for each of `self`'s, if that is all that indexes, and one value fills what it selects.
inline std::optional<Tensor> mask_to_fill(const Tensor& self, IndexList indices, const Tensor& values) {
  if (values.sym_numel() != 1 || !values.device().is_cpu()) return {};
  Tensor mask;
  std::int64_t in_front = 0;
  for (const auto& t : indices) {
    if (!is_index_given(t)) {
      in_front += !mask.defined();
      continue;
    }
    if (!is_mask(*t) || mask.defined()) return {};
    mask = *t;
    for (std::int64_t d = 0; d < mask.dim(); ++d)
      TENON_CHECK(in_front + d < self.dim() && mask.sizes()[d] == self.sizes()[in_front + d], IndexError,
                  "The shape of the mask ", mask.sizes(), " at index ", d,
                  " does not match the shape of the indexed tensor ", self.sizes(), " at index ", in_front + d);
  }
  if (!mask.defined()) return {};
  DimVector sizes(mask.sizes()), strides(mask.strides());
  while (static_cast<std::int64_t>(sizes.size()) < self.dim() - in_front) {
    sizes.push_back(1);
    strides.push_back(0);
  }
  Tensor wide = make_alias(mask, sizes, strides, mask.storage_offset());
  return wide;
}

inline Tensor& index_put_cpu_(Tensor& self, IndexList indices, const Tensor& values, bool accumulate) {
  AutoDispatchBelowADInplaceOrView guard;
  tenon::detail::check_index_count(self, indices.size());
  if (has_internal_overlap(self))
    warn(
        "Use of index_put_ on expanded tensors is deprecated. Please clone() the tensor before performing this "
        "operation. This also applies to advanced indexing e.g. tensor[indices] = tensor");
  if (!accumulate)
    if (std::optional<Tensor> mask = mask_to_fill(self, indices, values))
      return ops::masked_fill_(self, *mask, values.item());
  check_no_overlap(self, values);
  for (const auto& t : indices)
    if (is_index_given(t)) check_no_overlap(self, *t);
  Selection<std::int64_t> s = select_by<std::int64_t>(self, indices);
  check_put_values(self, values, s);
  if (count_elements(s.sizes) == 0) return self;  // indices are not read, as in PyTorch
  DimVector strides(s.sizes.size(), 0);
  for (std::size_t i = 0; i < values.sizes().size(); ++i) {
    std::size_t from = values.sizes().size() - 1 - i;
    if (values.sizes()[from] != 1) strides[s.sizes.size() - 1 - i] = values.strides()[from];
  }
  IndexWalk w(self, s, strides);
  if (accumulate)
    visit_scalar_type(self.dtype(), [&]<class T>(type_tag<T>) {
      write_selected(self, w, static_cast<const T*>(values.data_ptr()), static_cast<T*>(self.data_ptr()),
                     [](T& d, const T& v) {
                       if constexpr (std::is_same_v<T, bool>)
                         d = d || v;
                       else
                         d = static_cast<T>(static_cast<compute_t<T>>(d) + static_cast<compute_t<T>>(v));
                     });
    });
  else
    visit_item_size(self.element_size(), [&]<class T>(type_tag<T>) {
      write_selected(self, w, static_cast<const T*>(values.data_ptr()), static_cast<T*>(self.data_ptr()),
                     [](T& d, const T& v) { d = v; });
    });
  return self;
}
inline Tensor& index_put_impl_cpu_(Tensor& self, IndexList indices, const Tensor& values, bool accumulate, bool) {
  return index_put_cpu_(self, indices, values, accumulate);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.impl<ops::index_Tensor, naming<ops::index_Tensor, &detail::index_cpu>>(DispatchKey::CPU)
      .impl<ops::index_Tensor_out, &detail::index_out_cpu>(DispatchKey::CPU)
      .impl<ops::index_put_base_, &detail::index_put_cpu_>(DispatchKey::CPU)
      .impl<ops::_index_put_impl_base_, &detail::index_put_impl_cpu_>(DispatchKey::CPU);
}

}  // namespace tenon::cpu
