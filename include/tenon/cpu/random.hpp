// Random numbers in place, on the CPU: PyTorch's numbers for the same seed, up to the rounding of log, sine and cosine.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <mutex>

#include <tenon/composite/random_fills.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/samplers.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/random_kernels.hpp>
#include <tenon/tensor/generator.hpp>
#include <tenon/tensor/overlap.hpp>
#include <tenon/tensor/view_geometry.hpp>

namespace tenon::cpu {
namespace detail {

/// The generator of a call, locked while it lasts.
class LockedGenerator {
 public:
  explicit LockedGenerator(const std::optional<Generator>& given)
      : impl_(given && given->defined() ? given->impl() : default_generator().impl()), lock_(impl_->mutex) {}
  GeneratorImpl& operator*() const { return *impl_; }

 private:
  intrusive_ptr<GeneratorImpl> impl_;
  std::lock_guard<Mutex> lock_;
};

/// The generator's next `n` outputs.
inline void draw(GeneratorImpl& g, std::uint32_t* to, std::int64_t n) {
  while (n > 0) {
    auto [words, count] = g.take(n);
    active_tables().random->temper(to, words, count);
    to += count;
    n -= count;
  }
}

/// Calls `f(p, n, step)` for runs of n elements that lie `step` apart, all elements in the order of their memory.
template <class T, class F>
void each_run(const Tensor& t, F f) {
  T* p = static_cast<T*>(t.data_ptr());
  std::int64_t n = t.numel();
  if (n == 0) return;
  if (t.is_contiguous() || t.is_non_overlapping_and_dense()) return f(p, n, std::int64_t{1});
  // The innermost dimension first, as `dense_strides_like` orders them: its strides are those of a counter.
  DimVector order_strides = dense_strides_like(t.sizes(), t.strides()), order;
  for (std::size_t d = 0; d < t.sizes().size(); ++d) {
    std::size_t at = 0;
    while (at < order.size() && (order_strides[order[at]] < order_strides[d] ||
                                 (order_strides[order[at]] == order_strides[d] && t.sizes()[order[at]] == 1)))
      ++at;
    order.insert(at, static_cast<std::int64_t>(d));
  }
  DimVector index(order.size());
  const std::int64_t run = t.sizes()[order[0]], step = t.strides()[order[0]];
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < n; i += run) {
    f(p + at, run, step);
    for (std::size_t k = 1; k < order.size(); ++k) {
      auto d = static_cast<std::size_t>(order[k]);
      at += t.strides()[d];
      if (++index[k] < t.sizes()[d]) break;
      at -= index[k] * t.strides()[d];
      index[k] = 0;
    }
  }
}
/// Calls `f(first, last, w)` for parts of n elements, w being the first of the next `words` (1 or 2) outputs for each
/// of them. Of many elements threads share what becomes of the outputs; parts but the last are of whole thousands
/// (1024).
template <class F>
void each_part(GeneratorImpl& g, std::int64_t n, std::int64_t words, F f) {
  constexpr std::int64_t part = 1024, most = 2 * kParallelElements;
  if (n < most) {
    std::uint32_t drawn[2 * part];
    for (std::int64_t i = 0; i < n; i += part) {
      const std::int64_t count = std::min(n - i, part);
      draw(g, drawn, count * words);
      f(i, i + count, drawn);
    }
    return;
  }
  const std::unique_ptr<std::uint32_t[]> drawn(new std::uint32_t[static_cast<std::size_t>(most * words)]);
  for (std::int64_t i = 0; i < n; i += most) {
    const std::int64_t count = std::min(n - i, most);
    draw(g, drawn.get(), count * words);
    parallel_for(0, count, part,
                 [&](std::int64_t first, std::int64_t last) { f(i + first, i + last, drawn.get() + first * words); });
  }
}
/// Stores `make(w, i)` in every element, w being the first of its next `words` outputs and i its place in the order of
/// memory; for several elements at once.
template <class T, class F>
void generate(const Tensor& t, GeneratorImpl& g, std::int64_t words, F make) {
  std::int64_t before = 0;
  each_run<T>(t, [&](T* p, std::int64_t n, std::int64_t step) {
    each_part(g, n, words, [=](std::int64_t first, std::int64_t last, const std::uint32_t* w) {
      if (step == 1)
        for (std::int64_t i = first; i < last; ++i, w += words) p[i] = make(w, before + i);
      else
        for (std::int64_t i = first; i < last; ++i, w += words) p[i * step] = make(w, before + i);
    });
    before += n;
  });
}

/// Calls `f(type_tag<T>)` for a floating dtype.
template <class F>
void visit_floating(const char* op, ScalarType type, F&& f) {
  visit_floating_type(type, f, [&] { composite::refuse_random(op, type); });
}

/// A complex tensor as a real one with a last dimension of 2; a real one as it is.
inline Tensor real_parts(const Tensor& t) {
  if (!t.is_complex()) return t;
  DimVector sizes(t.sizes()), strides(t.strides());
  for (auto& s : strides) s *= 2;
  sizes.push_back(2);
  strides.push_back(1);
  Tensor parts = make_alias(t, sizes, strides, 2 * t.storage_offset());
  parts->set_dtype(to_real_type(t.dtype()));
  return parts;
}

inline std::uint64_t joined(const std::uint32_t* w) { return std::uint64_t{w[0]} << 32 | w[1]; }

inline Tensor& uniform_(Tensor& self, double from, double to, const std::optional<Generator>& generator) {
  composite::check_uniform(self, from, to);
  visit_floating("uniform_()", to_real_type(self.dtype()), [&]<class T>(type_tag<T>) {
    Tensor parts = real_parts(self);
    check_no_internal_overlap(parts);
    LockedGenerator g(generator);
    constexpr bool wide = std::is_same_v<T, double>;
    // 16-bit floats are rounded at the end alone.
    using C = std::conditional_t<sizeof(T) == 2, float, double>;
    constexpr bool narrow = sizeof(T) == 2;
    const C low = narrow ? static_cast<C>(from) : static_cast<C>(cast_element<T>(from)),
            high = narrow ? static_cast<C>(to) : static_cast<C>(cast_element<T>(to));
    const T bound = cast_element<T>(to);
    if constexpr (std::is_same_v<T, float>)
      if (low == 0 && high == 1 && parts.is_non_overlapping_and_dense())  // what most ask for: nothing to scale
        return each_part(
            *g, parts.numel(), 1,
            [p = static_cast<float*>(parts.data_ptr())](std::int64_t first, std::int64_t last, const std::uint32_t* w) {
              active_tables().random->uniform(p + first, w, last - first);
            });
    generate<T>(parts, *g, wide ? 2 : 1, [=](const std::uint32_t* w, std::int64_t) {
      const C unit = static_cast<C>(wide ? GeneratorImpl::uniform(joined(w)) : GeneratorImpl::uniform(*w));
      T value = cast_element<T>(static_cast<double>(unit * (high - low) + low));
      // A 16-bit float may round up to the bound that the range excludes.
      if constexpr (narrow)
        return static_cast<float>(value) == static_cast<float>(bound) ? cast_element<T>(from) : value;
      else
        return value;
    });
  });
  return self;
}

/// Sixteen normal numbers per block from sixteen uniform ones (Box and Muller, Ann. Math. Statist. 29:2, 1958), by
/// the C library's functions, as PyTorch.
inline void normal_blocks(double* p, std::int64_t blocks, double mean, double deviation) {
  for (; blocks > 0; --blocks, p += 16)
    for (int j = 0; j < 8; ++j) {
      double radius = std::sqrt(-2 * std::log(1 - p[j])), theta = 2.0 * 3.14159265358979323846 * p[j + 8];
      p[j] = radius * std::cos(theta) * deviation + mean;
      p[j + 8] = radius * std::sin(theta) * deviation + mean;
    }
}
/// At least sixteen numbers: whole blocks, then the last sixteen drawn anew.
template <class T>
void normal_dense(const Tensor& t, double mean, double deviation, GeneratorImpl& g) {
  constexpr std::int64_t words = std::is_same_v<T, double> ? 2 : 1;
  T* p = static_cast<T*>(t.data_ptr());
  auto fill = [=](T* to, std::int64_t n, const std::uint32_t* drawn) {
    auto make = [=](float* at, const std::uint32_t* of, std::int64_t count) {
      active_tables().random->normal(at, of, count / 16, static_cast<float>(mean), static_cast<float>(deviation));
    };
    if constexpr (std::is_same_v<T, double>) {
      for (std::int64_t i = 0; i < n; ++i) to[i] = GeneratorImpl::uniform(joined(drawn + 2 * i));
      normal_blocks(to, n / 16, mean, deviation);
    } else if constexpr (std::is_same_v<T, float>) {
      make(to, drawn, n);
    } else {
      constexpr std::int64_t most = 1024;
      for (float values[most]; n > 0; to += most, drawn += most, n -= most) {
        const std::int64_t count = std::min(n, most);
        make(values, drawn, count);
        for (std::int64_t i = 0; i < count; ++i) to[i] = T(values[i]);
      }
    }
  };
  const std::int64_t n = t.numel(), rest = n % 16;
  each_part(g, n - rest, words, [&](std::int64_t first, std::int64_t last, const std::uint32_t* drawn) {
    fill(p + first, last - first, drawn);
  });
  if (rest == 0) return;
  std::uint32_t drawn[16 * words];
  // The wider types draw for the rest, too, before they do so for the last sixteen.
  if constexpr (std::is_floating_point_v<T>) draw(g, drawn, rest * words);
  draw(g, drawn, 16 * words);
  fill(p + n - 16, 16, drawn);
}
inline Tensor& normal_(Tensor& self, double mean, double std, const std::optional<Generator>& generator) {
  composite::check_normal(self, std);
  // The variance of a complex number is shared by its parts.
  if (self.is_complex()) std /= std::sqrt(2.0);
  visit_floating("normal_()", to_real_type(self.dtype()), [&]<class T>(type_tag<T>) {
    if (self.numel() == 0) return;
    Tensor parts = real_parts(self);
    check_no_internal_overlap(parts);
    LockedGenerator g(generator);
    if (parts.numel() >= 16 && parts.is_contiguous())
      normal_dense<T>(parts, mean, std, *g);
    else
      each_run<T>(parts, [&](T* p, std::int64_t n, std::int64_t step) {
        for (std::int64_t i = 0; i < n; ++i) p[i * step] = cast_element<T>(normal_draw(*g) * std + mean);
      });
  });
  return self;
}

using composite::largest_whole;
using composite::visit_random;
template <class T>
T whole(std::uint64_t value) {
  if constexpr (std::is_same_v<T, bool>)
    return value & 1;
  else
    return cast_element<T>(static_cast<std::int64_t>(value));
}

/// `range` numbers from `base` on; a range of 0 stands for all 64-bit numbers.
inline void random_range(const Tensor& self, std::uint64_t range, std::int64_t base,
                         const std::optional<Generator>& generator) {
  check_no_internal_overlap(self);
  LockedGenerator g(generator);
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    bool wide = range == 0 || range >= std::uint64_t{1} << 28;
    generate<T>(self, *g, wide ? 2 : 1, [=](const std::uint32_t* w, std::int64_t) {
      std::uint64_t value = wide ? joined(w) : *w;
      return whole<T>(range ? value % range + static_cast<std::uint64_t>(base) : value);
    });
  });
}

inline Tensor& random_(Tensor& self, const std::optional<Generator>& generator) {
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    check_no_internal_overlap(self);
    LockedGenerator g(generator);
    constexpr bool wide = std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) == 8);
    generate<T>(self, *g, wide ? 2 : 1, [](const std::uint32_t* w, std::int64_t) {
      std::uint64_t value = wide ? joined(w) : *w;
      if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::uint64_t>) value %= largest_whole<T>() + 1;
      return whole<T>(value);
    });
  });
  return self;
}

inline Tensor& random_from(Tensor& self, std::int64_t from, std::optional<std::int64_t> to,
                           const std::optional<Generator>& generator) {
  if (std::optional<composite::RandomBounds> bounds = composite::bounds_to_draw(self, from, to))
    random_range(self, bounds->range, bounds->base, generator);
  return self;
}
inline Tensor& random_to(Tensor& self, std::int64_t to, const std::optional<Generator>& generator) {
  return random_from(self, 0, to, generator);
}

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  cpu::install_kernels_for<&cpu::KernelTables::random, ops::normal_base_, ops::uniform_base_, ops::random_base_,
                           ops::random_from_, ops::random_to_>();
  namespace k = tenon::cpu::detail;
  m.impl<ops::normal_base_, &k::normal_>().impl<ops::uniform_base_, &k::uniform_>();
  m.impl<ops::random_base_, &k::random_>()
      .impl<ops::random_from_, &k::random_from>()
      .impl<ops::random_to_, &k::random_to>();
}
