// The thread's autograd modes: recording on or off, inference.
#pragma once
#include <tenon/keys/local_keys.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon {

namespace detail {
TENON_THREAD_WORD(bool, grad_mode, true);
}  // namespace detail

/// Whether operators on this thread record what their gradients need. A flag only: keys do not change.
inline bool is_grad_enabled() { return detail::grad_mode; }
inline void set_grad_enabled(bool on) { detail::grad_mode = on; }

/// Sets grad mode for a scope.
class AutoGradMode {
 public:
  explicit AutoGradMode(bool on) : before_(detail::grad_mode) { detail::grad_mode = on; }
  AutoGradMode(const AutoGradMode&) = delete;
  AutoGradMode& operator=(const AutoGradMode&) = delete;
  ~AutoGradMode() { detail::grad_mode = before_; }

 private:
  bool before_;
};
struct NoGradGuard : AutoGradMode {
  NoGradGuard() : AutoGradMode(false) {}
};
struct EnableGradGuard : AutoGradMode {
  EnableGradGuard() : AutoGradMode(true) {}
};

/// Tensors made within record nothing, count no versions and carry no autograd keys; calls skip autograd altogether.
class InferenceMode {
 public:
  explicit InferenceMode(bool on = true) : grad_(!on), inference_before_(detail::inference_mode) {
    detail::inference_mode = on;
    LocalKeys& keys = local_keys();
    if (on) {
      keys.included = keys.included.without(DispatchKey::ADInplaceOrView);
      keys.excluded = keys.excluded | key_sets::autograd;
    } else {
      keys.included = keys.included.add(DispatchKey::ADInplaceOrView);
      keys.excluded = keys.excluded.without_functionalities(key_sets::autograd);
    }
  }
  ~InferenceMode() { detail::inference_mode = inference_before_; }

 private:
  LocalKeysGuard keys_;
  AutoGradMode grad_;
  bool inference_before_;
};

}  // namespace tenon
