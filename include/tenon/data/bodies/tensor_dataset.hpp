// Entries of tensors.
#pragma once
#include <cstring>

#include <tenon/base/body.hpp>
#include <tenon/data/tensor_dataset.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::data::detail {

TENON_BODY std::int64_t check_tensors(ArrayRef<Tensor> tensors) {
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    TENON_CHECK(tensors[i].defined() && tensors[i].dim() > 0, ValueError,
                "TensorDataset: expected tensors of at least one dimension, tensor ", i,
                tensors[i].defined() ? " has none" : " is undefined");
    TENON_CHECK(tensors[i].size(0) == tensors[0].size(0), ValueError,
                "TensorDataset: Size mismatch between tensors: tensor 0 has ", tensors[0].size(0), " samples, tensor ",
                i, " has ", tensors[i].size(0));
  }
  return tensors[0].size(0);
}
TENON_BODY Tensor entry_of(const Tensor& t, std::int64_t index) { return ops::select(t, 0, index); }
TENON_BODY Tensor entries_of(const Tensor& t, IntArrayRef indices) {
  Tensor places = make_tensor({static_cast<std::int64_t>(indices.size())}, {}, kLong);
  if (!indices.empty()) std::memcpy(places.data_ptr(), indices.data(), indices.size() * sizeof(std::int64_t));
  return ops::index_select(t, 0, places.to(t.device()));
}

}  // namespace tenon::data::detail
