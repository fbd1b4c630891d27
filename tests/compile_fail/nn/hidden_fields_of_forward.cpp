// A class in the style of PyTorch's modules, whose parameters cannot be seen.
// expect-error: the fields of a module are hidden by a constructor or by being private; name them with TENON_FIELDS
#include <tenon/tenon.hpp>

struct Block {
  explicit Block(std::int64_t n) : inner{n, n} {}
  tenon::Tensor forward(const tenon::Tensor& x) { return inner(x); }
  tenon::nn::Linear inner;

#ifdef FIXED
  TENON_FIELDS(inner)
#endif
};

std::vector<tenon::Tensor> found(const Block& block) { return tenon::nn::parameters(block); }
