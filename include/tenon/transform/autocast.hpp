// Operators in lower precision where that does no harm: AutocastGuard.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include <tenon/base/device.hpp>
#include <tenon/base/owned_ptr.hpp>
#include <tenon/dispatch/registration.hpp>
#include <tenon/keys/autocast_state.hpp>

namespace tenon {

namespace detail {
class AutocastCache;
/// Of the outermost scope; null outside of all.
TENON_THREAD_WORD(AutocastCache*, autocast_cache, nullptr);
}  // namespace detail

/// What autocast does with the floating arguments of an operator before it is called. Those of float64 and of other
/// devices stay as they are.
enum class AutocastRule : std::uint8_t {
  LowerPrecision,  ///< to the dtype of the scope
  Float32,         ///< to float32
  Promote          ///< all to the dtype of the scope if they have it, else all to float32
};

struct AutocastOptions {
  std::optional<ScalarType> dtype = {};  ///< bfloat16 or float16; if none is given, get_autocast_dtype(device)
  bool enabled = true;
  std::optional<bool> cache_enabled = {};  ///< as in the scope around it if not given; true outside of all
};

/// While it lives, products, convolutions, linear layers and attention of this thread compute in bfloat16 or float16,
/// losses and others that need it in float32, and some in the widest dtype of their arguments; all other operators take
/// what they are given. On the CPU decompositions, FFTs and some poolings are of the second kind, cat, stack and
/// index_copy of the third; on CUDA exp, log, pow, norms, sums, softmax and resizing, and dot, addcmul, scatter_add and
/// their like. The two are on and off each by itself. On CUDA binary_cross_entropy throws a ValueError. In-place and
/// `out=` forms have no rule. Parameters stay float32, and so do their gradients: each cast is an operator of the
/// graph. What a leaf that requires grad is cast to is kept until the outermost scope ends, or the leaf is written. The
/// backward pass goes outside of the scope. Scopes nest, and one with `enabled` false is a hole in the outer ones. A
/// scope ends on the thread that made it, the last one made first. Errors: ValueError for another device than the CPU
/// and CUDA, and for another dtype. Cost: calls of operators with a rule go by a boxed kernel while it lives; before
/// the first of a process there is none. Source: torch.autocast of PyTorch 2.15.
class AutocastGuard {
 public:
  explicit AutocastGuard(Device device, AutocastOptions options = {});
  AutocastGuard(const AutocastGuard&) = delete;
  AutocastGuard& operator=(const AutocastGuard&) = delete;
  ~AutocastGuard();

 private:
  AutocastState before_;
  OwnedPtr<detail::AutocastCache> cache_;  // of the outermost scope
};

/// Whether autocast is on for this thread's calls with tensors of a device.
bool is_autocast_enabled(Device device);
/// The dtype of lower precision on this thread; outside of all scopes bfloat16 on the CPU and float16 on CUDA.
/// Errors: ValueError for another device.
ScalarType get_autocast_dtype(Device device);
bool is_autocast_cache_enabled();
/// Drops the casts that the outermost scope keeps.
void clear_autocast_cache();

/// Gives an operator, such as `my::attend`, a rule as long as the result lives; or a dtype that its floating arguments
/// are cast to. Inside of the operator autocast is off. It may be defined later. An operator without a rule that is
/// composed of others gets theirs.
/// Errors: ValueError for a name without a namespace, another device than the CPU and CUDA and a dtype that is not
/// floating. Source: torch.library.register_autocast of PyTorch 2.15.
[[nodiscard]] Registration register_autocast(std::string_view name, Device device, AutocastRule rule);
[[nodiscard]] Registration register_autocast(std::string_view name, Device device, ScalarType cast_inputs);

}  // namespace tenon
