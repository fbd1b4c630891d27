// Samplers: which samples an epoch shows, and in which order.
#pragma once
#include <concepts>
#include <cstdint>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <tenon/base/error.hpp>

namespace tenon::data {

/// Indices of samples.
using Indices = std::vector<std::int64_t>;

/// What names the samples of an epoch as a function of seed and epoch alone; `size()` is how many it names.
template <class S>
concept sampler = requires(const S& s, std::uint64_t seed, std::int64_t epoch) {
  { s.size() } -> std::convertible_to<std::int64_t>;
  { s.indices(seed, epoch) } -> std::convertible_to<Indices>;
};
/// What names whole batches; `size()` is how many of them.
template <class S>
concept batch_sampler = requires(const S& s, std::uint64_t seed, std::int64_t epoch) {
  { s.size() } -> std::convertible_to<std::int64_t>;
  { s.batches(seed, epoch) } -> std::convertible_to<std::vector<Indices>>;
};

/// All samples in their order.
class SequentialSampler {
 public:
  explicit SequentialSampler(std::int64_t size) : size_(size) {}
  std::int64_t size() const { return size_; }
  Indices indices(std::uint64_t seed, std::int64_t epoch) const;

 private:
  std::int64_t size_;
};

/// All samples in an order drawn anew for each epoch, or with `replacement` `num_samples` independent draws.
/// Cost: 8 bytes a sample. Errors: ValueError for a negative size, and for draws from no sample.
class RandomSampler {
 public:
  explicit RandomSampler(std::int64_t size, bool replacement = false, std::optional<std::int64_t> num_samples = {});
  std::int64_t size() const { return num_samples_; }
  Indices indices(std::uint64_t seed, std::int64_t epoch) const;

 private:
  std::int64_t size_, num_samples_;
  bool replacement_;
};

/// Some samples, in an order drawn anew for each epoch.
class SubsetRandomSampler {
 public:
  explicit SubsetRandomSampler(Indices indices) : indices_(std::move(indices)) {}
  std::int64_t size() const { return static_cast<std::int64_t>(indices_.size()); }
  Indices indices(std::uint64_t seed, std::int64_t epoch) const;

 private:
  Indices indices_;
};

/// Draws sample i with a probability that grows with weights[i].
/// Errors: ValueError for a weight that is negative or not finite, for weights that are all 0, and without replacement
/// for more draws than weights above 0.
/// Source of drawing without replacement: Efraimidis and Spirakis, Inf. Process. Lett. 97:181, 2006.
class WeightedRandomSampler {
 public:
  WeightedRandomSampler(std::vector<double> weights, std::int64_t num_samples, bool replacement = true);
  std::int64_t size() const { return num_samples_; }
  Indices indices(std::uint64_t seed, std::int64_t epoch) const;

 private:
  std::vector<double> weights_;
  std::int64_t num_samples_;
  bool replacement_;
};

/// What happens to samples that cannot be dealt out evenly.
enum class Tail : std::uint8_t {
  Pad,   ///< the first samples are dealt again, so that all processes have equally many
  Drop,  ///< the last samples are left out, so that all processes have equally many
  Keep,  ///< the first processes have one sample more
};

namespace detail {
std::int64_t shard_size(std::int64_t size, std::int64_t rank, std::int64_t world_size, Tail tail);
Indices shard(const Indices& all, std::int64_t rank, std::int64_t world_size, Tail tail);
void check_shard(std::int64_t rank, std::int64_t world_size);
}  // namespace detail

/// The share of one of several processes in what another sampler names: every world_size-th sample from `rank` on. All
/// processes must use one seed. Errors: ValueError unless 0 <= rank < world_size.
template <sampler S>
class DistributedSampler {
 public:
  DistributedSampler(S all, std::int64_t rank, std::int64_t world_size, Tail tail = Tail::Pad)
      : all_(std::move(all)), rank_(rank), world_size_(world_size), tail_(tail) {
    detail::check_shard(rank, world_size);
  }
  std::int64_t size() const { return detail::shard_size(all_.size(), rank_, world_size_, tail_); }
  Indices indices(std::uint64_t seed, std::int64_t epoch) const {
    return detail::shard(all_.indices(seed, epoch), rank_, world_size_, tail_);
  }

 private:
  S all_;
  std::int64_t rank_, world_size_;
  Tail tail_;
};

namespace detail {
/// The batches of an epoch: batch b has the indices from ends[b - 1], or 0, to ends[b].
struct Plan {
  Indices indices, ends;
  std::int64_t batches() const { return static_cast<std::int64_t>(ends.size()); }
  std::int64_t begin(std::int64_t b) const { return b == 0 ? 0 : ends[static_cast<std::size_t>(b - 1)]; }
  std::int64_t end(std::int64_t b) const { return ends[static_cast<std::size_t>(b)]; }
};
Plan cut_into_batches(Indices indices, std::int64_t batch_size, bool drop_last);
Plan join_batches(const std::vector<Indices>& batches);
std::int64_t batch_count(std::int64_t samples, std::int64_t batch_size, bool drop_last);

/// A sampler of any type, as the loader sees it.
class Batching {
 public:
  virtual ~Batching() = default;
  virtual Plan plan(std::uint64_t seed, std::int64_t epoch) const = 0;
  virtual std::int64_t batches() const = 0;
};
template <sampler S>
class CutBatching final : public Batching {
 public:
  CutBatching(S s, std::int64_t batch_size, bool drop_last)
      : sampler_(std::move(s)), batch_size_(batch_size), drop_last_(drop_last) {
    TENON_CHECK(batch_size >= 1, ValueError, "DataLoader: expected a batch_size of at least 1, got ", batch_size);
  }
  Plan plan(std::uint64_t seed, std::int64_t epoch) const override {
    return cut_into_batches(sampler_.indices(seed, epoch), batch_size_, drop_last_);
  }
  std::int64_t batches() const override { return batch_count(sampler_.size(), batch_size_, drop_last_); }

 private:
  S sampler_;
  std::int64_t batch_size_;
  bool drop_last_;
};
template <batch_sampler S>
class GivenBatching final : public Batching {
 public:
  explicit GivenBatching(S s) : sampler_(std::move(s)) {}
  Plan plan(std::uint64_t seed, std::int64_t epoch) const override {
    return join_batches(sampler_.batches(seed, epoch));
  }
  std::int64_t batches() const override { return sampler_.size(); }

 private:
  S sampler_;
};
}  // namespace detail

/// Batches of what a sampler names, one after the other; `drop_last` leaves out a last batch that is not full.
template <sampler S>
class BatchSampler {
 public:
  BatchSampler(S s, std::int64_t batch_size, bool drop_last) : cut_(std::move(s), batch_size, drop_last) {}
  std::int64_t size() const { return cut_.batches(); }
  std::vector<Indices> batches(std::uint64_t seed, std::int64_t epoch) const {
    detail::Plan plan = cut_.plan(seed, epoch);
    std::vector<Indices> all;
    for (std::int64_t b = 0; b < plan.batches(); ++b)
      all.emplace_back(plan.indices.begin() + plan.begin(b), plan.indices.begin() + plan.end(b));
    return all;
  }

 private:
  detail::CutBatching<S> cut_;
};

}  // namespace tenon::data
