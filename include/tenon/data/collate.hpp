// Samples joined into a batch.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::data {

/// Tensors of one shape along a new first dimension. Errors: ValueError for other shapes and for no tensor.
Tensor collate(std::vector<Tensor> samples);

/// Numbers as a tensor of one dimension: whole numbers are int64, float and double stay what they are.
template <class T>
  requires std::is_arithmetic_v<T> Tensor collate(const std::vector<T>& samples) {
    using E = std::conditional_t<std::is_same_v<T, bool> || std::is_same_v<T, float> || std::is_same_v<T, double>, T,
                                 std::conditional_t<std::is_integral_v<T>, std::int64_t, double>>;
    Tensor batch = make_tensor({static_cast<std::int64_t>(samples.size())}, {}, scalar_type_v<E>);
    E* to = batch.data_ptr<E>();
    for (const auto& sample : samples) *to++ = static_cast<E>(sample);
    return batch;
  }
/// Texts stay a list.
inline std::vector<std::string> collate(std::vector<std::string> samples) { return samples; }

template <class... T>
auto collate(std::vector<std::tuple<T...>> samples);
template <class A, class B>
auto collate(std::vector<std::pair<A, B>> samples);
template <class T>
auto collate(std::vector<std::vector<T>> samples);
template <class T, std::size_t N>
auto collate(std::vector<std::array<T, N>> samples);
template <class Key, class T, class... Rest>
auto collate(std::vector<std::map<Key, T, Rest...>> samples);
template <class S>
  requires nn::named_fields<S>
auto collate(std::vector<S> samples);

namespace detail {
[[noreturn]] void collate_missing_key();
template <class T>
using collated_t = decltype(collate(std::declval<std::vector<T>>()));

/// The I-th parts of all samples, collated.
template <std::size_t I, class S>
auto collate_part(std::vector<S>& samples) {
  std::vector<std::remove_cvref_t<decltype(std::get<I>(samples[0]))>> parts;
  parts.reserve(samples.size());
  for (S& sample : samples) parts.push_back(std::move(std::get<I>(sample)));
  return collate(std::move(parts));
}
template <class S>
auto fields_of(S& sample) {
  return sample.tenon_fields()([](auto&... fields) { return std::tie(fields...); });
}
template <std::size_t I, class S>
auto collate_field(std::vector<S>& samples) {
  std::vector<std::remove_cvref_t<decltype(std::get<I>(fields_of(samples[0])))>> parts;
  parts.reserve(samples.size());
  for (S& sample : samples) parts.push_back(std::move(std::get<I>(fields_of(sample))));
  return collate(std::move(parts));
}
template <class S>
struct batch_of {
  using type = S;
};
template <class S>
  requires requires { typename S::batch_type; }
struct batch_of<S> {
  using type = typename S::batch_type;
};
}  // namespace detail

/// Tuples part by part.
template <class... T>
auto collate(std::vector<std::tuple<T...>> samples) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) { return std::tuple(detail::collate_part<I>(samples)...); }
  (std::make_index_sequence<sizeof...(T)>());
}
template <class A, class B>
auto collate(std::vector<std::pair<A, B>> samples) {
  auto first = detail::collate_part<0>(samples);
  return std::pair(std::move(first), detail::collate_part<1>(samples));
}
/// Lists place by place. Errors: ValueError for lists of different lengths.
template <class T>
auto collate(std::vector<std::vector<T>> samples) {
  std::vector<detail::collated_t<T>> batch;
  for (std::size_t i = 0; !samples.empty() && i < samples[0].size(); ++i) {
    std::vector<T> parts;
    for (auto& sample : samples) {
      TENON_CHECK(sample.size() == samples[0].size(), ValueError,
                  "collate(): each element in list of batch should be of equal size, got ", samples[0].size(), " and ",
                  sample.size());
      parts.push_back(std::move(sample[i]));
    }
    batch.push_back(collate(std::move(parts)));
  }
  return batch;
}
template <class T, std::size_t N>
auto collate(std::vector<std::array<T, N>> samples) {
  std::array<detail::collated_t<T>, N> batch;
  [&]<std::size_t... I>(std::index_sequence<I...>) { ((batch[I] = detail::collate_part<I>(samples)), ...); }
  (std::make_index_sequence<N>());
  return batch;
}
/// Maps key by key. Errors: ValueError for maps of different keys.
template <class Key, class T, class... Rest>
auto collate(std::vector<std::map<Key, T, Rest...>> samples) {
  std::map<Key, detail::collated_t<T>> batch;
  for (const auto& sample : samples)
    if (sample.size() != samples[0].size()) detail::collate_missing_key();
  if (samples.empty()) return batch;
  for (const auto& [key, first] : samples[0]) {
    std::vector<T> parts;
    for (auto& sample : samples) {
      auto found = sample.find(key);
      if (found == sample.end()) detail::collate_missing_key();
      parts.push_back(found->second);
    }
    batch.emplace(key, collate(std::move(parts)));
  }
  return batch;
}
/// Structs that name their fields with TENON_FIELDS, field by field: into the struct itself where all fields are
/// tensors or such structs, else into the struct that is the member type `batch_type`, with fields in the same order.
template <class S>
  requires nn::named_fields<S>
auto collate(std::vector<S> samples) {
  using B = typename detail::batch_of<S>::type;
  B batch;
  using from = decltype(detail::fields_of(std::declval<S&>()));
  using to = decltype(detail::fields_of(std::declval<B&>()));
  static_assert(std::tuple_size_v<from> == std::tuple_size_v<to>,
                "tenon: a sample and its batch_type have different numbers of fields");
  auto one = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    using part = decltype(detail::collate_field<I>(samples));
    static_assert(std::is_assignable_v<std::tuple_element_t<I, to>, part>,
                  "tenon: a field of the batch cannot hold what the fields of the samples collate to; numbers become a "
                  "Tensor: give the sample a member type batch_type whose field is one");
    std::get<I>(detail::fields_of(batch)) = detail::collate_field<I>(samples);
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (one(std::integral_constant<std::size_t, I>()), ...); }
  (std::make_index_sequence<std::tuple_size_v<from>>());
  return batch;
}

/// In the place of a collate function: a loader hands out samples as they are, or as `f(sample)` changes them, and its
/// batch_size stays 1. It is `batch_size=None` of PyTorch.
template <class F = std::identity>
struct Unbatched {
  F f = {};
  template <class S>
  auto operator()(std::vector<S> samples) const {
    return std::invoke(f, S(std::move(samples.front())));
  }
};
Unbatched()->Unbatched<>;
template <class F>
Unbatched(F) -> Unbatched<F>;
namespace detail {
template <class Collate>
inline constexpr bool is_unbatched = false;
template <class F>
inline constexpr bool is_unbatched<Unbatched<F>> = true;
template <class Collate>
void check_batch_size(std::int64_t batch_size) {
  if constexpr (is_unbatched<Collate>)
    TENON_CHECK(batch_size == 1, ValueError, "DataLoader: expected no batch_size beside Unbatched, got ", batch_size);
}
}  // namespace detail

/// What a loader joins samples with unless it is given another function.
struct DefaultCollate {
  template <class S>
  auto operator()(std::vector<S> samples) const {
    constexpr bool joins = requires { collate(std::move(samples)); };
    static_assert(
        joins,
        "tenon: samples of this type have no batch: return tensors, numbers, texts, tuples, lists, maps or structs with "
        "TENON_FIELDS, or give the loader a collate function");
    if constexpr (joins) return collate(std::move(samples));
  }
};

}  // namespace tenon::data
