// The way from functional tensors to the values that they stand for.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/keys/local_keys.hpp>
#include <tenon/tensor/create.hpp>

namespace tenon::functionalization::detail {

/// Calls made within are those of the program on its plain tensors. Kernels above this key may have switched autograd
/// off for the functional tensor; the values record their own gradients.
class BelowFunctionalize {
 public:
  BelowFunctionalize() {
    LocalKeys& keys = local_keys();
    if (!is_inference_mode())
      keys.excluded = keys.excluded.without_functionalities(key_sets::autograd_and_inplace_or_view);
    keys.excluded = keys.excluded.add(DispatchKey::Functionalize);
  }

 private:
  LocalKeysGuard keys_;
};

/// Registers the functionalizing kernel, unless it is there: a program without functional tensors pays nothing.
void install_fallback();

}  // namespace tenon::functionalization::detail
