// Shapes of pooling, for every back end.
#pragma once
#include <tenon/ops/pooling.hpp>
#include <tenon/composite/restride.hpp>
#include <tenon/structured/symbolic.hpp>
#include <tenon/structured/structured.hpp>

namespace tenon::composite {

namespace pooling {

/// One number for all dimensions, or one for each.
inline DimVector spread_list(IntArrayRef list, std::size_t dims, const char* op, const char* name) {
  TENON_CHECK(list.size() == 1 || list.size() == dims, ValueError, op, ": ", name,
              " must either be a single int, or a tuple of ", dims, " ints");
  return list.size() == 1 ? DimVector(dims, list[0]) : DimVector(list);
}
/// Kernel, stride, padding and dilation of each dimension.
struct PoolingLists {
  DimVector kernel, stride, padding, dilation;
  PoolingLists(const char* op, std::size_t dims, IntArrayRef k, IntArrayRef s, IntArrayRef p, IntArrayRef d)
      : kernel(spread_list(k, dims, op, "kernel_size")),
        stride(s.empty() ? kernel : spread_list(s, dims, op, "stride")),
        padding(spread_list(p, dims, op, "padding")),
        dilation(d.empty() ? DimVector(dims, 1) : spread_list(d, dims, op, "dilation")) {
    for (std::size_t i = 0; i < dims; ++i) {
      TENON_CHECK(kernel[i] > 0, ValueError, "kernel size should be greater than zero, but got ", kernel);
      TENON_CHECK(stride[i] != 0, ValueError, "stride should not be zero");
      TENON_CHECK(stride[i] > 0, ValueError, "stride should be greater than zero, but got ", stride);
      TENON_CHECK(dilation[i] > 0, ValueError, "dilation should be greater than zero, but got ", dilation);
      TENON_CHECK(padding[i] >= 0, ValueError, "pad must be non-negative, but got pad: ", padding[i]);
      TENON_CHECK(padding[i] <= ((kernel[i] - 1) * dilation[i] + 1) / 2, ValueError,
                  "pad should be at most half of effective kernel size, but got pad=", padding[i],
                  ", kernel_size=", kernel[i], " and dilation=", dilation[i]);
    }
  }
  template <class Int>
  Int out(const Int& in, std::size_t i, bool ceil_mode) const {
    Int span = in + Int(2 * padding[i] - dilation[i] * (kernel[i] - 1) - 1);
    if (span < Int(0)) return Int(ceil_mode && !(span + Int(stride[i] - 1) < Int(0)) ? 1 : 0);
    Int n = (span + Int(ceil_mode ? stride[i] - 1 : 0)) / Int(stride[i]) + Int(1);
    // The last window begins inside the input or the padding before it.
    if (ceil_mode && !((n - Int(1)) * Int(stride[i]) < in + Int(padding[i]))) n = n - Int(1);
    return n;
  }
};
template <class Int>
void check_pooled(const Tensor& self, std::size_t dims) {
  auto n = static_cast<std::size_t>(self.dim());
  bool ok = n == dims + 1 || n == dims + 2;
  for (std::size_t d = n == dims + 2 ? 1 : 0; ok && d < n; ++d) ok = sizes_of<Int>(self)[d] != 0;
  TENON_CHECK(ok, ValueError, "Expected ", dims + 1, "D or ", dims + 2,
              "D (batch mode) tensor with optional 0 dim batch size for input, but got:", self.sym_sizes());
}
template <class Int>
dims_t<Int> pooled_sizes(const Tensor& self, const PoolingLists& p, bool ceil_mode) {
  std::size_t dims = p.kernel.size();
  check_pooled<Int>(self, dims);
  dims_t<Int> sizes(sizes_of<Int>(self));
  for (std::size_t i = 0; i < dims; ++i)
    TENON_CHECK(p.padding[i] <= p.kernel[i] / 2, ValueError,
                "pad should be smaller than or equal to half of kernel size, but got padding ", p.padding,
                " and kernel_size ", p.kernel, ", whatever the dilation");
  for (std::size_t i = 0; i < dims; ++i) {
    Int& s = sizes[sizes.size() - dims + i];
    s = p.out(s, i, ceil_mode);
    TENON_CHECK(s >= Int(1), ValueError, "Given input size: ", self.sym_sizes(),
                ". Calculated output size is too small in dimension ", sizes.size() - dims + i);
  }
  return sizes;
}
/// The strides that results of this shape take over from an input.
template <class Int>
dims_t<Int> like_format(const Tensor& self, const dims_t<Int>& sizes) {
  if (self.dim() != 4 && self.dim() != 5) return {};
  MemoryFormat format =
      self.is_symbolic() ? tenon::detail::sym_suggest_memory_format(self) : self.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? dims_t<Int>() : dims_t<Int>(strides_for(sizes, format));
}
template <class Int>
void set_like(Outputs& out, unsigned i, const Tensor& self, const dims_t<Int>& sizes, ScalarType dtype) {
  dims_t<Int> strides = like_format<Int>(self, sizes);
  out.set_output_raw_strided(i, ArrayRef<Int>(sizes), ArrayRef<Int>(strides), dtype, self.device());
}
/// The same, also for a tensor that the caller gave.
template <class Int>
void set_laid_like(Outputs& out, unsigned i, const Tensor& self, const dims_t<Int>& sizes, ScalarType dtype) {
  set_like<Int>(out, i, self, sizes, dtype);
  restride<Int>(out, i, like_format<Int>(self, sizes));
}
/// In the operand's format for two dimensions, in row-major order for three.
template <class Int, std::size_t Dims>
void set_plain_3d(Outputs& out, unsigned i, const Tensor& self, const dims_t<Int>& sizes, ScalarType dtype) {
  if constexpr (Dims == 2)
    set_like<Int>(out, i, self, sizes, dtype);
  else
    out.set_output_raw_strided(i, ArrayRef<Int>(sizes), {}, dtype, self.device());
}
template <class Int>
void check_same_shape(const Tensor& t, ArrayRef<Int> sizes, const char* name) {
  TENON_CHECK(sizes_of<Int>(t) == sizes, ValueError, "Expected ", name, " of shape ", sizes, ", but got ",
              t.sym_sizes());
}
inline void check_places(const Tensor& indices) {
  TENON_CHECK(indices.dtype() == kLong, TypeError,
              "elements in indices should be type int64 but got: ", indices.dtype());
}

/// PyTorch asks it of means in three dimensions alone, whatever is padded.
template <class Int, std::size_t Dims>
void check_holds_window(const Tensor& self, const PoolingLists& p) {
  if constexpr (Dims == 3) {
    check_pooled<Int>(self, Dims);
    ArrayRef<Int> in = sizes_of<Int>(self).slice(static_cast<std::size_t>(self.dim() - 3), 3);
    TENON_CHECK(in[0] >= Int(p.kernel[0]) && in[1] >= Int(p.kernel[1]) && in[2] >= Int(p.kernel[2]), ValueError,
                "input image (T: ", in[0], " H: ", in[1], " W: ", in[2],
                ") smaller than kernel size (kT: ", p.kernel[0], " kH: ", p.kernel[1], " kW: ", p.kernel[2], ")");
  }
}
template <std::size_t Dims>
struct mean_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                  bool ceil_mode, bool, std::optional<std::int64_t> divisor) const {
    TENON_CHECK(!divisor || *divisor != 0, ValueError, "divisor must be not zero");
    PoolingLists p(Dims == 2 ? "avg_pool2d" : "avg_pool3d", Dims, kernel, stride, padding, {});
    check_holds_window<Int, Dims>(self, p);
    set_plain_3d<Int, Dims>(out, 0, self, pooled_sizes<Int>(self, p, ceil_mode), self.dtype());
  }
};
template <std::size_t Dims>
struct mean_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
                  IntArrayRef padding, bool ceil_mode, bool, std::optional<std::int64_t> divisor) const {
    TENON_CHECK(!divisor || *divisor != 0, ValueError, "divisor must be not zero");
    PoolingLists p(Dims == 2 ? "avg_pool2d" : "avg_pool3d", Dims, kernel, stride, padding, {});
    check_holds_window<Int, Dims>(self, p);
    check_same_shape<Int>(grad, pooled_sizes<Int>(self, p, ceil_mode), "grad_output");
    set_plain_3d<Int, Dims>(out, 0, self, dims_t<Int>(sizes_of<Int>(self)), grad.dtype());
  }
};
template <std::size_t Dims>
struct max_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef kernel, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef dilation, bool ceil_mode) const {
    PoolingLists p(Dims == 2 ? "max_pool2d" : "max_pool3d", Dims, kernel, stride, padding, dilation);
    dims_t<Int> sizes = pooled_sizes<Int>(self, p, ceil_mode);
    if (Dims == 3 && self.dim() == 5) {
      set_laid_like<Int>(out, 0, self, sizes, self.dtype());
      set_laid_like<Int>(out, 1, self, sizes, kLong);
    } else {
      set_like<Int>(out, 0, self, sizes, self.dtype());
      set_like<Int>(out, 1, self, sizes, kLong);
    }
  }
};
/// The gradient of everything that chooses a maximum: the input's shape, from one gradient and one place per result.
template <class Int>
void set_chosen_gradient(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& indices, std::size_t dims,
                         bool row_major = false) {
  check_places(indices);
  check_same_shape<Int>(indices, sizes_of<Int>(grad), "indices");
  std::size_t n = static_cast<std::size_t>(self.dim());
  TENON_CHECK(n == dims + 1 || n == dims + 2, ValueError, "Expected ", dims + 1, "D or ", dims + 2,
              "D tensor, but got: ", self.sym_sizes());
  TENON_CHECK(grad.dim() == self.dim(), ValueError, "Expected grad_output of ", n, " dimensions, but got ",
              grad.sym_sizes());
  for (std::size_t d = 0; d < n - dims; ++d)
    TENON_CHECK(sizes_of<Int>(grad)[d] == sizes_of<Int>(self)[d], ValueError,
                "Expected grad_output for input of shape ", self.sym_sizes(), ", but got ", grad.sym_sizes());
  TENON_CHECK(grad.dtype() == self.dtype(), TypeError, "expected dtype ", self.dtype(),
              " for `grad_output` but got dtype ", grad.dtype());
  if (row_major)
    set_plain_3d<Int, 3>(out, 0, self, dims_t<Int>(sizes_of<Int>(self)), self.dtype());
  else
    set_like<Int>(out, 0, self, dims_t<Int>(sizes_of<Int>(self)), self.dtype());
}
template <std::size_t Dims>
struct max_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, IntArrayRef kernel, IntArrayRef stride,
                  IntArrayRef padding, IntArrayRef dilation, bool ceil_mode, const Tensor& indices) const {
    PoolingLists p(Dims == 2 ? "max_pool2d" : "max_pool3d", Dims, kernel, stride, padding, dilation);
    check_same_shape<Int>(grad, pooled_sizes<Int>(self, p, ceil_mode), "grad_output");
    set_chosen_gradient<Int>(out, grad, self, indices, Dims);
    if constexpr (Dims == 3) restride<Int>(out, 0, like_format<Int>(self, dims_t<Int>(sizes_of<Int>(self))));
  }
};
/// `channels`: whether PyTorch asks that there are some, too.
template <class Int>
dims_t<Int> adaptive_sizes(const Tensor& self, ArrayRef<Int> wanted, std::size_t dims, const char* op, bool channels) {
  TENON_CHECK(wanted.size() == dims, ValueError, op, ": internal error: output_size.size() must be ", dims);
  auto n = static_cast<std::size_t>(self.dim());
  TENON_CHECK(n == dims + 1 || n == dims + 2, ValueError, op, "(): Expected ", dims + 1, "D or ", dims + 2,
              "D tensor, but got ", self.sym_sizes());
  dims_t<Int> sizes(sizes_of<Int>(self));
  for (std::size_t i = 0; i < dims; ++i) {
    TENON_CHECK(wanted[i] >= Int(0), ValueError, op,
                ": elements of output_size must be greater than or equal to 0 but received ", wanted);
  }
  for (std::size_t d = channels ? 1 : n - dims; d < n; ++d)
    TENON_CHECK(sizes[d] != Int(0), ValueError, op,
                "(): Expected input to have non-zero size for non-batch dimensions, but input has sizes ",
                self.sym_sizes(), " with dimension ", d, " being empty");
  for (std::size_t i = 0; i < dims; ++i) sizes[n - dims + i] = wanted[i];
  return sizes;
}
template <std::size_t Dims>
struct adaptive_mean_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, ArrayRef<Int> wanted) const {
    set_plain_3d<Int, Dims>(
        out, 0, self,
        adaptive_sizes<Int>(self, wanted, Dims, Dims == 2 ? "adaptive_avg_pool2d" : "adaptive_avg_pool3d", Dims == 3),
        self.dtype());
  }
};
template <std::size_t Dims>
struct adaptive_mean_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self) const {
    std::size_t n = sizes_of<Int>(grad).size();
    TENON_CHECK(n >= Dims + 1, ValueError, "Expected grad_output of at least ", Dims + 1, " dimensions, but got ",
                grad.sym_sizes());
    check_same_shape<Int>(grad,
                          adaptive_sizes<Int>(self, sizes_of<Int>(grad).slice(n - Dims, Dims), Dims,
                                              Dims == 2 ? "adaptive_avg_pool2d" : "adaptive_avg_pool3d", Dims == 3),
                          "grad_output");
    TENON_CHECK(grad.dtype() == self.dtype(), TypeError, "expected dtype ", self.dtype(),
                " for `grad_output` but got dtype ", grad.dtype());
    set_plain_3d<Int, Dims>(out, 0, self, dims_t<Int>(sizes_of<Int>(self)), grad.dtype());
  }
};
template <std::size_t Dims>
struct adaptive_max_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef wanted) const {
    dims_t<Int> list;
    for (std::int64_t w : wanted) list.push_back(Int(w));
    dims_t<Int> sizes = adaptive_sizes<Int>(self, ArrayRef<Int>(list), Dims,
                                            Dims == 2 ? "adaptive_max_pool2d" : "adaptive_max_pool3d", true);
    set_plain_3d<Int, Dims>(out, 0, self, sizes, self.dtype());
    set_plain_3d<Int, Dims>(out, 1, self, sizes, kLong);
  }
};
template <std::size_t Dims>
struct adaptive_max_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, const Tensor& indices) const {
    set_chosen_gradient<Int>(out, grad, self, indices, Dims, Dims == 3);
  }
};
template <class Int>
dims_t<Int> fractional_sizes(const Tensor& self, IntArrayRef kernel, IntArrayRef wanted, std::size_t dims) {
  const char* op = dims == 2 ? "fractional_max_pool2d" : "fractional_max_pool3d";
  TENON_CHECK(kernel.size() == dims && wanted.size() == dims, ValueError, op,
              ": kernel_size and output_size must either be a single Int or tuple of Ints");
  check_pooled<Int>(self, dims);
  dims_t<Int> sizes(sizes_of<Int>(self));
  for (std::size_t i = 0; i < dims; ++i) {
    Int& s = sizes[sizes.size() - dims + i];
    TENON_CHECK(kernel[i] > 0, ValueError, op, "(): kernel size should be greater than zero, but got ", kernel);
    TENON_CHECK(wanted[i] >= 0, ValueError, op, "(): output_size must not be negative, but got ", wanted);
    // In three dimensions PyTorch wants one place more.
    const char* along = i + 1 == dims ? "width " : i + 2 == dims ? "height " : "time ";
    TENON_CHECK(Int(wanted[i] + kernel[i] - (dims == 2 ? 1 : 0)) <= s, ValueError, op, dims == 2 ? "" : "_out",
                "(): pool ", along, kernel[i], " too large relative to input ", along, s);
    s = Int(wanted[i]);
  }
  return sizes;
}
template <std::size_t Dims>
struct fractional_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, IntArrayRef kernel, IntArrayRef wanted,
                  const Tensor& samples) const {
    dims_t<Int> sizes = fractional_sizes<Int>(self, kernel, wanted, Dims);
    TENON_CHECK(self.dtype() == samples.dtype(), TypeError, "Expect _random_samples to have the same dtype as input");
    bool batch = self.dim() == static_cast<std::int64_t>(Dims) + 2;
    Int expected[] = {batch ? sizes[0] : Int(1), sizes[batch ? 1 : 0], Int(static_cast<std::int64_t>(Dims))};
    TENON_CHECK(samples.dim() == 3, ValueError, "Expect _random_samples to have 3 dimensions, got ", samples.dim());
    TENON_CHECK(sizes_of<Int>(samples)[0] >= expected[0], ValueError,
                "Expect _random_samples.size(0) no less then input batch size.");
    TENON_CHECK(sizes_of<Int>(samples)[1] == expected[1], ValueError,
                "Expect _random_samples.size(1) equals to input channel size.");
    TENON_CHECK(sizes_of<Int>(samples)[2] == expected[2], ValueError, "Expect _random_samples.size(2) equals to ", Dims,
                "; got ", sizes_of<Int>(samples)[2], ".");
    out.set_output_raw_strided(0, ArrayRef<Int>(sizes), {}, self.dtype(), self.device());
    out.set_output_raw_strided(1, ArrayRef<Int>(sizes), {}, kLong, self.device());
  }
};
template <std::size_t Dims>
struct fractional_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, IntArrayRef kernel, IntArrayRef wanted,
                  const Tensor& indices) const {
    check_same_shape<Int>(grad, fractional_sizes<Int>(self, kernel, wanted, Dims), "gradOutput");
    set_chosen_gradient<Int>(out, grad, self, indices, Dims);
  }
};
template <class Int>
void unpool_meta(Outputs& out, const Tensor& self, const Tensor& indices, ArrayRef<Int> wanted, std::size_t dims) {
  check_places(indices);
  TENON_CHECK(wanted.size() == dims, ValueError, "There should be exactly ", dims, " elements in output_size, but got ",
              wanted.size(), " elements.");
  auto n = static_cast<std::size_t>(self.dim());
  TENON_CHECK(n == dims + 1 || n == dims + 2, ValueError, "Input to max_unpooling", dims, "d should be a ", dims + 1,
              "d or ", dims + 2, "d Tensor, but got a tensor with dim ", n);
  TENON_CHECK(sizes_of<Int>(self) == sizes_of<Int>(indices), ValueError,
              "Expected shape of indices to be same as that of the input tensor (", self.sym_sizes(),
              ") but got indices tensor with shape: ", indices.sym_sizes());
  dims_t<Int> sizes(sizes_of<Int>(self));
  for (std::size_t i = 0; i < dims; ++i) {
    TENON_CHECK(sizes[n - dims + i] > Int(0), ValueError, "max_unpooling", dims,
                "d(): Expected input to have non-zero size for non-batch dimensions, but got ", self.sym_sizes(),
                " with dimension ", n - dims + i, " being empty.");
    TENON_CHECK(wanted[i] >= Int(0), ValueError, "output_size must not be negative, got ", wanted);
    sizes[n - dims + i] = wanted[i];
  }
  if (dims == 3)
    set_plain_3d<Int, 3>(out, 0, self, sizes, self.dtype());
  else if (n == 4)
    set_laid_like<Int>(out, 0, self, sizes, self.dtype());
  else
    set_like<Int>(out, 0, self, sizes, self.dtype());
}
struct unpool2d_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& indices, ArrayRef<Int> wanted) const {
    unpool_meta<Int>(out, self, indices, wanted, 2);
  }
};
struct unpool3d_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, const Tensor& indices, ArrayRef<Int> wanted, IntArrayRef stride,
                  IntArrayRef padding) const {
    TENON_CHECK(stride.size() == 3 && padding.size() == 3, ValueError,
                "There should be exactly three elements in stride and padding");
    for (std::int64_t s : stride)
      TENON_CHECK(s > 0, ValueError, "strides should be greater than zero, but got stride: ", stride);
    unpool_meta<Int>(out, self, indices, wanted, 3);
  }
};

}  // namespace pooling
}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(avg_pool2d_base, composite::pooling::mean_meta<2>);
TENON_STRUCTURED_OF(avg_pool3d_base, composite::pooling::mean_meta<3>);
TENON_STRUCTURED_OF(avg_pool2d_backward_base, composite::pooling::mean_backward_meta<2>);
TENON_STRUCTURED_OF(avg_pool3d_backward_base, composite::pooling::mean_backward_meta<3>);
TENON_STRUCTURED_OF(max_pool2d_with_indices_base, composite::pooling::max_meta<2>);
TENON_STRUCTURED_OF(max_pool3d_with_indices_base, composite::pooling::max_meta<3>);
TENON_STRUCTURED_OF(max_pool2d_with_indices_backward_base, composite::pooling::max_backward_meta<2>);
TENON_STRUCTURED_OF(max_pool3d_with_indices_backward_base, composite::pooling::max_backward_meta<3>);
TENON_STRUCTURED_OF(_adaptive_avg_pool2d_base, composite::pooling::adaptive_mean_meta<2>);
TENON_STRUCTURED_OF(_adaptive_avg_pool3d_base, composite::pooling::adaptive_mean_meta<3>);
TENON_STRUCTURED_OF(_adaptive_avg_pool2d_backward_base, composite::pooling::adaptive_mean_backward_meta<2>);
TENON_STRUCTURED_OF(_adaptive_avg_pool3d_backward_base, composite::pooling::adaptive_mean_backward_meta<3>);
TENON_STRUCTURED_OF(adaptive_max_pool2d_base, composite::pooling::adaptive_max_meta<2>);
TENON_STRUCTURED_OF(adaptive_max_pool3d_base, composite::pooling::adaptive_max_meta<3>);
TENON_STRUCTURED_OF(adaptive_max_pool2d_backward_base, composite::pooling::adaptive_max_backward_meta<2>);
TENON_STRUCTURED_OF(adaptive_max_pool3d_backward_base, composite::pooling::adaptive_max_backward_meta<3>);
TENON_STRUCTURED_OF(fractional_max_pool2d_base, composite::pooling::fractional_meta<2>);
TENON_STRUCTURED_OF(fractional_max_pool3d_base, composite::pooling::fractional_meta<3>);
TENON_STRUCTURED_OF(fractional_max_pool2d_backward_base, composite::pooling::fractional_backward_meta<2>);
TENON_STRUCTURED_OF(fractional_max_pool3d_backward_base, composite::pooling::fractional_backward_meta<3>);
TENON_STRUCTURED_OF(max_unpool2d_base, composite::pooling::unpool2d_meta);
TENON_STRUCTURED_OF(max_unpool3d_base, composite::pooling::unpool3d_meta);

}  // namespace tenon::ops
