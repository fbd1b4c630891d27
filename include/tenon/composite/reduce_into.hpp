// Reductions into named places and of segments: shapes, dtypes and errors.
#pragma once
#include <tenon/composite/scatter.hpp>
#include <tenon/ops/reduce_into.hpp>

namespace tenon::composite {

enum class ReduceBy { Sum, Prod, Mean, Largest, Smallest };
inline ReduceBy reduce_by(std::string_view name) {
  if (name == "sum") return ReduceBy::Sum;
  if (name == "prod") return ReduceBy::Prod;
  if (name == "mean") return ReduceBy::Mean;
  if (name == "amax") return ReduceBy::Largest;
  if (name == "amin") return ReduceBy::Smallest;
  fail<ValueError>("reduce argument must be either sum, prod, mean, amax or amin, got ", name);
}
/// Segments have shorter names for extremes too.
inline ReduceBy reduce_segments_by(std::string_view name) {
  return reduce_by(name == "max" ? "amax" : name == "min" ? "amin" : name);
}
struct scatter_reduce_two_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& src,
                  std::string_view reduce, bool) const {
    reduce_by(reduce);
    scatter_meta{}.operator()<Int>(out, self, dim, index, src);
  }
};
struct index_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, const Tensor& index, const Tensor& source,
                  std::string_view reduce, bool) const {
    TENON_CHECK(reduce == "prod" || reduce == "mean" || reduce == "amax" || reduce == "amin", ValueError,
                "index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got ", reduce, ".");
    index_func_meta<Int>("index_reduce", out, self, dim, index, source);
  }
};

/// The segments of each line of `data` along `axis`: as many lengths, or one offset more.
template <class Int>
dims_t<Int> segments_of(const Tensor& data, const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets,
                        std::int64_t axis) {
  bool by_length = lengths && lengths->defined(), by_offset = offsets && offsets->defined();
  TENON_CHECK(by_length || by_offset, ValueError, "segment_reduce(): Either lengths or offsets must be defined.");
  const Tensor& given = by_length ? *lengths : *offsets;
  TENON_CHECK(given.dtype() == kLong || given.dtype() == kInt, NotImplementedError,
              "\"_segment_reduce_lengths_cpu_kernel1\" not implemented for '", enumerator_name(given.dtype()), "'");
  axis = wrap_dim(axis, data.dim());
  TENON_CHECK(given.dim() > 0 && axis == given.dim() - 1, ValueError,
              "segment_reduce(): Expected axis to be the last dimension of ", by_length ? "lengths" : "offsets",
              " but got ", axis, ".");
  TENON_CHECK(given.dim() <= data.dim(), ValueError, "segment_reduce(): expected data with at least ", given.dim(),
              " dimensions, got ", data.dim());
  dims_t<Int> sizes(sizes_of<Int>(data));
  for (std::int64_t d = 0; d < axis; ++d)
    TENON_CHECK(sizes_of<Int>(given)[d] == sizes[d], ValueError, "segment_reduce(): expected ",
                by_length ? "lengths" : "offsets", " to have the sizes of data before axis ", axis, ", got ",
                given.sym_sizes(), " and ", data.sym_sizes());
  sizes[axis] = sizes_of<Int>(given)[axis] - (by_length ? 0 : 1);
  TENON_CHECK(sizes[axis] >= 0, ValueError, "segment_reduce(): expected at least one offset in each line");
  return sizes;
}
struct segment_reduce_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& data, std::string_view reduce, const std::optional<Tensor>& lengths,
                  const std::optional<Tensor>& indices, const std::optional<Tensor>& offsets, std::int64_t axis, bool,
                  const std::optional<Scalar>&) const {
    reduce_segments_by(reduce);
    TENON_CHECK(!indices || !indices->defined(), NotImplementedError,
                "segment_reduce(): indices based reduction is not supported yet.");
    out.set_output_raw_strided(0, segments_of<Int>(data, lengths, offsets, axis), {}, data.dtype(), data.device());
  }
};
struct segment_reduce_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& output, const Tensor& data, std::string_view reduce,
                  const std::optional<Tensor>& lengths, const std::optional<Tensor>& offsets, std::int64_t axis,
                  const std::optional<Scalar>&) const {
    reduce_segments_by(reduce);
    dims_t<Int> sizes = segments_of<Int>(data, lengths, offsets, axis);
    for (const Tensor* t : {&grad, &output}) {
      TENON_CHECK(sizes_of<Int>(*t) == ArrayRef<Int>(sizes), ValueError, "_segment_reduce_backward(): expected shape ",
                  sizes, ", got ", t->sym_sizes());
      TENON_CHECK(t->dtype() == data.dtype(), TypeError, "_segment_reduce_backward(): expected ", data.dtype(),
                  ", got ", t->dtype());
    }
    out.set_output_raw_strided(0, sizes_of<Int>(data), {}, data.dtype(), data.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(scatter_reduce_two, composite::scatter_reduce_two_meta);
TENON_STRUCTURED_OF(index_reduce_base, composite::index_reduce_meta);
TENON_STRUCTURED_OF(segment_reduce_base, composite::segment_reduce_meta);
TENON_STRUCTURED_OF(_segment_reduce_backward_base, composite::segment_reduce_backward_meta);

}  // namespace tenon::ops
