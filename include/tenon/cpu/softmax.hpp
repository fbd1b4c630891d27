// Softmax and log-softmax with their gradients, on [outer, size, inner] blocks of contiguous memory.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <type_traits>

#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/detail/short_row.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/loops.hpp>
#include <tenon/math/vector.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/reduce.hpp>

namespace tenon::cpu {
namespace detail {

/// Columns that are treated together: a block of them should stay in the L2 cache through three passes.
inline constexpr std::int64_t kSoftmaxColumns = 128;

/// f on every vector of a row of n elements; `f(load, store)` reads and writes lanes through the two.
template <class Arch, class T, class F>
void each_vector(std::int64_t n, F f) {
  using V = vec<T, Arch>;
  std::int64_t i = 0;
  for (; i + V::size <= n; i += V::size)
    f([i](const T* p) { return V::load(p + i); }, [i](T* p, V v) { v.store(p + i); });
  if (int rest = static_cast<int>(n - i))
    f([i, rest](const T* p) { return V::load_partial(p + i, rest); },
      [i, rest](T* p, V v) { v.store_partial(p + i, rest); });
}
template <class Arch, class Op, class T>
T reduce_row(const Op& op, const T* x, std::int64_t n) {
  alignas(64) T lanes[kLanes];
  for (T& l : lanes) l = Op::identity();
  accumulate<Arch>(op, lanes, x, n);
  return fold_lanes<Arch>(op, lanes, n < kLanes ? n : kLanes);
}

/// As PyTorch does along the last dimension, 16-bit floats round the sum and its logarithm.
template <class E, class T>
T rounded_log(T total) {
  auto rounded = [](T v) { return static_cast<T>(static_cast<E>(v)); };
  return rounded(std::log(rounded(total)));
}

/// A row of E's values, held as T.
template <class Arch, class E, class T, bool Log>
void softmax_row(T* out, const T* x, std::int64_t n) {
  using V = vec<T, Arch>;
  auto whole = [&](auto row) {
    auto v = row.load(x);
    V top = row.total(max_op<T>{}, v);
    auto e = row.map([&](V a, V) { return math::exp(a - top); }, v, v);
    V total = row.total(sum_op<T>{}, e);
    if constexpr (Log) {
      alignas(64) T totals[V::size];
      total.store(totals);
      V log_total = V(rounded_log<E>(totals[0]));
      row.store(row.map([&](V a, V) { return a - top - log_total; }, v, v), out);
    } else {
      V scale = V(T(1)) / total;
      row.store(row.map([&](V a, V) { return a * scale; }, e, e), out);
    }
  };
  if (in_registers<Arch, T>(n, whole)) return;
  const V top = reduce_row<Arch>(max_op<T>{}, x, n);
  constexpr std::int64_t block = 1024;
  alignas(64) T lanes[kLanes] = {};
  alignas(64) T staged[block];
  for (std::int64_t at = 0; at < n; at += block) {
    std::int64_t m = n - at < block ? n - at : block;
    T* to = Log ? staged : out + at;
    each_vector<Arch, T>(m, [&](auto load, auto store) { store(to, math::exp(load(x + at) - top)); });
    accumulate<Arch>(sum_op<T>{}, lanes, static_cast<const T*>(to), m);
  }
  T total = fold_lanes<Arch>(sum_op<T>{}, lanes, n < kLanes ? n : kLanes);
  if constexpr (Log) {
    const V log_total = rounded_log<E>(total);
    each_vector<Arch, T>(n, [&](auto load, auto store) { store(out, load(x) - top - log_total); });
  } else {
    const V scale = T(1) / total;
    each_vector<Arch, T>(n, [&](auto load, auto store) { store(out, load(out) * scale); });
  }
}
template <class Arch, class T, bool Log>
void softmax_backward_row(T* grad_in, const T* grad, const T* y, std::int64_t n) {
  using V = vec<T, Arch>;
  auto whole = [&](auto row) {
    auto g = row.load(grad), v = row.load(y);
    if constexpr (Log) {
      V t = row.total(sum_op<T>{}, g);
      row.store(row.map([&](V a, V b) { return a - math::exp(b) * t; }, g, v), grad_in);
    } else {
      V t = row.total(sum_op<T>{}, row.map([](V a, V b) { return a * b; }, g, v));
      row.store(row.map([&](V a, V b) { return (a - t) * b; }, g, v), grad_in);
    }
  };
  if (in_registers<Arch, T>(n, whole)) return;
  T total;
  if constexpr (Log) {
    total = reduce_row<Arch>(sum_op<T>{}, grad, n);
  } else {
    constexpr std::int64_t block = 1024;
    alignas(64) T lanes[kLanes] = {};
    alignas(64) T staged[block];
    for (std::int64_t at = 0; at < n; at += block) {
      std::int64_t m = n - at < block ? n - at : block;
      each_vector<Arch, T>(m, [&](auto load, auto store) { store(staged, load(grad + at) * load(y + at)); });
      accumulate<Arch>(sum_op<T>{}, lanes, static_cast<const T*>(staged), m);
    }
    total = fold_lanes<Arch>(sum_op<T>{}, lanes, n < kLanes ? n : kLanes);
  }
  const V t = total;
  each_vector<Arch, T>(n, [&](auto load, auto store) {
    if constexpr (Log)
      store(grad_in, load(grad) - math::exp(load(y)) * t);
    else
      store(grad_in, (load(grad) - t) * load(y));
  });
}

/// The same along dimension 1 of [size, inner] for `width` columns, row step `inner`. From column `whole` on 16-bit
/// floats round each exponential, as PyTorch does behind its last full vector.
template <class Arch, class E, class T, bool Log>
void softmax_columns(T* out, const T* x, std::int64_t size, std::int64_t inner, std::int64_t width,
                     [[maybe_unused]] std::int64_t whole) {
  alignas(64) T top[kSoftmaxColumns], total[kSoftmaxColumns];
  for (std::int64_t c = 0; c < width; ++c) top[c] = max_op<T>::identity(), total[c] = T(0);
  accumulate_rows<Arch>(max_op<T>{}, top, x, inner, size, width);
  for (std::int64_t r = 0; r < size; ++r)
    each_vector<Arch, T>(width, [&](auto load, auto store) {
      auto e = math::exp(load(x + r * inner) - load(top));
      if constexpr (!Log) store(out + r * inner, e);
      store(total, load(total) + e);
    });
  if constexpr (!Log && !std::is_same_v<T, E>)
    for (std::int64_t r = 0; r < size; ++r)
      for (std::int64_t c = whole; c < width; ++c)
        out[r * inner + c] = static_cast<T>(static_cast<E>(out[r * inner + c]));
  for (std::int64_t c = 0; c < width; ++c) total[c] = Log ? static_cast<T>(std::log(total[c])) : T(1) / total[c];
  for (std::int64_t r = 0; r < size; ++r)
    each_vector<Arch, T>(width, [&](auto load, auto store) {
      if constexpr (Log)
        store(out + r * inner, load(x + r * inner) - load(top) - load(total));
      else
        store(out + r * inner, load(out + r * inner) * load(total));
    });
}
template <class Arch, class T, bool Log>
void softmax_backward_columns(T* grad_in, const T* grad, const T* y, std::int64_t size, std::int64_t inner,
                              std::int64_t width) {
  alignas(64) T total[kSoftmaxColumns] = {};
  for (std::int64_t r = 0; r < size; ++r)
    each_vector<Arch, T>(width, [&](auto load, auto store) {
      if constexpr (Log)
        store(total, load(total) + load(grad + r * inner));
      else
        store(total, load(total) + load(grad + r * inner) * load(y + r * inner));
    });
  for (std::int64_t r = 0; r < size; ++r)
    each_vector<Arch, T>(width, [&](auto load, auto store) {
      auto g = load(grad + r * inner), v = load(y + r * inner);
      if constexpr (Log)
        store(grad_in + r * inner, g - math::exp(v) * load(total));
      else
        store(grad_in + r * inner, (g - load(total)) * v);
    });
}

/// Calls f(index of the first element, columns) for rows (inner == 1) or blocks of columns; E is converted by the
/// caller.
template <class F>
void softmax_blocks(std::int64_t outer, std::int64_t size, std::int64_t inner, F f) {
  std::int64_t blocks = inner == 1 ? 1 : (inner + kSoftmaxColumns - 1) / kSoftmaxColumns;
  std::int64_t width = inner < kSoftmaxColumns ? inner : kSoftmaxColumns;
  parallel_for(0, outer * blocks, 8192 / (size * width + 1) + 1, [&](std::int64_t first, std::int64_t last) {
    for (std::int64_t i = first; i < last; ++i) {
      std::int64_t c = i % blocks * kSoftmaxColumns;
      f(i / blocks * size * inner + c, inner - c < kSoftmaxColumns ? inner - c : kSoftmaxColumns);
    }
  });
}
/// A block of `size` rows of E as T in the thread's scratch memory.
template <class Arch, class T, class E>
void block_in(T* to, const E* from, std::int64_t size, std::int64_t inner, std::int64_t width) {
  if (inner == 1) return convert<Arch>(to, scalar_type_v<T>, sizeof(T), from, scalar_type_v<E>, sizeof(E), size);
  for (std::int64_t r = 0; r < size; ++r)
    convert<Arch>(to + r * width, scalar_type_v<T>, sizeof(T), from + r * inner, scalar_type_v<E>, sizeof(E), width);
}
template <class Arch, class T, class E>
void block_out(E* to, const T* from, std::int64_t size, std::int64_t inner, std::int64_t width) {
  if (inner == 1) return convert<Arch>(to, scalar_type_v<E>, sizeof(E), from, scalar_type_v<T>, sizeof(T), size);
  for (std::int64_t r = 0; r < size; ++r)
    convert<Arch>(to + r * inner, scalar_type_v<E>, sizeof(E), from + r * width, scalar_type_v<T>, sizeof(T), width);
}

}  // namespace detail

/// Softmax (`Log`: its logarithm) over the middle dimension of contiguous [outer, size, inner] arrays. Rows of 16-bit
/// floats that are not the tensor's last dimension (`last`) are rounded as columns are.
/// Dtypes: float, double; Half and BFloat16 through float. Aliasing: `out` may be `x`.
/// Cost: rows of an L1 cache's size are read once; sums in the fixed order of the reductions.
template <bool Log, class Arch, class E>
void softmax(E* out, const E* x, std::int64_t outer, std::int64_t size, std::int64_t inner, bool last = true) {
  using T = compute_t<E>;
  if (size == 0) return;
  detail::softmax_blocks(outer, size, inner, [&](std::int64_t at, std::int64_t width) {
    if constexpr (std::is_same_v<T, E>) {
      if (inner == 1)
        detail::softmax_row<Arch, E, T, Log>(out + at, x + at, size);
      else
        detail::softmax_columns<Arch, E, T, Log>(out + at, x + at, size, inner, width, width);
    } else {
      T* t = static_cast<T*>(detail::scratch<Arch>(1, static_cast<std::size_t>(size * width) * sizeof(T)));
      detail::block_in<Arch>(t, x + at, size, inner, width);
      if (inner == 1 && last)
        detail::softmax_row<Arch, E, T, Log>(t, t, size);
      else
        detail::softmax_columns<Arch, E, T, Log>(t, t, size, width, width,
                                                 std::clamp<std::int64_t>(inner / 32 * 32 - at % inner, 0, width));
      detail::block_out<Arch>(out + at, t, size, inner, width);
    }
  });
}

/// The gradient of `softmax<Log>`: from the gradient of its result and the result `y`. `grad_in` may be either.
template <bool Log, class Arch, class E>
void softmax_backward(E* grad_in, const E* grad, const E* y, std::int64_t outer, std::int64_t size,
                      std::int64_t inner) {
  using T = compute_t<E>;
  if (size == 0) return;
  detail::softmax_blocks(outer, size, inner, [&](std::int64_t at, std::int64_t width) {
    if constexpr (std::is_same_v<T, E>) {
      if (inner == 1)
        detail::softmax_backward_row<Arch, T, Log>(grad_in + at, grad + at, y + at, size);
      else
        detail::softmax_backward_columns<Arch, T, Log>(grad_in + at, grad + at, y + at, size, inner, width);
    } else {
      T* g = static_cast<T*>(detail::scratch<Arch>(1, static_cast<std::size_t>(2 * size * width) * sizeof(T)));
      T* v = g + size * width;
      detail::block_in<Arch>(g, grad + at, size, inner, width);
      detail::block_in<Arch>(v, y + at, size, inner, width);
      if (inner == 1)
        detail::softmax_backward_row<Arch, T, Log>(g, g, v, size);
      else
        detail::softmax_backward_columns<Arch, T, Log>(g, g, v, size, width, width);
      detail::block_out<Arch>(grad_in + at, g, size, inner, width);
    }
  });
}

}  // namespace tenon::cpu
