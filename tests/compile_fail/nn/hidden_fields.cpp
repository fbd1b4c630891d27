// A class whose parameters cannot be seen.
// expect-error: the fields of a module are hidden by a constructor or by being private; name them with TENON_FIELDS
#include <tenon/tenon.hpp>

class Scale {
 public:
  explicit Scale(std::int64_t n) : factor_(tenon::ops::ones({n}).requires_grad_()) {}
  tenon::Tensor operator()(const tenon::Tensor& x) const { return x * factor_; }

#ifdef FIXED
  TENON_FIELDS(factor_)
#endif

 private:
  tenon::Tensor factor_;
};

std::vector<tenon::Tensor> found(const Scale& scale) { return tenon::nn::parameters(scale); }
