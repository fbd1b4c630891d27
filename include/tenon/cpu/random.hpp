// Random numbers in place, on the CPU: PyTorch's numbers for the same seed, up to the rounding of log, sine and cosine.
#pragma once
#include <cmath>
#include <limits>
#include <mutex>

#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/options.hpp>
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
  std::lock_guard<GeneratorMutex> lock_;
};

/// Calls `next()` once per element in the order of the elements in memory and stores the results.
template <class T, class F>
void generate(const Tensor& t, F next) {
  T* p = static_cast<T*>(t.data_ptr());
  std::int64_t n = t.numel();
  if (t.is_contiguous() || t.is_non_overlapping_and_dense()) {
    for (std::int64_t i = 0; i < n; ++i) p[i] = next();
    return;
  }
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
  std::int64_t at = 0;
  for (std::int64_t i = 0; i < n; ++i) {
    p[at] = next();
    for (std::size_t k = 0; k < order.size(); ++k) {
      auto d = static_cast<std::size_t>(order[k]);
      at += t.strides()[d];
      if (++index[k] < t.sizes()[d]) break;
      at -= index[k] * t.strides()[d];
      index[k] = 0;
    }
  }
}

[[noreturn]] inline void refuse_dtype(const char* op, ScalarType type) {
  fail<NotImplementedError>(op, ": dtype ", type, " is not implemented");
}

/// Calls `f(type_tag<T>)` for a floating dtype.
template <class F>
void visit_floating(const char* op, ScalarType type, F&& f) {
  visit_floating_type(type, f, [&] { refuse_dtype(op, type); });
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

template <class T>
auto uniform_draw(GeneratorImpl& g) {
  if constexpr (std::is_same_v<T, double>)
    return g.uniform_double();
  else
    return g.uniform_float();
}

inline Tensor& uniform_(Tensor& self, double from, double to, const std::optional<Generator>& generator) {
  ScalarType type = to_real_type(self.dtype());
  visit_floating("uniform_()", type, [&]<class T>(type_tag<T>) {
    double most = std::is_same_v<T, double> ? std::numeric_limits<double>::max()
                  : std::is_same_v<T, Half> ? 65504.0
                                            : static_cast<double>(std::numeric_limits<float>::max());
    TENON_CHECK(from >= -most && from <= most, ValueError, "from is out of bounds for ", type);
    TENON_CHECK(to >= -most && to <= most, ValueError, "to is out of bounds for ", type);
    TENON_CHECK(from <= to, ValueError, "uniform_ expects to return a [from, to) range, but found from=", from,
                " > to=", to);
    TENON_CHECK(to - from <= most, ValueError, "uniform_ expects to-from <= std::numeric_limits<", type,
                ">::max(), but found to=", to, " and from=", from, " which result in to-from to exceed the limit");
    if (self.is_meta()) return;
    Tensor parts = real_parts(self);
    check_no_internal_overlap(parts);
    LockedGenerator g(generator);
    double low = static_cast<double>(cast_element<T>(from)), high = static_cast<double>(cast_element<T>(to));
    generate<T>(parts, [&] {
      T value = cast_element<T>(static_cast<double>(uniform_draw<T>(*g)) * (high - low) + low);
      // A 16-bit float may round up to the bound that the range excludes.
      if constexpr (sizeof(T) == 2)
        return static_cast<double>(value) == high ? cast_element<T>(low) : value;
      else
        return value;
    });
  });
  return self;
}

/// Sixteen normal numbers from sixteen uniform ones (Box and Muller, Ann. Math. Statist. 29:2, 1958).
template <class T>
void normal_block(T* p, T mean, T deviation) {
  for (int j = 0; j < 8; ++j) {
    T radius = std::sqrt(T(-2) * std::log(T(1) - p[j])),
      theta = static_cast<T>(2.0 * 3.14159265358979323846) * p[j + 8];
    p[j] = radius * std::cos(theta) * deviation + mean;
    p[j + 8] = radius * std::sin(theta) * deviation + mean;
  }
}
/// At least sixteen numbers: whole blocks, then the last sixteen drawn anew.
template <class T>
void normal_dense(const Tensor& t, double mean, double deviation, GeneratorImpl& g) {
  T* p = static_cast<T*>(t.data_ptr());
  std::int64_t n = t.numel();
  if constexpr (std::is_floating_point_v<T>) {
    auto m = static_cast<T>(mean), s = static_cast<T>(deviation);
    for (std::int64_t i = 0; i < n; ++i) p[i] = uniform_draw<T>(g);
    for (std::int64_t i = 0; i + 16 <= n; i += 16) normal_block(p + i, m, s);
    if (n % 16 == 0) return;
    for (std::int64_t i = n - 16; i < n; ++i) p[i] = uniform_draw<T>(g);
    normal_block(p + n - 16, m, s);
  } else {
    for (std::int64_t i = 0; i < n; i += 16) {
      if (i + 16 > n) i = n - 16;
      float block[16];
      for (float& x : block) x = g.uniform_float();
      normal_block(block, static_cast<float>(mean), static_cast<float>(deviation));
      for (int k = 0; k < 16; ++k) p[i + k] = T(block[k]);
    }
  }
}
/// One number of a pair; the generator keeps the other.
inline double normal_draw(GeneratorImpl& g) {
  double value;
  if (g.take_cached_normal(value)) return value;
  double u1 = g.uniform_double(), u2 = g.uniform_double();
  double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * 3.14159265358979323846 * u1;
  g.cache_normal(radius * std::sin(theta));
  return radius * std::cos(theta);
}

inline Tensor& normal_(Tensor& self, double mean, double std, const std::optional<Generator>& generator) {
  TENON_CHECK(std >= 0, ValueError, "normal expects std >= 0.0, but found std ", std);
  // The variance of a complex number is shared by its parts.
  if (self.is_complex()) std /= std::sqrt(2.0);
  visit_floating("normal_()", to_real_type(self.dtype()), [&]<class T>(type_tag<T>) {
    if (self.is_meta() || self.numel() == 0) return;
    Tensor parts = real_parts(self);
    check_no_internal_overlap(parts);
    LockedGenerator g(generator);
    if (parts.numel() >= 16 && parts.is_contiguous())
      normal_dense<T>(parts, mean, std, *g);
    else
      generate<T>(parts, [&] { return cast_element<T>(normal_draw(*g) * std + mean); });
  });
  return self;
}

/// Calls `f(type_tag<T>)` for a dtype that whole random numbers can have.
template <class F>
void visit_random(ScalarType type, F&& f) {
  if (is_complex_type(type)) refuse_dtype("random_()", type);
  visit_scalar_type(type, [&]<class T>(type_tag<T> tag) {
    if constexpr (!is_complex_v<T>) f(tag);
  });
}
/// The whole numbers from 0 to this one are exact in T.
template <class T>
constexpr std::uint64_t largest_whole() {
  if constexpr (std::is_same_v<T, bool>)
    return 1;
  else if constexpr (std::is_integral_v<T>)
    return static_cast<std::uint64_t>(std::numeric_limits<T>::max());
  else if constexpr (std::is_same_v<T, Half>)
    return std::uint64_t{1} << 11;
  else if constexpr (std::is_same_v<T, BFloat16>)
    return std::uint64_t{1} << 8;
  else
    return std::uint64_t{1} << std::numeric_limits<T>::digits;
}
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
  if (self.is_meta()) return;
  check_no_internal_overlap(self);
  LockedGenerator g(generator);
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    bool wide = range == 0 || range >= std::uint64_t{1} << 28;
    generate<T>(self, [&] {
      std::uint64_t value = wide ? (*g).random64() : (*g).random();
      return whole<T>(range ? value % range + static_cast<std::uint64_t>(base) : value);
    });
  });
}

inline Tensor& random_(Tensor& self, const std::optional<Generator>& generator) {
  visit_random(self.dtype(), [&]<class T>(type_tag<T>) {
    if (self.is_meta()) return;
    check_no_internal_overlap(self);
    LockedGenerator g(generator);
    constexpr bool wide = std::is_same_v<T, double> || (std::is_integral_v<T> && sizeof(T) == 8);
    generate<T>(self, [&] {
      std::uint64_t value = wide ? (*g).random64() : (*g).random();
      if constexpr (!std::is_same_v<T, bool> && !std::is_same_v<T, std::uint64_t>) value %= largest_whole<T>() + 1;
      return whole<T>(value);
    });
  });
  return self;
}

/// The nearest values in the dtype's direction inside the range: 16-bit floats skip whole numbers above their
/// precision.
template <class T>
std::int64_t rounded_inwards(std::int64_t value, bool up) {
  if constexpr (std::is_integral_v<T>)
    return value;
  else {
    auto nearest = static_cast<std::int64_t>(static_cast<double>(cast_element<T>(static_cast<double>(value))));
    if (up ? nearest >= value : nearest <= value) return nearest;
    std::int64_t distance = 1;
    while (static_cast<std::int64_t>(largest_whole<T>()) < (value < 0 ? -value : value) / distance) distance *= 2;
    return up ? nearest + distance : nearest - distance;
  }
}

inline Tensor& random_from(Tensor& self, std::int64_t from, std::optional<std::int64_t> to_given,
                           const std::optional<Generator>& generator) {
  ScalarType type = self.dtype();
  std::uint64_t range = 0;
  visit_random(type, [&]<class T>(type_tag<T>) {
    constexpr std::int64_t most = largest_whole<T>() > static_cast<std::uint64_t>(INT64_MAX)
                                      ? INT64_MAX
                                      : static_cast<std::int64_t>(largest_whole<T>());
    constexpr bool is_signed = !std::is_same_v<T, bool> && !std::is_unsigned_v<T>;
    auto check = [&](std::int64_t value, const char* name) {
      bool fits;
      if constexpr (std::is_integral_v<T>) {
        fits = value <= most && value >= (is_signed ? -most - 1 : 0);
      } else {
        double limit = std::is_same_v<T, Half> ? 65504.0 : 1e300;
        fits = static_cast<double>(value) <= limit && static_cast<double>(value) >= -limit;
      }
      TENON_CHECK(fits, ValueError, name, " is out of bounds for ", type);
    };
    if (to_given) {
      std::int64_t to = *to_given;
      TENON_CHECK(from < to, ValueError, "random_ expects 'from' to be less than 'to', but got from=", from,
                  " >= to=", to);
      if constexpr (!std::is_integral_v<T>) {
        from = rounded_inwards<T>(from, true);
        to = rounded_inwards<T>(to - 1, false) + 1;
        TENON_CHECK(from < to, ValueError,
                    "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, but got from=", from,
                    " >= to=", to);
      }
      check(from, "from");
      check(to - 1, "to - 1");
      range = static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
    } else if (from != INT64_MIN) {
      from = rounded_inwards<T>(from, true);
      check(from, "from");
      TENON_CHECK(
          std::is_integral_v<T> || from < most, ValueError,
          "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got from=",
          from, " > to_inc=", most);
      range = static_cast<std::uint64_t>(most) - static_cast<std::uint64_t>(from) + 1;
    } else {
      TENON_CHECK(type == kLong || type == kDouble || type == kFloat || type == kBFloat16, ValueError,
                  "random_(): the full 64-bit range is only for int64, float64, float32 and bfloat16, got dtype ",
                  type);
    }
  });
  random_range(self, range, from, generator);
  return self;
}
inline Tensor& random_to(Tensor& self, std::int64_t to, const std::optional<Generator>& generator) {
  return random_from(self, 0, to, generator);
}

}  // namespace detail
}  // namespace tenon::cpu

TENON_LIBRARY_FRAGMENT(aten, m) {
  using namespace tenon;
  m.def<ops::normal_base_>()
      .def<ops::uniform_base_>()
      .def<ops::random_base_>()
      .def<ops::random_from_>()
      .def<ops::random_to_>();
}
TENON_LIBRARY_IMPL(aten, CPU, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::normal_base_, &k::normal_>().impl<ops::uniform_base_, &k::uniform_>();
  m.impl<ops::random_base_, &k::random_>()
      .impl<ops::random_from_, &k::random_from>()
      .impl<ops::random_to_, &k::random_to>();
}
TENON_LIBRARY_IMPL(aten, Meta, m) {
  using namespace tenon;
  namespace k = tenon::cpu::detail;
  m.impl<ops::normal_base_, &k::normal_>().impl<ops::uniform_base_, &k::uniform_>();
  m.impl<ops::random_base_, &k::random_>()
      .impl<ops::random_from_, &k::random_from>()
      .impl<ops::random_to_, &k::random_to>();
}
