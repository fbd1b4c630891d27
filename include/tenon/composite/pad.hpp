// Padding by a number or around, made of copies of parts; padding by a mode's name.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::composite {

inline Tensor constant_pad_nd(const Tensor& self, SymIntArrayRef pad, const Scalar& value) {
  TENON_CHECK(pad.size() % 2 == 0, ValueError, "Length of pad must be even but instead it equals ", pad.size());
  TENON_CHECK(pad.size() <= 2 * static_cast<std::size_t>(self.dim()), ValueError,
              "Length of pad should be no more than twice the number of dimensions of the input. Pad length is ",
              pad.size(), "while the input has ", self.dim(), "dimensions.");
  AutoDispatchBelowADInplaceOrView guard;
  SymDimVector sizes(self.sym_sizes());
  Tensor kept = self;
  bool grows = false;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    const SymInt &before = pad[2 * i], &behind = pad[2 * i + 1];
    std::int64_t dim = self.dim() - 1 - static_cast<std::int64_t>(i);
    SymInt& size = sizes[static_cast<std::size_t>(dim)];
    size = size + before + behind;
    grows = grows || before > 0 || behind > 0;
    if (before < 0) kept = ops::narrow(kept, dim, SymInt(0) - before, kept.sym_size(dim) + before);
    if (behind < 0) kept = ops::narrow(kept, dim, 0, kept.sym_size(dim) + behind);
  }
  if (!grows) return ops::clone(kept);
  Tensor out = ops::empty(SymIntArrayRef(sizes), "dtype"_a = self.dtype(), "device"_a = self.device(),
                          "memory_format"_a = self.suggest_memory_format());
  ops::fill_(out, value);
  Tensor at = out;
  for (std::size_t i = 0; i < pad.size() / 2; ++i) {
    std::int64_t dim = self.dim() - 1 - static_cast<std::int64_t>(i);
    SymInt start = pad[2 * i] > 0 ? pad[2 * i] : SymInt(0);
    at = ops::narrow(at, dim, start, kept.sym_size(dim));
  }
  ops::copy_(at, kept);
  return out;
}

inline Tensor pad_circular(const Tensor& self, SymIntArrayRef pad) {
  std::int64_t padded = static_cast<std::int64_t>(pad.size()) / 2, others = self.dim() - padded;
  TENON_CHECK(pad.size() % 2 == 0, ValueError, "Padding length must be divisible by 2");
  TENON_CHECK(
      others == 1 || others == 2, ValueError,
      "Invalid padding size, expected 1 or 2 non-padded dimensions, which would be equivalent to padding of length ",
      2 * (self.dim() - 1), " or ", 2 * (self.dim() - 2), " respectively but got ", pad.size());
  Tensor out = self;
  for (std::int64_t i = 0; i < padded; ++i) {
    const SymInt &before = pad[2 * static_cast<std::size_t>(i)], &behind = pad[2 * static_cast<std::size_t>(i) + 1];
    std::int64_t dim = self.dim() - 1 - i;
    const SymInt size = self.sym_size(dim);
    TENON_CHECK(before <= size && behind <= size, ValueError, "Padding value causes wrapping around more than once.");
    TENON_CHECK(before + behind + size >= 0, ValueError, "Negative padding value is resulting in an empty dimension");
    if (before < 0) out = ops::narrow(out, dim, SymInt(0) - before, out.sym_size(dim) + before);
    if (behind < 0) out = ops::narrow(out, dim, 0, out.sym_size(dim) + behind);
    std::vector<Tensor> parts{out};
    const SymInt kept = out.sym_size(dim);
    if (before > 0) parts.insert(parts.begin(), ops::narrow(out, dim, kept - before, before));
    if (behind > 0) parts.push_back(ops::narrow(out, dim, 0, behind));
    if (parts.size() > 1) out = ops::cat(TensorList(parts), dim);
  }
  return ops::clone(out, "memory_format"_a = MemoryFormat::Contiguous);
}

enum class PadMode : std::int64_t { Reflect, Replicate, Circular, Constant };
inline Tensor pad_enum(const Tensor& self, SymIntArrayRef pad, std::int64_t number, std::optional<double> value) {
  TENON_CHECK(number >= 0 && number <= 3, NotImplementedError, "Unrecognised padding mode ", number);
  auto mode = static_cast<PadMode>(number);
  if (mode == PadMode::Constant) return ops::constant_pad_nd(self, pad, Scalar(value.value_or(0)));
  constexpr const char* names[] = {"reflect", "replicate", "circular"};
  TENON_CHECK(!value || *value == 0, ValueError, "Padding mode \"", names[number], "\" doesn't take in value argument");
  TENON_CHECK(pad.size() % 2 == 0, ValueError, "Padding length must be divisible by 2");
  std::int64_t n = self.dim();
  TENON_CHECK(pad.size() <= 2 * static_cast<std::size_t>(n), ValueError,
              "Padding length should be less than or equal to two times the input dimension but got padding length ",
              pad.size(), " and input of dimension ", n);
  std::int64_t padded = static_cast<std::int64_t>(pad.size()) / 2;
  TENON_CHECK(padded >= 1 && padded <= 3 && (n == padded + 1 || n == padded + 2), NotImplementedError, "Padding size ",
              pad.size(), " is not supported for ", n, "D input tensor.");
  if (mode == PadMode::Circular) return ops::_pad_circular(self, pad);
  bool reflect = mode == PadMode::Reflect;
  switch (padded) {
    case 1: return reflect ? Tensor(ops::reflection_pad1d(self, pad)) : Tensor(ops::replication_pad1d(self, pad));
    case 2: return reflect ? Tensor(ops::reflection_pad2d(self, pad)) : Tensor(ops::replication_pad2d(self, pad));
    default: return reflect ? Tensor(ops::reflection_pad3d(self, pad)) : Tensor(ops::replication_pad3d(self, pad));
  }
}
inline Tensor pad(const Tensor& self, SymIntArrayRef sizes, std::string_view mode, std::optional<double> value) {
  constexpr std::string_view names[] = {"reflect", "replicate", "circular", "constant"};
  for (std::int64_t i = 0; i < 4; ++i)
    if (mode == names[i]) return ops::_pad_enum(self, sizes, i, value);
  fail<NotImplementedError>("Unrecognised padding mode ", mode);
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  define_forms(m, ops::constant_pad_nd_base);
  m.impl<ops::constant_pad_nd_base, &constant_pad_nd>(DispatchKey::CompositeExplicitAutograd);
  implement_out_by_copy<ops::constant_pad_nd_base_op>(m, CallSite::now());
  m.def<ops::pad_base>().def<ops::_pad_enum_base>().def<ops::_pad_circular_base>();
  m.impl<ops::pad_base, &pad>().impl<ops::_pad_enum_base, &pad_enum>().impl<ops::_pad_circular_base, &pad_circular>();
}

}  // namespace tenon::composite

namespace tenon::ops {

namespace derivatives {
inline Tensor unpad(const Tensor& grad, IntArrayRef pad) {
  DimVector back(pad);
  for (auto& p : back) p = -p;
  return constant_pad_nd(grad, IntArrayRef(back), Scalar(0));
}
}  // namespace derivatives

TENON_DERIVATIVE(constant_pad_nd_base, TENON_WRT((self), (grad, pad), derivatives::unpad(grad, pad)));

}  // namespace tenon::ops
