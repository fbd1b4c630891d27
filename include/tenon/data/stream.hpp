// Data sets without a size: streams that are read from their start, as PyTorch's IterableDataset.
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include <tenon/data/dataset.hpp>

namespace tenon::data {

namespace detail {
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
}  // namespace detail

/// What reads a stream: `next()` gives the next item, or nothing at the end. It is not called again after that, nor
/// after it threw. One thread calls it at a time. The stream outlives its readers, which may refer to it.
template <class R>
concept stream_reader = std::move_constructible<R> && requires(R& reader) {
  requires detail::is_optional<decltype(reader.next())>;
};
/// Anything with `begin(seed, epoch)`, const, which gives a reader of the epoch's items from the first on. What it
/// draws, it draws from seed and epoch alone. An item is the sample, or what the member `make(item, random)`, const,
/// makes the sample from, on several threads at the same time.
template <class S>
concept iterable_dataset = !dataset<S> && requires(const S& s, std::uint64_t seed, std::int64_t epoch) {
  { s.begin(seed, epoch) } -> stream_reader;
};

/// The reader of a stream, and what its `next()` reads.
template <iterable_dataset S>
using reader_t = decltype(std::declval<const S&>().begin(0, 0));
template <iterable_dataset S>
using item_t = typename decltype(std::declval<reader_t<S>&>().next())::value_type;

/// The sample of an item that a stream's reader gave.
template <iterable_dataset S>
auto make_sample(const S& s, item_t<S> item, Random& random) {
  if constexpr (requires { s.make(std::move(item), random); })
    return s.make(std::move(item), random);
  else
    return item;
}
/// What a stream's samples are.
template <iterable_dataset S>
using stream_sample_t =
    decltype(make_sample(std::declval<const S&>(), std::declval<item_t<S>>(), std::declval<Random&>()));

/// `FunctionStream(f)`: f(seed, epoch), or f(), gives a function whose calls give the samples as optionals, and nothing
/// at the end.
template <class F>
class FunctionStream {
  static constexpr bool draws = std::is_invocable_v<const F&, std::uint64_t, std::int64_t>;
  static_assert(draws || std::is_invocable_v<const F&>,
                "tenon: the function of a FunctionStream takes nothing, or a seed and an epoch, and is const");

 public:
  explicit FunctionStream(F f) : f_(std::move(f)) {}
  auto begin(std::uint64_t seed, std::int64_t epoch) const {
    if constexpr (draws)
      return Reader<decltype(f_(seed, epoch))>{f_(seed, epoch)};
    else
      return Reader<decltype(f_())>{f_()};
  }

 private:
  template <class Next>
  struct Reader {
    Next call;
    auto next() { return call(); }
  };
  F f_;
};

/// A stream whose samples are changed by `f(sample)` or `f(sample, random)`; see map().
template <iterable_dataset S, class F>
class StreamMap {
  using given = stream_sample_t<S>;
  static_assert(std::is_invocable_v<const F&, given, Random&> || std::is_invocable_v<const F&, given>,
                "tenon: the function of map() takes a sample, or a sample and a data::Random&, and is const");

 public:
  StreamMap(S samples, F f) : samples_(std::move(samples)), f_(std::move(f)) {}
  auto begin(std::uint64_t seed, std::int64_t epoch) const { return samples_.begin(seed, epoch); }
  auto make(item_t<S> item, Random& random) const {
    return detail::changed(f_, make_sample(samples_, std::move(item), random), random);
  }

 private:
  S samples_;
  F f_;
};
/// A stream whose samples are changed after they are read. A loader calls `f` from several threads; what it draws, it
/// draws from its second argument, whose numbers depend on seed, epoch and the sample's place in the stream alone.
template <iterable_dataset S, class F>
StreamMap<S, F> map(S samples, F f) {
  return {std::move(samples), std::move(f)};
}

}  // namespace tenon::data
