// expect-error: a part of a transformer cannot be called, as a constant, with what it gets
#include <tenon/nn/transformer.hpp>

using namespace tenon;

struct Layer {
  nn::Linear linear{4, 4};
#ifdef FIXED
  Tensor operator()(const Tensor& src) const { return linear(src); }
#else
  Tensor operator()(const Tensor& src) { return linear(src); }
#endif
  TENON_FIELDS(linear)
};

Tensor result(const Tensor& src) { return nn::TransformerEncoderOf{Layer{}, 2}(src); }
