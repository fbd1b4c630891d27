// Registers bags of rows of a table, and their gradients, on CUDA.
#include <tuple>

#include <tenon/cuda/embedding_bag.hpp>
#include <tenon/dispatch/device_guard.hpp>
#include <tenon/library/library.hpp>
#include <tenon/ops/arithmetic.hpp>
#include <tenon/ops/compare.hpp>
#include <tenon/ops/embedding.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/view.hpp>

#include "fault.hpp"
#include "support.hpp"

namespace tenon::cuda {
namespace {

enum Mode : std::int64_t { kSum = 0, kMean = 1, kMax = 2 };
std::int64_t* integers(const Tensor& t) { return t.numel() ? static_cast<std::int64_t*>(t.data_ptr()) : nullptr; }
/// In a row.
Tensor list_of(const Tensor& t) { return ops::reshape(row_major(t, kLong), {t.numel()}); }
Tensor filled(const Tensor& like, std::int64_t value) {
  Tensor t = make_tensor(like.sizes(), {}, kLong, like.device());
  fill_elements(t, operand_of(Scalar(value), kLong));
  return t;
}
/// The first index of each bag and, behind the last bag, the end of its indices.
Tensor bounds_of(const Tensor& offsets, std::int64_t n, bool include_last_offset) {
  Tensor list = list_of(offsets);
  if (include_last_offset) return list;
  std::int64_t count = list.numel() + 1;
  Tensor bounds = make_tensor({&count, 1}, {}, kLong, list.device());
  fill_elements(bounds, operand_of(Scalar(n), kLong));
  copy_elements(ops::narrow(bounds, 0, 0, count - 1), list);
  return bounds;
}

template <auto& Op>
std::tuple<Tensor, Tensor, Tensor, Tensor> embedding_bag(const Tensor& weight, const Tensor& indices,
                                                         const Tensor& offsets, bool scale_grad_by_freq,
                                                         std::int64_t mode, bool sparse,
                                                         const std::optional<Tensor>& per_sample_weights,
                                                         bool include_last_offset, std::int64_t padding_idx) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(weight.device());
  auto shaped = Op(without_data(weight), without_data(indices), without_data(offsets), scale_grad_by_freq, mode, sparse,
                   without_data(per_sample_weights), include_last_offset, padding_idx);
  auto made = [&](const Tensor& meta) { return like_on(weight.device(), meta); };
  std::tuple<Tensor, Tensor, Tensor, Tensor> out{made(std::get<0>(shaped)), made(std::get<1>(shaped)),
                                                 made(std::get<2>(shaped)), made(std::get<3>(shaped))};
  Tensor list = list_of(indices), table = row_major(weight),
         bounds = bounds_of(offsets, list.numel(), include_last_offset), scales;
  if (per_sample_weights && per_sample_weights->defined()) scales = row_major(*per_sample_weights);
  BagCall c{};
  c.dtype = weight.dtype(), c.mode = static_cast<BagMode>(mode);
  c.bags = bounds.numel() - 1, c.width = weight.size(1), c.rows = weight.size(0), c.count = list.numel();
  c.padding = padding_idx;
  // With the last offset given, indices behind it are in no bag; PyTorch counts them to one behind the last.
  Tensor bag_of = filled(std::get<1>(out), c.bags), size_of = filled(std::get<2>(out), 0),
         places = filled(std::get<3>(out), 0);
  Fault fault(weight.device());
  c.table = table.data_ptr(), c.scales = scales.defined() ? scales.data_ptr() : nullptr;
  c.index = integers(list), c.bounds = integers(bounds), c.out = std::get<0>(out).data_ptr();
  c.bag_of = integers(bag_of), c.fault = fault.data();
  c.places = mode == kMax ? integers(places) : nullptr;
  c.size_of = mode == kSum ? nullptr : integers(size_of);
  if (c.bags > 0 && c.width > 0) {
    if (!sum_bags(c, runtime::current_stream())) not_implemented_for("embedding_bag_cuda", c.dtype);
    runtime::check_launch("embedding_bag");
    TENON_CHECK(fault.told() == 0, IndexError, "embedding_bag: bag ", fault.told() - 1,
                " has an index out of range, or offsets that do not ascend from 0 to at most ", c.count);
  }
  copy_elements(std::get<1>(out), bag_of);
  copy_elements(std::get<2>(out), size_of);
  copy_elements(std::get<3>(out), mode == kMean ? size_of : places);
  return out;
}

/// A row of the gradient, or nothing, for each index.
Tensor rows_of_bags(const Tensor& grad, const Tensor& bags, const Tensor& counts) {
  std::int64_t last = grad.size(0) - 1;
  Tensor from = row_major(grad, compute_type_of(grad.dtype()));
  Tensor rows = ops::index_select(from, 0, ops::clamp_max(bags, last));
  return ops::mul(rows, ops::unsqueeze(ops::mul(counts, ops::le(bags, last)), 1));
}
Tensor dense_backward(const Tensor& grad, const Tensor& indices, const Tensor& offset2bag, const Tensor& bag_size,
                      const Tensor& maximum_indices, SymInt num_weights, bool scale_grad_by_freq, std::int64_t mode,
                      const std::optional<Tensor>& per_sample_weights, std::int64_t padding_idx) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(grad.device());
  Tensor shaped =
      ops::_embedding_bag_dense_backward(without_data(grad), without_data(indices), without_data(offset2bag),
                                         without_data(bag_size), without_data(maximum_indices), num_weights,
                                         scale_grad_by_freq, mode, without_data(per_sample_weights), padding_idx);
  Tensor out = like_on(grad.device(), shaped);
  ScalarType wide = compute_type_of(grad.dtype());
  Tensor total = ops::zeros(out.sizes(), "dtype"_a = wide, "device"_a = grad.device()), list = list_of(indices);
  if (grad.numel() == 0 || list.numel() == 0) {
    copy_elements(out, total);
    return out;
  }
  if (mode == kMax) {
    Tensor given = ops::mul(row_major(grad, wide), ops::unsqueeze(ops::ne(bag_size, 0), 1));
    copy_elements(out, ops::scatter_add(total, 0, row_major(maximum_indices, kLong), given));
    return out;
  }
  Tensor scale = row_major(ops::ne(list, padding_idx), wide), bags = list_of(offset2bag);
  if (per_sample_weights && per_sample_weights->defined())
    scale = ops::mul(scale, row_major(*per_sample_weights, wide));
  if (scale_grad_by_freq) {
    Tensor times = ops::zeros({out.size(0)}, "dtype"_a = wide, "device"_a = grad.device());
    times = ops::index_add(times, 0, list, ops::ones_like(scale));
    scale = ops::div(scale, ops::index_select(times, 0, list));
  }
  if (mode == kMean) {
    // Of a bag without indices that count nothing is asked.
    Tensor sizes = ops::clamp_min(list_of(bag_size), 1);
    scale = ops::div(scale, ops::index_select(sizes, 0, ops::clamp_max(bags, grad.size(0) - 1)));
  }
  copy_elements(out, ops::index_add(total, 0, list, rows_of_bags(grad, bags, scale)));
  return out;
}
Tensor weights_backward(const Tensor& grad, const Tensor& weight, const Tensor& indices, const Tensor& offsets,
                        const Tensor& offset2bag, std::int64_t mode, std::int64_t padding_idx) {
  AutoDispatchBelowADInplaceOrView below;
  DeviceGuard guard(grad.device());
  Tensor out = like_on(grad.device(), ops::_embedding_bag_per_sample_weights_backward(
                                          without_data(grad), without_data(weight), without_data(indices),
                                          without_data(offsets), without_data(offset2bag), mode, padding_idx));
  if (out.numel() == 0) return out;
  Tensor list = list_of(indices), bags = list_of(offset2bag);
  if (bags.numel() == 0) {
    // The forward left them out: as many bags begin up to each index.
    Tensor begins = ops::zeros({list.numel() + 1}, "dtype"_a = kLong, "device"_a = grad.device()),
           starts = list_of(offsets);
    begins = ops::index_add(begins, 0, starts, ops::ones_like(starts));
    bags = ops::narrow(ops::sub(ops::cumsum(begins, 0), 1), 0, 0, list.numel());
  }
  ScalarType wide = compute_type_of(grad.dtype());
  Tensor given = rows_of_bags(grad, bags, row_major(ops::ne(list, padding_idx), wide));
  copy_elements(out, ops::sum(ops::mul(given, ops::index_select(row_major(weight, wide), 0, list)), {1}));
  return out;
}

}  // namespace
}  // namespace tenon::cuda

TENON_LIBRARY_IMPL(aten, CUDA, m) {
  using namespace tenon;
  m.impl<ops::_embedding_bag_base, &cuda::embedding_bag<ops::_embedding_bag_base>>()
      .impl<ops::_embedding_bag_forward_only_base, &cuda::embedding_bag<ops::_embedding_bag_forward_only_base>>()
      .impl<ops::_embedding_bag_dense_backward_base, &cuda::dense_backward>()
      .impl<ops::_embedding_bag_per_sample_weights_backward_base, &cuda::weights_backward>();
}
