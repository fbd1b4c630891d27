// Padding by reflection and by repeated edges: shapes and errors.
#pragma once
#include <tenon/composite/restride.hpp>
#include <tenon/ops/pad.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/tensor/overlap.hpp>

namespace tenon::composite {

enum class Edge { Reflection, Replication };

template <Edge How, int Dims, bool Backward>
constexpr const char* pad_name() {
  constexpr const char* names[2][3][2] = {{{"reflection_pad1d", "reflection_pad1d_backward"},
                                           {"reflection_pad2d", "reflection_pad2d_backward"},
                                           {"reflection_pad3d", "reflection_pad3d_backward"}},
                                          {{"replication_pad1d", "replication_pad1d_backward"},
                                           {"replication_pad2d", "replication_pad2d_backward"},
                                           {"replication_pad3d", "replication_pad3d_backward"}}};
  return names[How == Edge::Replication][Dims - 1][Backward];
}

/// The sizes of a padded tensor, with the checks of PyTorch.
template <class Int, Edge How, int Dims>
dims_t<Int> padded_sizes(const Tensor& self, ArrayRef<Int> padding) {
  ArrayRef<Int> from = sizes_of<Int>(self);
  TENON_CHECK(padding.size() == 2 * Dims, ValueError, "padding size is expected to be ", 2 * Dims,
              ", but got: ", padding.size());
  std::int64_t n = self.dim();
  bool fits = n == Dims + 1 || n == Dims + 2;
  for (std::int64_t d = n - Dims - 1; fits && d < n; ++d) fits = from[d] != 0;  // a batch may be empty
  TENON_CHECK(
      fits, ValueError, "Expected ", Dims + 1, "D or ", Dims + 2,
      "D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ", from);
  dims_t<Int> sizes(from);
  for (int i = 0; i < Dims; ++i) {
    std::int64_t d = n - 1 - i;
    const Int &before = padding[2 * i], &behind = padding[2 * i + 1];
    if constexpr (How == Edge::Reflection)
      TENON_CHECK(before < from[d] && behind < from[d], ValueError, "Argument #", 4 + 2 * i,
                  ": Padding size should be less than the corresponding input dimension, but got: padding (", before,
                  ", ", behind, ") at dimension ", d, " of input ", from);
    sizes[d] = from[d] + before + behind;
  }
  bool whole = true;
  for (std::int64_t d = n - Dims; d < n; ++d) whole = whole && sizes[d] >= 1;
  if (whole) return sizes;
  if constexpr (Dims == 1)
    fail<ValueError>("input (W: ", from[n - 1], ") is too small. Calculated output W: ", sizes[n - 1]);
  else if constexpr (Dims == 2)
    fail<ValueError>("Calculated output H: ", sizes[n - 2], " W: ", sizes[n - 1],
                     " must be >= 1 in every dimension (input H: ", from[n - 2], ", W: ", from[n - 1], ")");
  else
    fail<ValueError>("Calculated output D: ", sizes[n - 3], " H: ", sizes[n - 2], " W: ", sizes[n - 1],
                     " must be >= 1 in every dimension (input D: ", from[n - 3], ", H: ", from[n - 2],
                     ", W: ", from[n - 1], ")");
}
template <class Int>
dims_t<Int> like_format_of(const Tensor& self, const dims_t<Int>& sizes) {
  MemoryFormat format = self.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? dims_t<Int>() : strides_for(ArrayRef<Int>(sizes), format);
}
template <Edge How, int Dims>
struct pad_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, ArrayRef<Int> padding) const {
    dims_t<Int> sizes = padded_sizes<Int, How, Dims>(self, padding);
    const dims_t<Int> strides = like_format_of<Int>(self, sizes);
    out.set_output_raw_strided(0, sizes, strides, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) check_no_overlap(out[0], self);
    // PyTorch lays all but these out in the operand's format.
    if constexpr (Dims > 1)
      if (How == Edge::Replication || self.dim() > 3) restride<Int>(out, 0, strides);
  }
};
template <Edge How, int Dims>
struct pad_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, ArrayRef<Int> padding) const {
    dims_t<Int> sizes = padded_sizes<Int, How, Dims>(self, padding);
    TENON_CHECK(grad.dim() == self.dim(), ValueError, pad_name<How, Dims, true>(), "(): expected grad_output with ",
                self.dim(), " dimensions, got shape ", grad.sym_sizes());
    constexpr const char* words[] = {"width", "height", "depth"};
    for (int i = 0; i < self.dim(); ++i) {
      std::int64_t d = self.dim() - 1 - i;
      TENON_CHECK(sizes_of<Int>(grad)[d] == sizes[d], ValueError, "grad_output ", i < Dims ? words[i] : "size",
                  " unexpected. Expected: ", sizes[d], ", Got: ", sizes_of<Int>(grad)[d]);
    }
    TENON_CHECK(grad.dtype() == self.dtype(), TypeError, pad_name<How, Dims, true>(),
                "(): expected grad_output of dtype ", self.dtype(), ", got ", grad.dtype());
    dims_t<Int> from(sizes_of<Int>(self));
    const dims_t<Int> strides = like_format_of<Int>(self, from);
    out.set_output_raw_strided(0, from, strides, self.dtype(), self.device());
    if (out.form() == StructuredForm::Out) check_no_overlap(out[0], grad);
    if constexpr (Dims > 1) restride<Int>(out, 0, strides);
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

/// ROW(operator, how, dimensions) for each.
#define TENON_INTERNAL_EDGE_PADS(ROW)     \
  ROW(reflection_pad1d, Reflection, 1);   \
  ROW(reflection_pad2d, Reflection, 2);   \
  ROW(reflection_pad3d, Reflection, 3);   \
  ROW(replication_pad1d, Replication, 1); \
  ROW(replication_pad2d, Replication, 2); \
  ROW(replication_pad3d, Replication, 3)
#define TENON_INTERNAL_SHAPES(NAME, HOW, DIMS)                                           \
  using NAME##_meta = composite::pad_meta<composite::Edge::HOW, DIMS>;                   \
  using NAME##_backward_meta = composite::pad_backward_meta<composite::Edge::HOW, DIMS>; \
  TENON_STRUCTURED_OF(NAME##_base, NAME##_meta);                                         \
  TENON_STRUCTURED_OF(NAME##_backward_base, NAME##_backward_meta)
TENON_INTERNAL_EDGE_PADS(TENON_INTERNAL_SHAPES);
#undef TENON_INTERNAL_SHAPES

}  // namespace tenon::ops
