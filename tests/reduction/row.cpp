// A user's reductions by TENON_REDUCTION: values in every dtype and form, Meta and symbolic shapes, gradients, errors.
#include <cmath>
#include <cstring>

#include <tenon/autograd/derivatives/reduced.hpp>
#include <tenon/cpu/reduction.hpp>

#include "../ops/symbolic.hpp"

#include <tenon/autograd/gradcheck.hpp>
#include <tenon/cpu/parallel.hpp>

using namespace test;

namespace {

template <class T>
struct squares_op {
  using value_type = T;
  static T identity() { return T(0); }
  template <class X>
  X map(X x) const {
    return x * x;
  }
  template <class X>
  X combine(X a, X b) const {
    return a + b;
  }
  T finish(T total, std::int64_t n) const { return total / static_cast<T>(n); }
};
TENON_OPERATORS_OUT(
    mean_square,
    "_reduction::mean_square(Tensor self, int[1]? dim=None, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor");
TENON_REDUCTION(mean_square_base, squares_op, reduction::floating_dtype,
                TENON_WRT((self), (grad, self, dim, keepdim),
                          (mul(ops::derivatives::spread(grad, self.sizes(), dim, keepdim), self) *
                           (2.0 / static_cast<double>(ops::derivatives::reduced_count(self.sizes(), dim))))));

template <class T>
struct above_op : reduction::sum_op<T> {
  double limit;
  std::int64_t weight;
  above_op(double l, std::int64_t w) : limit(l), weight(w) {}
  template <class X>
  X map(X x) const {
    using reduction::numbers::select;
    return select(x > X(static_cast<T>(limit)), X(static_cast<T>(weight)), X(T(0)));
  }
};
using above = reduction::operation<above_op, std::int64_t, float, double>;
TENON_OPERATORS_OUT(weight_above,
                    "_reduction::weight_above(Tensor self, float limit, int? dim=None, *, int weight=1) -> Tensor");
TENON_REDUCTION(weight_above_base, above, reduction::same_dtype, reduction::no_gradient{});

}  // namespace

TEST_CASE("a reduction of one's own takes every dtype, list of dimensions and form", "[reduction]") {
  for (ScalarType dtype : {kFloat, kDouble, kHalf, kBFloat16, kInt, kByte}) {
    CAPTURE(dtype);
    Tensor x = counted({2, 3}, dtype), y = mean_square(x, IntArrayRef(1));
    CHECK(y.dtype() == (is_floating_type(dtype) ? dtype : kFloat));
    CHECK(std::abs(values(y)[0] - 5.0 / 3) < 0.01);
    CHECK(std::abs(values(y)[1] - 50.0 / 3) < 0.1);
    CHECK(list(mean_square(x, IntArrayRef(0), true).sizes()) == Ints{1, 3});
    CHECK(list(mean_square(x, std::nullopt, true).sizes()) == Ints{1, 1});
  }
  Tensor x = counted({2, 3}), out = ops::empty({0}, "dtype"_a = kDouble);
  CHECK(values(mean_square(x.t(), IntArrayRef(1))) == values(mean_square(x, IntArrayRef(0))));
  mean_square(x, IntArrayRef(0), "dtype"_a = kDouble, "out"_a = out);
  CHECK(values(out) == Numbers{4.5, 8.5, 14.5});
  CHECK_ERROR(mean_square(x, IntArrayRef({0, 0})), ValueError, "dim 0 appears multiple times in the list of dims");
  CHECK_ERROR(mean_square(x.to(kComplexFloat)), NotImplementedError,
              "\"mean_square\" not implemented for 'ComplexFloat'");
}

TEST_CASE("further arguments of a reduction go to its operation", "[reduction]") {
  Tensor x = counted({2, 3});
  CHECK(values(weight_above(x, 1.5)) == Numbers{4});
  CHECK(values(weight_above(x, 1.5, 0)) == Numbers{1, 1, 2});
  CHECK(values(weight_above(x.to(kLong), 1.0, 1, "weight"_a = 5)) == Numbers{5, 15});
  Tensor out = ops::empty({0});
  CHECK(values(weight_above(x, 1.5, 0, "weight"_a = 2, "out"_a = out)) == Numbers{2, 2, 4});
}

TEST_CASE("a reduction of one's own has the same bits for any number of threads", "[reduction]") {
  Tensor x = counted({300000}).mul(0.37).sin(), m = x.view({300, 1000});
  int before = get_num_threads();
  set_num_threads(1);
  Tensor a = mean_square(x), b = mean_square(m, IntArrayRef(0));
  set_num_threads(3);
  Tensor c = mean_square(x), d = mean_square(m, IntArrayRef(0));
  set_num_threads(before);
  CHECK(std::memcmp(a.data_ptr(), c.data_ptr(), a.nbytes()) == 0);
  CHECK(std::memcmp(b.data_ptr(), d.data_ptr(), b.nbytes()) == 0);
}

TEST_CASE("a reduction of one's own has gradients, plain and symbolic shapes", "[reduction][autograd]") {
  autograd::gradcheck([](const std::vector<Tensor>& a) { return mean_square(a[0], IntArrayRef(1)); },
                      {counted({3, 4}, kDouble).mul(0.3).sin().requires_grad_()});
  CHECK_FALSE(weight_above(counted({3}).requires_grad_(), 1.0).requires_grad());
  Tensor x = ops::empty({2, 3}, "device"_a = kMeta, "dtype"_a = kInt);
  Tensor y = mean_square(x, IntArrayRef(0), true);
  CHECK(y.is_meta());
  CHECK(y.dtype() == kFloat);
  CHECK(list(y.sizes()) == Ints{1, 3});
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) {
          return mean_square(meta({n, m, 2}), IntArrayRef({0, 2}));
        })) == "[s1]");
}
