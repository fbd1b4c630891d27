// More fields than can be found without names.
// expect-error: a module has more than 24 fields; name those that hold tensors with TENON_FIELDS
#include <tenon/tenon.hpp>

struct Net {
  tenon::Tensor weight;
  int a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, s, t, u, v, w, x;
#ifdef FIXED
  TENON_FIELDS(weight)
#endif
};

std::vector<tenon::Tensor> found(const Net& net) { return tenon::nn::parameters(net); }
