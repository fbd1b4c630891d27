// Data sets made of others: changed, chosen and joined samples.
#pragma once
#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <tuple>
#include <type_traits>
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
    return detail::changed(f_, get_sample(samples_, i, random), random);
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

namespace detail {
/// Shares of a number as whole numbers whose sum it is; what is left of rounding down goes to the first ones.
std::vector<std::int64_t> lengths_of(const std::vector<double>& shares, std::int64_t size);
}  // namespace detail

/// Parts of a data set that share no sample, drawn at random: `random_split(samples, {1500, 297}, seed)`, or by their
/// shares, `random_split(samples, {0.8, 0.2}, seed)`.
/// Errors: ValueError unless the lengths are those of all samples together, or the shares sum to 1.
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
template <dataset D>
std::vector<Subset<D>> random_split(const D& samples, const std::vector<double>& shares, std::uint64_t seed = 0) {
  return random_split(samples, detail::lengths_of(shares, samples.size()), seed);
}
template <dataset D, class Number>
std::vector<Subset<D>> random_split(const D& samples, std::initializer_list<Number> parts, std::uint64_t seed = 0) {
  using N = std::conditional_t<std::is_floating_point_v<Number>, double, std::int64_t>;
  return random_split(samples, std::vector<N>(parts.begin(), parts.end()), seed);
}

namespace detail {
std::vector<std::int64_t> cumulative(std::vector<std::int64_t> sizes);
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
  /// Where the samples of each data set end.
  std::vector<std::int64_t> cumulative_sizes() const {
    return std::apply([](const auto&... part) { return detail::cumulative({std::int64_t{part.size()}...}); }, parts_);
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

/// A list of data sets of one type, one after the other, as PyTorch's ConcatDataset: `concat(std::vector<D>)`. Finding
/// a sample takes the logarithm of their number. Errors: ValueError for no data set.
template <dataset D>
class ConcatList {
 public:
  explicit ConcatList(std::vector<D> parts) : parts_(std::move(parts)) {
    TENON_CHECK(!parts_.empty(), ValueError, "concat(): datasets should not be an empty iterable");
    for (const D& part : parts_) ends_.push_back(part.size());
    ends_ = detail::cumulative(std::move(ends_));
  }
  std::int64_t size() const { return ends_.back(); }
  const std::vector<D>& datasets() const { return parts_; }
  /// Where the samples of each data set end.
  const std::vector<std::int64_t>& cumulative_sizes() const { return ends_; }
  auto get(std::int64_t i, Random& random) const requires random_dataset<D> {
    auto [part, at] = find(i);
    return part->get(at, random);
  }
  auto get(std::int64_t i) const requires(!random_dataset<D>) {
    auto [part, at] = find(i);
    return part->get(at);
  }

 private:
  std::pair<const D*, std::int64_t> find(std::int64_t i) const {
    detail::check_index("Concat", i, size());
    auto n = static_cast<std::size_t>(std::upper_bound(ends_.begin(), ends_.end(), i) - ends_.begin());
    return {&parts_[n], n == 0 ? i : i - ends_[n - 1]};
  }
  std::vector<D> parts_;
  std::vector<std::int64_t> ends_;
};
template <dataset D>
ConcatList<D> concat(std::vector<D> parts) {
  return ConcatList<D>(std::move(parts));
}

namespace detail {
void check_side_by_side(const std::vector<std::int64_t>& sizes);
}
/// `StackDataset(images, texts)`: sample i is the tuple of the i-th samples of all. Errors: ValueError for data sets of
/// different sizes.
template <dataset... D>
class StackDataset {
 public:
  explicit StackDataset(D... parts) : parts_(std::move(parts)...) {
    std::apply([](const auto&... part) { detail::check_side_by_side({std::int64_t{part.size()}...}); }, parts_);
  }
  std::int64_t size() const { return std::get<0>(parts_).size(); }
  auto get(std::int64_t i, Random& random) const {
    detail::check_index("StackDataset", i, size());
    // In braces the parts draw one after the other.
    return std::apply([&](const auto&... part) { return std::tuple<sample_t<D>...>{get_sample(part, i, random)...}; },
                      parts_);
  }

 private:
  std::tuple<D...> parts_;
};

}  // namespace tenon::data
