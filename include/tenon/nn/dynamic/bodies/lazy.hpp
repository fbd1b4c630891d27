// What the first input tells a lazy layer.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/nn/detail/start.hpp>
#include <tenon/nn/dynamic/lazy.hpp>
#include <tenon/tensor/generator.hpp>

namespace tenon::nn::detail {

TENON_BODY Tensor leaf_without_size(ScalarType dtype) { return new_leaf({0}, dtype); }
TENON_BODY std::int64_t channels_of(const Tensor& x, std::int64_t rank, const char* layer) {
  TENON_CHECK(x.dim() == rank + 1 || x.dim() == rank + 2, ValueError, "Expected ", rank + 1, "D (unbatched) or ",
              rank + 2, "D (batched) input to ", layer, ", but got input of size: ", x.sizes());
  return x.size(x.dim() - rank - 1);
}
TENON_BODY std::int64_t features_of(const Tensor& x, std::int64_t dim, const char* layer) {
  TENON_CHECK(x.dim() > dim && x.dim() > 0, ValueError, layer, ": expected an input of at least ",
              dim < 0 ? 1 : dim + 1, " dimensions, got shape ", x.sizes());
  return x.size(dim);
}

TENON_BODY const Tensor* sized_in(std::size_t dim, const NamedTensors& tensors, const std::string& path,
                                  std::initializer_list<const char*> names) {
  for (const char* name : names)
    for (const auto& [full, t] : tensors)
      if (full == join(path, name)) return t.sizes().size() > dim ? &t : nullptr;
  return nullptr;
}
TENON_BODY DrawnAgain::DrawnAgain() : state_(default_generator().get_state()) {}
TENON_BODY DrawnAgain::~DrawnAgain() { default_generator().set_state(state_); }

}  // namespace tenon::nn::detail
