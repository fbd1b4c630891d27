// A view outside the library: its geometry, said once, gives the view, its copy and inverse, and their gradients.
#include <iostream>

#include <tenon/io.hpp>
#include <tenon/tenon.hpp>
#include <tenon/transform.hpp>
#include <tenon/view/row.hpp>

using namespace tenon;

namespace my {

// The elements from the top right to the bottom left of a matrix. Int is SymInt where a size is symbolic.
struct antidiagonal_geometry {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, std::int64_t offset) const {
    TENON_CHECK(self.dim() == 2, ValueError, "antidiagonal(): expected a matrix, got shape ", self.sizes);
    Int rows = self.sizes[0], columns = self.sizes[1] - offset;
    BasicGeometry<Int> g;
    g.sizes.push_back(rows < columns ? rows : columns);
    g.strides.push_back(self.strides[0] - self.strides[1]);
    g.offset = self.offset + (columns - 1) * self.strides[1];
    return g;
  }
};
TENON_VIEW(antidiagonal, "my::antidiagonal(Tensor(a) self, int offset=0) -> Tensor(a)", antidiagonal_geometry);

}  // namespace my

int main() {
  Tensor x = ops::reshape(ops::arange(9, "dtype"_a = kFloat), {3, 3});
  Tensor d = my::antidiagonal(x);
  std::cout << d << "\n";
  ops::fill_(d, -1);  // a view: the matrix is written
  std::cout << x << "\n" << my::antidiagonal_scatter(x, ops::zeros({2}), 1) << "\n";

  Tensor w = ops::ones({3, 3}).requires_grad_();
  ops::sum(ops::mul(my::antidiagonal(w), my::antidiagonal_copy(w))).backward();
  std::cout << w.grad() << "\n";

  auto cleared = functionalization::functionalize([](const Tensor& t) {
    Tensor y = ops::clone(t), v = my::antidiagonal(y);
    ops::zero_(v);  // no memory is written: the inverse of the view makes another matrix
    return y;
  });
  std::cout << cleared(ops::ones({2, 2})) << "\n";

  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  Tensor shape = ops::empty(SymIntList{n, n}.ref, "device"_a = kMeta);
  std::cout << my::antidiagonal(shape).sym_sizes() << "\n";
}

// Prints:
// tensor([2., 4., 6.])
// tensor([[ 0.,  1., -1.],
//         [ 3., -1.,  5.],
//         [-1.,  7.,  8.]])
// tensor([[ 0.,  0., -1.],
//         [ 0., -1.,  5.],
//         [-1.,  7.,  8.]])
// tensor([[0., 0., 2.],
//         [0., 2., 0.],
//         [2., 0., 0.]])
// tensor([[1., 0.],
//         [0., 1.]])
// [s0]
