// Random numbers of a key: what keys and the tensors that they fill must be, and their forms.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/composite/functional.hpp>
#include <tenon/composite/options.hpp>
#include <tenon/composite/out_by_copy.hpp>
#include <tenon/ops/philox.hpp>

namespace tenon::composite {

namespace keyed {

inline void check_key(const char* op, const Tensor& key) {
  TENON_CHECK(key.dim() >= 1 && key.sym_size(-1) == 2, ValueError, op, ": key must have shape (*batch, 2), got shape ",
              key.sym_sizes());
  TENON_CHECK(key.dtype() == kUInt64, TypeError, op, ": key must have dtype uint64, got ",
              enumerator_name(key.dtype()));
}
inline void check_split(const Tensor& key, std::int64_t num) {
  check_key("_philox_key_split", key);
  TENON_CHECK(num > 0, ValueError, "_philox_key_split: num_splits must be positive, got ", num);
}
inline void check_data(const Tensor& data) {
  TENON_CHECK(data.sym_numel() == 1, ValueError, "_philox_key_fold_in: data must be a single value, got ",
              data.sym_numel(), " elements");
}
/// A key of more than one dimension has one for each of the tensor that it fills, and a batch of keys is broadcast.
inline void check_filled(const char* op, const Tensor& self, const Tensor& key) {
  TENON_CHECK(key.dtype() == kUInt64, TypeError, op, ": key must have dtype uint64, got ",
              enumerator_name(key.dtype()));
  TENON_CHECK(self.device() == key.device(), ValueError, op, ": self and key must be on the same device, got ",
              self.device(), " and ", key.device());
  TENON_CHECK(key.dim() >= 1 && key.sym_size(-1) == 2, ValueError, op,
              ": key must have shape (2,) or (*batch, 2), got shape ", key.sym_sizes());
  if (key.dim() == 1) return;
  TENON_CHECK(key.dim() == self.dim() + 1, ValueError, op,
              ": batched key must have ndim == output ndim + 1, got key shape ", key.sym_sizes(), " with output shape ",
              self.sym_sizes());
  for (std::int64_t d = 0; d < self.dim(); ++d)
    TENON_CHECK(key.sym_size(d) == 1 || key.sym_size(d) == self.sym_size(d), ValueError, op, ": key batch shape ",
                key.sym_sizes().slice(0, static_cast<std::size_t>(self.dim())),
                " is not broadcastable with output shape ", self.sym_sizes());
}
inline void check_real(const char* op, const Tensor& self) {
  if (!self.is_floating_point() || !has_arithmetic(self.dtype())) not_implemented_for(op, self.dtype());
}
/// The length of [low, high) modulo two to the power of the bits that are drawn: 32, or 64 for an element of 8 bytes.
/// 0 stands for all of them, which both bounds left out ask for. Throws where numbers would be far from equally likely.
inline std::uint64_t randint_range(const Tensor& self, std::optional<std::int64_t> low,
                                   std::optional<std::int64_t> high, std::int64_t& from) {
  constexpr const char* op = "_philox_randint_";
  const ScalarType type = self.dtype();
  TENON_CHECK(is_integral_type(type, false), TypeError, op, ": self must have an integer dtype, got ",
              enumerator_name(type));
  const auto bits = static_cast<unsigned>(8 * item_size(type));
  const bool is_signed = type == kChar || type == kShort || type == kInt || type == kLong;
  const std::uint64_t least = is_signed ? ~std::uint64_t{0} << (bits - 1) : 0,
                      behind = bits == 64 ? least : least + (std::uint64_t{1} << bits);
  const std::uint64_t first = low ? static_cast<std::uint64_t>(*low) : least,
                      last = high ? static_cast<std::uint64_t>(*high) : behind;
  from = static_cast<std::int64_t>(first);
  if (!low && !high) return 0;
  if (bits == 64) {
    TENON_CHECK(first != last || !high, ValueError, op,
                ": [low, high) must be non-empty; pass high=None for the dtype's full range");
    return last - first;
  }
  const std::uint64_t range = (last - first) & 0xffffffffU;
  TENON_CHECK(range != 0 || !high, ValueError, op,
              ": [low, high) must be non-empty; pass high=None for the dtype's full range");
  TENON_CHECK(range == 0 || (std::uint64_t{1} << 32) % range == 0 || range < std::uint64_t{1} << 28, ValueError, op,
              ": range (high - low = ", range, ") does not divide 2^32 evenly and is too large for the output dtype ",
              enumerator_name(type),
              ". Each element draws only 32 random bits, so a non-dividing range >= 2^28 gives a significantly biased "
              "distribution. Use a range that divides 2^32 (a power of two), or a 64-bit dtype (torch.int64 or "
              "torch.uint64).");
  return range;
}

// --- Meta ---

inline Tensor split_meta(const Tensor& key, std::int64_t num) {
  check_split(key, num);
  SymDimVector sizes{num};
  for (const SymInt& n : key.sym_sizes()) sizes.push_back(n);
  return make_tensor_symbolic(sizes, {}, kUInt64, key.device());
}
inline Tensor fold_in_meta(const Tensor& key, std::int64_t) {
  check_key("_philox_key_fold_in", key);
  return make_tensor_symbolic(key.sym_sizes(), {}, kUInt64, key.device());
}
inline Tensor fold_in_tensor_meta(const Tensor& key, const Tensor& data) {
  check_data(data);
  return fold_in_meta(key, 0);
}
inline Tensor& uniform_meta_(Tensor& self, const Tensor& key, double, double) {
  check_real("_philox_uniform_", self);
  check_filled("_philox_uniform_", self, key);
  return self;
}
inline Tensor& normal_meta_(Tensor& self, const Tensor& key, double, double) {
  check_real("_philox_normal_", self);
  check_filled("_philox_normal_", self, key);
  return self;
}
inline Tensor& randint_meta_(Tensor& self, const Tensor& key, std::optional<std::int64_t> low,
                             std::optional<std::int64_t> high) {
  std::int64_t from = 0;
  randint_range(self, low, high, from);
  check_filled("_philox_randint_", self, key);
  return self;
}

}  // namespace keyed

TENON_LIBRARY_FRAGMENT(aten, m) {
  namespace k = keyed;
  m.def<ops::_philox_key_split_base>().def<ops::_philox_key_fold_in_base>().def<ops::_philox_key_fold_in_Tensor>();
  m.def<ops::_philox_uniform_base_>().def<ops::_philox_normal_base_>().def<ops::_philox_randint_base_>();
  define_by_overwriting(m, ops::_philox_uniform_base, ops::_philox_uniform_base_);
  define_by_overwriting(m, ops::_philox_normal_base, ops::_philox_normal_base_);
  define_by_overwriting(m, ops::_philox_randint_base, ops::_philox_randint_base_);
  m.impl<ops::_philox_key_split_base, &k::split_meta>(DispatchKey::Meta)
      .impl<ops::_philox_key_fold_in_base, &k::fold_in_meta>(DispatchKey::Meta)
      .impl<ops::_philox_key_fold_in_Tensor, &k::fold_in_tensor_meta>(DispatchKey::Meta)
      .impl<ops::_philox_uniform_base_, &k::uniform_meta_>(DispatchKey::Meta)
      .impl<ops::_philox_normal_base_, &k::normal_meta_>(DispatchKey::Meta)
      .impl<ops::_philox_randint_base_, &k::randint_meta_>(DispatchKey::Meta);
}

}  // namespace tenon::composite
