// Shapes and dtypes of products of matrices and vectors.
#pragma once
#include <tenon/ops/linalg.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

[[noreturn, gnu::cold, gnu::noinline]] inline void wrong_shapes(const char* name, const Tensor& a, const Tensor& b) {
  fail<ValueError>(name, ": mat1 and mat2 shapes cannot be multiplied (", a.sym_size(0), "x", a.sym_size(1), " and ",
                   b.sym_size(0), "x", b.sym_size(1), ")");
}
/// Whether a tensor of shape `from` can be read as one of shape `to`; throws in PyTorch's words.
template <class Int>
void check_expandable(ArrayRef<Int> from, ArrayRef<Int> to) {
  TENON_CHECK(from.size() <= to.size(), ValueError, "The number of sizes provided (", to.size(),
              ") must be greater or equal to the number of dimensions in the tensor (", from.size(), ")");
  for (std::size_t i = 0; i < from.size(); ++i) {
    std::size_t d = to.size() - 1 - i;
    const Int& have = from[from.size() - 1 - i];
    TENON_CHECK(known_equal(have, Int(1)) || have == to[d] || have == 1, ValueError,
                "The expanded size of the tensor (", to[d], ") must match the existing size (", have,
                ") at non-singleton dimension ", d, ".  Target sizes: ", to, ".  Tensor sizes: ", from);
  }
}
struct mm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat2) const {
    TENON_CHECK(self.dim() == 2, ValueError, "mm: self must be a matrix, got ", self.dim(), "-D tensor");
    TENON_CHECK(mat2.dim() == 2, ValueError, "mm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
    if (sizes_of<Int>(self)[1] != sizes_of<Int>(mat2)[0]) wrong_shapes("mm", self, mat2);
    TENON_CHECK(self.dtype() == mat2.dtype(), TypeError, "mm: self and mat2 must have the same dtype, but got ",
                self.dtype(), " and ", mat2.dtype());
    Int sizes[] = {sizes_of<Int>(self)[0], sizes_of<Int>(mat2)[1]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
/// 8-bit integers into 32 bits.
struct int_mm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat2) const {
    TENON_CHECK(self.dim() == 2, ValueError, "_int_mm: self must be a matrix, got ", self.dim(), "-D tensor");
    TENON_CHECK(mat2.dim() == 2, ValueError, "_int_mm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
    if (sizes_of<Int>(self)[1] != sizes_of<Int>(mat2)[0]) wrong_shapes("_int_mm", self, mat2);
    TENON_CHECK(self.dtype() == kChar || self.dtype() == kByte, TypeError,
                "_int_mm: Expected self dtype to be int8 or uint8 but got ", self.dtype());
    TENON_CHECK(mat2.dtype() == kChar, TypeError, "_int_mm: Expected mat2 dtype to be of type int8 but got ",
                mat2.dtype());
    Int sizes[] = {sizes_of<Int>(self)[0], sizes_of<Int>(mat2)[1]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, kInt, self.device());
  }
};
struct addmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat1, const Tensor& mat2, const Scalar&,
                  const Scalar&) const {
    TENON_CHECK(mat1.dim() == 2, ValueError, "addmm: mat1 must be a matrix, got ", mat1.dim(), "-D tensor");
    TENON_CHECK(mat2.dim() == 2, ValueError, "addmm: mat2 must be a matrix, got ", mat2.dim(), "-D tensor");
    if (sizes_of<Int>(mat1)[1] != sizes_of<Int>(mat2)[0]) wrong_shapes("addmm", mat1, mat2);
    TENON_CHECK(mat1.dtype() == mat2.dtype(), TypeError, "mat1 and mat2 must have the same dtype, but got ",
                mat1.dtype(), " and ", mat2.dtype());
    TENON_CHECK(self.dtype() == mat2.dtype(), TypeError, "self and mat2 must have the same dtype, but got ",
                self.dtype(), " and ", mat2.dtype());
    Int sizes[] = {sizes_of<Int>(mat1)[0], sizes_of<Int>(mat2)[1]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, mat1.dtype(), mat1.device());
  }
};
template <class Int>
void check_batches(const Tensor& a, const Tensor& b) {
  TENON_CHECK(a.dim() == 3, ValueError, "batch1 must be a 3D tensor");
  TENON_CHECK(b.dim() == 3, ValueError, "batch2 must be a 3D tensor");
  Int expected[] = {sizes_of<Int>(a)[0], sizes_of<Int>(a)[2]};
  TENON_CHECK(sizes_of<Int>(b)[0] == expected[0] && sizes_of<Int>(b)[1] == expected[1], ValueError,
              "Expected size for first two dimensions of batch2 tensor to be: ", ArrayRef<Int>(expected),
              " but got: ", sizes_of<Int>(b).slice(0, 2), ".");
  TENON_CHECK(a.dtype() == b.dtype(), TypeError, "batch1 and batch2 must have the same dtype, but got ", a.dtype(),
              " and ", b.dtype());
}
struct bmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat2) const {
    check_batches<Int>(self, mat2);
    Int sizes[] = {sizes_of<Int>(self)[0], sizes_of<Int>(self)[1], sizes_of<Int>(mat2)[2]};
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
struct baddbmm_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& batch1, const Tensor& batch2, const Scalar&,
                  const Scalar&) const {
    check_batches<Int>(batch1, batch2);
    TENON_CHECK(self.dtype() == batch1.dtype(), TypeError, "Input dtypes must be the same, got: input ", self.dtype(),
                ", batch1: ", batch1.dtype(), ", batch2: ", batch2.dtype());
    Int sizes[] = {sizes_of<Int>(batch1)[0], sizes_of<Int>(batch1)[1], sizes_of<Int>(batch2)[2]};
    check_expandable<Int>(sizes_of<Int>(self), sizes);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, batch1.dtype(), batch1.device());
  }
};
template <class Int>
void check_matrix_vector(const Tensor& mat, const Tensor& vec, std::int64_t self_dim, const Int& self_numel) {
  TENON_CHECK(mat.dim() == 2 && vec.dim() == 1 && self_dim <= 1, ValueError, "vector + matrix @ vector expected, got ",
              self_dim, ", ", mat.dim(), ", ", vec.dim());
  TENON_CHECK(
      sizes_of<Int>(mat)[1] == sizes_of<Int>(vec)[0] && (self_numel == sizes_of<Int>(mat)[0] || self_numel == 1),
      ValueError, "size mismatch, got input (", self_numel, "), mat (", sizes_of<Int>(mat)[0], "x",
      sizes_of<Int>(mat)[1], "), vec (", sizes_of<Int>(vec)[0], ")");
  TENON_CHECK(mat.dtype() == vec.dtype(), TypeError, "mat and vec must have the same dtype, but got ", mat.dtype(),
              " and ", vec.dtype());
}
struct mv_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& vec) const {
    check_matrix_vector<Int>(self, vec, 1, self.dim() ? sizes_of<Int>(self)[0] : Int(1));
    out.set_output_raw_strided(0, sizes_of<Int>(self).slice(0, 1), {}, self.dtype(), self.device());
  }
};
struct addmv_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& mat, const Tensor& vec, const Scalar&,
                  const Scalar&) const {
    check_matrix_vector<Int>(mat, vec, self.dim(), numel_of<Int>(self));
    TENON_CHECK(self.dtype() == mat.dtype(), TypeError, "self and mat must have the same dtype, but got ", self.dtype(),
                " and ", mat.dtype());
    out.set_output_raw_strided(0, sizes_of<Int>(mat).slice(0, 1), {}, mat.dtype(), mat.device());
  }
};
struct dot_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& tensor) const {
    TENON_CHECK(self.dim() == 1 && tensor.dim() == 1, ValueError, "1D tensors expected, but got ", self.dim(), "D and ",
                tensor.dim(), "D tensors");
    TENON_CHECK(self.dtype() == tensor.dtype(), TypeError, "dot : expected both vectors to have same dtype, but found ",
                self.dtype(), " and ", tensor.dtype());
    TENON_CHECK(numel_of<Int>(self) == numel_of<Int>(tensor), ValueError, "inconsistent tensor size, expected tensor ",
                sizes_of<Int>(self), " and src ", sizes_of<Int>(tensor),
                " to have the same number of elements, but got ", numel_of<Int>(self), " and ", numel_of<Int>(tensor),
                " elements respectively");
    out.set_output_raw_strided(0, {}, {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(mm_base, composite::mm_meta);
TENON_STRUCTURED_OF(_int_mm_base, composite::int_mm_meta);
TENON_STRUCTURED_OF(addmm_base, composite::addmm_meta);
TENON_STRUCTURED_OF(bmm_base, composite::bmm_meta);
TENON_STRUCTURED_OF(baddbmm_base, composite::baddbmm_meta);
TENON_STRUCTURED_OF(mv_base, composite::mv_meta);
TENON_STRUCTURED_OF(addmv_base, composite::addmv_meta);
TENON_STRUCTURED_OF(dot_base, composite::dot_meta);
TENON_STRUCTURED_OF(vdot_base, composite::dot_meta);

}  // namespace tenon::ops
