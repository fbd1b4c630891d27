// Powers in double precision.
#include "../ops/support.hpp"

using namespace test;

TEST_CASE("powers are computed in double precision", "[composite][powers]") {
  Tensor y = ops::float_power(tensor({2, 3}), 0.5);
  CHECK(y.dtype() == kDouble);
  CHECK(values(y)[1] == Approx(1.7320508075688772).epsilon(1e-15));
  CHECK(values(ops::float_power(2, tensor({3.0, -1.0}))) == Numbers{8, 0.5});
  CHECK(ops::float_power(tensor({2}), Scalar(Complex<double>(0, 1))).dtype() == kComplexDouble);
  Tensor x = tensor({2.0}).to(kDouble);
  CHECK(values(ops::float_power_(x, tensor({3}))) == Numbers{8});
  Tensor narrow = tensor({2.0});
  CHECK_ERROR(ops::float_power_(narrow, 2), TypeError,
              "the base given to float_power_ has dtype Float but the operation's result requires dtype Double");
  CHECK_ERROR(ops::float_power(narrow, 2, "out"_a = narrow), TypeError,
              "the output given to float_power has dtype Float but the operation's result requires dtype Double");
}
