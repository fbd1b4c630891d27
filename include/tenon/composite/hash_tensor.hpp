// The exclusive or of the bits of elements, of views and rows.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/bits.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/types.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/reduction/rule.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

struct hash_tensor_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef dim, bool keepdim, std::int64_t mode) const {
    TENON_CHECK(mode == 0, ValueError, "Unknown hash_tensor mode: ", mode);
    std::uint64_t mask = reduction::dim_mask(dim, self.dim());
    if (numel_of<Int>(self) == 0) {
      TENON_CHECK(
          !dim.empty(), IndexError,
          "hash_tensor: Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
      for (std::int64_t d = 0; d < self.dim(); ++d)
        if (mask >> d & 1)
          TENON_CHECK(sizes_of<Int>(self)[static_cast<std::size_t>(d)] != 0, IndexError,
                      "hash_tensor: Expected reduction dim ", d, " to have non-zero size.");
    }
    bool integer = is_integral_type(self.dtype(), true) && !is_unsigned_wide(self.dtype());
    if (!integer && !(is_floating_type(self.dtype()) && has_arithmetic(self.dtype())))
      not_implemented_for("xor_sum_cpu", self.dtype());
    const Tensor& given = out.maybe_get_output();
    TENON_CHECK(!given.defined() || given.dtype() == kUInt64, TypeError,
                "Expected result to be of dtype uint64, but got ", enumerator_name(given.dtype()));
    out.set_output_raw_strided(0, reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim), {}, kUInt64,
                               self.device(), OutputCast::Exact);
  }

 private:
  static constexpr bool is_unsigned_wide(ScalarType t) { return t == kUInt16 || t == kUInt32 || t == kUInt64; }
};
/// Floats count by the bits of their double, integers by those of their int64. Halves are joined until one is left.
inline void hash_tensor(const Tensor& self, IntArrayRef dim, bool, std::int64_t, const Tensor& out) {
  Tensor words = self.is_floating_point() ? Tensor(ops::contiguous(ops::to(self, kDouble)).view(kLong))
                                          : Tensor(ops::to(self, kLong));
  std::uint64_t mask = reduction::dim_mask(dim, self.dim());
  std::int64_t n = 1, next = 0;
  for (std::int64_t d = 0; d < self.dim(); ++d)
    if (mask >> d & 1) {
      words = ops::movedim(words, d, next++);
      n *= self.size(d);
    }
  DimVector left{n};
  for (std::int64_t d = next; d < words.dim(); ++d) left.push_back(words.size(d));
  words = ops::reshape(words, left);
  for (; n > 1; n -= n / 2) {
    std::int64_t half = n / 2;
    Tensor joined = ops::bitwise_xor(ops::narrow(words, 0, 0, half), ops::narrow(words, 0, n - half, half));
    words = n % 2 == 0 ? joined : Tensor(ops::cat({joined, ops::narrow(words, 0, half, 1)}));
  }
  Tensor written = out;
  ops::copy_(written, ops::reshape(ops::contiguous(words).view(kUInt64), out.sizes()));
}

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(hash_tensor_base, composite::hash_tensor_meta);
TENON_STRUCTURED_KERNEL(hash_tensor_base, CPU, &composite::hash_tensor);
TENON_NOT_DIFFERENTIABLE(hash_tensor_base);

}  // namespace tenon::ops
