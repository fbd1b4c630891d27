// Sequences of a batch without their padding, for every back end.
#pragma once
#include <vector>

#include <tenon/library/library.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/packed_sequence.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::composite {

/// The number of sequences that reach each step, of which there is one at least and which do not increase.
inline std::vector<std::int64_t> sizes_of_steps(const Tensor& batch_sizes) {
  TENON_CHECK(batch_sizes.dim() == 1 && batch_sizes.dtype() == kLong && batch_sizes.size(0) > 0, ValueError,
              "packed sequences: expected sizes of batches of dtype int64 and of one dimension, got ",
              batch_sizes.dtype(), " of shape ", batch_sizes.sym_sizes());
  std::vector<std::int64_t> sizes;
  for (std::int64_t t = 0; t < batch_sizes.size(0); ++t) {
    sizes.push_back(ops::select(batch_sizes, 0, t).item<std::int64_t>());
    TENON_CHECK(sizes.back() > 0 && sizes.back() <= sizes[t == 0 ? 0 : sizes.size() - 2], ValueError,
                "packed sequences: expected sizes of batches above 0 that do not increase, got ", sizes.back());
  }
  return sizes;
}
/// The place of each packed row among the rows of all steps.
inline Tensor packed_places(const std::vector<std::int64_t>& sizes, std::int64_t batch, Device device) {
  std::vector<std::int64_t> places;
  for (std::size_t t = 0; t < sizes.size(); ++t)
    for (std::int64_t b = 0; b < sizes[t]; ++b) places.push_back(static_cast<std::int64_t>(t) * batch + b);
  Tensor index = make_tensor({static_cast<std::int64_t>(places.size())}, {}, kLong);
  std::copy(places.begin(), places.end(), static_cast<std::int64_t*>(index.data_ptr()));
  return ops::to(index, device);
}
inline std::tuple<Tensor, Tensor> pack_padded_sequence(const Tensor& input, const Tensor& lengths, bool batch_first) {
  TENON_CHECK(input.dim() >= 2 && input.numel() > 0, ValueError, "Cannot pack empty tensors.");
  const Tensor x = batch_first ? ops::transpose(input, 0, 1) : input;
  TENON_CHECK(lengths.dim() == 1 && lengths.dtype() == kLong && lengths.device().is_cpu(), ValueError,
              "'lengths' argument should be a 1D CPU int64 tensor, but got ", lengths.dim(), "D ", lengths.device(),
              " ", enumerator_name(lengths.dtype()), " tensor");
  const std::int64_t batch = x.size(1);
  TENON_CHECK(lengths.size(0) == batch, ValueError, "Expected `len(lengths)` to be equal to batch_size, but got ",
              lengths.size(0), " (batch_size=", batch, ")");
  std::vector<std::int64_t> length;
  for (std::int64_t i = 0; i < batch; ++i) length.push_back(ops::select(lengths, 0, i).item<std::int64_t>());
  TENON_CHECK(length.back() > 0, ValueError,
              "Length of all samples has to be greater than 0, but found an element in 'lengths' that is <= 0");
  for (std::size_t i = 1; i < length.size(); ++i)
    TENON_CHECK(length[i - 1] >= length[i], ValueError,
                "`lengths` array must be sorted in decreasing order when `enforce_sorted` is True. You can pass "
                "`enforce_sorted=False` to pack_padded_sequence to sidestep this requirement.");
  TENON_CHECK(length[0] <= x.size(0), ValueError, "Expected all lengths to be at most ", x.size(0), ", got ",
              length[0]);
  std::vector<std::int64_t> sizes;
  for (std::int64_t t = 0, n = batch; t < length[0]; ++t) {
    while (length[static_cast<std::size_t>(n - 1)] <= t) --n;
    sizes.push_back(n);
  }
  Tensor batch_sizes = make_tensor({length[0]}, {}, kLong);
  std::copy(sizes.begin(), sizes.end(), static_cast<std::int64_t*>(batch_sizes.data_ptr()));
  return {ops::index_select(ops::flatten(x, 0, 1), 0, packed_places(sizes, batch, input.device())), batch_sizes};
}
inline Tensor pack_padded_sequence_backward(const Tensor& grad, IntArrayRef input_size, const Tensor& batch_sizes,
                                            bool batch_first) {
  TENON_CHECK(input_size.size() >= 2, ValueError,
              "_pack_padded_sequence_backward(): expected an input of two dimensions at least, got ",
              input_size.size());
  std::vector<std::int64_t> all(input_size.begin(), input_size.end());
  if (batch_first) std::swap(all[0], all[1]);
  std::vector<std::int64_t> rows(all.begin() + 1, all.end());
  rows[0] = all[0] * all[1];
  Tensor steps = ops::view(ops::index_copy(ops::new_zeros(grad, IntArrayRef(rows)), 0,
                                           packed_places(sizes_of_steps(batch_sizes), all[1], grad.device()), grad),
                           IntArrayRef(all));
  return batch_first ? Tensor(ops::transpose(steps, 0, 1)) : steps;
}
inline std::tuple<Tensor, Tensor> pad_packed_sequence(const Tensor& data, const Tensor& batch_sizes, bool batch_first,
                                                      const Scalar& padding_value, std::int64_t total_length) {
  TENON_CHECK(data.dim() > 0, ValueError, "_pad_packed_sequence(): expected rows, got a tensor without dimensions");
  const std::vector<std::int64_t> sizes = sizes_of_steps(batch_sizes);
  const auto steps = static_cast<std::int64_t>(sizes.size());
  const std::int64_t batch = sizes[0];
  TENON_CHECK(total_length <= 0 || total_length >= steps, ValueError,
              "Expected total_length to be at least the length of the longest sequence in input, but got total_length=",
              total_length, " and max sequence length being ", steps);
  const IntArrayRef row = data.sizes();
  std::vector<std::int64_t> rows(row.begin(), row.end()), all(row.begin(), row.end());
  all[0] = total_length > 0 ? total_length : steps;
  all.insert(all.begin() + 1, batch);
  rows[0] = all[0] * batch;
  Tensor places = packed_places(sizes, batch, data.device());
  Tensor padded = ops::view(ops::index_copy(ops::new_full(data, IntArrayRef(rows), padding_value), 0, places, data),
                            IntArrayRef(all));
  Tensor lengths = make_tensor({batch}, {}, kLong);
  auto* length = static_cast<std::int64_t*>(lengths.data_ptr());
  std::fill(length, length + batch, 0);
  for (std::int64_t n : sizes)
    for (std::int64_t b = 0; b < n; ++b) ++length[b];
  return {batch_first ? Tensor(ops::transpose(padded, 0, 1)) : padded, lengths};
}

TENON_LIBRARY_FRAGMENT(aten, m) {
  m.def<ops::_pack_padded_sequence_base>().def<ops::_pack_padded_sequence_backward_base>();
  m.def<ops::_pad_packed_sequence_base>();
  m.impl<ops::_pack_padded_sequence_base, &pack_padded_sequence>();
  m.impl<ops::_pack_padded_sequence_backward_base, &pack_padded_sequence_backward>();
  m.impl<ops::_pad_packed_sequence_base, &pad_packed_sequence>();
}

}  // namespace tenon::composite
