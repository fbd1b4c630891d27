// Levels: the transforms that run on this thread, one within another, and the tensors that belong to one of them.
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include <tenon/boxing/value.hpp>
#include <tenon/dispatch/operator_entry.hpp>
#include <tenon/keys/local_keys.hpp>

namespace tenon::func {

/// What random numbers are within vmap: refused, drawn for each example, or the same for all.
enum class Randomness : std::uint8_t { Error, Different, Same };

/// An operator that cannot be run for each example of a batch: it writes what all examples share, or what it gives
/// depends on the values of one.
struct BatchError : ValueError {
  using ValueError::ValueError;
};

/// Random numbers where the transform says that there are none.
struct RandomnessError : BatchError {
  using BatchError::BatchError;
};

/// Running statistics that all examples share, where each example would write them.
struct SharedStatisticsError : BatchError {
  using BatchError::BatchError;
};

enum class LevelKind : std::uint8_t { Batch, Tangent };

/// One transform that runs now. It lives on the stack of the thread; the word below leads to the innermost.
struct Level {
  const Level* outer = nullptr;
  int depth = 1;         ///< 1 for the outermost
  std::uint64_t id = 0;  ///< another for every level that ever was
  LevelKind kind = LevelKind::Batch;
  std::int64_t size = 0;  ///< of a batch: how many examples
  Randomness randomness = Randomness::Error;
  bool directions = false;  ///< the examples are columns of a Jacobian, and of nobody's making
};

namespace detail {
TENON_THREAD_WORD(const Level*, innermost_level, nullptr);
TENON_THREAD_WORD(std::uint64_t, last_level, 0);
TENON_THREAD_WORD(int, recorded_functions, 0);  // of passes backwards that run now, one within another
TENON_THREAD_WORD(int, forward_depth, 0);       // of the innermost jvp whose function runs; 0 in what serves functions

/// Calls that no tensor of a level takes part in are seen by this key: random numbers within vmap, and new tensors
/// within jvp.
inline void watch_plain_calls() {
  bool watched = forward_depth != 0;
  for (const Level* l = innermost_level; l && !watched; l = l->outer) watched = l->kind == LevelKind::Batch;
  set_included(DispatchKey::FuncTorchVmapMode, watched);
}
}  // namespace detail

inline const Level* innermost_level() { return detail::innermost_level; }
inline int level_depth() { return detail::innermost_level ? detail::innermost_level->depth : 0; }

/// The only keys of a tensor that belongs to a level: each sends every operator to one boxed kernel.
inline constexpr KeySet level_keys{DispatchKey::FuncTorchBatched, DispatchKey::FuncTorchGradWrapper};
inline bool is_level_tensor(const Tensor& t) { return t.keys().has_any(level_keys); }

/// A tensor as the function that is transformed sees it. Of a batch: one example of `value`, whose first dimension
/// counts the examples. Of a tangent level: `value`, and how it changes along the direction, `tangent`. Both may
/// themselves belong to levels further out. It has no memory of its own.
class LevelTensor final : public TensorImpl {
 public:
  LevelTensor(const Level& level, Tensor value, Tensor tangent);
  /// Takes over the geometry of the value, after that changed in place.
  void follow_value();
  /// The tangent; undefined while nothing that changes was written here.
  Tensor change() const { return unchanged && *unchanged ? Tensor() : tangent; }

  Tensor value, tangent;            ///< no tangent, or one of zeros that views share: see change()
  std::shared_ptr<bool> unchanged;  ///< common to a tensor without changes and its views, until one is written
  bool shares_tangent = false;      ///< with a tensor that it is no view of
  bool in_views = false;            ///< a view, or viewed by one
  const LevelKind kind;
  const int depth;
  const std::uint64_t id;

 protected:
  void release_resources() noexcept override;
  // It shares no block with a storage.
  void destroy() noexcept override { delete this; }
};

inline LevelTensor& level_impl(const Tensor& t) { return static_cast<LevelTensor&>(t.impl()); }
/// The depth of the level that a tensor belongs to; 0 for a plain one.
inline int depth_of(const Tensor& t) { return t.defined() && is_level_tensor(t) ? level_impl(t).depth : 0; }
/// Whether a tensor belongs to that level.
inline bool belongs(const Tensor& t, const Level& level) { return depth_of(t) == level.depth; }

/// A tensor with the examples of a batch along its first dimension, as one example of it.
Tensor make_batched(Tensor value, const Level& level);
/// A tensor and its tangent, of the same shape and type.
Tensor make_dual(const Tensor& primal, const Tensor& tangent, const Level& level);
/// A tensor of a tangent level that does not change along the direction until something is written into it.
Tensor make_constant(const Tensor& value, const Level& level);
/// The level of a tensor. Throws ValueError if its transform has ended.
const Level& level_of(const Tensor& t);

/// Begins a level for a scope. Registers the boxed kernel first, if nobody did.
class LevelGuard {
 public:
  explicit LevelGuard(LevelKind kind, std::int64_t size = 0, Randomness randomness = Randomness::Error,
                      bool directions = false);
  LevelGuard(const LevelGuard&) = delete;
  LevelGuard& operator=(const LevelGuard&) = delete;
  ~LevelGuard() { detail::innermost_level = level_.outer; }
  const Level& level() const { return level_; }

 private:
  LocalKeysGuard keys_;
  Level level_;
};

/// For a scope only the levels outside of one run, or with null none.
class OutsideGuard {
 public:
  explicit OutsideGuard(const Level* innermost)
      : before_(detail::innermost_level), forward_before_(detail::forward_depth) {
    detail::innermost_level = innermost;
    detail::forward_depth = 0;
    detail::watch_plain_calls();
  }
  OutsideGuard(const OutsideGuard&) = delete;
  OutsideGuard& operator=(const OutsideGuard&) = delete;
  ~OutsideGuard() {
    detail::innermost_level = before_;
    detail::forward_depth = forward_before_;
  }

 private:
  LocalKeysGuard keys_;
  const Level* before_;
  int forward_before_;
};

/// While the function of a jvp at that depth runs, every tensor that it makes is of the jvp's level, so that what it
/// writes into one may have a tangent. With 0 for what serves the function.
class ForwardModeGuard {
 public:
  explicit ForwardModeGuard(int depth);
  ForwardModeGuard(const ForwardModeGuard&) = delete;
  ForwardModeGuard& operator=(const ForwardModeGuard&) = delete;
  ~ForwardModeGuard() { detail::forward_depth = before_; }

 private:
  LocalKeysGuard keys_;
  int before_;
};

}  // namespace tenon::func
