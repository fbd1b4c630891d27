// The results of a structured operator: allocated by the functional form, given to the in-place and out forms.
#pragma once
#include <cstdint>
#include <new>
#include <utility>

#include <tenon/base/promote_types.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/symbolic.hpp>

namespace tenon {

enum class StructuredForm : std::uint8_t { Functional, InPlace, Out };

/// How a result's dtype may differ from the one that the operator computes.
enum class OutputCast : std::uint8_t { Exact, Allowed };

namespace detail {
/// PyTorch's warning before an out tensor with elements changes its shape.
void warn_resized(const Tensor& out, IntArrayRef size);

/// Tensors of which most are never made: those alone cost anything.
template <unsigned Most>
class TensorSlots {
 public:
  TensorSlots() {}
  TensorSlots(const TensorSlots&) = delete;
  ~TensorSlots() {
    for (unsigned i = 0; made_ >> i != 0; ++i)
      if (has(i)) items_[i].~Tensor();
  }
  bool any() const { return made_ != 0; }
  bool has(unsigned i) const { return (made_ >> i & 1) != 0; }
  const Tensor& operator[](unsigned i) const { return items_[i]; }
  void set(unsigned i, Tensor t) {
    if (has(i)) {
      items_[i] = std::move(t);
      return;
    }
    new (&items_[i]) Tensor(std::move(t));
    made_ |= 1u << i;
  }
  /// The slot is empty afterwards; an undefined tensor if it was before.
  Tensor take(unsigned i) {
    if (!has(i)) return {};
    Tensor out = std::move(items_[i]);
    items_[i].~Tensor();
    made_ &= ~(1u << i);
    return out;
  }

 private:
  unsigned made_ = 0;  // a bit for each
  union {
    Tensor items_[Most];
  };
};
}  // namespace detail

/// What a meta function writes: the geometry and dtype of every result. At most six results.
class Outputs {
 public:
  static constexpr unsigned kMost = 6;
  Outputs(StructuredForm form, bool meta_only) : form_(form), meta_only_(meta_only) {}
  void give(unsigned i, const Tensor& x) { given_[i] = &x; }
  /// Says that the operator reads `x`: where that is a given tensor of another shape, `impl` sees a proxy.
  void read(const Tensor& x) {
    for (unsigned i = 0; i < kMost && given_[i]; ++i)
      if (given_[i]->is_same(x)) read_ |= static_cast<std::uint8_t>(1u << i);
  }
  /// A given result i of another shape is refused, as by the in-place form.
  void keep_shape(unsigned i) { kept_shape_ |= static_cast<std::uint8_t>(1u << i); }

  StructuredForm form() const { return form_; }
  /// The tensor that the caller gave for result i, or an undefined one.
  const Tensor& maybe_get_output(unsigned i = 0) const { return given_[i] ? *given_[i] : undefined(); }

  /// Result i must have these strides (row-major if empty) when `impl` sees it: a given tensor with others is replaced
  /// by a proxy that is copied back.
  void set_output_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device = kCPU,
                          OutputCast cast = OutputCast::Exact) {
    set_output_raw_strided(i, sizes, strides, dtype, device, cast);
    if (given_[i] && !meta_only_ && !proxies_.has(i)) replace_unless_strided(i, sizes, strides, device);
  }
  /// Result i may have any strides; these are taken when it is allocated.
  void set_output_raw_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                              Device device = kCPU, OutputCast cast = OutputCast::Exact) {
    set_ |= static_cast<std::uint8_t>(1u << i);
    if (given_[i])
      set_given(i, sizes, strides, dtype, device, cast);
    else
      own_.set(i, make_tensor(sizes, strides, dtype, device));
  }
  /// The same for sizes that may be symbolic: what a meta function writes that reads `sym_sizes()`.
  template <sym_list Sizes>
  void set_output_strided(unsigned i, const Sizes& sizes, SymIntArrayRef strides, ScalarType dtype,
                          Device device = kCPU, OutputCast cast = OutputCast::Exact) {
    if (!set_symbolic(i, sizes, strides, dtype, device, cast))
      set_output_strided(i, *maybe_as_ints(sizes), *maybe_as_ints(strides), dtype, device, cast);
  }
  template <sym_list Sizes>
  void set_output_raw_strided(unsigned i, const Sizes& sizes, SymIntArrayRef strides, ScalarType dtype,
                              Device device = kCPU, OutputCast cast = OutputCast::Exact) {
    if (!set_symbolic(i, sizes, strides, dtype, device, cast))
      set_output_raw_strided(i, *maybe_as_ints(sizes), *maybe_as_ints(strides), dtype, device, cast);
  }

  /// Result i as `impl` shall fill it.
  const Tensor& operator[](unsigned i) const {
    return proxies_.has(i) ? proxies_[i] : given_[i] ? *given_[i] : own_.has(i) ? own_[i] : undefined();
  }
  Tensor take(unsigned i) { return own_.take(i); }
  const Tensor& proxy(unsigned i) const { return proxies_.has(i) ? proxies_[i] : undefined(); }
  bool has_proxies() const { return proxies_.any(); }
  /// A bit for each result that has been set.
  unsigned set() const { return set_; }

 private:
  static const Tensor& undefined() {
    static const Tensor none;
    return none;
  }
  /// Checks the tensor that the caller gave, and resizes it.
  void set_given(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device, OutputCast cast);
  /// False, and nothing done, if nothing is symbolic.
  bool set_symbolic(unsigned i, SymIntArrayRef sizes, SymIntArrayRef strides, ScalarType dtype, Device device,
                    OutputCast cast);
  void check_given(unsigned i, ScalarType dtype, Device device, OutputCast cast) const;
  bool keeps_shape(unsigned i) const { return form_ == StructuredForm::InPlace || (kept_shape_ >> i & 1) != 0; }
  void replace_unless_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, Device device);

  StructuredForm form_;
  bool meta_only_;
  std::uint8_t set_ = 0, read_ = 0, kept_shape_ = 0;  // a bit for each result
  const Tensor* given_[kMost] = {};
  detail::TensorSlots<kMost> own_, proxies_;
};

}  // namespace tenon
