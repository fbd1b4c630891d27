// vmap: a function of one example as one of many.
#pragma once
#include <algorithm>
#include <optional>

#include <tenon/func/batching.hpp>
#include <tenon/func/detail/randomness.hpp>
#include <tenon/func/tree.hpp>

namespace tenon::func {

/// Where the examples are, and what becomes of random numbers.
struct VmapOptions {
  /// The dimension that counts the examples: one entry for all tensors, or one for each argument, or one for each
  /// tensor of the arguments; negative ones count from the end, none means that all examples share it.
  std::vector<std::optional<std::int64_t>> in_dims = {0};
  /// Where the results have it: one entry for all of them or one for each; none says that all examples have the same
  /// result, which is given once.
  std::vector<std::optional<std::int64_t>> out_dims = {0};
  Randomness randomness = Randomness::Error;
  /// At most so many examples at once.
  std::optional<std::int64_t> chunk_size = std::nullopt;
};

namespace detail {

/// Those of a call that names none, made once.
const VmapOptions& usual_options();

/// The examples of one call, moved to the front of their tensors. Refers to the options.
class Batch {
 public:
  template <class... A>
  explicit Batch(const VmapOptions& options, const A&... args) : options_(options) {
    const std::size_t counts[] = {append_tensors(args, tensors_)..., 0};
    move_examples({counts, sizeof...(A)});
  }
  std::int64_t size() const { return size_; }
  std::int64_t chunk() const { return options_.chunk_size.value_or(size_); }
  /// The tensors for examples [from, from + level.size).
  Stack enter(const Level& level, std::int64_t from) const;
  /// Result number `i` for the caller: its examples along the dimension asked for.
  Tensor leave(const Tensor& result, const Level& level, std::size_t i) const;
  /// The results of several chunks as one.
  Tensor join(const std::vector<Tensor>& parts, std::size_t i) const;
  void check_results(std::size_t n) const;

 private:
  /// `counts`: how many tensors each argument holds.
  void move_examples(ArrayRef<std::size_t> counts);
  std::optional<std::int64_t> out_dim(std::size_t i) const {
    return options_.out_dims[options_.out_dims.size() == 1 ? 0 : i];
  }
  const VmapOptions& options_;
  Stack tensors_;  // which needs no memory for a few
  SmallVector<std::uint8_t, 16> batched_;
  std::int64_t size_ = -1;
};

}  // namespace detail

/// What vmap() returns.
template <class F>
class Vmapped {
 public:
  explicit Vmapped(F f) : f_(std::move(f)) {}
  Vmapped(F f, VmapOptions&& options) : f_(std::move(f)), own_(std::move(options)) {}

  template <class... A>
  detail::result_of_t<F, A...> operator()(const A&... args) const {
    using R = detail::result_of_t<F, A...>;
    const VmapOptions& options = own_ ? *own_ : detail::usual_options();
    detail::Batch batch(options, args...);
    auto part = [&](std::int64_t from) {
      LevelGuard guard(LevelKind::Batch, std::min(batch.chunk(), batch.size() - from), options.randomness);
      Stack entered = batch.enter(guard.level(), from);
      std::size_t next = 0;
      auto replace = [&](const Tensor&) { return std::move(entered[next++].to_tensor()); };
      std::tuple<A...> own{detail::map_tree(args, replace)...};
      R result = std::apply(f_, std::as_const(own));
      std::size_t i = 0;
      batch.check_results(detail::count_tensors(result));
      return detail::map_tree(result, [&](const Tensor& t) { return batch.leave(t, guard.level(), i++); });
    };
    // Chunks draw the same numbers where all examples do.
    detail::SameNumbers numbers(options.randomness == Randomness::Same && batch.chunk() < batch.size());
    R first = part(0);
    if (batch.chunk() >= batch.size()) return first;
    std::vector<std::vector<Tensor>> all{detail::tensors_of(first)};
    for (std::int64_t from = batch.chunk(); from < batch.size(); from += batch.chunk()) {
      numbers.again();
      all.push_back(detail::tensors_of(part(from)));
    }
    std::size_t i = 0;
    return detail::map_tree(first, [&](const Tensor&) {
      std::vector<Tensor> of;
      for (const auto& tensors_of_part : all) of.push_back(tensors_of_part.at(i));
      return batch.join(of, i++);
    });
  }

 private:
  mutable F f_;
  std::optional<VmapOptions> own_;
};

/// A function of batches from a function `f` of one example: what a loop over the examples and a stack of the results
/// give, computed for all of them at once. Arguments and results: tensors, and containers, tuples, maps and modules of
/// them; other arguments are the same for all examples. May be nested, and mixed with the other transforms.
/// Operators: those with a rule run once for the whole batch, composites by their parts, elementwise ones always; any
/// other, a user's too, runs for each example, with a warning that warn_of_loops() switches off.
/// Errors: BatchError where examples would write what they share, for results that depend on the values of an example
/// and for random numbers unless `randomness` says what they are; ValueError for batches that differ in size.
/// Source: torch.func.vmap of PyTorch 2.15.
template <class F>
Vmapped<std::decay_t<F>> vmap(F&& f, VmapOptions options) {
  return {static_cast<F&&>(f), std::move(options)};
}
template <class F>
Vmapped<std::decay_t<F>> vmap(F&& f) {
  return Vmapped<std::decay_t<F>>(static_cast<F&&>(f));
}

}  // namespace tenon::func
