// Bags of rows of a table on the CPU: sums, means, maxima, and their gradients.
#pragma once
#include <vector>

#include <tenon/composite/embedding_bag.hpp>
#include <tenon/cpu/detail/tensor_support.hpp>
#include <tenon/cpu/parallel.hpp>

namespace tenon::cpu::detail {

namespace bags = composite::bags;

inline const std::int64_t* integers(const Tensor& t) { return static_cast<const std::int64_t*>(t.data_ptr()); }
inline std::int64_t* written_integers(const Tensor& t) { return static_cast<std::int64_t*>(t.data_ptr()); }

/// Indices in a row, each naming one of `rows`.
inline Tensor checked_indices(const Tensor& indices, std::int64_t rows) {
  Tensor list = row_major(indices, kLong);
  for (std::int64_t i = 0, n = list.numel(); i < n; ++i)
    TENON_CHECK(integers(list)[i] >= 0 && integers(list)[i] < rows, IndexError, "Index ", i, " of input takes value ",
                integers(list)[i], " which is not in the valid range [0, ", rows, ")");
  return list;
}
/// The first index of each bag, and behind the last bag the number of indices.
inline std::vector<std::int64_t> bag_bounds(const Tensor& offsets, std::int64_t n, bool include_last_offset) {
  Tensor list = row_major(offsets, kLong);
  std::vector<std::int64_t> bounds(integers(list), integers(list) + list.numel());
  if (!bounds.empty()) {
    TENON_CHECK(bounds[0] == 0, ValueError,
                "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "
                "However, got ",
                bounds[0]);
    TENON_CHECK(bounds.back() <= n, ValueError, "offsets[-1] can not be greater than input's length ", n,
                " but got offsets[-1] of ", bounds.back());
  }
  for (std::size_t i = 1; i < bounds.size(); ++i)
    TENON_CHECK(bounds[i - 1] <= bounds[i], ValueError, "embedding_bag: offsets have to ascend, got ", bounds[i - 1],
                " before ", bounds[i]);
  if (!include_last_offset) bounds.push_back(n);
  return bounds;
}
/// Weights of samples in a row; an undefined tensor if there are none.
inline Tensor sample_weights(const std::optional<Tensor>& t) { return t && t->defined() ? row_major(*t) : Tensor(); }

/// One bag: where its indices are, which of them count, and what becomes of their rows.
template <class T>
struct Bag {
  using C = compute_t<T>;
  const T* table;
  std::int64_t width, padding;
  const T* scales;  // null for none

  template <class F>
  std::int64_t each(const std::int64_t* index, std::int64_t first, std::int64_t last, F f) const {
    std::int64_t count = 0;
    for (std::int64_t i = first; i < last; ++i)
      if (index[i] != padding) f(i, table + index[i] * width, count++ == 0);
    return count;
  }
  std::int64_t sum(const std::int64_t* index, std::int64_t first, std::int64_t last, bool mean, T* out,
                   std::vector<C>& total) const {
    total.assign(static_cast<std::size_t>(width), C(0));
    std::int64_t count = each(index, first, last, [&](std::int64_t i, const T* row, bool) {
      C scale = scales ? static_cast<C>(scales[i]) : C(1);
      for (std::int64_t k = 0; k < width; ++k) total[static_cast<std::size_t>(k)] += static_cast<C>(row[k]) * scale;
    });
    C divisor = mean && count > 0 ? static_cast<C>(count) : C(1);
    for (std::int64_t k = 0; k < width; ++k) out[k] = static_cast<T>(total[static_cast<std::size_t>(k)] / divisor);
    return count;
  }
  std::int64_t largest(const std::int64_t* index, std::int64_t first, std::int64_t last, T* out,
                       std::int64_t* places) const {
    std::fill_n(out, width, T(0));
    std::fill_n(places, width, std::int64_t{0});
    return each(index, first, last, [&](std::int64_t i, const T* row, bool is_first) {
      for (std::int64_t k = 0; k < width; ++k)
        if (is_first || row[k] > out[k]) {
          out[k] = row[k];
          places[k] = index[i];
        }
    });
  }
};

template <bool ForGradients>
bags::Results embedding_bag_cpu(const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                                bool scale_grad_by_freq, std::int64_t mode, bool sparse,
                                const std::optional<Tensor>& per_sample_weights, bool include_last_offset,
                                std::int64_t padding_idx) {
  bags::Results out = bags::made<ForGradients>(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                               per_sample_weights, include_last_offset, padding_idx);
  auto& [output, bag_of, size_of, place_of] = out;
  const Tensor& result = output;  // a lambda of Clang 14 captures no structured binding
  Tensor list = checked_indices(indices, weight.size(0)), table = row_major(weight),
         scales = sample_weights(per_sample_weights);
  auto bounds = bag_bounds(offsets, list.numel(), include_last_offset);
  Tensor of_index = make_tensor(bag_of.sizes(), {}, kLong), sizes = make_tensor(size_of.sizes(), {}, kLong),
         places = make_tensor(place_of.sizes(), {}, kLong);
  for (const Tensor* t : {&of_index, &sizes, &places}) fill_elements(*t, Scalar(0));
  auto count = static_cast<std::int64_t>(bounds.size()) - 1, width = weight.size(1);
  visit_floating(weight.dtype(), "embedding_bag", [&]<class T>(type_tag<T>) {
    Bag<T> bag{static_cast<const T*>(table.data_ptr()), width, padding_idx,
               scales.defined() ? static_cast<const T*>(scales.data_ptr()) : nullptr};
    auto y = static_cast<T*>(result.data_ptr());
    parallel_for(0, count, 16, [&](std::int64_t from, std::int64_t to) {
      std::vector<compute_t<T>> total;
      for (std::int64_t b = from; b < to; ++b) {
        std::int64_t first = bounds[static_cast<std::size_t>(b)], last = bounds[static_cast<std::size_t>(b) + 1];
        if (of_index.numel() > 0) std::fill(written_integers(of_index) + first, written_integers(of_index) + last, b);
        std::int64_t n =
            mode == bags::kMax
                ? bag.largest(integers(list), first, last, y + b * width, written_integers(places) + b * width)
                : bag.sum(integers(list), first, last, mode == bags::kMean, y + b * width, total);
        if (mode != bags::kSum) written_integers(sizes)[b] = n;
        if (mode == bags::kMean) written_integers(places)[b] = n;
      }
    });
  });
  // With the last offset given, indices behind it are in no bag; PyTorch counts them to one behind the last.
  if (of_index.numel() > 0)
    std::fill(written_integers(of_index) + bounds.back(), written_integers(of_index) + list.numel(), count);
  copy_elements(bag_of, of_index);
  copy_elements(size_of, sizes);
  copy_elements(place_of, places);
  return out;
}

/// Adds to `to` the gradients that bags hand to their maxima.
template <class T>
void add_to_maxima(const Tensor& grad, const Tensor& sizes, const Tensor& places, compute_t<T>* to) {
  auto g = static_cast<const T*>(grad.data_ptr());
  for (std::int64_t b = 0, width = grad.size(1); b < grad.size(0); ++b)
    if (integers(sizes)[b] != 0)
      for (std::int64_t k = 0; k < width; ++k)
        to[integers(places)[b * width + k] * width + k] += static_cast<compute_t<T>>(g[b * width + k]);
}
inline Tensor embedding_bag_dense_backward_cpu(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag,
                                               const Tensor& bag_size, const Tensor& maximum_indices,
                                               SymInt num_weights, bool scale_grad_by_freq, std::int64_t mode,
                                               const std::optional<Tensor>& per_sample_weights,
                                               std::int64_t padding_idx) {
  Tensor out = bags::dense_backward_meta(grad, indices, offset2bag, bag_size, maximum_indices, num_weights,
                                         scale_grad_by_freq, mode, per_sample_weights, padding_idx);
  auto expect = [](bool fits, const char* name, const Tensor& t) {
    TENON_CHECK(fits, ValueError, "_embedding_bag_dense_backward(): ", name, " of shape ", t.sizes(), " and dtype ",
                t.dtype(), " does not fit the other arguments");
  };
  auto is_list = [](const Tensor& t, std::int64_t n) {
    return bags::is_index_type(t.dtype()) && t.dim() == 1 && t.size(0) == n;
  };
  std::int64_t count = grad.size(0), width = grad.size(1), rows = out.size(0);
  Tensor list = checked_indices(indices, rows), scales = sample_weights(per_sample_weights), from = row_major(grad);
  if (mode != bags::kMax) expect(is_list(offset2bag, list.numel()), "offset2bag", offset2bag);
  if (mode != bags::kSum) expect(is_list(bag_size, count), "bag_size", bag_size);
  if (mode == bags::kMax)
    expect(bags::is_index_type(maximum_indices.dtype()) && maximum_indices.sizes() == grad.sizes(), "maximum_indices",
           maximum_indices);
  if (scales.defined()) expect(scales.dtype() == grad.dtype() && scales.numel() == list.numel(), "weights", scales);
  Tensor sizes = mode == bags::kSum ? Tensor() : row_major(bag_size, kLong);
  std::vector<std::int64_t> times(scale_grad_by_freq ? static_cast<std::size_t>(rows) : 0);
  for (std::int64_t i = 0; scale_grad_by_freq && i < list.numel(); ++i)
    ++times[static_cast<std::size_t>(integers(list)[i])];
  visit_floating(grad.dtype(), "embedding_bag_backward", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    std::vector<C> total(static_cast<std::size_t>(rows * width), C(0));
    if (mode == bags::kMax) {
      add_to_maxima<T>(from, sizes, checked_indices(maximum_indices, rows), total.data());
    } else {
      Tensor of_index = checked_indices(offset2bag, count + 1);
      auto g = static_cast<const T*>(from.data_ptr());
      for (std::int64_t i = 0; i < list.numel(); ++i) {
        std::int64_t row = integers(list)[i], b = integers(of_index)[i];
        if (row == padding_idx || b == count) continue;
        C scale = scales.defined() ? static_cast<C>(static_cast<const T*>(scales.data_ptr())[i]) : C(1);
        if (scale_grad_by_freq) scale /= static_cast<C>(times[static_cast<std::size_t>(row)]);
        if (mode == bags::kMean) scale /= static_cast<C>(integers(sizes)[b]);
        for (std::int64_t k = 0; k < width; ++k)
          total[static_cast<std::size_t>(row * width + k)] += static_cast<C>(g[b * width + k]) * scale;
      }
    }
    auto y = static_cast<T*>(out.data_ptr());
    for (std::size_t k = 0; k < total.size(); ++k) y[k] = static_cast<T>(total[k]);
  });
  return out;
}
inline Tensor embedding_bag_weights_backward_cpu(const Tensor& grad, const Tensor& weight, const Tensor& indices,
                                                 const Tensor& offsets, const Tensor& offset2bag, std::int64_t mode,
                                                 std::int64_t padding_idx) {
  Tensor out = bags::weights_backward_meta(grad, weight, indices, offsets, offset2bag, mode, padding_idx);
  TENON_CHECK(grad.dim() == 2 && weight.dim() == 2 && grad.size(1) == weight.size(1), ValueError,
              "_embedding_bag_per_sample_weights_backward(): expected a gradient and a table of the same width, got "
              "shapes ",
              grad.sizes(), " and ", weight.sizes());
  TENON_CHECK(grad.dtype() == weight.dtype(), TypeError, "expected scalar type ", enumerator_name(weight.dtype()),
              " but found ", enumerator_name(grad.dtype()));
  Tensor list = checked_indices(indices, weight.size(0)), from = row_major(grad), table = row_major(weight);
  bags::check_index_type("offsets", offsets);
  bool left_out = offset2bag.numel() == 0 && list.numel() > 0;
  TENON_CHECK(left_out || (bags::is_index_type(offset2bag.dtype()) && offset2bag.numel() == list.numel()), ValueError,
              "_embedding_bag_per_sample_weights_backward(): expected a bag for each of ", list.numel(),
              " indices, got shape ", offset2bag.sizes());
  Tensor of_index;
  if (left_out) {
    auto bounds = bag_bounds(offsets, list.numel(), false);
    TENON_CHECK(bounds.size() > 1, ValueError, "embedding_bag_backward: expected a bag, got no offsets");
    of_index = make_tensor({list.numel()}, {}, kLong);
    for (std::size_t b = 0; b + 1 < bounds.size(); ++b)
      std::fill(written_integers(of_index) + bounds[b], written_integers(of_index) + bounds[b + 1],
                static_cast<std::int64_t>(b));
  } else {
    of_index = offset2bag;
  }
  of_index = checked_indices(of_index, grad.size(0) + 1);
  visit_floating(grad.dtype(), "_embedding_bag_per_sample_weights_backward_cpu", [&]<class T>(type_tag<T>) {
    using C = compute_t<T>;
    auto g = static_cast<const T*>(from.data_ptr()), w = static_cast<const T*>(table.data_ptr());
    auto y = static_cast<T*>(out.data_ptr());
    std::int64_t width = grad.size(1);
    for (std::int64_t i = 0; i < list.numel(); ++i) {
      std::int64_t row = integers(list)[i], b = integers(of_index)[i];
      C sum = 0;
      if (row != padding_idx && b < grad.size(0))
        for (std::int64_t k = 0; k < width; ++k)
          sum += static_cast<C>(g[b * width + k]) * static_cast<C>(w[row * width + k]);
      y[i] = static_cast<T>(sum);
    }
  });
  return out;
}

}  // namespace tenon::cpu::detail

namespace tenon::cpu {

TENON_LIBRARY_FRAGMENT(aten, m) {
  install_kernels<&KernelTables::copy>();
  m.impl<ops::_embedding_bag_base, &detail::embedding_bag_cpu<true>>(DispatchKey::CPU)
      .impl<ops::_embedding_bag_forward_only_base, &detail::embedding_bag_cpu<false>>(DispatchKey::CPU)
      .impl<ops::_embedding_bag_dense_backward_base, &detail::embedding_bag_dense_backward_cpu>(DispatchKey::CPU)
      .impl<ops::_embedding_bag_per_sample_weights_backward_base, &detail::embedding_bag_weights_backward_cpu>(
          DispatchKey::CPU);
}

}  // namespace tenon::cpu
