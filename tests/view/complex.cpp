// Views of complex elements as pairs of real ones.
#include <tenon/autograd/engine.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace {
Tensor numbers() { return ops::complex(tensor({1.0, 2.0, 3.0}), tensor({4.0, 5.0, 6.0})); }
}  // namespace

TEST_CASE("complex elements are seen as pairs and pairs as complex elements", "[view][complex]") {
  Tensor z = numbers(), pairs = ops::view_as_real(z);
  CHECK(pairs.dtype() == kFloat);
  CHECK(pairs.sizes() == IntArrayRef{3, 2});
  CHECK(values(pairs) == Numbers{1, 4, 2, 5, 3, 6});
  CHECK(pairs.data_ptr() == z.data_ptr());
  CHECK(ops::view_as_complex(pairs).dtype() == kComplexFloat);
  CHECK(values(ops::imag(z)) == Numbers{4, 5, 6});
  ops::real(z).fill_(7);
  CHECK(values(ops::view_as_real(z)) == Numbers{7, 4, 7, 5, 7, 6});
  CHECK(ops::real(tensor({1.0})).dtype() == kFloat);
  CHECK(values(ops::view_as_real_copy(z)) == values(ops::view_as_real(z)));
}

TEST_CASE("what holds no pairs is refused", "[view][complex]") {
  CHECK_ERROR(ops::view_as_real(tensor({1.0})), TypeError, "view_as_real is only supported for complex tensors");
  CHECK_ERROR(ops::imag(tensor({1.0})), TypeError, "imag is not implemented for tensors with non-complex dtypes.");
  CHECK_ERROR(ops::view_as_complex(tensor({1.0, 2.0, 3.0})), ValueError, "Tensor must have a last dimension of size 2");
  CHECK_ERROR(ops::view_as_complex(ops::ones({2, 3}).t()), ValueError,
              "Tensor must have a last dimension with stride 1");
  CHECK_ERROR(ops::view_as_complex(tensor({1.0})[0]), ValueError, "Input tensor must have one or more dimensions");
  CHECK_ERROR(ops::view_as_complex(ops::ones({4}).slice(0, 1, 3)), ValueError,
              "Tensor must have a storage_offset divisible by 2");
  CHECK_ERROR(ops::view_as_complex(ops::ones({2, 3}).slice(1, 0, 2)), ValueError,
              "Tensor must have a stride divisible by 2 for all but last dimension");
  CHECK_ERROR_CONTAINS(ops::view_as_complex(tensor({1, 2})), NotImplementedError, "Long");
}

TEST_CASE("gradients pass from pairs to complex elements and back", "[view][complex]") {
  Tensor x = ops::ones({2, 2}).requires_grad_();
  Tensor z = ops::view_as_complex(x);
  ops::view_as_real(z * z).sum().backward();  // (1 + i)^2: the parts 0 and 2 sum up to 2 (a b) + a^2 - b^2
  CHECK(values(x.grad()) == Numbers{4, 0, 4, 0});
}

TEST_CASE("a change of the pairs is a change of the complex elements", "[view][complex]") {
  Tensor leaf = numbers().requires_grad_(), z = leaf * 1, pairs = ops::view_as_real(z);
  pairs.mul_(tensor({2.0, 3.0}));
  ops::view_as_real(z).sum().backward();
  CHECK(values(ops::view_as_real(leaf.grad())) == Numbers{2, 3, 2, 3, 2, 3});

  Tensor reals = ops::ones({3, 2}).requires_grad_(), y = reals * 1;
  ops::view_as_complex(y).mul_(Scalar(Complex<double>(0, 1)));  // (a + b i) i = -b + a i
  (y * tensor({1.0, 10.0})).sum().backward();
  CHECK(values(reals.grad()) == Numbers{10, -1, 10, -1, 10, -1});
}
