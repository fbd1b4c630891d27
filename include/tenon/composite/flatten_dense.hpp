// Lists of tensors as one, and back.
#pragma once
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/flatten_dense.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor flatten_dense_tensors(TensorList tensors) {
  if (tensors.size() == 1) return ops::view(ops::contiguous(tensors[0]), {-1});
  std::vector<Tensor> flat;
  for (const Tensor& t : tensors) flat.push_back(ops::reshape(t, {-1}));
  return ops::cat(flat);
}
/// Parts of `flat` in the shapes of `tensors`.
inline std::vector<Tensor> unflatten_dense_tensors(const Tensor& flat, TensorList tensors) {
  std::vector<Tensor> out;
  SymInt start = 0;
  for (const Tensor& t : tensors) {
    const SymInt length = t.sym_numel();
    out.push_back(ops::view(ops::narrow(flat, 0, start, length), t.sym_sizes()));
    start = start + length;
  }
  return out;
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::flatten_dense_tensors_base>().def<ops::unflatten_dense_tensors_base>();
  m.impl<ops::flatten_dense_tensors_base, &flatten_dense_tensors>();
  m.impl<ops::unflatten_dense_tensors_base, &unflatten_dense_tensors>();
}

}  // namespace tenon::composite
