// PyTorch's oldest constructor, `torch.Tensor(...)`: every meaning that its arguments have.
#pragma once
#include <concepts>

#include <tenon/base/sym_dim_vector.hpp>
#include <tenon/library/keyword.hpp>
#include <tenon/ops/tensor_of.hpp>

namespace tenon {

namespace detail {

/// `torch.Tensor` takes the default dtype, `torch.LongTensor` and its likes say theirs.
TensorKeywords legacy_options(TensorKeywords k);
Tensor legacy_sizes(SymIntArrayRef sizes, const TensorKeywords& k);
Tensor legacy_storage(const Storage& storage, const TensorKeywords& k);
Tensor legacy_alias(const Tensor& other, bool same_dtype, const TensorKeywords& k);
Tensor legacy_data(const TensorData& data, const TensorKeywords& k);

template <class T>
void take_legacy(TensorKeywords&, SymDimVector& sizes, const T& size) {
  sizes.push_back(SymInt(size));
}
template <fixed_string Name, class T>
void take_legacy(TensorKeywords& k, SymDimVector&, const keyword_value<Name, T>& given) {
  static_assert(Name.view() != "requires_grad", "tenon: legacy_tensor() has the keywords dtype and device");
  take_tensor_keyword(k, given);
}
template <class... Keywords>
TensorKeywords legacy_keywords(const Keywords&... keywords) {
  TensorKeywords k;
  SymDimVector none;
  (take_legacy(k, none, keywords), ...);
  return legacy_options(k);
}
template <class T>
concept legacy_size = (std::integral<T> && !std::same_as<T, bool>) || std::same_as<T, SymInt>;

}  // namespace detail

/// `legacy_tensor(2, 3)`: a tensor of that shape, its elements unset; `legacy_tensor()` has none. Of the default dtype
/// unless `"dtype"_a` says which of PyTorch's tensor classes is meant. Throws ValueError for another device than the
/// default one, which these constructors cannot make tensors on.
/// Source: the overloads of torch.Tensor's constructor in PyTorch 2.15; new code says `ops::empty` and `tensor`.
template <class... Args>
  requires((detail::legacy_size<Args> || is_keyword_v<Args>)&&...)
Tensor legacy_tensor(const Args&... args) {
  detail::TensorKeywords k;
  SymDimVector sizes;
  (detail::take_legacy(k, sizes, args), ...);
  if (sizes.empty()) sizes.push_back(SymInt(0));
  return detail::legacy_sizes(sizes, detail::legacy_options(k));
}
/// A list of sizes that is one, `x.sizes()`; braces are data.
template <class List, class... Keywords>
  requires((std::same_as<List, IntArrayRef> || std::same_as<List, SymIntArrayRef> ||
            std::same_as<List, DimVector>)&&(is_keyword_v<Keywords>&&...))
Tensor legacy_tensor(const List& sizes, const Keywords&... keywords) {
  return detail::legacy_sizes(SymDimVector(sizes.begin(), sizes.end()), detail::legacy_keywords(keywords...));
}
/// A vector over the whole memory.
template <class... Keywords>
Tensor legacy_tensor(const Storage& storage, const Keywords&... keywords) {
  return detail::legacy_storage(storage, detail::legacy_keywords(keywords...));
}
/// The same memory, detached from what computed it. Throws TypeError if a dtype is given and is not that of the tensor.
template <std::same_as<Tensor> T, class... Keywords>
Tensor legacy_tensor(const T& other, const Keywords&... keywords) {
  constexpr bool named = ((Keywords::name() == "dtype") || ...);
  return detail::legacy_alias(other, named, detail::legacy_keywords(keywords...));
}
/// `legacy_tensor({1, 2})`: the numbers, whose types do not matter. Throws TypeError for one number in no list.
template <class... Keywords>
  requires((is_keyword_v<Keywords> && ...))
Tensor legacy_tensor(const TensorData& data, const Keywords&... keywords) {
  return detail::legacy_data(data, detail::legacy_keywords(keywords...));
}

}  // namespace tenon
