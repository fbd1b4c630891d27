// Orders of samples and their batches.
#pragma once
#include <algorithm>
#include <cmath>
#include <numeric>

#include <tenon/base/body.hpp>
#include <tenon/data/random.hpp>
#include <tenon/data/sampler.hpp>
#include <tenon/data/transform.hpp>

namespace tenon::data {

TENON_BODY Indices SequentialSampler::indices(std::uint64_t, std::int64_t) const {
  Indices order(static_cast<std::size_t>(size_));
  std::iota(order.begin(), order.end(), std::int64_t{0});
  return order;
}

TENON_BODY RandomSampler::RandomSampler(std::int64_t size, bool replacement, std::optional<std::int64_t> num_samples)
    : size_(size), num_samples_(num_samples.value_or(size)), replacement_(replacement) {
  TENON_CHECK(size >= 0 && num_samples_ >= 0, ValueError, "RandomSampler: expected sizes of at least 0, got ", size,
              " samples and ", num_samples_, " draws");
  TENON_CHECK(size > 0 || num_samples_ == 0, ValueError, "RandomSampler: expected samples to draw from, got none");
}
TENON_BODY Indices RandomSampler::indices(std::uint64_t seed, std::int64_t epoch) const {
  Indices order;
  if (replacement_) {
    Random random(seed, epoch, -1);
    order.reserve(static_cast<std::size_t>(num_samples_));
    for (std::int64_t i = 0; i < num_samples_; ++i) order.push_back(random.integer(0, size_ - 1));
    return order;
  }
  if (num_samples_ <= size_) {
    order = detail::permutation(size_, seed, epoch);
    order.resize(static_cast<std::size_t>(num_samples_));
    return order;
  }
  // More than all: whole orders of their own, one after the other.
  for (std::int64_t round = 0; static_cast<std::int64_t>(order.size()) < num_samples_; ++round) {
    Indices more = detail::permutation(size_, seed ^ static_cast<std::uint64_t>(round) << 48, epoch);
    std::int64_t count = std::min(size_, num_samples_ - static_cast<std::int64_t>(order.size()));
    order.insert(order.end(), more.begin(), more.begin() + count);
  }
  return order;
}

TENON_BODY Indices SubsetRandomSampler::indices(std::uint64_t seed, std::int64_t epoch) const {
  Indices order;
  order.reserve(indices_.size());
  for (std::int64_t at : detail::permutation(size(), seed, epoch))
    order.push_back(indices_[static_cast<std::size_t>(at)]);
  return order;
}

TENON_BODY WeightedRandomSampler::WeightedRandomSampler(std::vector<double> weights, std::int64_t num_samples,
                                                        bool replacement)
    : weights_(std::move(weights)), num_samples_(num_samples), replacement_(replacement) {
  std::int64_t above = 0;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    TENON_CHECK(weights_[i] >= 0 && std::isfinite(weights_[i]), ValueError,
                "WeightedRandomSampler: expected weights of at least 0, weights[", i, "] is ", weights_[i]);
    above += weights_[i] > 0;
  }
  TENON_CHECK(num_samples >= 0, ValueError, "WeightedRandomSampler: expected at least 0 draws, got ", num_samples);
  TENON_CHECK(above > 0 || num_samples == 0, ValueError, "WeightedRandomSampler: expected a weight above 0");
  TENON_CHECK(replacement || num_samples <= above, ValueError, "WeightedRandomSampler: expected at most ", above,
              " draws without replacement, as many as there are weights above 0, got ", num_samples);
}
TENON_BODY Indices WeightedRandomSampler::indices(std::uint64_t seed, std::int64_t epoch) const {
  Random random(seed, epoch, -1);
  Indices order;
  order.reserve(static_cast<std::size_t>(num_samples_));
  if (replacement_) {
    std::vector<double> sums(weights_.size());
    std::partial_sum(weights_.begin(), weights_.end(), sums.begin());
    for (std::int64_t i = 0; i < num_samples_; ++i) {
      double place = random.uniform() * sums.back();
      auto at = std::upper_bound(sums.begin(), sums.end(), place);
      // Rounding may give the sum itself: the last weight above 0 is the one that reaches it.
      if (at == sums.end()) at = std::lower_bound(sums.begin(), sums.end(), sums.back());
      order.push_back(at - sums.begin());
    }
    return order;
  }
  std::vector<std::pair<double, std::int64_t>> keys;
  for (std::size_t i = 0; i < weights_.size(); ++i) {
    double key = -std::log(1 - random.uniform()) / weights_[i];
    if (weights_[i] > 0) keys.emplace_back(key, static_cast<std::int64_t>(i));
  }
  std::partial_sort(keys.begin(), keys.begin() + num_samples_, keys.end());
  for (std::int64_t i = 0; i < num_samples_; ++i) order.push_back(keys[static_cast<std::size_t>(i)].second);
  return order;
}

namespace detail {

TENON_BODY void check_shard(std::int64_t rank, std::int64_t world_size) {
  TENON_CHECK(rank >= 0 && rank < world_size, ValueError, "DistributedSampler: Invalid rank ", rank,
              ", rank should be in the interval [0, ", world_size - 1, "]");
}
TENON_BODY std::int64_t shard_size(std::int64_t size, std::int64_t rank, std::int64_t world_size, Tail tail) {
  std::int64_t whole = size / world_size, rest = size % world_size;
  if (tail == Tail::Drop || rest == 0) return whole;
  return tail == Tail::Pad || rank < rest ? whole + 1 : whole;
}
TENON_BODY Indices shard(const Indices& all, std::int64_t rank, std::int64_t world_size, Tail tail) {
  auto size = static_cast<std::int64_t>(all.size());
  Indices own(static_cast<std::size_t>(shard_size(size, rank, world_size, tail)));
  for (std::size_t i = 0; i < own.size(); ++i)
    own[i] = all[static_cast<std::size_t>((rank + static_cast<std::int64_t>(i) * world_size) % size)];
  return own;
}

TENON_BODY std::int64_t batch_count(std::int64_t samples, std::int64_t batch_size, bool drop_last) {
  return samples / batch_size + (!drop_last && samples % batch_size != 0);
}
TENON_BODY Plan cut_into_batches(Indices indices, std::int64_t batch_size, bool drop_last) {
  Plan plan;
  auto size = static_cast<std::int64_t>(indices.size());
  for (std::int64_t b = 0, n = batch_count(size, batch_size, drop_last); b < n; ++b)
    plan.ends.push_back(std::min((b + 1) * batch_size, size));
  plan.indices = std::move(indices);
  return plan;
}
TENON_BODY Plan join_batches(const std::vector<Indices>& batches) {
  Plan plan;
  for (const Indices& batch : batches) {
    TENON_CHECK(!batch.empty(), ValueError, "DataLoader: expected batches of at least one sample, batch ",
                plan.batches(), " has none");
    plan.indices.insert(plan.indices.end(), batch.begin(), batch.end());
    plan.ends.push_back(static_cast<std::int64_t>(plan.indices.size()));
  }
  return plan;
}

}  // namespace detail
}  // namespace tenon::data
