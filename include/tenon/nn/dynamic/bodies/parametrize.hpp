// What a parametrization must not do.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include <tenon/autograd/mode.hpp>
#include <tenon/base/body.hpp>
#include <tenon/nn/dynamic/parametrize.hpp>

namespace tenon::nn {

namespace detail {

class ParametrizationCache {
 public:
  Tensor find(const void* layer, const std::vector<Parameter>& originals) const {
    auto found = entries_.find(layer);
    if (found == entries_.end()) return {};
    const Entry& e = found->second;
    // What was computed unrecorded has no gradient to give.
    const bool serves = e.original.is_same(originals[0]) && e.versions == versions_of(originals) &&
                        (e.value.requires_grad() || !is_grad_enabled());
    return serves ? e.value : Tensor();
  }
  void keep(const void* layer, const std::vector<Parameter>& originals, const Tensor& value) {
    entries_[layer] = {originals[0], value, versions_of(originals)};
  }

 private:
  struct Entry {
    Tensor original, value;  // the first holds the tensor, so that no other gets its address
    std::uint64_t versions = 0;
  };
  static std::uint64_t versions_of(const std::vector<Parameter>& originals) {
    std::uint64_t sum = 0;
    for (const Parameter& t : originals) sum += t.version();
    return sum;
  }
  std::unordered_map<const void*, Entry> entries_;
};
TENON_BODY ParametrizationCache*& parametrization_cache() {
  static thread_local ParametrizationCache* cache = nullptr;
  return cache;
}
TENON_BODY Tensor kept_value(const void* layer, const std::vector<Parameter>& originals) {
  return parametrization_cache()->find(layer, originals);
}
TENON_BODY void keep_value(const void* layer, const std::vector<Parameter>& originals, const Tensor& value) {
  parametrization_cache()->keep(layer, originals, value);
}

}  // namespace detail

TENON_COLD_BODY utils::parametrize::CachedGuard::CachedGuard() : made_(nullptr) {
  if (!nn::detail::parametrization_cache())
    nn::detail::parametrization_cache() = made_ = new nn::detail::ParametrizationCache;
}
TENON_COLD_BODY utils::parametrize::CachedGuard::~CachedGuard() {
  if (!made_) return;
  delete made_;
  nn::detail::parametrization_cache() = nullptr;
}

TENON_COLD_BODY void detail::parametrized_shape(std::string_view name, IntArrayRef expected, IntArrayRef got) {
  fail<ValueError>("A parametrization may not change the shape of '", name, "': expected ", expected, ", got ", got);
}
TENON_COLD_BODY void detail::parametrized_twice(std::string_view name) {
  fail<ValueError>("register_parametrization(): '", name,
                   "' is parametrized already: name all that makes it in one call");
}
TENON_COLD_BODY void detail::several_originals() {
  fail<ValueError>(
      "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a sequence of "
      "tensors.");
}

}  // namespace tenon::nn
