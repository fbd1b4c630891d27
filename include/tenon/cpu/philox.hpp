// Random numbers of a key on the CPU: number i of a key is a function of the key and of i.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <tenon/composite/philox.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/random.hpp>
#include <tenon/math/philox.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::cpu::detail {

/// Four random words. A key is a seed and the number of its first block.
inline math::PhiloxWords philox_block(const std::uint64_t* key, std::uint64_t block) {
  const std::uint64_t at = key[1] + block;
  return math::philox({{static_cast<std::uint32_t>(at), static_cast<std::uint32_t>(at >> 32), 0, 0}}, key[0]);
}
/// The new key is the block: its first two words are the seed, the others the place.
inline void store_key(std::uint64_t* to, const math::PhiloxWords& w) {
  to[0] = w.at[0] | std::uint64_t{w.at[1]} << 32;
  to[1] = w.at[2] | std::uint64_t{w.at[3]} << 32;
}
inline Tensor philox_key_split(const Tensor& key, std::int64_t num) {
  composite::keyed::check_split(key, num);
  DimVector sizes{num};
  for (std::int64_t n : key.sizes()) sizes.push_back(n);
  Tensor out = make_tensor(sizes, {}, kUInt64), from = row_major(key);
  const auto* keys = static_cast<const std::uint64_t*>(from.data_ptr());
  auto* to = static_cast<std::uint64_t*>(out.data_ptr());
  const std::int64_t count = key.numel() / 2;
  parallel_for(0, num * count, 1024, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i)
      store_key(to + 2 * i, philox_block(keys + 2 * (i % count), static_cast<std::uint64_t>(i / count)));
  });
  return out;
}
inline Tensor philox_key_fold_in(const Tensor& key, std::int64_t data) {
  composite::keyed::check_key("_philox_key_fold_in", key);
  Tensor out = make_tensor(key.sizes(), {}, kUInt64), from = row_major(key);
  const auto* keys = static_cast<const std::uint64_t*>(from.data_ptr());
  auto* to = static_cast<std::uint64_t*>(out.data_ptr());
  for (std::int64_t i = 0; i < key.numel() / 2; ++i)
    store_key(to + 2 * i, philox_block(keys + 2 * i, static_cast<std::uint64_t>(data)));
  return out;
}
inline Tensor philox_key_fold_in_tensor(const Tensor& key, const Tensor& data) {
  composite::keyed::check_data(data);
  Tensor word = row_major(data, kUInt64);
  return philox_key_fold_in(key, static_cast<std::int64_t>(*static_cast<const std::uint64_t*>(word.data_ptr())));
}

/// Fills `self` by `make(words, numbers)`, which makes `PerBlock` numbers of each block. Dimensions behind the last in
/// which keys differ are one run of numbers of a key; a key that is repeated gives the same numbers again.
template <std::int64_t PerBlock, class T, class F>
void fill_by_key(const char* op, Tensor& self, const Tensor& key, F make) {
  composite::keyed::check_filled(op, self, key);
  check_no_internal_overlap(self);
  DimVector sizes;
  std::int64_t batch = key.dim() - 1;
  while (batch > 0 && key.sizes()[static_cast<std::size_t>(batch - 1)] == 1) --batch;
  for (std::int64_t d = 0; d < batch; ++d) sizes.push_back(self.sizes()[static_cast<std::size_t>(d)]);
  std::int64_t run = 1;
  for (std::int64_t d = batch; d < self.dim(); ++d) run *= self.sizes()[static_cast<std::size_t>(d)];
  sizes.push_back(2);
  Tensor keys = make_tensor(sizes, {}, kUInt64), out = make_tensor(self.sizes(), {}, self.dtype());
  DimVector own(key.sizes().slice(0, static_cast<std::size_t>(batch)));
  own.push_back(2);
  copy_elements(keys, ops::expand(ops::reshape(key, IntArrayRef(own)), IntArrayRef(sizes)));
  const auto* k = static_cast<const std::uint64_t*>(keys.data_ptr());
  T* to = static_cast<T*>(out.data_ptr());
  for (std::int64_t start = 0; start < self.numel(); start += run, k += 2, to += run)
    parallel_for(0, (run + PerBlock - 1) / PerBlock, 1024, [&](std::int64_t first, std::int64_t last) {
      for (std::int64_t b = first; b < last; ++b) {
        T numbers[PerBlock];
        make(philox_block(k, static_cast<std::uint64_t>(b)), numbers);
        std::copy_n(numbers, std::min(PerBlock, run - b * PerBlock), to + b * PerBlock);
      }
    });
  copy_elements(self, out);
}
/// The first of two words has the high bits.
inline std::uint64_t wide_word(const math::PhiloxWords& w, int i) {
  return std::uint64_t{w.at[2 * i]} << 32 | w.at[2 * i + 1];
}

/// Numbers in [low, high): as many of the low bits as the dtype holds.
inline Tensor& philox_uniform_(Tensor& self, const Tensor& key, double low, double high) {
  constexpr const char* op = "_philox_uniform_";
  composite::keyed::check_real(op, self);
  visit_floating(op, self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (std::is_same_v<T, double>) {
      fill_by_key<2, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        for (int i = 0; i < 2; ++i)
          to[i] = static_cast<double>(wide_word(w, i) & 0x1fffffffffffffU) * 0x1p-53 * (high - low) + low;
      });
    } else {
      constexpr int bits = std::is_same_v<T, float> ? 24 : std::is_same_v<T, Half> ? 11 : 8;
      const auto from = static_cast<float>(low), range = static_cast<float>(high) - static_cast<float>(low);
      fill_by_key<4, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        for (int i = 0; i < 4; ++i)
          to[i] = T(static_cast<float>(w.at[i] & ((1U << bits) - 1)) * (1.0F / (1U << bits)) * range + from);
      });
    }
  });
  return self;
}
/// Pairs by Box and Muller, "A note on the generation of random normal deviates", 1958.
inline Tensor& philox_normal_(Tensor& self, const Tensor& key, double mean, double std) {
  constexpr const char* op = "_philox_normal_";
  composite::keyed::check_real(op, self);
  visit_floating(op, self.dtype(), [&]<class T>(type_tag<T>) {
    if constexpr (std::is_same_v<T, double>) {
      fill_by_key<2, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        // The middle of an interval, so that the logarithm is finite.
        const double u = static_cast<double>(wide_word(w, 0) >> 11) * 0x1p-53 + 0x1p-54,
                     angle = 6.283185307179586 * (static_cast<double>(wide_word(w, 1) >> 11) * 0x1p-53 + 0x1p-54),
                     radius = std::sqrt(-2 * std::log(u));
        to[0] = radius * std::cos(angle) * std + mean;
        to[1] = radius * std::sin(angle) * std + mean;
      });
    } else {
      const auto centre = static_cast<float>(mean), scale = static_cast<float>(std);
      fill_by_key<4, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        for (int i = 0; i < 4; i += 2) {
          const float u = static_cast<float>(w.at[i]) * 0x1p-32F + 0x1p-33F,
                      angle = 6.2831855F * (static_cast<float>(w.at[i + 1]) * 0x1p-32F + 0x1p-33F),
                      radius = std::sqrt(-2.0F * std::log(u));
          to[i] = T(radius * std::cos(angle) * scale + centre);
          to[i + 1] = T(radius * std::sin(angle) * scale + centre);
        }
      });
    }
  });
  return self;
}
inline Tensor& philox_randint_(Tensor& self, const Tensor& key, std::optional<std::int64_t> low,
                               std::optional<std::int64_t> high) {
  constexpr const char* op = "_philox_randint_";
  std::int64_t from = 0;
  const std::uint64_t range = composite::keyed::randint_range(self, low, high, from);
  // A range of all numbers that there are leaves the word as it is, wherever it begins.
  auto number = [range, from](std::uint64_t word) {
    return range ? word % range + static_cast<std::uint64_t>(from) : word;
  };
  auto fill = [&]<class T>(type_tag<T>) {
    if constexpr (sizeof(T) == 8)
      fill_by_key<2, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        for (int i = 0; i < 2; ++i) to[i] = static_cast<T>(number(wide_word(w, i)));
      });
    else
      fill_by_key<4, T>(op, self, key, [=](const math::PhiloxWords& w, T* to) {
        for (int i = 0; i < 4; ++i) to[i] = static_cast<T>(number(w.at[i]));
      });
  };
  switch (self.dtype()) {
    case kByte: fill(type_tag<std::uint8_t>{}); break;
    case kChar: fill(type_tag<std::int8_t>{}); break;
    case kShort: fill(type_tag<std::int16_t>{}); break;
    case kUInt16: fill(type_tag<std::uint16_t>{}); break;
    case kInt: fill(type_tag<std::int32_t>{}); break;
    case kUInt32: fill(type_tag<std::uint32_t>{}); break;
    case kLong: fill(type_tag<std::int64_t>{}); break;
    default: fill(type_tag<std::uint64_t>{}); break;
  }
  return self;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_IMPL(aten, CPU, m) {
  m.impl<ops::_philox_key_split_base, &detail::philox_key_split>()
      .impl<ops::_philox_key_fold_in_base, &detail::philox_key_fold_in>()
      .impl<ops::_philox_key_fold_in_Tensor, &detail::philox_key_fold_in_tensor>()
      .impl<ops::_philox_uniform_base_, &detail::philox_uniform_>()
      .impl<ops::_philox_normal_base_, &detail::philox_normal_>()
      .impl<ops::_philox_randint_base_, &detail::philox_randint_>();
}

}  // namespace tenon::cpu
