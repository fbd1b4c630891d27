// What the component does with formulas of a program's own beside their values: for fuse() and for derivatives.
#pragma once
#include <cstdint>
#include <string_view>

#include <tenon/keys/local_keys.hpp>
#include <tenon/tensor/tensor.hpp>

namespace tenon::cuda {

/// `name` is the formula's; tensors are plain ones of one device that hold elements.
struct OwnFormulaCalls {
  /// Whether a .cu file of the program has the formula, over so many tensors, with its gradients, for a dtype.
  bool (*serves)(std::string_view name, std::size_t tensors, ScalarType dtype);
  /// Writes the values to `out`, of the common shape and of the dtype.
  void (*values)(std::string_view name, TensorList x, const Tensor& out);
  /// Their sums over the dimensions of a mask, times `scale`, to a row-major `out` with or without these dimensions.
  void (*sums)(std::string_view name, TensorList x, IntArrayRef sizes, std::uint64_t mask, bool keepdim, double scale,
               const Tensor& out);
  /// The gradients by each tensor to `out`, row-major tensors of the shape of `grad`.
  void (*gradients)(std::string_view name, const Tensor& grad, TensorList x, const Scalar* numbers, TensorList out);
};

}  // namespace tenon::cuda

/// The component's; without one the symbol has no address.
extern "C" [[gnu::weak]] const tenon::cuda::OwnFormulaCalls tenon_cuda_own_formulas;

namespace tenon::cuda {

/// Whether these are plain tensors of one device and the program has the formula for it, over so many tensors.
inline bool has_own_formula(std::string_view name, std::size_t tensors, TensorList x, ScalarType dtype) {
  constexpr KeySet plain(DispatchKey::CUDA),
      aside = key_sets::autograd_and_inplace_or_view.add(DispatchKey::BackendSelect);
  const OwnFormulaCalls* calls = &tenon_cuda_own_formulas;
  if (!calls) return false;
  for (const Tensor& t : x)
    if (with_local_keys(t.keys()).without_functionalities(aside) != plain || t.device() != x[0].device()) return false;
  return calls->serves(name, tensors, dtype);
}
/// The same for its gradients, which are computed from that of the result, too.
inline bool has_own_gradients(std::string_view name, const Tensor& grad, TensorList x, ScalarType dtype) {
  return has_own_formula(name, x.size(), x, dtype) && has_own_formula(name, x.size(), {&grad, 1}, dtype);
}

}  // namespace tenon::cuda
