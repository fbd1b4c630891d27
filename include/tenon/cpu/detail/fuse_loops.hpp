// The inner loops of a fused lambda, and its sums by pieces.
#pragma once
#include <tenon/cpu/detail/dual_gradients.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/pointwise_engine.hpp>

namespace tenon::cpu::detail {

/// The lambda as an inner loop; what it captures comes with the closure.
template <class F>
struct fused_forward {
  F f;
  template <class V, class... X>
  auto operator()(V first, X... x) const {
    using R = decltype(f(first, x...));
    if constexpr (std::is_arithmetic_v<R>)  // it depends on no tensor
      return V(static_cast<typename V::value_type>(f(first, x...)));
    else
      return f(first, x...);
  }
};
/// The gradient of every tensor in one pass.
template <class F>
struct fused_backward {
  F f;
  template <class G, class... X>
  auto operator()(G grad, X... x) const {
    return run(grad, std::tuple<X...>(x...), std::index_sequence_for<X...>{});
  }

 private:
  template <class G, class X, std::size_t... I>
  auto run(G grad, const X& x, std::index_sequence<I...> each) const {
    return gradients_of(grad, f(math::dual_input<I, sizeof...(I)>(std::get<I>(x))...), each);
  }
};
/// The loops of both for N tensors, for float, in which the 16-bit floats compute, and double.
template <class F, int N>
struct fused_loops {
  template <class T>
  static constexpr Loop forward = loop_of<true, default_arch, no_params, fused_forward<F>, 1>(repeat<T, N>{});
  template <class T>
  static constexpr Loop backward = loop_of<true, default_arch, no_params, fused_backward<F>, N>(repeat<T, N + 1>{});
  static const Loop& of(ScalarType type, bool gradients) {
    if (type == kDouble) return gradients ? backward<double> : forward<double>;
    return gradients ? backward<float> : forward<float>;
  }
};

template <class T>
double sum_of(const T* p, std::int64_t n) {
  using V = math::vec<T, default_arch>;
  constexpr int W = V::size, lanes = 4;
  V sum[lanes] = {V(T(0)), V(T(0)), V(T(0)), V(T(0))};
  std::int64_t i = 0;
  for (; i + lanes * W <= n; i += lanes * W)
    for (int k = 0; k < lanes; ++k) sum[k] = sum[k] + V::load(p + i + k * W);
  alignas(64) T part[W];
  ((sum[0] + sum[1]) + (sum[2] + sum[3])).store(part);
  double total = 0;
  for (T x : part) total += static_cast<double>(x);
  for (; i < n; ++i) total += static_cast<double>(p[i]);
  return total;
}

/// Pieces of a shape whose last dimensions are added up: a few rows of one dimension, or all. Where they are cut
/// depends on the shape alone, so that sums do not depend on the number of threads.
class FusedPieces {
 public:
  static constexpr std::int64_t kMost = 4096;  // elements of a piece, which lies in a nearby cache
  /// The first `kept` sizes stay.
  FusedPieces(IntArrayRef sizes, std::size_t kept) : sizes_(sizes), kept_(kept) {
    inner_ = tail_ = 1;
    for (std::size_t d = kept; d < sizes.size(); ++d) inner_ *= sizes[d];
    at_ = sizes.size();
    while (at_ > 0 && tail_ * sizes[at_ - 1] <= kMost) tail_ *= sizes[--at_];
    rows_ = at_ ? std::max<std::int64_t>(1, kMost / tail_) : 1;
    cuts_ = at_ ? (sizes[at_ - 1] + rows_ - 1) / rows_ : 1;
    lead_ = 1;
    for (std::size_t d = 0; d + 1 < at_; ++d) lead_ *= sizes[d];
  }
  std::int64_t count() const { return lead_ * cuts_; }
  std::int64_t inner() const { return inner_; }
  /// Whether a piece is a part of one sum; else it holds whole ones.
  bool splits_sums() const { return at_ > kept_; }
  std::int64_t pieces_of_sum() const {
    std::int64_t n = cuts_;
    for (std::size_t d = kept_; d + 1 < at_; ++d) n *= sizes_[d];
    return n;
  }
  /// The first sum that a piece of whole ones holds.
  std::int64_t first_sum(std::int64_t piece) const {
    std::int64_t row = at_ ? piece / cuts_ * sizes_[at_ - 1] + piece % cuts_ * rows_ : 0;
    return row * (tail_ / inner_);
  }
  /// The place of a piece by strides, its sizes and how many elements it has.
  std::int64_t offset(std::int64_t piece, IntArrayRef strides) const {
    if (at_ == 0) return 0;
    std::int64_t rest = piece / cuts_, out = piece % cuts_ * rows_ * strides[at_ - 1];
    for (std::size_t d = at_ - 1; d-- > 0; rest /= sizes_[d]) out += rest % sizes_[d] * strides[d];
    return out;
  }
  IntArrayRef tail_strides(IntArrayRef strides) const { return strides.slice(first(), strides.size() - first()); }
  std::int64_t sizes_of(std::int64_t piece, DimVector& sizes) const {
    sizes = DimVector(sizes_.slice(first(), sizes_.size() - first()));
    if (at_ == 0) return tail_;
    sizes[0] = std::min(rows_, sizes_[at_ - 1] - piece % cuts_ * rows_);
    return sizes[0] * tail_;
  }

 private:
  std::size_t first() const { return at_ ? at_ - 1 : 0; }
  IntArrayRef sizes_;
  std::size_t kept_, at_;
  std::int64_t inner_, tail_, rows_, cuts_, lead_;
};

/// An input of a piecewise sum: its strides over the whole shape, 0 where it is repeated.
struct FusedInput {
  const Tensor* tensor;
  DimVector strides;
  bool dense;
};

/// out[i] = scale * the sum of row i, for the rows of `sizes` behind the first `kept` dimensions.
template <class T>
void fused_sum(const Loop& loop, const void* closure, IntArrayRef sizes, std::size_t kept, ArrayRef<FusedInput> inputs,
               double scale, std::vector<double>& out) {
  FusedPieces pieces(sizes, kept);
  bool splits = pieces.splits_sums();
  std::vector<double> part(splits ? static_cast<std::size_t>(pieces.count()) : 0);
  parallel_for(0, pieces.count(), 8, [&](std::int64_t first, std::int64_t last) {
    alignas(64) T buffer[FusedPieces::kMost];
    DimVector shape;
    for (std::int64_t p = first; p < last; ++p) {
      std::int64_t n = pieces.sizes_of(p, shape);
      Operands o(shape.data(), static_cast<int>(shape.size()), n, scalar_type_v<T>);
      o.add_output(Operand::dense(buffer, scalar_type_v<T>));
      for (const FusedInput& in : inputs) {
        const TensorImpl& t = *in.tensor->unsafe_impl();
        auto* at = static_cast<char*>(t.data()) +
                   pieces.offset(p, in.strides) * static_cast<std::int64_t>(item_size(t.dtype()));
        o.add_input(t.numel() == 1 ? Operand::splat(at, t.dtype())
                    : in.dense     ? Operand::dense(at, t.dtype())
                               : Operand::strided(at, t.dtype(), shape.data(), pieces.tail_strides(in.strides).data(),
                                                  static_cast<int>(shape.size())));
      }
      active_tables().pointwise->run(loop, closure, o);
      if (splits) {
        part[static_cast<std::size_t>(p)] = sum_of(buffer, n);
      } else {
        std::int64_t to = pieces.first_sum(p);
        for (std::int64_t i = 0; i < n; i += pieces.inner())
          out[static_cast<std::size_t>(to++)] = scale * sum_of(buffer + i, pieces.inner());
      }
    }
  });
  if (!splits) return;
  std::int64_t each = pieces.pieces_of_sum();
  for (std::size_t i = 0; i < out.size(); ++i) {
    double sum = 0;
    for (std::int64_t k = 0; k < each; ++k)
      sum += part[i * static_cast<std::size_t>(each) + static_cast<std::size_t>(k)];
    out[i] = scale * sum;
  }
}

}  // namespace tenon::cpu::detail
