// From tensors to calls: walks over several tensors of one shape, copies and fills that need no dispatch.
#pragma once
#include <cstring>
#include <initializer_list>
#include <string_view>

#include <tenon/base/checked_element.hpp>
#include <tenon/cuda/calls.hpp>
#include <tenon/cuda/runtime.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::cuda {

inline const TypedFormula* find_type(const NamedFormula& formula, ScalarType type) {
  for (int i = 0; i < formula.count; ++i)
    if (formula.types[i].type == type) return &formula.types[i];
  return nullptr;
}
/// What a .cu file of the program brought, or null.
inline const NamedFormula* find_own_formula(std::string_view name) {
  for (const OwnFormulas* own = own_formulas(); own; own = own->next)
    for (int i = 0; i < own->table.count; ++i)
      if (own->table.formulas[i].name == name) return &own->table.formulas[i];
  return nullptr;
}

/// The steps in bytes of a tensor that broadcasts to `sizes`.
inline DimVector steps_of(const Tensor& t, IntArrayRef sizes) {
  DimVector steps(sizes.size(), 0);
  auto item = static_cast<std::int64_t>(t.element_size());
  for (std::size_t i = 0; i < t.sizes().size(); ++i) {
    std::size_t from = t.sizes().size() - 1 - i;
    if (t.sizes()[from] != 1) steps[sizes.size() - 1 - i] = t.strides()[from] * item;
  }
  return steps;
}

/// Sizes and strides as if a zero-dim tensor had one dimension.
inline DimVector sizes_1d(const Tensor& t) { return t.dim() ? DimVector(t.sizes()) : DimVector{1}; }
inline DimVector steps_1d(const Tensor& t) {
  DimVector steps;
  for (std::int64_t s : t.strides()) steps.push_back(s * static_cast<std::int64_t>(t.element_size()));
  if (steps.empty()) steps.push_back(0);
  return steps;
}

/// The walk over a shape with these steps: dimensions of one place are dropped, neighbours joined that lie alike. With
/// `sorted` the first operand's smallest step runs fastest.
inline Walk walk_over(IntArrayRef sizes, std::initializer_list<const DimVector*> steps, bool sorted = false) {
  Walk walk;
  DimVector order;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    walk.count *= sizes[d];
    if (sizes[d] != 1) order.push_back(static_cast<std::int64_t>(d));
  }
  if (walk.count == 0) return walk;
  const DimVector& first = **steps.begin();
  if (sorted)
    for (std::size_t i = 1; i < order.size(); ++i)
      for (std::size_t k = i; k > 0 && first[order[k - 1]] < first[order[k]]; --k) std::swap(order[k - 1], order[k]);
  for (std::int64_t d : order) {
    bool joins = walk.dims > 0;
    int k = 0, last = walk.dims - 1;
    for (const DimVector* s : steps) {
      joins = joins && walk.step[k][last] == (*s)[d] * sizes[d];
      ++k;
    }
    if (!joins) {
      TENON_CHECK(walk.dims < kMostDims, NotImplementedError, "a CUDA kernel walks at most ", kMostDims,
                  " dimensions, got shape ", sizes);
      last = walk.dims++;
      walk.size[last] = 1;
    }
    walk.size[last] *= sizes[d];
    k = 0;
    for (const DimVector* s : steps) walk.step[k++][last] = (*s)[d];
  }
  return walk;
}

/// The lines of `self` along a dimension, and of results, undefined or with the dimension of any size or none.
inline LinesCall lines_of(const Tensor& self, std::int64_t dim, const Tensor& out, const Tensor& places) {
  DimVector sizes = sizes_1d(self);
  auto steps = [&](const Tensor& t) {
    if (!t.defined()) return DimVector(sizes.size(), 0);
    DimVector s = steps_1d(t);
    if (s.size() < sizes.size()) s.insert(static_cast<std::size_t>(dim), 0);
    return s;
  };
  DimVector to = steps(out), at = steps(places), from = steps(self);
  LinesCall c{};
  c.size = sizes[dim];
  sizes[dim] = 1;
  c.lines = walk_over(sizes, {&to, &at, &from});
  c.step[0] = to[dim], c.step[1] = at[dim], c.step[2] = from[dim];
  c.in = static_cast<const char*>(self.data_ptr());
  c.dtype = c.out_dtype = self.dtype();
  if (out.defined()) c.out = static_cast<char*>(out.data_ptr()), c.out_dtype = out.dtype();
  if (places.defined()) c.places = static_cast<char*>(places.data_ptr());
  return c;
}
/// A row-major tensor as one dimension.
inline Tensor line_of(const Tensor& t) {
  std::int64_t n = t.numel(), one = 1;
  return make_alias(t, {&n, 1}, {&one, 1}, t.storage_offset());
}
/// Memory of the device for a call.
inline Tensor scratch_on(Device device, std::int64_t bytes) { return make_tensor({&bytes, 1}, {}, kByte, device); }

/// A tensor as an operand. One of the CPU, which has a single element then, comes with the call.
inline Operand operand_of(const Tensor& t) {
  Operand o;
  o.dtype = t.dtype();
  if (t.is_cpu())
    std::memcpy(o.element, t.data_ptr(), t.element_size());
  else
    o.data = static_cast<char*>(t.data_ptr());
  return o;
}
inline Operand operand_of(const Scalar& value, ScalarType dtype) {
  Operand o;
  o.dtype = dtype;
  visit_element_type(dtype, [&]<class T>(type_tag<T>) {
    T element = value.to<T>();
    std::memcpy(o.element, static_cast<const void*>(&element), sizeof element);
  });
  return o;
}
/// Whether all tensors of a call are row-major of one shape.
inline bool are_row_major(const Elementwise& call, IntArrayRef sizes, const Tensor* const* tensors) {
  for (int k = 0; k < call.operands; ++k)
    if (tensors[k] && !(tensors[k]->is_contiguous() && tensors[k]->sizes() == sizes)) return false;
  return true;
}
/// Fills the walk of a call over `sizes`; `tensors` are null for operands that come with the call.
inline void walk_elements(Elementwise& call, IntArrayRef sizes, const Tensor* const* tensors) {
  if (are_row_major(call, sizes, tensors)) {
    for (std::int64_t size : sizes) call.walk.count *= size;
    call.walk.dims = 1;
    call.walk.size[0] = call.walk.count;
    for (int k = 0; k < call.operands; ++k)
      if (tensors[k]) call.walk.step[k][0] = static_cast<std::int64_t>(item_size(call.at[k].dtype));
    call.dense = true;
    return;
  }
  DimVector steps[kMostOperands];
  for (int k = 0; k < kMostOperands; ++k)
    steps[k] = k < call.operands && tensors[k] ? steps_of(*tensors[k], sizes) : DimVector(sizes.size(), 0);
  call.walk = walk_over(sizes, {&steps[0], &steps[1], &steps[2], &steps[3], &steps[4]}, true);
  call.dense = call.walk.dims <= 1;
  for (int k = 0; k < call.operands && call.dense && call.walk.dims == 1; ++k)
    call.dense =
        call.at[k].data == nullptr || call.walk.step[k][0] == static_cast<std::int64_t>(item_size(call.at[k].dtype));
}

/// Writes `src`, broadcast, to `dst` of the same device with conversion of the dtype.
inline void copy_elements(const Tensor& dst, const Tensor& src, bool conjugate = false, bool negate = false) {
  if (dst.numel() == 0) return;
  CopyCall call{{}, conjugate, negate};
  call.elements.operands = 2;
  call.elements.at[0] = operand_of(dst);
  call.elements.at[1] = operand_of(src);
  const Tensor* tensors[] = {&dst, src.is_cpu() ? nullptr : &src};
  walk_elements(call.elements, dst.sizes(), tensors);
  copy(call, runtime::current_stream());
  runtime::check_launch("copy_");
}
inline void fill_elements(const Tensor& dst, const Operand& element) {
  if (dst.numel() == 0) return;
  CopyCall call;
  call.elements.operands = 2;
  call.elements.at[0] = operand_of(dst);
  call.elements.at[1] = element;
  const Tensor* tensors[] = {&dst, nullptr};
  walk_elements(call.elements, dst.sizes(), tensors);
  copy(call, runtime::current_stream());
  runtime::check_launch("fill_");
}
/// A result that a kernel writes in row-major order and in a dtype of its own; `done` brings it home.
class Result {
 public:
  Result(const Tensor& out, ScalarType dtype)
      : out_(out),
        held_(out.dtype() == dtype && out.is_contiguous() ? out : make_tensor(out.sizes(), {}, dtype, out.device())) {}
  const Tensor& tensor() const { return held_; }
  void* data() const { return held_.data_ptr(); }
  void done() const {
    if (!held_.is_same(out_)) copy_elements(out_, held_);
  }

 private:
  Tensor out_, held_;
};

/// The tensor itself if it is row-major and of the dtype, else a copy that is.
inline Tensor row_major(const Tensor& t, ScalarType dtype) {
  if (t.dtype() == dtype && t.is_contiguous()) return t;
  Tensor fresh = make_tensor(t.sizes(), {}, dtype, t.device());
  copy_elements(fresh, t);
  return fresh;
}
inline Tensor row_major(const Tensor& t) { return row_major(t, t.dtype()); }

/// A tensor without data: what Meta functions judge and shape.
inline Tensor without_data(const Tensor& t) { return make_tensor(t.sizes(), t.strides(), t.dtype(), kMeta); }
inline std::optional<Tensor> without_data(const std::optional<Tensor>& t) {
  return t && t->defined() ? std::optional(without_data(*t)) : std::nullopt;
}
/// A result as a Meta function shaped it, undefined where that is.
inline Tensor like_on(Device device, const Tensor& meta) {
  return meta.defined() ? make_tensor(meta.sizes(), meta.strides(), meta.dtype(), device) : meta;
}

}  // namespace tenon::cuda
