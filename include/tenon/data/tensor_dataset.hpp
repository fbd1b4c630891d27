// Tensors as a data set: sample i is the i-th entry of each along its first dimension.
#pragma once
#include <array>
#include <cstddef>
#include <tuple>

#include <tenon/base/array_ref.hpp>
#include <tenon/data/dataset.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

namespace detail {
/// Errors: ValueError unless all tensors have a first dimension of one size, which is returned.
std::int64_t check_tensors(ArrayRef<Tensor> tensors);
Tensor entry_of(const Tensor& t, std::int64_t index);
/// The entries along the first dimension.
Tensor entries_of(const Tensor& t, IntArrayRef indices);
template <std::size_t>
using tensor_for = Tensor;
}  // namespace detail

/// `TensorDataset(images, classes)`: samples are tuples of tensors, or tensors if there is one alone.
/// Aliasing: a sample views the tensors; a batch is a copy. Errors: ValueError for tensors of different first sizes.
template <std::size_t N>
class TensorDataset {
 public:
  template <std::same_as<Tensor>... T>
  explicit TensorDataset(T... tensors) : tensors_{std::move(tensors)...}, size_(detail::check_tensors(tensors_)) {}

  std::int64_t size() const { return size_; }
  auto get(std::int64_t i) const {
    detail::check_index("TensorDataset", i, size_);
    return each([&](const Tensor& t) { return detail::entry_of(t, i); });
  }
  /// What stacking the samples gives, in one pass.
  auto get_batch(IntArrayRef indices) const {
    for (std::int64_t i : indices) detail::check_index("TensorDataset", i, size_);
    return each([&](const Tensor& t) { return detail::entries_of(t, indices); });
  }
  const std::array<Tensor, N>& tensors() const { return tensors_; }

 private:
  template <class F>
  auto each(F f) const {
    if constexpr (N == 1)
      return f(tensors_[0]);
    else
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return std::tuple<detail::tensor_for<I>...>(f(tensors_[I])...);
      }
    (std::make_index_sequence<N>());
  }

  std::array<Tensor, N> tensors_;
  std::int64_t size_;
};
template <class... T>
TensorDataset(T...) -> TensorDataset<sizeof...(T)>;

}  // namespace tenon::data
