// Shapes and errors of extremes with their places.
#pragma once
#include <tenon/ops/reduce.hpp>
#include <tenon/reduction/rule.hpp>
#include <tenon/reduction/shape.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

template <class Int>
std::int64_t check_place_dim(const char* name, const Tensor& self, std::int64_t dim) {
  std::int64_t at = wrap_dim(dim, self.dim());
  TENON_CHECK(self.dim() == 0 || sizes_of<Int>(self)[at] != 0, IndexError, name, "(): Expected reduction dim ", at,
              " to have non-zero size.");
  return at;
}
inline std::uint64_t one_dim(const Tensor& self, std::int64_t at) {
  return self.dim() == 0 ? 0 : std::uint64_t{1} << at;
}
template <bool Largest>
struct place_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) const {
    const char* name = Largest ? "argmax" : "argmin";
    TENON_CHECK(self.dtype() != kBool, NotImplementedError, name, "(): does not support bool input");
    reduction::check_ordered(name, self);
    std::uint64_t mask = 0;
    if (dim)
      mask = one_dim(self, check_place_dim<Int>(name, self, *dim));
    else {
      TENON_CHECK(
          numel_of<Int>(self) != 0, IndexError, name,
          "(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with the 'dim' argument.");
      mask = reduction::dim_mask(std::nullopt, self.dim());
    }
    out.set_output_raw_strided(0, reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim), {}, kLong,
                               self.device());
  }
};
/// Values and places along one dimension.
template <bool Largest>
struct extreme_dim_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::int64_t dim, bool keepdim) const {
    const char* name = Largest ? "max" : "min";
    std::uint64_t mask = one_dim(self, check_place_dim<Int>(name, self, dim));
    reduction::check_ordered(name, self);
    dims_t<Int> sizes = reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, ArrayRef<Int>(sizes), {}, kLong, self.device());
  }
};
/// The smallest and the largest elements, without their places.
struct aminmax_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, std::optional<std::int64_t> dim, bool keepdim) const {
    std::uint64_t mask = 0;
    if (dim) {
      mask = one_dim(self, check_place_dim<Int>("aminmax", self, *dim));
    } else {
      TENON_CHECK(numel_of<Int>(self) > 0, IndexError,
                  "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity.");
      mask = reduction::dim_mask(std::nullopt, self.dim());
    }
    reduction::check_ordered("aminmax", self);
    dims_t<Int> sizes = reduction::reduced_sizes(sizes_of<Int>(self), mask, keepdim);
    for (unsigned i : {0u, 1u}) out.set_output_raw_strided(i, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(argmax_base, composite::place_meta<true>);
TENON_STRUCTURED_OF(argmin_base, composite::place_meta<false>);
TENON_STRUCTURED_OF(max_dim, composite::extreme_dim_meta<true>);
TENON_STRUCTURED_OF(min_dim, composite::extreme_dim_meta<false>);
TENON_STRUCTURED_OF(aminmax_base, composite::aminmax_meta);

}  // namespace tenon::ops
