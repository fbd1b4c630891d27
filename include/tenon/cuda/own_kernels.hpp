// Formulas of one's own with more than values, as kernels: the gradient by every element in one pass, and sums.
#pragma once
#include <cstdint>

#include <tenon/cuda/pointwise.hpp>
#include <tenon/cuda/reduce.hpp>

namespace tenon::cuda {

/// Gradients of a formula, any strides and dtypes: read as one is for its value, written in row-major order.
template <class F, class S>
struct strided_gradients {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const GradientCall& c, const Numbers<S>& numbers) const {
    constexpr int N = F::elements;
    auto item = static_cast<std::int64_t>(item_size(c.dtype));
    each_of_grid(lane, c.walk.count, [&](std::int64_t i) {
      Offsets<N + 1> offsets(c.walk, i);
      S x[N + F::numbers], y[N];
      for (int k = 0; k < N; ++k) x[k] = load_as<S>(c.in[k] + offsets.at[k], c.in_dtype[k]);
      for (int k = 0; k < F::numbers; ++k) x[N + k] = numbers.at[k];
      F::template gradients<S>(load_as<S>(c.in[N] + offsets.at[N], c.in_dtype[N]), x, y);
      for (int k = 0; k < N; ++k) store_as(c.out[k] + i * item, c.dtype, y[k]);
    });
  }
};
/// The same for elements of type T side by side.
template <class F, class T>
struct dense_gradients {
  static constexpr int kPack = 16 / sizeof(T);
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const GradientCall& c, const Numbers<seen_t<T>>& numbers) const {
    using S = seen_t<T>;
    constexpr int N = F::elements;
    each_of_grid(lane, (c.walk.count + kPack - 1) / kPack, [&](std::int64_t pack) {
      std::int64_t i = pack * kPack;
      int most = c.walk.count - i < kPack ? static_cast<int>(c.walk.count - i) : kPack;
      Pack<T, kPack> in[N + 1], out[N];
      for (int k = 0; k <= N; ++k) {
        const T* from = reinterpret_cast<const T*>(c.in[k]) + i;
        if (most == kPack)
          in[k] = lane.template load<kPack>(from);
        else
          for (int p = 0; p < most; ++p) in[k].at[p] = from[p];
      }
      for (int p = 0; p < most; ++p) {
        S x[N + F::numbers], y[N];
        for (int k = 0; k < N; ++k) x[k] = static_cast<S>(in[k].at[p]);
        for (int k = 0; k < F::numbers; ++k) x[N + k] = numbers.at[k];
        F::template gradients<S>(static_cast<S>(in[N].at[p]), x, y);
        for (int k = 0; k < N; ++k) out[k].at[p] = static_cast<T>(y[k]);
      }
      for (int k = 0; k < N; ++k) {
        T* to = reinterpret_cast<T*>(c.out[k]) + i;
        if (most == kPack)
          lane.store(to, out[k]);
        else
          for (int p = 0; p < most; ++p) to[p] = out[k].at[p];
      }
    });
  }
};

/// Sums of values of a formula, in double: operands 1, 2, .. of the walks are what is read.
struct scaled_sum {
  using value_type = double;
  double scale;
  TENON_HOST_DEVICE static double identity() { return 0; }
  TENON_HOST_DEVICE double combine(double a, double b) const { return a + b; }
  TENON_HOST_DEVICE double finish(double total, std::int64_t) const { return total * scale; }
};
namespace detail {
/// The value at place i of the reduced walk, of the result whose operands begin at `kept`.
template <class F, class S>
TENON_HOST_DEVICE double value_at(const FormulaSumCall& c, const Offsets<F::elements + 1>& kept, std::int64_t i) {
  constexpr int N = F::elements;
  Offsets<N + 1> at(c.results.reduced, i);
  S x[N];
  for (int k = 0; k < N; ++k) x[k] = load_as<S>(c.in[k] + kept.at[k + 1] + at.at[k + 1], c.in_dtype[k]);
  return static_cast<double>(evaluate<F, S>(x, nullptr, Numbers<S>{}));
}
}  // namespace detail
/// A lane for each sum.
template <class F, class S>
struct sum_formula_by_lane {
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FormulaSumCall& c) const {
    const ReduceCall& r = c.results;
    each_of_grid(lane, r.kept.count, [&](std::int64_t o) {
      Offsets<F::elements + 1> kept(r.kept, o);
      double total = 0;
      for (std::int64_t i = 0; i < r.reduced.count; ++i) total += detail::value_at<F, S>(c, kept, i);
      store_as(static_cast<char*>(r.out) + kept.at[0], r.out_dtype, total * c.scale);
    });
  }
};
/// Blocks for each sum; several leave their parts to `reduce_parts`.
template <class F, class S>
struct sum_formula_by_block {
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FormulaSumCall& c) const {
    auto& memory = lane.template shared<WarpValues<double>>();
    const ReduceCall& r = c.results;
    Offsets<F::elements + 1> kept(r.kept, lane.block() / r.parts);
    scaled_sum sum{c.scale};
    double total = total_of_part(lane, memory, sum, r.reduced.count, r.parts,
                                 [&](std::int64_t i) { return detail::value_at<F, S>(c, kept, i); });
    store_part(lane, r, sum, total, static_cast<double*>(r.scratch), r.parts, kept.at[0]);
  }
};
/// The same for elements of type T side by side, from multiples of 16 bytes on.
template <class F, class T>
struct sum_formula_packs {
  static constexpr unsigned kMostLanes = kRowLanes;
  template <class L>
  TENON_HOST_DEVICE void operator()(L& lane, const FormulaSumCall& c) const {
    using S = seen_t<T>;
    constexpr int N = F::elements, kPack = kPackOf<T>;
    auto& memory = lane.template shared<WarpValues<double>>();
    const ReduceCall& r = c.results;
    Offsets<N + 1> kept(r.kept, lane.block() / r.parts);
    const T* in[N];
    for (int k = 0; k < N; ++k) in[k] = reinterpret_cast<const T*>(c.in[k] + kept.at[k + 1]);
    auto value = [&](const S* x) { return static_cast<double>(evaluate<F, S>(x, nullptr, Numbers<S>{})); };
    std::int64_t packs = r.reduced.count / kPack, behind = packs * kPack + lane.thread();
    double rest = 0;
    if (lane.block() % r.parts == r.parts - 1 && behind < r.reduced.count) {
      S x[N];
      for (int k = 0; k < N; ++k) x[k] = static_cast<S>(in[k][behind]);
      rest = value(x);
    }
    scaled_sum sum{c.scale};
    double total = total_of_part(
        lane, memory, sum, packs, r.parts,
        [&](std::int64_t pack) {
          Pack<T, kPack> elements[N];
          for (int k = 0; k < N; ++k) elements[k] = lane.template load<kPack>(in[k] + pack * kPack);
          double of_pack = 0;
          for (int p = 0; p < kPack; ++p) {
            S x[N];
            for (int k = 0; k < N; ++k) x[k] = static_cast<S>(elements[k].at[p]);
            of_pack += value(x);
          }
          return of_pack;
        },
        rest);
    store_part(lane, r, sum, total, static_cast<double*>(r.scratch), r.parts, kept.at[0]);
  }
};

namespace detail {

template <class F, class T>
bool can_sum_packs(const FormulaSumCall& c) {
  for (int k = 0; k < F::elements; ++k)
    if (c.in_dtype[k] != scalar_type_v<T> || !is_dense(c.results.reduced, k + 1, c.in_dtype[k]) ||
        !is_on_packs(c.in[k], c.results.kept, k + 1))
      return false;
  return true;
}
template <class F, class T>
void run_gradients(const GradientCall& c, const Scalar* given, void* stream) {
  using S = seen_t<T>;
  Numbers<S> numbers{};
  for (int i = 0; i < F::numbers; ++i) numbers.at[i] = given[i].template to<S>();
  bool packs = c.dense && c.dtype == scalar_type_v<T>;
  for (int k = 0; k <= F::elements && packs; ++k)
    packs = c.in_dtype[k] == scalar_type_v<T> && reinterpret_cast<std::uintptr_t>(c.in[k]) % 16 == 0;
  if (packs)
    launch<dense_gradients<F, T>>(shape_for((c.walk.count * static_cast<std::int64_t>(sizeof(T)) + 15) / 16), stream, c,
                                  numbers);
  else
    launch<strided_gradients<F, S>>(shape_for(c.walk.count), stream, c, numbers);
}
template <class F, class T>
void run_sum(const FormulaSumCall& c, void* stream) {
  using S = seen_t<T>;
  const ReduceCall& r = c.results;
  if (r.reduced.count <= kReducedByLane) return launch<sum_formula_by_lane<F, S>>(shape_for(r.kept.count), stream, c);
  unsigned lanes = threads_for(r.reduced.count / r.parts, kRowLanes);
  if (can_sum_packs<F, T>(c))
    launch<sum_formula_packs<F, T>>({r.kept.count * r.parts, lanes}, stream, c);
  else
    launch<sum_formula_by_block<F, S>>({r.kept.count * r.parts, lanes}, stream, c);
  if (r.parts > 1)
    launch<reduce_parts<scaled_sum>>({r.kept.count, threads_for(r.parts, kRowLanes)}, stream, r, scaled_sum{c.scale},
                                     static_cast<const double*>(r.scratch), r.parts);
}

}  // namespace detail
}  // namespace tenon::cuda
