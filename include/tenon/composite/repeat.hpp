// Elements and whole tensors, repeated: made of expand and one copy.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/repeat.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

/// Every dimension with one before it for its repetitions: (a, b) repeated (2, r, s) is (2, 1, r, a, s, b), seen wide.
inline Tensor repeat(const Tensor& self, SymIntArrayRef repeats) {
  TENON_CHECK(repeats.size() >= static_cast<std::size_t>(self.dim()), ValueError,
              "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  AutoDispatchBelowADInplaceOrView guard;
  SymDimVector narrow, wide, out;
  std::size_t added = repeats.size() - static_cast<std::size_t>(self.dim());
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    const SymInt size = d < added ? SymInt(1) : self.sym_sizes()[d - added];
    narrow.push_back(1);
    wide.push_back(repeats[d]);
    narrow.push_back(size);
    wide.push_back(size);
    out.push_back(repeats[d] * size);
  }
  for (const SymInt& size : out)
    TENON_CHECK(size >= 0, ValueError, "Trying to create tensor with negative dimension ", size, ": ", out);
  for (const SymInt& count : repeats)  // of an empty dimension, where the product does not show it
    TENON_CHECK(count >= 0, ValueError, "Trying to create tensor with negative repeats ", repeats);
  Tensor spread = ops::expand(ops::reshape(self, SymIntArrayRef(narrow)), SymIntArrayRef(wide));
  return ops::_unsafe_view(ops::clone(spread, "memory_format"_a = MemoryFormat::Contiguous), SymIntArrayRef(out));
}
inline Tensor tile(const Tensor& self, SymIntArrayRef dims) {
  SymDimVector repeats;
  for (std::size_t d = dims.size(); d < static_cast<std::size_t>(self.dim()); ++d) repeats.push_back(1);
  for (const SymInt& count : dims) repeats.push_back(count);
  return ops::repeat(self, SymIntArrayRef(repeats));
}
inline Tensor repeat_gradient(const Tensor& grad, IntArrayRef sizes, IntArrayRef repeats) {
  DimVector wide, sums;
  std::size_t added = repeats.size() - sizes.size();
  for (std::size_t d = 0; d < repeats.size(); ++d) {
    sums.push_back(static_cast<std::int64_t>(wide.size()));
    wide.push_back(repeats[d]);
    if (d >= added) wide.push_back(sizes[d - added]);
  }
  return sums.empty() ? grad : Tensor(ops::sum(ops::reshape(grad, IntArrayRef(wide)), IntArrayRef(sums)));
}

inline Tensor repeat_interleave_by(const Tensor& self, const Tensor& repeats, std::optional<std::int64_t> dim,
                                   std::optional<SymInt> output_size) {
  Tensor from = dim ? self : Tensor(ops::flatten(self)), counts = repeats;
  std::int64_t d = wrap_dim(dim.value_or(0), from.dim());
  SymInt size = from.dim() ? from.sym_sizes()[static_cast<std::size_t>(d)] : SymInt(1);
  TENON_CHECK(repeats.dim() < 2, ValueError, "repeats must be 0-dim or 1-dim tensor");
  if (repeats.dim() == 0 || repeats.sym_sizes()[0] == 1)
    counts = ops::expand(ops::reshape(repeats, 1), SymIntArrayRef(SymDimVector{size}));
  else
    TENON_CHECK(repeats.sym_sizes()[0] == size, ValueError,
                "repeats must have the same size as input along dim, but got repeats.size(0) = ",
                repeats.sym_sizes()[0], " and input.size(", d, ") = ", size);
  return ops::index_select(from, d, ops::repeat_interleave(counts, "output_size"_a = output_size));
}
inline Tensor repeat_interleave_evenly(const Tensor& self, SymInt repeats, std::optional<std::int64_t> dim,
                                       std::optional<SymInt> output_size) {
  Tensor from = dim && self.dim() ? self : Tensor(ops::flatten(self));
  std::int64_t d = wrap_dim(dim.value_or(0), dim ? self.dim() : from.dim());
  TENON_CHECK(repeats >= 0, ValueError, "Repeats must be non-negative");
  Tensor one = ops::unsqueeze(from, d + 1);
  SymDimVector wide(one.sym_sizes());
  wide[static_cast<std::size_t>(d + 1)] = repeats;
  SymInt expected = repeats * wide[static_cast<std::size_t>(d)];
  TENON_CHECK(!output_size || *output_size == expected, ValueError, "repeat_interleave: Invalid output_size, expected ",
              expected, " but got ", *output_size);
  Tensor spread = ops::clone(ops::expand(one, SymIntArrayRef(wide)), "memory_format"_a = MemoryFormat::Contiguous);
  return ops::flatten(spread, d, d + 1);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  constexpr DispatchKey all = DispatchKey::CompositeExplicitAutograd;
  m.def<ops::tile_base>();
  define_forms(m, ops::repeat_base);
  m.def<ops::repeat_interleave_self_Tensor>().def<ops::repeat_interleave_self_int>();
  m.impl<ops::tile_base, &tile>().impl<ops::repeat_base, &repeat>(all);
  m.impl<ops::repeat_interleave_self_Tensor, &repeat_interleave_by>();
  m.impl<ops::repeat_interleave_self_int, &repeat_interleave_evenly>();
  implement_out_by_copy<ops::repeat_base_op>(m, CallSite::now());
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_DERIVATIVE(repeat_base,
                 TENON_WRT((self), (grad, self_sizes, repeats), composite::repeat_gradient(grad, self_sizes, repeats)));

}  // namespace tenon::ops
