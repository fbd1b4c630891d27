// Data sets made of others: changed, chosen and joined samples.
#pragma once
#include <algorithm>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include <tenon/data/dataset.hpp>

namespace tenon::data {

/// The samples of a data set, each changed by `f(sample)` or `f(sample, random)`; see map().
template <dataset D, class F>
class Map {
  static constexpr bool draws = std::is_invocable_v<const F&, sample_t<D>, Random&>;
  static_assert(draws || std::is_invocable_v<const F&, sample_t<D>>,
                "tenon: the function of map() takes a sample, or a sample and a data::Random&, and is const");

 public:
  Map(D samples, F f) : samples_(std::move(samples)), f_(std::move(f)) {}
  std::int64_t size() const { return samples_.size(); }
  auto get(std::int64_t i, Random& random) const requires(draws || random_dataset<D>) {
    auto sample = get_sample(samples_, i, random);
    if constexpr (draws)
      return f_(std::move(sample), random);
    else
      return f_(std::move(sample));
  }
  auto get(std::int64_t i) const requires(!draws && !random_dataset<D>) { return f_(samples_.get(i)); }

 private:
  D samples_;
  F f_;
};
/// A data set whose samples are changed when they are asked for. `f` is called from several threads; what it draws, it
/// draws from its second argument, so that augmentation depends on seed, epoch and index alone.
template <dataset D, class F>
Map<D, F> map(D samples, F f) {
  return {std::move(samples), std::move(f)};
}

/// Some samples of a data set, by index, in the order given.
/// Errors: IndexError for an index that the data set does not have.
template <dataset D>
class Subset {
 public:
  Subset(D samples, std::vector<std::int64_t> indices) : samples_(std::move(samples)), indices_(std::move(indices)) {
    for (std::int64_t i : indices_) detail::check_index("Subset", i, samples_.size());
  }
  std::int64_t size() const { return static_cast<std::int64_t>(indices_.size()); }
  const std::vector<std::int64_t>& indices() const { return indices_; }
  auto get(std::int64_t i, Random& random) const requires random_dataset<D> { return samples_.get(at(i), random); }
  auto get(std::int64_t i) const requires(!random_dataset<D>) { return samples_.get(at(i)); }

 private:
  std::int64_t at(std::int64_t i) const {
    detail::check_index("Subset", i, size());
    return indices_[static_cast<std::size_t>(i)];
  }
  D samples_;
  std::vector<std::int64_t> indices_;
};

namespace detail {
/// [0, size) in an order drawn from the seed and the epoch, each order equally likely.
std::vector<std::int64_t> permutation(std::int64_t size, std::uint64_t seed, std::int64_t epoch);
}  // namespace detail

/// Parts of a data set that share no sample, drawn at random: `random_split(samples, {1500, 297}, seed)`.
/// Errors: ValueError unless the lengths are those of all samples together.
template <dataset D>
std::vector<Subset<D>> random_split(const D& samples, const std::vector<std::int64_t>& lengths,
                                    std::uint64_t seed = 0) {
  std::int64_t sum = 0, size = samples.size();
  for (std::int64_t n : lengths) {
    TENON_CHECK(n >= 0 && n <= size - sum, ValueError, "random_split(): lengths ", lengths,
                " do not sum to the size of the data set, ", size);
    sum += n;
  }
  TENON_CHECK(sum == size, ValueError, "random_split(): lengths ", lengths, " do not sum to the size of the data set, ",
              size);
  std::vector<std::int64_t> order = detail::permutation(size, seed, 0);
  std::vector<Subset<D>> parts;
  auto at = order.begin();
  for (std::int64_t n : lengths) {
    parts.emplace_back(samples, std::vector(at, at + n));
    at += n;
  }
  return parts;
}

/// Data sets one after the other; see concat().
template <dataset First, dataset... Rest>
class Concat {
  static_assert((std::is_same_v<sample_t<First>, sample_t<Rest>> && ...),
                "tenon: concat() joins data sets of one sample type");

 public:
  explicit Concat(First first, Rest... rest) : parts_(std::move(first), std::move(rest)...) {}
  std::int64_t size() const {
    return std::apply([](const auto&... part) { return (std::int64_t{0} + ... + part.size()); }, parts_);
  }
  auto get(std::int64_t i, Random& random) const {
    detail::check_index("Concat", i, size());
    return find<0>(i, random);
  }

 private:
  template <std::size_t N>
  sample_t<First> find(std::int64_t i, Random& random) const {
    const auto& part = std::get<N>(parts_);
    if constexpr (N < sizeof...(Rest))
      if (i >= part.size()) return find<N + 1>(i - part.size(), random);
    return get_sample(part, i, random);
  }
  std::tuple<First, Rest...> parts_;
};
/// The samples of several data sets, those of the first first.
template <dataset... D>
Concat<D...> concat(D... parts) {
  return Concat<D...>(std::move(parts)...);
}

}  // namespace tenon::data
