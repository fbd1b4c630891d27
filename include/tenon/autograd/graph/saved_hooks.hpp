// Keeping saved tensors in another form: pairs of functions by scope, tensors kept in the host's memory.
#pragma once
#include <any>
#include <deque>
#include <string>
#include <type_traits>
#include <utility>

#include <tenon/autograd/graph/extras.hpp>
#include <tenon/autograd/saved.hpp>

namespace tenon::autograd {

namespace detail {

struct SavedHookScope {
  intrusive_ptr<SavedHookPair> pair;  ///< null where hooks are refused
  std::string refusal;
  SavedHookScope* outer = nullptr;
};

/// What a node that runs has unpacked: each tensor once.
struct UnpackScope {
  struct Known {
    const SavedTensor* saved;
    Tensor tensor;
  };
  std::deque<Known> tensors;
};
class UnpackGuard {
 public:
  /// Of a node with these extras: most have packed nothing.
  explicit UnpackGuard(const NodeExtras* extras) : on_(extras && !extras->packed.empty()) {
    if (on_) [[unlikely]]
      before_ = std::exchange(unpacked, new UnpackScope);
  }
  UnpackGuard(const UnpackGuard&) = delete;
  UnpackGuard& operator=(const UnpackGuard&) = delete;
  ~UnpackGuard() {
    if (on_) [[unlikely]]
      delete std::exchange(unpacked, before_);
  }

 private:
  bool on_;
  UnpackScope* before_ = nullptr;
};

/// What hooks do themselves is not packed, and the operators they call pass autograd as a user's do, though the node
/// that needs them may not.
class NoSavedHooks {
 public:
  NoSavedHooks() : before_(std::exchange(saved_hooks, nullptr)) {
    LocalKeys& keys = local_keys();
    keys.excluded = keys.excluded.without_functionalities(key_sets::autograd_and_inplace_or_view);
  }
  NoSavedHooks(const NoSavedHooks&) = delete;
  NoSavedHooks& operator=(const NoSavedHooks&) = delete;
  ~NoSavedHooks() { saved_hooks = before_; }

 private:
  LocalKeysGuard keys_;
  SavedHookScope* before_;
};

intrusive_ptr<SavedHookPair> host_hooks(bool pin_memory);

}  // namespace detail

/// In its scope, on its thread, what the graph would save goes through `pack(tensor)`, which gives anything that can be
/// copied, and comes back through `unpack(that)`, a tensor of the same shape, when a gradient needs it, once for each
/// node that runs. The innermost scope counts. `pack` runs without recording; it must not write to its tensor.
/// Versions are not checked: what was packed cannot be written.
class SavedTensorHooks {
 public:
  template <class Pack, class Unpack>
  SavedTensorHooks(Pack pack, Unpack unpack) {
    static_assert(std::is_invocable_v<Pack&, const Tensor&>,
                  "tenon: the first of two saved-tensor hooks cannot be called with a const Tensor&");
    using Packed = std::decay_t<std::invoke_result_t<Pack&, const Tensor&>>;
    static_assert(std::is_invocable_r_v<Tensor, Unpack&, const Packed&>,
                  "tenon: the second of two saved-tensor hooks does not turn what the first returns into a Tensor");
    auto pair = make_intrusive<detail::SavedHookPair>();
    pair->pack = [f = std::move(pack)](const Tensor& t) mutable { return std::any(f(t)); };
    pair->unpack = [f = std::move(unpack)](const std::any& value) mutable -> Tensor {
      return f(*std::any_cast<Packed>(&value));
    };
    enter(std::move(pair));
  }
  explicit SavedTensorHooks(intrusive_ptr<detail::SavedHookPair> pair) { enter(std::move(pair)); }
  SavedTensorHooks(const SavedTensorHooks&) = delete;
  SavedTensorHooks& operator=(const SavedTensorHooks&) = delete;
  ~SavedTensorHooks() { detail::saved_hooks = scope_.outer; }

 private:
  void enter(intrusive_ptr<detail::SavedHookPair> pair) {
    scope_.pair = std::move(pair);
    scope_.outer = std::exchange(detail::saved_hooks, &scope_);
  }
  detail::SavedHookScope scope_;
};

/// In its scope nothing may be saved: the first attempt throws AutogradError with `message`.
class RefuseSavedTensors {
 public:
  explicit RefuseSavedTensors(std::string message) {
    scope_.refusal = std::move(message);
    scope_.outer = std::exchange(detail::saved_hooks, &scope_);
  }
  RefuseSavedTensors(const RefuseSavedTensors&) = delete;
  RefuseSavedTensors& operator=(const RefuseSavedTensors&) = delete;
  ~RefuseSavedTensors() { detail::saved_hooks = scope_.outer; }

 private:
  detail::SavedHookScope scope_;
};

/// In its scope saved tensors are kept in the host's memory and go back to their device when they are needed.
class SaveOnHost : public SavedTensorHooks {
 public:
  explicit SaveOnHost(bool pin_memory = false) : SavedTensorHooks(detail::host_hooks(pin_memory)) {}
};

}  // namespace tenon::autograd
