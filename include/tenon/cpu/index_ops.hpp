// Joining tensors and selecting by a list of indices, on the CPU.
#pragma once
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::cpu::detail {

/// A 1-D tensor without elements joins anything.
inline bool is_legacy_empty(const Tensor& t) { return t.dim() == 1 && t.sym_sizes()[0] == 0; }

struct CatPlan {
  std::int64_t dim = 0;
  const Tensor* first = nullptr;  // null if every tensor is a legacy empty one
};
inline CatPlan plan_cat(TensorList tensors, std::int64_t dim) {
  TENON_CHECK(!tensors.empty(), ValueError, "torch.cat(): expected a non-empty list of Tensors");
  CatPlan plan;
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TENON_CHECK(tensors[i].dim() > 0, ValueError, "zero-dimensional tensor (at position ", i,
                ") cannot be concatenated");
    if (!plan.first && !is_legacy_empty(tensors[i])) plan.first = &tensors[i];
  }
  plan.dim = plan.first ? wrap_dim(dim, plan.first->dim()) : dim;
  return plan;
}

struct cat_meta {
  template <class Int>
  void operator()(Outputs& out, TensorList tensors, std::int64_t dim) const {
    CatPlan plan = plan_cat(tensors, dim);
    ScalarType dtype = tensors[0].dtype();
    MemoryFormat format = tensors[0].suggest_memory_format();
    for (const Tensor& t : tensors) {
      if (t.dtype() != dtype) dtype = result_type(tensors);
      if (t.suggest_memory_format() != format) format = MemoryFormat::Contiguous;
    }
    Device device = tensors[0].device();
    if (!plan.first) return out.set_output_raw_strided(0, {0}, {}, dtype, device, OutputCast::Allowed);
    dims_t<Int> sizes(sizes_of<Int>(*plan.first));
    Int total = 0;
    for (std::size_t i = 0; i < tensors.size(); ++i) {
      const Tensor& t = tensors[i];
      TENON_CHECK(t.device().type == device.type, ValueError,
                  "Expected all tensors to be on the same device, but found at least two devices, ", device, " and ",
                  t.device());
      if (is_legacy_empty(t)) continue;
      TENON_CHECK(t.dim() == plan.first->dim(), ValueError, "Tensors must have same number of dimensions: got ",
                  plan.first->dim(), " and ", t.dim());
      for (std::int64_t d = 0; d < t.dim(); ++d)
        if (d != plan.dim && sizes_of<Int>(t)[d] != sizes[d])
          fail<ValueError>("Sizes of tensors must match except in dimension ", plan.dim, ". Expected size ", sizes[d],
                           " but got size ", sizes_of<Int>(t)[d], " for tensor number ", i, " in the list.");
      total = total + sizes_of<Int>(t)[plan.dim];
    }
    sizes[plan.dim] = total;
    dims_t<Int> strides;
    if (format != MemoryFormat::Contiguous) strides = strides_for(sizes, format);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), strides, dtype, device, OutputCast::Allowed);
    if (std::is_same_v<Int, std::int64_t> && out.form() == StructuredForm::Out)
      for (std::size_t i = 0; i < tensors.size(); ++i) {
        Overlap o = memory_overlap(out[0], tensors[i]);
        TENON_CHECK(
            o != Overlap::Full && o != Overlap::Partial, ValueError,
            "unsupported operation: the input tensors cannot refer to any of the output memory locations. Found overlap in input tensor ",
            i);
      }
  }
};
inline void cat_cpu(TensorList tensors, std::int64_t dim, const Tensor& out) {
  CatPlan plan = plan_cat(tensors, dim);
  if (!plan.first || out.numel() == 0) return;
  bool bytes = out.is_contiguous();
  for (const Tensor& t : tensors)
    bytes = bytes && (is_legacy_empty(t) || (t.is_contiguous() && t.dtype() == out.dtype()));
  Cut cut(out.sizes(), plan.dim);
  auto row = static_cast<std::size_t>(cut.inner) * out.element_size();
  std::int64_t at = 0;
  for (const Tensor& t : tensors) {
    if (is_legacy_empty(t)) continue;
    std::int64_t length = t.sizes()[plan.dim];
    std::size_t run = static_cast<std::size_t>(length) * row;
    // Short runs go through the strided copy, which works along the longer dimension.
    if (bytes && (cut.outer == 1 || run >= 64)) {
      auto to = static_cast<char*>(out.data_ptr()) + static_cast<std::size_t>(at) * row;
      auto from = static_cast<const char*>(t.data_ptr());
      std::size_t step = static_cast<std::size_t>(cut.size) * row;
      auto grain = static_cast<std::int64_t>((std::size_t{1} << 17) / (run + 1) + 1);
      if (cut.outer == 1)
        parallel_for(0, static_cast<std::int64_t>(run), 1 << 18, [&](std::int64_t a, std::int64_t b) {
          std::memcpy(to + a, from + a, static_cast<std::size_t>(b - a));
        });
      else
        parallel_for(0, cut.outer, grain, [&](std::int64_t a, std::int64_t b) {
          for (std::int64_t i = a; i < b; ++i)
            std::memcpy(to + static_cast<std::size_t>(i) * step, from + static_cast<std::size_t>(i) * run, run);
        });
    } else
      copy_elements(narrowed(out, plan.dim, at, length), t);
    at += length;
  }
}

inline Tensor& join_stacked(TensorList tensors, std::int64_t dim, Tensor* out, Tensor& fresh) {
  TENON_CHECK(!tensors.empty(), ValueError, "stack expects a non-empty TensorList");
  AutoDispatchBelowADInplaceOrView guard;  // the result is no view
  dim = wrap_dim(dim, tensors[0].dim() + 1);
  for (std::size_t i = 1; i < tensors.size(); ++i)
    TENON_CHECK(tensors[i].sym_sizes() == tensors[0].sym_sizes(), ValueError,
                "stack expects each tensor to be equal size, but got ", tensors[0].sym_sizes(), " at entry 0 and ",
                tensors[i].sym_sizes(), " at entry ", i);
  std::vector<Tensor> wider;
  wider.reserve(tensors.size());
  for (const Tensor& t : tensors) wider.push_back(ops::unsqueeze(t, dim));
  if (out) return ops::cat(wider, dim, "out"_a = *out);
  if (dim == tensors[0].dim()) {
    fresh = ops::cat(wider, dim);
    return fresh;
  }
  // Joined along an existing dimension the result keeps the operands' memory format; the new one is split off it.
  SymDimVector split(tensors[0].sym_sizes());
  split.insert(static_cast<std::size_t>(dim), static_cast<std::int64_t>(tensors.size()));
  fresh = ops::view(ops::cat(tensors, dim), split);
  return fresh;
}
inline Tensor stack(TensorList tensors, std::int64_t dim) {
  Tensor fresh;
  return join_stacked(tensors, dim, nullptr, fresh);
}
inline Tensor& stack_out(TensorList tensors, std::int64_t dim, Tensor& out) {
  Tensor fresh;
  return join_stacked(tensors, dim, &out, fresh);
}

inline void check_index_dtype(const Tensor& index, const char* name) {
  TENON_CHECK(index.dtype() == kLong || index.dtype() == kInt, TypeError, name,
              ": Expected dtype int32 or int64 for index, got ", index.dtype());
}
/// Indices as int64, counted from 0; throws IndexError unless each lies in [0, size).
inline Tensor checked_indices(const Tensor& index, std::int64_t size, const char* message) {
  Tensor list = row_major(index, kLong);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  for (std::int64_t i = 0, n = list.numel(); i < n; ++i) TENON_CHECK(p[i] >= 0 && p[i] < size, IndexError, message);
  return list;
}

struct index_select_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(index.dim() <= 1, IndexError,
                "index_select(): Index is supposed to be a vector, but got dim: ", index.dim());
    check_index_dtype(index, "index_select()");
    TENON_CHECK(self.dim() > 0 || numel_of<Int>(index) == 1, IndexError,
                "index_select(): Index to scalar can have only 1 value, got ", numel_of<Int>(index), " value(s)");
    dims_t<Int> sizes(sizes_of<Int>(self));
    if (self.dim() > 0) sizes[dim] = numel_of<Int>(index);
    out.set_output_raw_strided(0, sizes, {}, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) {
      check_no_overlap(out[0], self);
      check_no_overlap(out[0], index);
    }
  }
};
inline void index_select_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  std::int64_t size = self.dim() ? self.sizes()[dim] : 1;
  Tensor list = checked_indices(index, size, "index out of range in self");
  if (out.numel() == 0) return;
  Tensor from = row_major(self), to = out.is_contiguous() ? out : make_tensor(out.sizes(), {}, out.dtype());
  Cut cut(from.sizes(), self.dim() ? dim : 0);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  if (cut.inner == 1) {
    visit_item_size(from.element_size(), [&]<class T>(type_tag<T>) {
      auto x = static_cast<const T*>(from.data_ptr());
      auto y = static_cast<T*>(to.data_ptr());
      parallel_for(0, cut.outer * n, 1 << 15, [&](std::int64_t a, std::int64_t b) {
        while (a < b) {
          std::int64_t o = a / n, i = a % n, m = b - a < n - i ? b - a : n - i;
          for (std::int64_t k = 0; k < m; ++k) y[a + k] = x[o * size + p[i + k]];
          a += m;
        }
      });
    });
  } else {
    auto row = static_cast<std::size_t>(cut.inner) * from.element_size();
    auto x = static_cast<const char*>(from.data_ptr());
    auto y = static_cast<char*>(to.data_ptr());
    parallel_for(0, cut.outer * n, static_cast<std::int64_t>((std::size_t{1} << 17) / row + 1),
                 [&](std::int64_t a, std::int64_t b) {
                   for (std::int64_t i = a; i < b; ++i)
                     std::memcpy(y + static_cast<std::size_t>(i) * row,
                                 x + static_cast<std::size_t>(i / n * size + p[i % n]) * row, row);
                 });
  }
  if (!to.is_same(out)) copy_elements(out, to);
}
inline Tensor index_select_backward(const Tensor& grad, SymIntArrayRef self_sizes, std::int64_t dim,
                                    const Tensor& index) {
  return ops::index_add(ops::new_zeros(grad, self_sizes), dim, index, grad);
}

template <class Int>
Tensor one_hot(const Tensor& self, std::int64_t num_classes) {
  TENON_CHECK(self.dtype() == kLong, TypeError, "one_hot is only applicable to index tensor of type LongTensor.");
  dims_t<Int> sizes(sizes_of<Int>(self));
  sizes.push_back(num_classes);
  if (numel_of<Int>(self) == 0) {
    TENON_CHECK(num_classes > 0, ValueError, "Can not infer total number of classes from empty tensor.");
    return ops::new_zeros(self, sizes);
  }
  if (!self.is_meta()) {
    TENON_CHECK(ops::min(self).item<std::int64_t>() >= 0, ValueError, "Class values must be non-negative.");
    std::int64_t largest = ops::max(self).item<std::int64_t>();
    if (num_classes == -1)
      sizes.back() = largest + 1;
    else
      TENON_CHECK(num_classes > largest, ValueError, "Class values must be smaller than num_classes.");
  } else
    TENON_CHECK(num_classes > 0, ValueError, "one_hot(): expected argument 'num_classes' for a tensor without data");
  Tensor out = ops::new_zeros(self, sizes);
  ops::scatter_(out, -1, ops::unsqueeze(self, -1), Scalar(1));
  return out;
}

struct index_add_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                  const Scalar&) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(index.dim() <= 1, IndexError,
                "index_add_(): Index is supposed to be a vector, but got dim: ", index.dim(),
                " with type: ", index.dtype(), " and size: ", index.sym_sizes());
    TENON_CHECK(index.dtype() == kLong || index.dtype() == kInt, TypeError,
                "index_add_(): Expected dtype int32/int64 for index but got: ", index.dtype());
    TENON_CHECK(self.dtype() == source.dtype(), TypeError, "index_add_(): self (", self.dtype(), ") and source (",
                source.dtype(), ") must have the same scalar type");
    TENON_CHECK(dim == 0 || dim < source.dim(), ValueError, "index_add_(): Indexing dim ", dim,
                " is out of bounds of tensor");
    Int count = source.dim() == 0 ? Int(1) : sizes_of<Int>(source)[dim];
    TENON_CHECK(numel_of<Int>(index) == count, ValueError, "index_add_(): Number of indices (", numel_of<Int>(index),
                ") should be equal to source.size(dim): (", count, "), for dim: ", dim);
    dims_t<Int> a(sizes_of<Int>(self)), b(sizes_of<Int>(source));
    if (!a.empty()) a[dim] = 0;
    if (!b.empty()) b[dim] = 0;
    TENON_CHECK(
        (a.empty() && numel_of<Int>(source) == 1) || (b.empty() && a.size() <= 1) ||
            ArrayRef<Int>(a) == ArrayRef<Int>(b),
        ValueError,
        "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
        self.sym_sizes(), " source.shape = ", source.sym_sizes());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      check_no_overlap(out[0], source);
    }
  }
};
inline void index_add_cpu(const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                          const Scalar& alpha, const Tensor& out) {
  dim = wrap_dim(dim, self.dim());
  std::int64_t size = self.dim() ? self.sizes()[dim] : 1;
  Tensor list = checked_indices(index, size, "index out of range in self");
  if (!out.is_same(self)) copy_elements(out, self);
  if (out.numel() == 0 || source.numel() == 0) return;
  // PyTorch rounds 16-bit floats once, after all additions, along the first and the last dimension if the indices are
  // int64.
  if (is_reduced_floating_type(out.dtype()) && index.dtype() == kLong && self.dim() > 1 &&
      (dim == 0 || dim == self.dim() - 1) && alpha.equal(1)) {
    Tensor wide = make_tensor(out.sizes(), {}, kFloat);
    copy_elements(wide, out);
    index_add_cpu(wide, dim, list, row_major(source, kFloat), alpha, wide);
    return copy_elements(out, wide);
  }
  Tensor from = row_major(source), to = row_major(out);
  Cut cut(to.sizes(), self.dim() ? dim : 0);
  auto p = static_cast<const std::int64_t*>(list.data_ptr());
  std::int64_t n = list.numel();
  visit_scalar_type(out.dtype(), [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    const C scale = alpha.to<C>();
    auto x = static_cast<const T*>(from.data_ptr());
    auto y = static_cast<T*>(to.data_ptr());
    // Threads share the columns of a row, so that every element is added to in the order of the indices.
    std::int64_t work = cut.outer * cut.inner;
    parallel_for(0, work, (1 << 15) / (n + 1) + 1, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t c = first; c < last;) {
        std::int64_t o = c / cut.inner, at = c % cut.inner, m = last - c < cut.inner - at ? last - c : cut.inner - at;
        for (std::int64_t i = 0; i < n; ++i) {
          const T* s = x + (o * n + i) * cut.inner + at;
          T* d = y + (o * size + p[i]) * cut.inner + at;
          for (std::int64_t k = 0; k < m; ++k) {
            if constexpr (std::is_same_v<T, bool>)
              d[k] = d[k] | (s[k] & scale);
            else
              d[k] = static_cast<T>(static_cast<C>(d[k]) + static_cast<C>(s[k]) * scale);
          }
        }
        c += m;
      }
    });
  });
  if (!to.is_same(out)) copy_elements(out, to);
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  m.def<ops::stack_base>().def<ops::stack_base_out>();
  m.impl<ops::stack_base, &detail::stack>(DispatchKey::CompositeExplicitAutograd);
  m.impl<ops::stack_base_out, &detail::stack_out>(DispatchKey::CompositeExplicitAutograd);
  m.def<ops::index_select_backward_base>().def<ops::one_hot_base>();
  m.impl<ops::index_select_backward_base, &detail::index_select_backward>();
  m.impl<ops::one_hot_base, &detail::one_hot<std::int64_t>>();
}

TENON_SYMBOLIC_LIBRARY_IMPL(aten, m) { m.impl<ops::one_hot_base, &detail::one_hot<SymInt>>(); }

}  // namespace tenon::cpu

namespace tenon::ops {

TENON_STRUCTURED_OF(cat_base, cpu::detail::cat_meta);
TENON_STRUCTURED_KERNEL(cat_base, CPU, cpu::detail::cat_cpu);
TENON_STRUCTURED_OF(index_select_base, cpu::detail::index_select_meta);
TENON_STRUCTURED_KERNEL(index_select_base, CPU, cpu::detail::index_select_cpu);
TENON_STRUCTURED_OF(index_add_base, cpu::detail::index_add_meta);
TENON_STRUCTURED_KERNEL(index_add_base, CPU, cpu::detail::index_add_cpu);

}  // namespace tenon::ops
