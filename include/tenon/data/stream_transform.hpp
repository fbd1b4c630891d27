// Streams made of others: one after the other, in a random order, and dealt out to processes.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include <tenon/data/sampler.hpp>
#include <tenon/data/stream.hpp>

namespace tenon::data {

/// Streams one after the other; see chain().
template <iterable_dataset First, iterable_dataset... Rest>
class Chain {
  using sample = stream_sample_t<First>;
  static_assert((std::is_same_v<sample, stream_sample_t<Rest>> && ...),
                "tenon: chain() joins streams of one sample type");
  using item = std::variant<item_t<First>, item_t<Rest>...>;
  using streams = std::tuple<First, Rest...>;

 public:
  explicit Chain(First first, Rest... rest) : parts_(std::move(first), std::move(rest)...) {}

  class Reader {
   public:
    Reader(const streams& parts, std::uint64_t seed, std::int64_t epoch) : parts_(&parts), seed_(seed), epoch_(epoch) {}
    std::optional<item> next() { return from<0>(); }

   private:
    template <std::size_t N>
    std::optional<item> from() {
      if constexpr (N == sizeof...(Rest) + 1) {
        return std::nullopt;
      } else {
        if (at_ == N) {
          auto& reader = std::get<N>(readers_);
          if (!reader) reader.emplace(std::get<N>(*parts_).begin(seed_, epoch_));
          if (auto found = reader->next()) return item(std::in_place_index<N>, *std::move(found));
          reader.reset();
          ++at_;
        }
        return from<N + 1>();
      }
    }
    const streams* parts_;
    std::tuple<std::optional<reader_t<First>>, std::optional<reader_t<Rest>>...> readers_;
    std::uint64_t seed_;
    std::int64_t epoch_;
    std::size_t at_ = 0;
  };
  Reader begin(std::uint64_t seed, std::int64_t epoch) const { return {parts_, seed, epoch}; }
  sample make(item given, Random& random) const { return from<0>(given, random); }

 private:
  template <std::size_t N>
  sample from(item& given, Random& random) const {
    if constexpr (N < sizeof...(Rest))
      if (given.index() != N) return from<N + 1>(given, random);
    return make_sample(std::get<N>(parts_), std::get<N>(std::move(given)), random);
  }
  streams parts_;
};
/// The samples of several streams, those of the first first, as PyTorch's ChainDataset. A stream is begun when the one
/// before it has ended.
template <iterable_dataset... S>
Chain<S...> chain(S... parts) {
  return Chain<S...>(std::move(parts)...);
}

/// A list of streams of one type, one after the other; see chain().
template <iterable_dataset S>
class ChainList {
  using item = std::pair<std::size_t, item_t<S>>;

 public:
  explicit ChainList(std::vector<S> parts) : parts_(std::move(parts)) {}

  class Reader {
   public:
    Reader(const std::vector<S>& parts, std::uint64_t seed, std::int64_t epoch)
        : parts_(&parts), seed_(seed), epoch_(epoch) {}
    std::optional<item> next() {
      for (; at_ < parts_->size(); ++at_) {
        if (!reader_) reader_.emplace((*parts_)[at_].begin(seed_, epoch_));
        if (auto found = reader_->next()) return item(at_, *std::move(found));
        reader_.reset();
      }
      return std::nullopt;
    }

   private:
    const std::vector<S>* parts_;
    std::optional<reader_t<S>> reader_;
    std::uint64_t seed_;
    std::int64_t epoch_;
    std::size_t at_ = 0;
  };
  Reader begin(std::uint64_t seed, std::int64_t epoch) const { return {parts_, seed, epoch}; }
  auto make(item given, Random& random) const {
    return make_sample(parts_[given.first], std::move(given.second), random);
  }

 private:
  std::vector<S> parts_;
};
template <iterable_dataset S>
ChainList<S> chain(std::vector<S> parts) {
  return ChainList<S>(std::move(parts));
}

namespace detail {
void check_buffer(std::int64_t buffer_size);
/// Draws of a shuffle buffer: none of a sample's.
Random shuffle_random(std::uint64_t seed, std::uint64_t own, std::int64_t epoch);
}  // namespace detail

/// A stream in a random order, as far as a buffer allows; see shuffle().
template <iterable_dataset S>
class Shuffle {
  using item = item_t<S>;

 public:
  Shuffle(S samples, std::int64_t buffer_size, std::uint64_t seed)
      : samples_(std::move(samples)), buffer_size_(buffer_size), seed_(seed) {
    detail::check_buffer(buffer_size);
  }

  class Reader {
   public:
    Reader(reader_t<S> reader, std::int64_t buffer_size, Random random)
        : reader_(std::move(reader)), buffer_size_(static_cast<std::size_t>(buffer_size)), random_(random) {}
    std::optional<item> next() {
      while (!ended_) {
        std::optional<item> read = reader_.next();
        if (!read) {
          ended_ = true;
          for (std::size_t i = buffer_.size(); i > 1; --i) std::swap(buffer_[i - 1], buffer_[draw(i)]);
        } else if (buffer_.size() < buffer_size_) {
          buffer_.push_back(*std::move(read));
        } else {
          return std::exchange(buffer_[draw(buffer_.size())], *std::move(read));
        }
      }
      if (buffer_.empty()) return std::nullopt;
      std::optional<item> last(std::move(buffer_.back()));
      buffer_.pop_back();
      return last;
    }

   private:
    std::size_t draw(std::size_t below) {
      return static_cast<std::size_t>(random_.integer(0, static_cast<std::int64_t>(below) - 1));
    }
    reader_t<S> reader_;
    std::size_t buffer_size_;
    Random random_;
    std::vector<item> buffer_;
    bool ended_ = false;
  };
  Reader begin(std::uint64_t seed, std::int64_t epoch) const {
    return {samples_.begin(seed, epoch), buffer_size_, detail::shuffle_random(seed, seed_, epoch)};
  }
  auto make(item given, Random& random) const { return make_sample(samples_, std::move(given), random); }

 private:
  S samples_;
  std::int64_t buffer_size_;
  std::uint64_t seed_;
};
/// A stream whose items wait in a buffer: each that is read takes the place of one drawn from the buffer, which comes
/// next; at the end those that wait come in a random order. A buffer as long as the stream makes all orders equally
/// likely. The order depends on the loader's seed, the epoch and `seed`, which parts one shuffle from another.
/// Cost: memory of `buffer_size` items; what map() makes of them is made after. Errors: ValueError for a buffer_size
/// below 1. Source: the data pipe `shuffle` of PyTorch, torch.utils.data.datapipes.
template <iterable_dataset S>
Shuffle<S> shuffle(S samples, std::int64_t buffer_size = 10000, std::uint64_t seed = 0) {
  return {std::move(samples), buffer_size, seed};
}

/// The share of one of several processes in a stream; see shard().
template <iterable_dataset S>
class Shard {
 public:
  Shard(S samples, std::int64_t rank, std::int64_t world_size)
      : samples_(std::move(samples)), rank_(rank), world_size_(world_size) {
    detail::check_shard(rank, world_size);
  }

  class Reader {
   public:
    Reader(reader_t<S> reader, std::int64_t rank, std::int64_t world_size)
        : reader_(std::move(reader)), rank_(rank), world_size_(world_size) {}
    std::optional<item_t<S>> next() {
      while (auto read = reader_.next())
        if (at_++ % world_size_ == rank_) return read;
      return std::nullopt;
    }

   private:
    reader_t<S> reader_;
    std::int64_t rank_, world_size_, at_ = 0;
  };
  Reader begin(std::uint64_t seed, std::int64_t epoch) const {
    return {samples_.begin(seed, epoch), rank_, world_size_};
  }
  auto make(item_t<S> given, Random& random) const { return make_sample(samples_, std::move(given), random); }

 private:
  S samples_;
  std::int64_t rank_, world_size_;
};
/// Every world_size-th sample of a stream from `rank` on; the others are read and left. All processes must use one
/// seed. Errors: ValueError unless 0 <= rank < world_size.
template <iterable_dataset S>
Shard<S> shard(S samples, std::int64_t rank, std::int64_t world_size) {
  return {std::move(samples), rank, world_size};
}

}  // namespace tenon::data
