// The shapes of what is read and written by flat positions and filled along an index, and what they refuse.
#pragma once
#include <tenon/composite/masked_shapes.hpp>
#include <tenon/ops/elements.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

struct take_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& index) const {
    TENON_CHECK(index.dtype() == kLong, TypeError, "take(): Expected a long tensor for index, but got ", index.dtype());
    TENON_CHECK(numel_of<Int>(index) == 0 || numel_of<Int>(self) != 0, IndexError,
                "take(): tried to take from an empty tensor");
    const Tensor* operands[] = {&index};
    dims_t<Int> sizes(sizes_of<Int>(index)), strides;
    if (!index.is_contiguous()) strides = tenon::detail::result_strides(sizes, operands, 1);
    out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) {
      check_no_overlap(out[0], self);
      check_no_overlap(out[0], index);
    }
  }
};
struct put_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& index, const Tensor& source, bool) const {
    TENON_CHECK(index.dtype() == kLong, TypeError, "put_(): Expected a long tensor for index, but got ", index.dtype());
    TENON_CHECK(self.dtype() == source.dtype(), TypeError,
                "put_(): self and source expected to have the same dtype, but got self.dtype = ", self.dtype(),
                " and source.dtype = ", source.dtype());
    TENON_CHECK(numel_of<Int>(index) == numel_of<Int>(source), ValueError,
                "put_(): Expected source and index to have the same number of elements, but got source.numel() = ",
                numel_of<Int>(source), ", index.numel() = ", numel_of<Int>(index));
    TENON_CHECK(numel_of<Int>(index) == 0 || numel_of<Int>(self) != 0, IndexError,
                "put_(): Tried to put elements into an empty tensor");
    out.set_output_raw_strided(0, sizes_of<Int>(self), preserved_strides<Int>(self), self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      check_no_overlap(out[0], source);
    }
  }
};
struct index_fill_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar& value) const {
    TENON_CHECK(index.dtype() == kLong, IndexError, "index_fill_(): Expected dtype int64 for index.");
    TENON_CHECK(index.dim() <= 1, IndexError, "Index has to be a vector/scalar");
    TENON_CHECK(self.is_complex() || !value.is_complex(), TypeError,
                "index_fill_(): Converting complex Scalar to non-complex type is not supported");
    wrap_dim(dim, self.dim());
    out.set_output_raw_strided(0, sizes_of<Int>(self),
                               filled_strides<Int>(out, "index_fill_", preserved_strides<Int>(self)), self.dtype(),
                               self.device());
    if (out.form() != StructuredForm::Functional) check_no_overlap(out[0], index);
  }
};
inline Scalar value_to_fill(const Tensor& value) {
  TENON_CHECK(value.dim() == 0, ValueError,
              "index_fill_ only supports a 0-dimensional value tensor, but got tensor with ", value.dim(),
              " dimension(s).");
  return value.is_meta() ? Scalar(0) : value.item();
}
struct index_fill_tensor_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& value) const {
    index_fill_meta{}.operator()<Int>(out, self, dim, index, value_to_fill(value));
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(take_base, composite::take_meta);
TENON_STRUCTURED_OF(put_base, composite::put_meta);
TENON_STRUCTURED_OF(index_fill_int_Scalar, composite::index_fill_meta);
TENON_STRUCTURED_OF(index_fill_int_Tensor, composite::index_fill_tensor_meta);

}  // namespace tenon::ops
