// Shapes and dtypes of products that add several matrices, of outer products and of cross products.
#pragma once
#include <tenon/composite/products.hpp>
#include <tenon/ops/tensor_products.hpp>
#include <tenon/structured/pointwise.hpp>
#include <tenon/structured/promotion.hpp>

namespace tenon::composite {

struct addbmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar&,
                  const Scalar&) const {
    TENON_CHECK(batch1.dim() == 3, ValueError, "batch1 must be a 3D tensor");
    TENON_CHECK(batch2.dim() == 3, ValueError, "batch2 must be a 3D tensor");
    ArrayRef<Int> a = sizes_of<Int>(batch1), b = sizes_of<Int>(batch2);
    TENON_CHECK(a[0] == b[0], ValueError, "batch1 and batch2 must have same number of batches, got ", a[0], " and ",
                b[0]);
    TENON_CHECK(a[2] == b[1], ValueError, "Incompatible matrix sizes for bmm (", a[1], "x", a[2], " and ", b[1], "x",
                b[2], ")");
    TENON_CHECK(batch1.dtype() == batch2.dtype(), TypeError, "mat1 and mat2 must have the same dtype, but got ",
                batch1.dtype(), " and ", batch2.dtype());
    TENON_CHECK(self.dtype() == batch2.dtype(), TypeError, "self and mat2 must have the same dtype, but got ",
                self.dtype(), " and ", batch2.dtype());
    Int sizes[] = {a[1], b[2]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};

struct addr_meta {
  /// `self` counts as the matrix that it is spread to, also where it has no dimension.
  static ScalarType common_dtype(const Tensor& self, const Tensor& vec1, const Tensor& vec2) {
    return promote_types(promote_types(self.dtype(), vec1.dtype()), vec2.dtype());
  }
  static void check_factor(const char* name, const Scalar& x, ScalarType dtype) {
    TENON_CHECK(!x.is_boolean() || dtype == kBool, ValueError, "Boolean ", name,
                " only supported for Boolean results.");
    TENON_CHECK(is_floating_type(dtype) || is_complex_type(dtype) || !x.is_floating_point(), ValueError,
                "For integral input tensors, argument ", name, " must not be a floating point number.");
    TENON_CHECK(is_complex_type(dtype) || !x.is_complex(), ValueError, "For non-complex input tensors, argument ", name,
                " must not be a complex number.");
  }
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& vec1, const Tensor& vec2, const Scalar& beta,
                  const Scalar& alpha) const {
    TENON_CHECK(vec1.dim() == 1, ValueError, "addr: Expected 1-D argument vec1, but got ", vec1.dim(), "-D");
    TENON_CHECK(vec2.dim() == 1, ValueError, "addr: Expected 1-D argument vec2, but got ", vec2.dim(), "-D");
    if (out.form() == StructuredForm::InPlace)
      TENON_CHECK(self.dim() == 2, ValueError, "2D tensor expected, got ", self.dim(), "D tensor for input");
    dims_t<Int> sizes{sizes_of<Int>(vec1)[0], sizes_of<Int>(vec2)[0]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    ScalarType dtype = common_dtype(self, vec1, vec2);
    check_factor("alpha", alpha, dtype);
    check_factor("beta", beta, dtype);
    out.read(self);
    dims_t<Int> strides;  // the vectors have one dimension each: `self` alone tells an order
    const Tensor* tells[] = {&self};
    if (!self.is_contiguous()) strides = tenon::detail::result_strides(sizes, tells, 1);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), strides, dtype, self.device(), OutputCast::Allowed);
  }
};

struct cross_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& other, std::int64_t dim) const {
    TENON_CHECK(self.dim() == other.dim(), ValueError, "linalg.cross: inputs must have the same number of dimensions.");
    std::int64_t d = wrap_dim(dim, self.dim());
    TENON_CHECK(self.dim() > 0 && sizes_of<Int>(self)[d] == 3 && sizes_of<Int>(other)[d] == 3, ValueError,
                "linalg.cross: inputs dimension ", dim, " must have length 3. Got ",
                self.dim() ? self.sym_size(d) : SymInt(1), " and ", self.dim() ? other.sym_size(d) : SymInt(1));
    TENON_CHECK(self.dtype() == other.dtype(), TypeError, "expected scalar type ", enumerator_name(self.dtype()),
                " but found ", enumerator_name(other.dtype()));
    out.set_output_raw_strided(0, broadcast_shapes(sizes_of<Int>(self), sizes_of<Int>(other)), {}, self.dtype(),
                               self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(addbmm_base, composite::addbmm_meta);
TENON_STRUCTURED_OF(addr_base, composite::addr_meta);
TENON_STRUCTURED_OF(linalg_cross_base, composite::cross_meta);

}  // namespace tenon::ops
