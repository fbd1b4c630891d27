// The shapes of distances between rows, and what they refuse.
#pragma once
#include <tenon/ops/distance.hpp>
#include <tenon/structured/structured.hpp>
#include <tenon/structured/symbolic.hpp>

namespace tenon::composite {

struct pdist_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, double) const {
    TENON_CHECK(self.dim() == 2, ValueError, "pdist only supports 2D tensors, got: ", self.dim(), "D");
    Int n = sizes_of<Int>(self)[0];
    out.set_output_raw_strided(0, dims_t<Int>{n * (n - 1) / 2}, {}, self.dtype(), self.device());
  }
};
struct pdist_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& self, double, const Tensor& pdist) const {
    TENON_CHECK(self.dim() == 2, ValueError, "_pdist_backward(): expected a matrix, got shape ", self.sym_sizes());
    Int n = sizes_of<Int>(self)[0], pairs = n * (n - 1) / 2;
    TENON_CHECK(numel_of<Int>(grad) == pairs && numel_of<Int>(pdist) == pairs, ValueError,
                "_pdist_backward(): expected a gradient and a distance for each of ", pairs, " pairs, got shapes ",
                grad.sym_sizes(), " and ", pdist.sym_sizes());
    TENON_CHECK(grad.dtype() == self.dtype() && pdist.dtype() == self.dtype(), TypeError,
                "_pdist_backward(): expected ", self.dtype(), ", got ", grad.dtype(), " and ", pdist.dtype());
    out.set_output_raw_strided(0, sizes_of<Int>(self), {}, self.dtype(), self.device());
  }
};
/// The sizes of distances between the rows of two batches of matrices.
template <class Int>
dims_t<Int> cdist_sizes(const char* name, const Tensor& x1, const Tensor& x2) {
  TENON_CHECK(x1.dim() > 1 && x2.dim() > 1, ValueError, name, " only supports at least 2D tensors, got: ", x1.dim(),
              "D and ", x2.dim(), "D");
  ArrayRef<Int> a = sizes_of<Int>(x1), b = sizes_of<Int>(x2);
  TENON_CHECK(a.back() == b.back(), ValueError, "X1 and X2 must have the same number of columns. X1: ", a.back(),
              " X2: ", b.back());
  TENON_CHECK(x1.dtype() == x2.dtype(), TypeError, "expected scalar type ", enumerator_name(x1.dtype()), " but found ",
              enumerator_name(x2.dtype()));
  dims_t<Int> sizes = broadcast_shapes(dims_t<Int>(a.begin(), a.end() - 2), ArrayRef<Int>(b.begin(), b.size() - 2));
  sizes.push_back(a[a.size() - 2]);
  sizes.push_back(b[b.size() - 2]);
  return sizes;
}
struct cdist_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& x1, const Tensor& x2, double p, std::optional<std::int64_t>) const {
    TENON_CHECK(p >= 0, ValueError, "Cdist only supports non-negative p values");
    out.set_output_raw_strided(0, cdist_sizes<Int>("cdist", x1, x2), {}, x1.dtype(), x1.device());
  }
};
struct cdist_backward_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& grad, const Tensor& x1, const Tensor& x2, double,
                  const Tensor& cdist) const {
    dims_t<Int> sizes = cdist_sizes<Int>("_cdist_backward", x1, x2);
    for (const Tensor* t : {&grad, &cdist}) {
      TENON_CHECK(sizes_of<Int>(*t) == ArrayRef<Int>(sizes), ValueError, "_cdist_backward(): expected shape ", sizes,
                  ", got ", t->sym_sizes());
      TENON_CHECK(t->dtype() == x1.dtype(), TypeError, "_cdist_backward(): expected ", x1.dtype(), ", got ",
                  t->dtype());
    }
    if (count_elements(sizes) == 0 || known_equal(sizes_of<Int>(x1).back(), Int(0))) {  // then zeros like x1
      out.set_output_raw_strided(0, sizes_of<Int>(x1), preserved_strides<Int>(x1), x1.dtype(), x1.device());
      return;
    }
    sizes[sizes.size() - 1] = sizes_of<Int>(x1).back();
    out.set_output_raw_strided(0, sizes, {}, x1.dtype(), x1.device());
  }
};

}  // namespace tenon::composite

namespace tenon::ops {

TENON_STRUCTURED_OF(_pdist_forward_base, composite::pdist_meta);
TENON_STRUCTURED_OF(_pdist_backward_base, composite::pdist_backward_meta);
TENON_STRUCTURED_OF(_cdist_forward_base, composite::cdist_meta);
TENON_STRUCTURED_OF(_cdist_backward_base, composite::cdist_backward_meta);

}  // namespace tenon::ops
