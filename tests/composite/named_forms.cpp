// Forms that recorded graphs name: the answers of PyTorch 2.15.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("forms with out of operators that have none in programs", "[composite][named_forms]") {
  Tensor x = counted({2, 3}), out = ops::empty({0});
  CHECK(values(ops::copy_into_out(x, tensor({7.f, 8.f, 9.f}), false, out)) == Numbers{7, 8, 9, 7, 8, 9});
  CHECK(list(out.sizes()) == Ints{2, 3});
  Tensor laid = ops::empty({3, 2}).t(), empty = ops::empty({0});
  const SymInt sizes[] = {2, 3}, strides[] = {1, 2};
  CHECK(list(ops::empty_strided_into_out(SymIntArrayRef(sizes, 2), SymIntArrayRef(strides, 2), laid).strides()) ==
        Ints{1, 2});
  CHECK(list(ops::empty_strided_into_out(SymIntArrayRef(sizes, 2), SymIntArrayRef(strides, 2), empty).strides()) ==
        Ints{3, 1});
  Tensor z = ops::complex(x, x), conjugate = ops::empty({0}, "dtype"_a = kComplexFloat);
  CHECK(values(ops::imag(ops::_conj_physical_into_out(z, conjugate))) == values(ops::neg(x)));
  Tensor volume = counted({1, 2, 4, 4}), to = ops::empty({0});
  CHECK(values(ops::adaptive_avg_pool3d_backward_into_grad_input(ops::ones({1, 1, 2, 2}), volume, to)) ==
        values(ops::_adaptive_avg_pool3d_backward(ops::ones({1, 1, 2, 2}), volume)));
}

TEST_CASE("questions about the memory of a tensor", "[composite][named_forms]") {
  Tensor x = counted({2, 3});
  CHECK(ops::_debug_has_internal_overlap(x) == 0);
  CHECK(ops::_debug_has_internal_overlap(x.select(0, 0).expand({4, 3})) == 1);
  CHECK(ops::_debug_has_internal_overlap(x.as_strided({2, 2}, {1, 1})) == 2);
  CHECK(ops::_has_compatible_shallow_copy_type(x, x));
  CHECK_FALSE(ops::_has_compatible_shallow_copy_type(x, x.to(kMeta)));
}
