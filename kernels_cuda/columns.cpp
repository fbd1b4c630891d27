// Registers sliding blocks as columns, and their sums, on CUDA.
#include <tenon/composite/columns.hpp>
#include <tenon/ops/arithmetic.hpp>

#include "support.hpp"

namespace tenon::cuda {
namespace {

/// A batch of images in zeros, and its sliding blocks as a view: batch, channel, place in the block, block.
struct Blocks {
  Tensor padded;
  DimVector sizes, strides;
  std::int64_t origin;  ///< elements before the image

  /// `image` is (channels, height, width), or a batch of those; the memory is unset.
  Blocks(const Tensor& image, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride) {
    bool batched = image.dim() == 4;
    std::int64_t batch = batched ? image.sizes()[0] : 1, channels = image.sizes()[batched];
    std::int64_t size[2], blocks[2];
    for (std::size_t k = 0; k < 2; ++k) {
      size[k] = image.sizes()[batched + 1 + k] + 2 * padding[k];
      blocks[k] = (size[k] - dilation[k] * (kernel[k] - 1) - 1) / stride[k] + 1;
    }
    std::int64_t whole[] = {batch, channels, size[0], size[1]};
    padded = make_tensor(whole, {}, image.dtype(), image.device());
    sizes = DimVector{batch, channels, kernel[0], kernel[1], blocks[0], blocks[1]};
    strides = DimVector{channels * size[0] * size[1], size[0] * size[1], dilation[0] * size[1], dilation[1],
                        stride[0] * size[1],          stride[1]};
    origin = padding[0] * size[1] + padding[1];
  }
  /// The image in its zeros.
  Tensor inside(const Tensor& image) const {
    bool batched = image.dim() == 4;
    DimVector where(padded.strides());
    return make_alias(padded, image.sizes(), IntArrayRef(where).slice(!batched, image.sizes().size()), origin);
  }
  void clear() const { fill_elements(padded, operand_of(Scalar(0), padded.dtype())); }
};

void im2col(const Tensor& self, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding, IntArrayRef stride,
            const Tensor& out) {
  if (out.numel() == 0) return;
  Blocks b(self, kernel, dilation, padding, stride);
  b.clear();
  copy_elements(b.inside(self), self);
  Result columns(out, out.dtype());
  copy_elements(make_alias(columns.tensor(), b.sizes, contiguous_strides(b.sizes), columns.tensor().storage_offset()),
                make_alias(b.padded, b.sizes, b.strides, 0));
  columns.done();
}
/// One place of the blocks after the other: of one no two blocks share an element.
void col2im(const Tensor& self, IntArrayRef, IntArrayRef kernel, IntArrayRef dilation, IntArrayRef padding,
            IntArrayRef stride, const Tensor& out) {
  if (out.numel() == 0) return;
  AutoDispatchBelowADInplaceOrView below;
  Blocks b(out, kernel, dilation, padding, stride);
  b.clear();
  Tensor columns = row_major(self);
  DimVector sizes = b.sizes, from = contiguous_strides(b.sizes);
  sizes[2] = sizes[3] = 1;
  for (std::int64_t i = 0; i < kernel[0]; ++i)
    for (std::int64_t k = 0; k < kernel[1]; ++k) {
      Tensor sums = make_alias(b.padded, sizes, b.strides, i * b.strides[2] + k * b.strides[3]);
      ops::add_(sums, make_alias(columns, sizes, from, columns.storage_offset() + i * from[2] + k * from[3]));
    }
  copy_elements(out, b.inside(out));
}

}  // namespace
}  // namespace tenon::cuda

namespace tenon::ops {

TENON_STRUCTURED_KERNEL(im2col_base, CUDA, cuda::im2col);
TENON_STRUCTURED_KERNEL(col2im_base, CUDA, cuda::col2im);

}  // namespace tenon::ops
