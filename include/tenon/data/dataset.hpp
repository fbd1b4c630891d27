// Data sets: anything with `size()` and `get(i)`.
#pragma once
#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/data/random.hpp>

namespace tenon::data {

/// A data set whose samples need random numbers, which it takes from the argument alone.
template <class D>
concept random_dataset = requires(const D& d, std::int64_t i, Random& random) {
  { d.size() } -> std::convertible_to<std::int64_t>;
  d.get(i, random);
};
/// Anything with `size()` and `get(i)`, or `get(i, random)`, both const. A sample is whatever `get` returns. Several
/// threads call `get` at the same time.
template <class D>
concept dataset = random_dataset<D> || requires(const D& d, std::int64_t i) {
  { d.size() } -> std::convertible_to<std::int64_t>;
  d.get(i);
};

/// One sample. `random` is left alone by data sets that need none.
template <dataset D>
auto get_sample(const D& d, std::int64_t index, Random& random) {
  if constexpr (random_dataset<D>)
    return d.get(index, random);
  else
    return d.get(index);
}
/// One sample as seed 0 and epoch 0 give it.
template <dataset D>
auto get_sample(const D& d, std::int64_t index) {
  Random random(0, 0, index);
  return get_sample(d, index, random);
}
/// What `get` returns.
template <dataset D>
using sample_t = decltype(get_sample(std::declval<const D&>(), 0));

namespace detail {
inline void check_index(const char* name, std::int64_t index, std::int64_t size) {
  TENON_CHECK(index >= 0 && index < size, IndexError, name, ": index ", index, " is out of range for ", size,
              " samples");
}
/// What map() makes of a sample: `f(sample, random)`, or `f(sample)` of what draws nothing.
template <class F, class Sample>
auto changed(const F& f, Sample sample, Random& random) {
  if constexpr (std::is_invocable_v<const F&, Sample, Random&>)
    return f(std::move(sample), random);
  else
    return f(std::move(sample));
}
}  // namespace detail

/// The items of a vector as samples.
template <class T>
class ListDataset {
 public:
  explicit ListDataset(std::vector<T> items) : items_(std::move(items)) {}
  std::int64_t size() const { return static_cast<std::int64_t>(items_.size()); }
  T get(std::int64_t i) const {
    detail::check_index("ListDataset", i, size());
    return items_[static_cast<std::size_t>(i)];
  }

 private:
  std::vector<T> items_;
};

/// `f(i)` for i in [0, size) as samples. `f` is called from several threads.
template <class F>
class FunctionDataset {
 public:
  FunctionDataset(std::int64_t size, F f) : size_(size), f_(std::move(f)) {}
  std::int64_t size() const { return size_; }
  auto get(std::int64_t i) const {
    detail::check_index("FunctionDataset", i, size_);
    return f_(i);
  }

 private:
  std::int64_t size_;
  F f_;
};

}  // namespace tenon::data
