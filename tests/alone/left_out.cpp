// What a selection leaves out is refused by name, with the remedy. One unit with all it needs; prints what failed.
#define TENON_ONE_UNIT
#define TENON_DISABLE_PER_OP_PROFILING
#define TENON_SELECTED_DTYPES "float;int64"
#define TENON_SELECTED_OPERATORS                                                                                                                    \
  "aten::add.Tensor;aten::add_.Tensor;aten::copy_;aten::detach;aten::detach_;aten::empty.memory_format;aten::fill_.Scalar;aten::pow.Tensor_Scalar;" \
  "aten::lift_fresh;aten::to.device;aten::to.dtype_layout;aten::to.dtype;aten::_to_copy;aten::sum"
#include <iostream>

#include <tenon/bodies_core.hpp>

#include <tenon/composite/convert.hpp>
#include <tenon/composite/factory.hpp>
#include <tenon/composite/view.hpp>
#include <tenon/cpu/copy_kernels.hpp>
#include <tenon/cpu/factory.hpp>
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/activation.hpp>
#include <tenon/pointwise/arithmetic.hpp>
#include <tenon/pointwise/math.hpp>
#include <tenon/cpu/reduction.hpp>
#include <tenon/reduction/sums.hpp>
#include <tenon/tenon.hpp>
#include <tenon/view/memory.hpp>

using namespace tenon;

namespace {

int failures = 0;

void check(const char* what, const std::string& got, const std::string& expected) {
  if (got == expected) return;
  ++failures;
  std::cout << what << ": expected\n  " << expected << "\ngot\n  " << got << "\n";
}
template <class F>
std::string refusal(F call) {
  try {
    call();
  } catch (const NotImplementedError& e) { return std::string(e.summary()); } catch (const Error& e) {
    return std::string("an error of another type: ") + e.what();
  }
  return "no error";
}

}  // namespace

int main() {
  Tensor x = tensor({1.0, 2.0, 3.0});
  check("a kept operator", to_string(ops::add(x, x)), "tensor([2., 4., 6.])");
  x += x;
  check("its form", to_string(x), "tensor([2., 4., 6.])");
  check("loops that a rule chooses", to_string(ops::pow(x, 2)), "tensor([ 4., 16., 36.])");
  check("a reduction", to_string(ops::sum(x)), "tensor(12.)");
  check("a dtype of the list", to_string(ops::sum(tensor({1, 2, 3}))), "tensor(6)");

  check("an operator", refusal([&] { ops::mul(x, x); }),
        "Could not find schema for aten::mul.Tensor; this program is compiled without it: add \"aten::mul.Tensor\" to "
        "its TENON_SELECTED_OPERATORS");
  check("a form", refusal([&] { ops::add(x, x, "out"_a = x); }),
        "Could not find schema for aten::add.out; this program is compiled without it: add \"aten::add.out\" to its "
        "TENON_SELECTED_OPERATORS");
  check("another overload", refusal([&] { ops::sum(x, 0); }),
        "Could not find schema for aten::sum.dim_IntList; this program is compiled without it: add "
        "\"aten::sum.dim_IntList\" to its TENON_SELECTED_OPERATORS");
  Tensor half = ops::empty({2}, "dtype"_a = kHalf);
  for (auto& call : {+[](Tensor& t) { ops::fill_(t, 1); }, +[](Tensor& t) { ops::add(t, t); }})
    check("a dtype", refusal([&] { call(half); }),
          "this program is compiled without dtype float16; add \"float16\" to its TENON_SELECTED_DTYPES");
  check("a conversion", refusal([&] { x.to(kDouble); }),
        "this program is compiled without dtype float64; add \"float64\" to its TENON_SELECTED_DTYPES");
  struct : CallObserver {
    void begin(const ObservedCall&) override {}
    void end(const ObservedCall&) noexcept override {}
  } observer;
  check("observers of calls", refusal([&] { CallObserverGuard guard(observer); }),
        "this program is compiled with TENON_DISABLE_PER_OP_PROFILING, which leaves out observers of calls; compile it "
        "without");
  check_registrations();
  std::cout << failures << " failed\n";
  return failures != 0;
}
