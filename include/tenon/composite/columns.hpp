// Shapes of the windows of an image as columns, and derivatives: each is that of the other.
#pragma once
#include <tenon/autograd/derivative.hpp>
#include <tenon/ops/columns.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

/// Windows over the last two dimensions of an image.
struct ColumnWindows {
  IntArrayRef kernel, dilation, padding, stride;

  void check() const {
    TENON_CHECK(kernel.size() == 2 && dilation.size() == 2 && padding.size() == 2 && stride.size() == 2, ValueError,
                "It is expected kernel_size, dilation, padding and stride equal to 2, but got sizes ", kernel.size(),
                ", ", dilation.size(), ", ", padding.size(), " and ", stride.size());
    TENON_CHECK(kernel[0] > 0 && kernel[1] > 0, ValueError,
                "kernel size should be greater than zero, but got kernel_height: ", kernel[0],
                " kernel_width: ", kernel[1]);
    TENON_CHECK(dilation[0] > 0 && dilation[1] > 0, ValueError,
                "dilation should be greater than zero, but got dilation_height: ", dilation[0],
                " dilation_width: ", dilation[1]);
    TENON_CHECK(padding[0] >= 0 && padding[1] >= 0, ValueError,
                "padding should be non-negative, but got pad_height: ", padding[0], " pad_width: ", padding[1]);
    TENON_CHECK(stride[0] > 0 && stride[1] > 0, ValueError,
                "stride should be greater than zero, but got stride_height: ", stride[0], " stride_width: ", stride[1]);
  }
  /// How many windows there are along dimension 0 or 1 of a size.
  template <class Int>
  Int count(std::size_t d, const Int& size) const {
    Int room = size + (2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1);
    if constexpr (std::is_same_v<Int, std::int64_t>)
      if (room < 0) return -((-room + stride[d] - 1) / stride[d]) + 1;
    return room / stride[d] + 1;
  }
  std::int64_t area() const { return kernel[0] * kernel[1]; }
  std::string text() const {
    auto pair = [](IntArrayRef p) { return concat("(", p[0], ", ", p[1], ")"); };
    return concat("kernel_size=", pair(kernel), ", dilation=", pair(dilation), ", padding=", pair(padding));
  }
};
/// Whether sizes are of `plain` dimensions or of one more, and none but that of a batch is zero.
template <class Int>
bool is_full(ArrayRef<Int> sizes, std::size_t plain) {
  bool full = sizes.size() == plain || sizes.size() == plain + 1;
  for (std::size_t d = sizes.size() - plain; full && d < sizes.size(); ++d) full = sizes[d] != 0;
  return full;
}
inline void check_column_type(const char* name, ScalarType dtype) {
  if ((is_integral_type(dtype, false)) || !has_arithmetic(dtype)) not_implemented_for(name, dtype);
}

struct im2col_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
                  IntArrayRef stride) const {
    ColumnWindows w{kernel, dilation, padding, stride};
    w.check();
    ArrayRef<Int> in = sizes_of<Int>(self);
    TENON_CHECK(
        is_full(in, 3), ValueError,
        "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for input, but got: ",
        self.sym_sizes());
    check_column_type("im2col_out_cpu", self.dtype());
    const Int &channels = in[in.size() - 3], &height = in[in.size() - 2], &width = in[in.size() - 1];
    Int rows = w.count(0, height), columns = w.count(1, width);
    TENON_CHECK(rows >= 1 && columns >= 1, ValueError, "Given input with spatial size (", height, ", ", width, "), ",
                w.text(), ", calculated shape of the array of sliding blocks as (", rows, ", ", columns,
                "), but its components must be at least one.");
    dims_t<Int> sizes{channels * w.area(), rows * columns};
    if (self.dim() == 4) sizes.insert(0, in[0]);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};
struct col2im_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, ArrayRef<Int> output_size, IntArrayRef kernel, IntArrayRef dilation,
                  IntArrayRef padding, IntArrayRef stride) const {
    ColumnWindows w{kernel, dilation, padding, stride};
    TENON_CHECK(output_size.size() == 2, ValueError, "It is expected output_size equals to 2, but got size ",
                output_size.size());
    w.check();
    ArrayRef<Int> in = sizes_of<Int>(self);
    TENON_CHECK(
        is_full(in, 2), ValueError,
        "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for input, but got: ",
        self.sym_sizes());
    check_column_type("col2im_out_cpu", self.dtype());
    const Int &planes = in[in.size() - 2], &length = in[in.size() - 1];
    TENON_CHECK(
        planes % w.area() == 0, ValueError,
        "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got input.size(1)=",
        planes, " and kernel_size=(", kernel[0], ", ", kernel[1], ").");
    Int rows = w.count(0, output_size[0]), columns = w.count(1, output_size[1]), count = rows * columns;
    TENON_CHECK(length == count, ValueError, "Given output_size=(", output_size[0], ", ", output_size[1], "), ",
                w.text(), ", stride=(", stride[0], ", ", stride[1],
                "), expected size of input's dimension 2 to match the calculated number of sliding blocks ", rows,
                " * ", columns, " = ", count, ", but got input.size(2)=", length, ".");
    TENON_CHECK(rows >= 1 && columns >= 1, ValueError, "Given output_size=(", output_size[0], ", ", output_size[1],
                "), ", w.text(), ", stride=(", stride[0], ", ", stride[1],
                "), expected sizes of the array of sliding blocks of at least one, but got (", rows, ", ", columns,
                ").");
    dims_t<Int> sizes{planes / w.area(), output_size[0], output_size[1]};
    if (self.dim() == 3) sizes.insert(0, in[0]);
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

namespace derivatives {
inline Tensor images_of_columns(const Tensor& grad, SymIntArrayRef sizes, IntArrayRef kernel, IntArrayRef dilation,
                                IntArrayRef padding, IntArrayRef stride) {
  return col2im(grad, sizes.slice(sizes.size() - 2, 2), kernel, dilation, padding, stride);
}
}  // namespace derivatives

TENON_STRUCTURED_OF(im2col_base, composite::im2col_meta);
TENON_STRUCTURED_OF(col2im_base, composite::col2im_meta);
TENON_DERIVATIVE(im2col_base,
                 TENON_WRT((self), (grad, self_sizes, kernel_size, dilation, padding, stride),
                           derivatives::images_of_columns(grad, self_sizes, kernel_size, dilation, padding, stride)));
TENON_DERIVATIVE(col2im_base, TENON_WRT((self), (grad, kernel_size, dilation, padding, stride),
                                        im2col(grad, kernel_size, dilation, padding, stride)));

}  // namespace tenon::ops
