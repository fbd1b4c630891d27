// Elements and rows without repetitions, sorted or as they follow each other.
#pragma once
#include <cstdint>
#include <optional>
#include <tuple>

#include <tenon/library/operators.hpp>

namespace tenon::detail {

struct UniqueArguments {
  bool sorted = true, return_inverse = false, return_counts = false;
  std::optional<std::int64_t> dim = {};
};
template <std::size_t Place, class G>
void take_unique_argument(UniqueArguments& to, const G& given) {
  if constexpr (!is_keyword_v<G>) {
    static_assert(Place < 4, "tenon: unique() takes sorted, return_inverse, return_counts and dim behind the tensor");
    if constexpr (Place == 0) to.sorted = given;
    if constexpr (Place == 1) to.return_inverse = given;
    if constexpr (Place == 2) to.return_counts = given;
    if constexpr (Place == 3) to.dim = given;
  } else {
    constexpr std::string_view name = G::name();
    if constexpr (name == "sorted")
      to.sorted = given.value;
    else if constexpr (name == "return_inverse")
      to.return_inverse = given.value;
    else if constexpr (name == "return_counts")
      to.return_counts = given.value;
    else if constexpr (name == "dim")
      to.dim = given.value;
    else
      static_assert(name == "dim", "tenon: unique() has the keywords sorted, return_inverse, return_counts and dim");
  }
}

}  // namespace tenon::detail

namespace tenon::ops {
inline namespace unique_family {

TENON_OPERATORS_OUT(_unique,
                    (base,
                     "aten::_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
                     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    _unique2,
    (base,
     "aten::_unique2(Tensor self, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_consecutive,
    (base,
     "aten::unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, int? dim=None) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_dim,
    (base,
     "aten::unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));
TENON_OPERATORS_OUT(
    unique_dim_consecutive,
    (base,
     "aten::unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, bool return_counts=False) -> (Tensor, Tensor, Tensor)",
     Tag::dynamic_output_shape, out_tags({Tag::generated})));

/// The elements that differ from each other, or along `dim` the slices: (output, inverse, counts), where inverse says
/// which of them each element is and counts how often each occurs. What is not asked for is empty; of slices all three
/// are made. By place or by keyword: sorted = true, return_inverse = false, return_counts = false, dim = none.
/// Shapes: output (n) or self with n along `dim`; inverse as self or (size of `dim`); counts (n).
/// Aliasing: fresh memory. Errors: as the operators _unique2 and unique_dim.
/// Source: torch.unique of PyTorch 2.15.
struct unique_function {
  template <class... G>
  std::tuple<Tensor, Tensor, Tensor> operator()(const Tensor& self, const G&... given) const {
    detail::UniqueArguments a;
    [&]<std::size_t... At>(std::index_sequence<At...>) { (detail::take_unique_argument<At>(a, given), ...); }
    (std::index_sequence_for<G...>{});
    // Dependent, so that the calls are compiled for who makes one.
    using Slices = detail::dependent_t<unique_dim_function, std::tuple<G...>>;
    using Elements = detail::dependent_t<_unique2_function, std::tuple<G...>>;
    if (a.dim) return Slices{}(self, *a.dim, a.sorted, a.return_inverse, a.return_counts);
    return Elements{}(self, a.sorted, a.return_inverse, a.return_counts);
  }
};
inline constexpr unique_function unique{};

}  // namespace unique_family
}  // namespace tenon::ops
