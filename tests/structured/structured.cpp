// One meta function and one kernel give the functional, in-place and out forms.
#include "../ops/support.hpp"

using namespace test;

namespace mine {

void twice_meta(Outputs& out, const Tensor& self, bool strict) {
  if (strict)
    out.set_output_strided(0, self.sizes(), {}, self.dtype(), self.device());
  else
    out.set_output_raw_strided(0, self.sizes(), {}, self.dtype(), self.device());
}
void twice_cpu(const Tensor& self, bool strict, const Tensor& out) {
  if (strict) REQUIRE(out.is_contiguous());
  Tensor source = self.contiguous();
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    std::int64_t at = 0, rest = i;
    for (std::int64_t d = out.dim(); d-- > 0; rest /= out.size(d)) at += rest % out.size(d) * out.stride(d);
    static_cast<float*>(out.data_ptr())[at] = 2 * source.data_ptr<float>()[i];
  }
}
TENON_STRUCTURED(twice, "structured_test::twice(Tensor self, bool strict=False) -> Tensor", twice_meta);
TENON_STRUCTURED_KERNEL(twice, CPU, twice_cpu);

}  // namespace mine

TEST_CASE("a structured operator has three forms and a kernel for Meta tensors", "[structured]") {
  Tensor a = counted({2, 3});
  REQUIRE(values(mine::twice(a)) == Numbers{0, 2, 4, 6, 8, 10});
  Tensor out = ops::empty({0});
  Tensor& same = mine::twice_out(a, "out"_a = out);
  REQUIRE((&same == &out && list(out.sizes()) == Ints{2, 3} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
  mine::twice_(a);
  REQUIRE(values(a) == Numbers{0, 2, 4, 6, 8, 10});
  Tensor meta = mine::twice(ops::empty({4, 1}, "device"_a = Device("meta")));
  REQUIRE((meta.is_meta() && list(meta.sizes()) == Ints{4, 1}));
}

TEST_CASE("a given result with other strides is filled through a proxy where the kernel needs its own",
          "[structured]") {
  Tensor a = counted({2, 3}), out = ops::empty({3, 2}).t();
  mine::twice_out(a, "strict"_a = true, "out"_a = out);
  REQUIRE((list(out.strides()) == Ints{1, 2} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
  mine::twice_out(a, "strict"_a = false, "out"_a = out);
  REQUIRE((list(out.strides()) == Ints{1, 2} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
}

TEST_CASE("a given result must fit", "[structured]") {
  Tensor a = counted({2, 3});
  Tensor other = ops::empty({2, 3}, "dtype"_a = kDouble);
  REQUIRE_THROWS_WITH(mine::twice_out(a, "out"_a = other),
                      "Expected out tensor to have dtype float32, but got float64 instead");
  Tensor one = ops::empty({1}), wide = one.expand({2, 3});
  REQUIRE_THROWS_AS(mine::twice_out(a, "out"_a = wide), ValueError);
}

TEST_CASE("the forms are found by their names", "[structured]") {
  for (const char* overload : {"", "out"})
    REQUIRE_NOTHROW(Registry::get().find_schema_or_throw("structured_test::twice", overload));
  Stack stack{counted({3}), true};
  Registry::get().find_schema_or_throw("structured_test::twice_", "").call_boxed(stack);
  REQUIRE(values(stack[0].to_tensor()) == Numbers{0, 2, 4});
}
