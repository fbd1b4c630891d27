// The arguments and results of vmap.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/func/vmap.hpp>
#include <tenon/ops/axes.hpp>
#include <tenon/ops/join.hpp>
#include <tenon/ops/view.hpp>

namespace tenon::func::detail {

TENON_COLD_BODY const VmapOptions& usual_options() {
  static const VmapOptions options;
  return options;
}

TENON_COLD_BODY void Batch::move_examples(ArrayRef<std::size_t> counts) {
  const auto& in = options_.in_dims;
  bool one = in.size() == 1, by_argument = !one && in.size() == counts.size();
  TENON_CHECK(one || by_argument || in.size() == tensors_.size(), ValueError, "vmap: in_dims has ", in.size(),
              " entries; expected one, one for each of ", counts.size(), " arguments or one for each of ",
              tensors_.size(), " tensors");
  std::size_t argument = 0, behind = 0;  // the argument of a tensor, and the tensors up to its end
  std::size_t first = 0;                 // that has examples
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    if (by_argument)
      while (behind + counts[argument] <= i) behind += counts[argument++];
    const std::optional<std::int64_t>& dim = in[one ? 0 : by_argument ? argument : i];
    batched_.push_back(dim.has_value());
    if (!dim) continue;
    Tensor& t = tensors_[i].to_tensor();
    TENON_CHECK(*dim >= -t.dim() && *dim < t.dim(), ValueError, "vmap: Got in_dim=", *dim, " for tensor ", i,
                " of the arguments, but its shape is ", t.sizes(), "; in_dims says where the examples are");
    if (*dim != 0) t = ops::movedim(t, *dim, 0);
    std::int64_t size = t.size(0);
    if (size_ < 0) size_ = size, first = i;
    TENON_CHECK(size == size_, ValueError,
                "vmap: Expected all tensors to have the same size in the mapped dimension, got size ", size_,
                " of tensor ", first, " and ", size, " of tensor ", i,
                "; a tensor that all examples share has std::nullopt in in_dims");
  }
  TENON_CHECK(size_ >= 0, ValueError, "vmap: expected at least one tensor to be mapped over; all in_dims are none");
  TENON_CHECK(!options_.chunk_size || *options_.chunk_size > 0, ValueError, "vmap: chunk_size should be positive, got ",
              *options_.chunk_size);
}

TENON_COLD_BODY Stack Batch::enter(const Level& level, std::int64_t from) const {
  std::optional<OutsideGuard> outside;
  if (level.size != size_) outside.emplace(level.outer);
  Stack entered;
  entered.reserve(tensors_.size());
  for (std::size_t i = 0; i < tensors_.size(); ++i) {
    const Tensor& t = tensors_[i].to_tensor();
    if (!batched_[i])
      entered.emplace_back(t);
    else
      entered.emplace_back(make_batched(level.size == size_ ? t : ops::narrow(t, 0, from, level.size), level));
  }
  return entered;
}

TENON_COLD_BODY Tensor Batch::leave(const Tensor& result, const Level& level, std::size_t i) const {
  bool own = belongs(result, level), given = false;
  const std::optional<std::int64_t> to = out_dim(i);
  if (!to) {
    TENON_CHECK(!own, ValueError, "vmap: result ", i,
                " differs from example to example and its out_dim is none; out_dims says where its examples are");
    return result;
  }
  Tensor value;
  if (own) {
    value = level_impl(result).value;
    for (const Value& v : tensors_) given = given || value.is_same(v.to_tensor());
    if (!given && *to == 0) return value;
  }
  OutsideGuard outside(level.outer);
  if (given) {
    value = ops::alias(value);  // what the function gives back as it is becomes another tensor
  } else if (!own) {
    DimVector sizes{level.size};
    for (std::int64_t n : result.sizes()) sizes.push_back(n);
    value = ops::expand(result, IntArrayRef(sizes));
  }
  TENON_CHECK(*to >= -value.dim() && *to < value.dim(), ValueError, "vmap: Got out_dim=", *to,
              " for a result, but with the batch it is of dimensionality ", value.dim());
  return *to == 0 ? value : ops::movedim(value, 0, *to);
}

TENON_COLD_BODY Tensor Batch::join(const std::vector<Tensor>& parts, std::size_t i) const {
  return out_dim(i) ? ops::cat(parts, *out_dim(i)) : parts[0];
}

TENON_COLD_BODY void Batch::check_results(std::size_t n) const {
  TENON_CHECK(options_.out_dims.size() == 1 || options_.out_dims.size() == n, ValueError, "vmap: out_dims has ",
              options_.out_dims.size(), " entries for ", n, " results");
}

}  // namespace tenon::func::detail
