// Places in sorted sequences and membership: shapes, dtypes and errors.
#pragma once
#include <tenon/ops/search.hpp>
#include <tenon/structured/promotion.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

/// Whether the places are those behind equal elements.
inline bool from_the_right(bool right, std::optional<std::string_view> side) {
  if (!side) return right;
  TENON_CHECK(*side == "left" || *side == "right", ValueError,
              "torch.searchsorted(): side can only be 'left' or 'right' but got ", *side);
  TENON_CHECK(*side == "right" || !right, ValueError,
              "torch.searchsorted(): side and right can't be set to opposites, got side of left while right was True");
  return *side == "right";
}
template <class Int>
void check_sorter(const Tensor& boundaries, const std::optional<Tensor>& sorter) {
  if (!sorter || !sorter->defined()) return;
  TENON_CHECK(
      sorter->device() == boundaries.device(), ValueError,
      "torch.searchsorted(): sorter and boundary tensors should have same device type, but got sorter tensor device type ",
      sorter->device(), " and input value tensor device type ", boundaries.device());
  TENON_CHECK(sizes_of<Int>(*sorter) == sizes_of<Int>(boundaries), ValueError,
              "torch.searchsorted(): boundary and sorter must have the same size, but got boundary tensor ",
              boundaries.sym_sizes(), "and got sorter tensor ", sorter->sym_sizes());
  TENON_CHECK(sorter->dtype() == kLong, TypeError,
              "torch.searchsorted(): sorter must be a tensor of long dtype but got dtype ",
              enumerator_name(sorter->dtype()));
}
/// `self` null stands for a number.
template <class Int>
void check_searchsorted(const Tensor& boundaries, const Tensor* self) {
  std::int64_t n = self ? self->dim() : 0;
  Int count = self ? numel_of<Int>(*self) : Int(1);
  if (n == 0)
    TENON_CHECK(
        boundaries.dim() == 1 || !(count == 1), ValueError,
        "torch.searchsorted(): input value can be a scalar only when boundaries tensor dimension is 1, but we got boundaries tensor dim(",
        boundaries.dim(), ") and input value's dim(", n, ") numel(", count, ")");
  TENON_CHECK(boundaries.dim() != 0, ValueError,
              "torch.searchsorted(): boundaries tensor should have positive dimension, but got 0 dimension");
  if (boundaries.dim() == 1) return;
  bool fits = n == boundaries.dim();
  for (std::int64_t d = 0; fits && d < n - 1; ++d) fits = sizes_of<Int>(*self)[d] == sizes_of<Int>(boundaries)[d];
  TENON_CHECK(
      fits, ValueError,
      "torch.searchsorted(): boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and input value tensor must match, but we got boundaries tensor ",
      boundaries.sym_sizes(), " and input value tensor ", self->sym_sizes());
}
template <class Int>
void places_like(Outputs& out, ArrayRef<Int> sizes, const Tensor& like, bool out_int32) {
  out.set_output_raw_strided(0, sizes, {}, out_int32 ? kInt : kLong, like.device());
}
struct searchsorted_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& boundaries, const Tensor& self, bool out_int32, bool right,
                  std::optional<std::string_view> side, const std::optional<Tensor>& sorter) const {
    from_the_right(right, side);
    check_sorter<Int>(boundaries, sorter);
    check_searchsorted<Int>(boundaries, &self);
    places_like<Int>(out, sizes_of<Int>(self), boundaries, out_int32);
  }
};
struct searchsorted_scalar_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& boundaries, const Scalar&, bool out_int32, bool right,
                  std::optional<std::string_view> side, const std::optional<Tensor>& sorter) const {
    from_the_right(right, side);
    check_sorter<Int>(boundaries, sorter);
    check_searchsorted<Int>(boundaries, nullptr);
    places_like<Int>(out, dims_t<Int>{}, boundaries, out_int32);
  }
};
inline void check_boundaries(const Tensor& boundaries) {
  TENON_CHECK(boundaries.dim() == 1, ValueError, "boundaries tensor must be 1 dimension, but got dim(",
              boundaries.dim(), ")");
}
struct bucketize_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& boundaries, bool out_int32, bool) const {
    check_boundaries(boundaries);
    places_like<Int>(out, sizes_of<Int>(self), boundaries, out_int32);
  }
};
struct bucketize_scalar_meta {
  template <class Int>
  void operator()(Outputs& out, const Scalar&, const Tensor& boundaries, bool out_int32, bool) const {
    check_boundaries(boundaries);
    places_like<Int>(out, dims_t<Int>{}, boundaries, out_int32);
  }
};

inline void check_isin(ScalarType type) {
  TENON_CHECK(has_arithmetic(type) && type != kBool && !is_complex_type(type), NotImplementedError,
              "Unsupported input type encountered for isin(): ", enumerator_name(type));
}
struct isin_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& elements, const Tensor& tests, bool, bool) const {
    check_isin(elements.dtype());
    check_isin(tests.dtype());
    out.set_output_raw_strided(0, sizes_of<Int>(elements), {}, kBool, elements.device());
  }
};
struct isin_tensor_scalar_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& elements, const Scalar& test, bool, bool) const {
    check_isin(elements.dtype());
    check_isin(test.type());
    out.set_output_raw_strided(0, sizes_of<Int>(elements), {}, kBool, elements.device());
  }
};
struct isin_scalar_tensor_meta {
  template <class Int>
  void operator()(Outputs& out, const Scalar& element, const Tensor& tests, bool, bool) const {
    check_isin(element.type());
    check_isin(tests.dtype());
    out.set_output_raw_strided(0, dims_t<Int>{}, {}, kBool, tests.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(searchsorted_Tensor, composite::searchsorted_meta);
TENON_STRUCTURED_OF(searchsorted_Scalar, composite::searchsorted_scalar_meta);
TENON_STRUCTURED_OF(bucketize_Tensor, composite::bucketize_meta);
TENON_STRUCTURED_OF(bucketize_Scalar, composite::bucketize_scalar_meta);
TENON_STRUCTURED_OF(isin_Tensor_Tensor, composite::isin_meta);
TENON_STRUCTURED_OF(isin_Tensor_Scalar, composite::isin_tensor_scalar_meta);
TENON_STRUCTURED_OF(isin_Scalar_Tensor, composite::isin_scalar_tensor_meta);

}  // namespace tenon::ops
