// That a kernel leaves its inputs the implementations and storages that they had.
#pragma once
#include <cstddef>
#include <string_view>
#include <type_traits>

#include <tenon/base/error.hpp>
#include <tenon/tensor/tensor.hpp>

/// Whether calls that record gradients look after it: in builds without NDEBUG, or as the program says.
#ifndef TENON_CHECK_KERNELS
#ifdef NDEBUG
#define TENON_CHECK_KERNELS 0
#else
#define TENON_CHECK_KERNELS 1
#endif
#endif

namespace tenon::autograd::detail {

[[noreturn, gnu::cold]] inline void inputs_not_kept(std::string_view op, std::size_t argument, const char* what) {
  fail<InternalError>(op, ": a kernel gave argument ", argument + 1, " another ", what,
                      "; what it does not write must stay as it is");
}

/// What the tensors among a call's arguments were before it. Those that the call writes may get other storage.
template <class... A>
class KeptInputs {
 public:
  explicit KeptInputs(std::remove_reference_t<A>&... args) {
    std::size_t i = 0;
    (note<A>(i++, args), ...);
  }
  /// Throws InternalError that names operator and argument.
  void check(std::string_view op, std::remove_reference_t<A>&... args) const {
    std::size_t i = 0;
    (compare<A>(op, i++, args), ...);
  }

 private:
  // They hold on to both, so that no address is another's meanwhile.
  struct Kept {
    Tensor tensor;
    intrusive_ptr<StorageImpl> storage;
  };
  template <class T>
  void note(std::size_t i, const std::remove_reference_t<T>& x) {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, Tensor>)
      if (x.defined()) kept_[i] = {x, x->storage()};
  }
  template <class T>
  void compare(std::string_view op, std::size_t i, const std::remove_reference_t<T>& x) const {
    if constexpr (std::is_same_v<std::remove_cvref_t<T>, Tensor>) {
      if (!kept_[i].tensor.is_same(x)) inputs_not_kept(op, i, "implementation");
      if constexpr (!std::is_same_v<T, Tensor&>)
        if (x.defined() && x->storage() != kept_[i].storage) inputs_not_kept(op, i, "storage");
    }
  }
  Kept kept_[sizeof...(A) + 1];
};

}  // namespace tenon::autograd::detail
