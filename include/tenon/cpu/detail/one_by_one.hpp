// Elementwise calls that write what they read elsewhere: one element after the other, as PyTorch's loops do.
#pragma once
#include <algorithm>

#include <tenon/cpu/iterator.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

/// Whether a result depends on the order in which elements are computed: `out` has places that are written twice, or
/// that are read for another element. `check_no_partial_overlap` refuses only what is plain from dense tensors.
inline bool order_matters(const Tensor& out, const Tensor* const* inputs, unsigned n) {
  if (!out.is_non_overlapping_and_dense() && may_overlap(out.sizes(), out.strides())) return true;
  for (unsigned i = 0; i < n; ++i) {
    const Tensor& t = *inputs[i];
    if (!t.defined() || t->storage() != out->storage() || t.dtype() != out.dtype()) continue;
    if (!is_same_view(out, t) && may_overlap(out, t)) return true;
  }
  return false;
}

/// Calls f with the operands of one element after the other, in the order of PyTorch's iterator; `o` are those of `out`
/// and `inputs`, and of numbers. Cost: a call for each element.
template <class F>
[[gnu::cold, gnu::noinline]] void one_by_one(const Operands& o, const Tensor& out, const Tensor* const* inputs,
                                             unsigned n, F f) {
  const Tensor* tensors[kMaxOperands] = {&out};
  std::copy_n(inputs, n, tensors + 1);
  // The strides that a fresh result would get tell the order: the smallest varies fastest.
  DimVector fresh = tenon::detail::result_strides(out.sizes(), tensors, n + 1), order;
  for (int d = 0; d < o.dims; ++d)
    if (o.sizes[d] > 1) order.push_back(d);
  std::sort(order.begin(), order.end(), [&](auto x, auto y) { return fresh[x] < fresh[y]; });

  DimVector index(static_cast<std::size_t>(o.dims), 0);
  for (;;) {
    Operands one(nullptr, 0, 1, o.compute);
    for (int k = 0; k < o.outputs + o.inputs; ++k) {
      const Operand& x = o.item[k];
      std::int64_t at = 0;
      for (int d = 0; d < o.dims; ++d) {
        int own = d - (o.dims - x.dims);
        if (x.access == Access::dense)
          at = at * o.sizes[d] + index[d];
        else if (x.access == Access::strided && own >= 0 && x.sizes[own] != 1)
          at += index[d] * x.strides[own];
      }
      void* place = static_cast<char*>(x.data) + at * static_cast<std::int64_t>(item_size(x.dtype));
      if (k < o.outputs)
        one.add_output(Operand::dense(place, x.dtype));
      else
        one.add_input(Operand::dense(place, x.dtype));
    }
    f(one);
    std::size_t next = 0;
    while (next < order.size() && ++index[order[next]] == o.sizes[order[next]]) index[order[next++]] = 0;
    if (next == order.size()) return;
  }
}

}  // namespace tenon::cpu::detail
