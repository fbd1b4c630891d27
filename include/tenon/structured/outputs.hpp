// The results of a structured operator: allocated by the functional form, given to the in-place and out forms.
#pragma once
#include <cstdio>

#include <tenon/tensor/create.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon {

enum class StructuredForm : std::uint8_t { Functional, InPlace, Out };

/// How a result's dtype may differ from the one that the operator computes.
enum class OutputCast : std::uint8_t { Exact, Allowed };

/// What a meta function writes: the geometry and dtype of every result. At most six results.
class Outputs {
 public:
  static constexpr unsigned kMost = 6;
  Outputs(StructuredForm form, bool meta_only) : form_(form), meta_only_(meta_only) {}
  void give(unsigned i, const Tensor& t) { given_[i] = &t; }

  StructuredForm form() const { return form_; }
  /// The tensor that the caller gave for result i, or an undefined one.
  const Tensor& maybe_get_output(unsigned i = 0) const {
    static const Tensor undefined;
    return given_[i] ? *given_[i] : undefined;
  }

  /// Result i must have these strides (row-major if empty) when `impl` sees it: a given tensor with others is replaced
  /// by a proxy that is copied back.
  void set_output_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device = kCPU,
                          OutputCast cast = OutputCast::Exact) {
    set(i, sizes, strides, dtype, device, cast);
    const Tensor* given = given_[i];
    if (!given || meta_only_) return;
    DimVector row_major = contiguous_strides(sizes);
    IntArrayRef wanted = strides.empty() ? IntArrayRef(row_major) : strides;
    bool same = true;
    for (std::size_t d = 0; d < sizes.size(); ++d) same = same && (sizes[d] <= 1 || given->strides()[d] == wanted[d]);
    if (!same) proxy_[i] = make_tensor(sizes, wanted, given->dtype(), device);
  }
  /// Result i may have any strides; these are taken when it is allocated.
  void set_output_raw_strided(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype,
                              Device device = kCPU, OutputCast cast = OutputCast::Exact) {
    set(i, sizes, strides, dtype, device, cast);
  }

  /// Result i as `impl` shall fill it.
  const Tensor& operator[](unsigned i) const {
    return proxy_[i].defined() ? proxy_[i] : given_[i] ? *given_[i] : own_[i];
  }
  Tensor take(unsigned i) { return std::move(own_[i]); }
  const Tensor& proxy(unsigned i) const { return proxy_[i]; }

 private:
  void set(unsigned i, IntArrayRef sizes, IntArrayRef strides, ScalarType dtype, Device device, OutputCast cast) {
    if (!given_[i]) {
      own_[i] = make_tensor(sizes, strides, dtype, device);
      return;
    }
    const Tensor& t = *given_[i];
    if (t.dtype() != dtype) {
      if (cast == OutputCast::Exact)
        fail<TypeError>("Expected out tensor to have dtype ", dtype, ", but got ", t.dtype(), " instead");
      if (!can_cast(dtype, t.dtype()))
        fail<TypeError>("result type ", dtype, " can't be cast to the desired output type ", t.dtype());
    }
    TENON_CHECK(t.device().type == device.type, ValueError, "Expected out tensor to have device ", device, ", but got ",
                t.device(), " instead");
    if (t.sizes() != sizes) {
      if (form_ == StructuredForm::InPlace)
        fail<ValueError>("output with shape ", t.sizes(), " doesn't match the broadcast shape ", sizes);
      resize(t, sizes, strides);
    }
    if (!meta_only_) check_no_internal_overlap(t);
  }
  static void resize(const Tensor& t, IntArrayRef sizes, IntArrayRef strides) {
    if (t.numel() != 0)
      std::fputs(concat("Warning: An output with one or more elements was resized since it had shape ", t.sizes(),
                        ", which does not match the required output shape ", sizes,
                        ". Reuse an out tensor t by resizing it to zero elements first.\n")
                     .c_str(),
                 stderr);
    DimVector row_major = contiguous_strides(sizes);
    IntArrayRef used = strides.empty() ? IntArrayRef(row_major) : strides;
    std::size_t bytes = storage_bytes(sizes, used, t.element_size(), t.storage_offset());
    if (bytes > t->storage()->nbytes()) t->storage()->resize(bytes);
    t->set_geometry(sizes, used, t.storage_offset());
  }

  StructuredForm form_;
  bool meta_only_;
  const Tensor* given_[kMost] = {};
  Tensor own_[kMost], proxy_[kMost];
};

}  // namespace tenon
