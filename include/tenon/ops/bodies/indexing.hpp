// Indexing as C++ writes it: views step by step, then what tensors index.
#pragma once
#include <vector>

#include <tenon/base/body.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>
#include <tenon/tensor/tensor_index.hpp>

namespace tenon {

namespace detail {

/// A tensor after the parts of an index that make views, and the tensors that index it then.
struct Indexed {
  Tensor view;
  std::vector<std::optional<Tensor>> indices;
};

inline bool is_bool_like(const Tensor& t) { return t.dtype() == kBool || t.dtype() == kByte; }
/// How many dimensions an index names; throws IndexError if those are more than there are.
inline std::int64_t named_dims(const Tensor& self, ArrayRef<TensorIndex> indices) {
  std::int64_t n = 0;
  for (const TensorIndex& i : indices)
    if (i.kind() == TensorIndex::Kind::Tensor)
      n += is_bool_like(i.tensor()) ? i.tensor().dim() : 1;
    else
      n += i.kind() == TensorIndex::Kind::Number || i.kind() == TensorIndex::Kind::Slice;
  TENON_CHECK(n <= self.dim(), IndexError, "too many indices for tensor of dimension ", self.dim());
  return n;
}
inline Tensor select_at(const Tensor& t, std::int64_t dim, const SymInt& i, std::size_t place) {
  TENON_CHECK(t.dim() > 0, IndexError,
              "invalid index of a 0-dim tensor. Use `tensor.item()` to convert it to a number");
  SymInt size = t.sym_size(dim);
  TENON_CHECK(i + size >= 0 && i < size, IndexError, "index ", i, " is out of bounds for dimension ", place,
              " with size ", size);
  return ops::select(t, dim, i);
}
inline Tensor slice_at(const Tensor& t, std::int64_t dim, const Slice& s) {
  SymInt step = s.step().value_or(SymInt(1));
  TENON_CHECK(step != 0, ValueError, "slice step cannot be zero");
  TENON_CHECK(step > 0, ValueError, "step must be greater than zero");
  if (!s.start() && !s.stop() && known_equal(step, SymInt(1))) return t;
  return ops::slice(t, dim, s.start(), s.stop(), step);
}

TENON_BODY Indexed apply_index(const Tensor& self, ArrayRef<TensorIndex> indices) {
  std::int64_t named = named_dims(self, indices), dim = 0, covered = 0;
  Indexed out{self, {}};
  auto record = [&](const Tensor& t, std::int64_t dims) {
    // A mask is one entry for all of its dimensions.
    for (; covered < dim; ++covered) out.indices.emplace_back();
    out.indices.emplace_back(t);
    dim = covered += dims;
  };
  // A mask without dimensions takes a new one, or nothing of it.
  auto boolean = [&](bool b) {
    out.view = ops::unsqueeze(out.view, dim);
    record(b ? Tensor(ops::zeros({1}, "dtype"_a = kLong, "device"_a = self.device()))
             : Tensor(ops::empty({0}, "dtype"_a = kLong, "device"_a = self.device())),
           1);
  };
  for (std::size_t i = 0; i < indices.size(); ++i) {
    const TensorIndex& index = indices[i];
    switch (index.kind()) {
      case TensorIndex::Kind::None: out.view = ops::unsqueeze(out.view, dim++); break;
      case TensorIndex::Kind::Ellipsis: dim += self.dim() - named; break;
      case TensorIndex::Kind::Number: out.view = select_at(out.view, dim, index.number(), i); break;
      case TensorIndex::Kind::Slice: out.view = slice_at(out.view, dim++, index.slice()); break;
      case TensorIndex::Kind::Boolean: boolean(index.boolean()); break;
      case TensorIndex::Kind::Tensor: {
        const Tensor& t = index.tensor();
        if (t.dim() == 0 && is_integral_type(t.dtype(), true) && !t.is_meta()) {
          if (is_bool_like(t))
            boolean(t.item().to<bool>());
          else
            out.view = select_at(out.view, dim, t.item().to_int(), i);
        } else
          record(t, is_bool_like(t) ? t.dim() : 1);
      }
    }
  }
  return out;
}
/// A shape without its leading ones: they do not count where values are put.
inline Tensor without_leading_ones(const Tensor& t) {
  SymIntArrayRef sizes = t.sym_sizes();
  std::size_t first = 0;
  while (first < sizes.size() && known_equal(sizes[first], SymInt(1))) ++first;
  return first == 0 ? t : Tensor(ops::view(t, sizes.slice(first, sizes.size() - first)));
}
inline void write_to(const Tensor& place, const Tensor& value) {
  Tensor to = place;
  ops::copy_(to, value.sym_sizes() == place.sym_sizes() ? value : without_leading_ones(value));
}

}  // namespace detail

TENON_BODY Tensor Tensor::operator[](std::int64_t i) const {
  TENON_CHECK(dim() > 0, IndexError, "invalid index of a 0-dim tensor. Use `tensor.item()` to convert it to a number");
  return ops::select(*this, 0, i);
}
TENON_BODY Tensor Tensor::operator[](const TensorIndex& i) const { return at_index(i); }
TENON_BODY Tensor Tensor::index(std::initializer_list<TensorIndex> indices) const {
  return at_index({indices.begin(), indices.size()});
}
TENON_BODY Tensor Tensor::at_index(ArrayRef<TensorIndex> indices) const {
  detail::Indexed found = detail::apply_index(*this, indices);
  if (!found.indices.empty()) return ops::index(found.view, found.indices);
  return found.view.is_same(*this) ? Tensor(ops::alias(*this)) : found.view;
}
TENON_BODY Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Tensor& value) const {
  return put_at_index({indices.begin(), indices.size()}, value);
}
TENON_BODY Tensor& Tensor::index_put_(std::initializer_list<TensorIndex> indices, const Scalar& value) const {
  return put_at_index({indices.begin(), indices.size()}, value);
}
TENON_BODY Tensor& Tensor::put_at_index(ArrayRef<TensorIndex> indices, const Tensor& value, bool accumulate) const {
  auto& self = const_cast<Tensor&>(*this);
  // A lone False writes nothing, whatever is given.
  if (indices.size() == 1 && indices[0].kind() == TensorIndex::Kind::Boolean && !indices[0].boolean()) return self;
  detail::Indexed found = detail::apply_index(*this, indices);
  if (!found.indices.empty())
    ops::index_put_(found.view, found.indices, detail::without_leading_ones(value), accumulate);
  else if (accumulate)
    ops::add_(found.view, detail::without_leading_ones(value));
  else
    detail::write_to(found.view, value);
  return self;
}
TENON_BODY Tensor& Tensor::put_at_index(ArrayRef<TensorIndex> indices, const Scalar& value, bool accumulate) const {
  return put_at_index(indices, tenon::scalar_tensor(value, dtype()), accumulate);
}

TENON_BODY Tensor& Tensor::operator=(const Tensor& source) && {
  if (defined())
    ops::copy_(*this, source);
  else
    impl_ = source.impl_;
  return *this;
}
TENON_BODY Tensor& Tensor::operator=(Tensor&& source) && {  // NOLINT(performance-noexcept-move-constructor)
  if (defined())
    ops::copy_(*this, source);
  else
    impl_ = std::move(source.impl_);
  return *this;
}
TENON_BODY Tensor& Tensor::operator=(const Scalar& value) && { return ops::fill_(*this, value); }

}  // namespace tenon
