// Kernels of products of matrices.
#include <tenon/cuda/gemm.hpp>

namespace tenon::cuda {
namespace {

template <class T, class S>
bool multiply(const GemmCall& c, void* stream) {
  using Tile = ProductTile<S>;
  std::int64_t blocks = Tile::tiles(c.m) * Tile::tiles(c.n) * c.count;
  Product<S> p{c.m, c.n, c.k, c.a, c.b, c.out, c.alpha.to<S>(), c.beta.to<S>(), !c.beta.equal(0)};
  if (c.k == 0) p.a.step = p.b.step = 0;  // empty factors have no memory to step in
  launch<multiply_tiles<T, S>>({blocks, Tile::kTile * Tile::kTile}, stream, p);
  return true;
}

}  // namespace

bool gemm(const GemmCall& c, void* stream) {
  switch (c.dtype) {
    case kFloat: return multiply<float, float>(c, stream);
    case kDouble: return multiply<double, double>(c, stream);
    case kHalf: return multiply<Half, float>(c, stream);
    case kBFloat16: return multiply<BFloat16, float>(c, stream);
    case kComplexFloat: return multiply<Complex<float>, Complex<float>>(c, stream);
    case kComplexDouble: return multiply<Complex<double>, Complex<double>>(c, stream);
    // Integers wrap as their own type does.
    case kLong: return multiply<std::int64_t, std::int64_t>(c, stream);
    case kInt: return multiply<std::int32_t, std::int32_t>(c, stream);
    default: return false;
  }
}

}  // namespace tenon::cuda
