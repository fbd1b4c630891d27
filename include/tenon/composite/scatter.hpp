// Writing along an index: shapes, dtypes and errors.
#pragma once
#include <tenon/composite/gather.hpp>

namespace tenon::composite {

struct scatter_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src) const {
    dim = wrap_dim(dim, self.dim());
    TENON_CHECK(is_index_dtype<Int>(index), TypeError, "scatter(): Expected dtype int32/int64 for index");
    TENON_CHECK(!src.defined() || src.dtype() == self.dtype(), TypeError,
                "scatter(): Expected self.dtype to be equal to src.dtype");
    check_gather_shapes<Int>(self, dim, index, &src);
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      if (src.defined()) check_no_overlap(out[0], src);
    }
  }
};
struct scatter_value_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar&) const {
    scatter_meta{}.operator()<Int>(out, self, dim, index, Tensor());
  }
};
inline bool adds(std::string_view reduce) {
  TENON_CHECK(reduce == "add" || reduce == "multiply", ValueError, "reduce argument must be either add or multiply.");
  return reduce == "add";
}
struct scatter_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                  std::string_view reduce) const {
    adds(reduce);
    scatter_meta{}.operator()<Int>(out, self, dim, index, src);
  }
};
struct scatter_value_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Scalar&,
                  std::string_view reduce) const {
    adds(reduce);
    scatter_meta{}.operator()<Int>(out, self, dim, index, Tensor());
  }
};
/// What index_add and index_reduce have in common, each under its own name, as in PyTorch: `source` has an element, or
/// a row, for each index, and otherwise the shape of `self`. Errors: IndexError, TypeError and ValueError in its words.
template <class Int>
void index_func_meta(std::string_view name, Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index,
                     const Tensor& source) {
  dim = wrap_dim(dim, self.dim());
  TENON_CHECK(index.dim() <= 1, IndexError, name, "_(): Index is supposed to be a vector, but got dim: ", index.dim(),
              " with type: ", enumerator_name(index.dtype()), " and size: ", index.sym_sizes());
  TENON_CHECK(index.dtype() == kLong || index.dtype() == kInt, TypeError, name,
              "_(): Expected dtype int32/int64 for index but got: ", enumerator_name(index.dtype()));
  TENON_CHECK(self.dtype() == source.dtype(), TypeError, name, "_(): self (", enumerator_name(self.dtype()),
              ") and source (", enumerator_name(source.dtype()), ") must have the same scalar type");
  TENON_CHECK(dim == 0 || dim < source.dim(), ValueError, name, "_(): Indexing dim ", dim,
              " is out of bounds of the source tensor with dim ", source.dim());
  Int count = source.dim() == 0 ? Int(1) : sizes_of<Int>(source)[dim];
  TENON_CHECK(numel_of<Int>(index) == count, ValueError, name, "_(): Number of indices (", numel_of<Int>(index),
              ") should be equal to source.size(dim): (", count, "), for dim: ", dim);
  dims_t<Int> a(sizes_of<Int>(self)), b(sizes_of<Int>(source));
  if (!a.empty()) a[dim] = 0;
  if (!b.empty()) b[dim] = 0;
  TENON_CHECK(ArrayRef<Int>(a) == ArrayRef<Int>(b), ValueError,
              "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = ",
              self.sym_sizes(), " source.shape = ", source.sym_sizes());
  out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  if (out.form() != StructuredForm::Functional) {
    check_no_overlap(out[0], index);
    check_no_overlap(out[0], source);
  }
}
struct index_add_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                  const Scalar&) const {
    index_func_meta<Int>("index_add", out, self, dim, index, source);
  }
};
struct index_copy_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source) const {
    dim = wrap_dim(dim, self.dim());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
    if (out.form() != StructuredForm::Functional) {
      check_no_overlap(out[0], index);
      check_no_overlap(out[0], source);
    }
    TENON_CHECK(index.dim() < 2, IndexError, "index_copy_(): Index should have dimension 1 or 0 (got ", index.dim(),
                ")");
    Int count = numel_of<Int>(index);
    if (source.dim() == 0)
      TENON_CHECK(count == 1, IndexError, "index_copy_(): When source is scalar, index should have one element (got ",
                  count, ")");
    else
      TENON_CHECK(
          source.dim() == self.dim() || self.dim() == 0, IndexError,
          "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source dimensionality (",
          source.dim(), "), destination dimensionality (", self.dim(), ")");
    TENON_CHECK(index.dtype() == kLong, TypeError, "index_copy_(): Expected a long tensor for index, but got ",
                index.dtype());
    TENON_CHECK(self.dtype() == source.dtype(), TypeError,
                "index_copy_(): self and source expected to have the same dtype, but got (self) ", self.dtype(),
                " and (source) ", source.dtype());
    dims_t<Int> a(sizes_of<Int>(self)), b(sizes_of<Int>(source));
    Int given = b.empty() ? Int(1) : b[dim];
    if (!a.empty()) a.erase(static_cast<std::size_t>(dim));
    if (!b.empty()) b.erase(static_cast<std::size_t>(dim));
    TENON_CHECK(ArrayRef<Int>(a) == ArrayRef<Int>(b), ValueError,
                "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: ", a,
                " at dimension ", dim, " and source slice shape: ", b, " at dimension 0.");
    TENON_CHECK(count == given, IndexError, "index_copy_(): Number of indices (", count,
                ") should be equal to source.size(dim) (", given, ")");
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(scatter_src, composite::scatter_meta);
TENON_STRUCTURED_OF(scatter_value, composite::scatter_value_meta);
TENON_STRUCTURED_OF(scatter_reduce_src, composite::scatter_reduce_meta);
TENON_STRUCTURED_OF(scatter_value_reduce, composite::scatter_value_reduce_meta);
TENON_STRUCTURED_OF(scatter_add_base, composite::scatter_meta);
TENON_STRUCTURED_OF(index_add_base, composite::index_add_meta);
TENON_STRUCTURED_OF(index_copy_base, composite::index_copy_meta);

}  // namespace tenon::ops
