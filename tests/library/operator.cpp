// Declared operators: calls with defaults, keywords and lists, by the compiler's check of the schema.
#include <tenon/library/operator.hpp>

#include <tenon/base/sym_expr.hpp>
#include <tenon/library/function.hpp>
#include <tenon/library/operators.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace facts_said {
TENON_OPERATOR(viewed_, "_ops::viewed_(Tensor(a!) self) -> Tensor(a!)", method_only, no_device_check, no_device_guard,
               Tag::inplace_view);
TENON_OPERATORS(said, (base, "_ops::said(Tensor self) -> Tensor", with_method, Tag::core, Tag::pointwise),
                (Generated, "_ops::said.Generated(Tensor self, int n) -> Tensor", with_method, inplace_function,
                 no_device_check, Tag::pointwise, inplace_tags(), out_tags({Tag::generated})));
TENON_OPERATORS_OUT(unsaid, "_ops::unsaid(Tensor self) -> Tensor");
}  // namespace facts_said
using namespace facts_said;

namespace {

TENON_OPERATOR(
    record,
    "_ops::record(Tensor self, Tensor other, int n=3, *, Scalar alpha=1, float f=1e-3, bool b=True, str s=\"abc\", int[2] l=7, ScalarType? t=None, Device d=\"cpu\") -> str");
TENON_OPERATOR(sum_all, "_ops::sum(Tensor self) -> str");
TENON_OPERATOR(sum_dims, "_ops::sum.dims(Tensor self, int[] dims, bool keepdim=False) -> str");
TENON_OPERATOR(sum_number, "_ops::sum.number(Tensor self, Scalar number) -> str");
TENON_FUNCTION(sum, sum_all, sum_dims, sum_number);
TENON_OPERATOR(write_, "_ops::write_(Tensor(a!) self) -> Tensor(a!)");
TENON_OPERATOR(write_out, "_ops::write.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
TENON_OPERATOR(resize, "_ops::resize(Tensor self, SymInt[] size, SymInt n=2) -> SymInt");
TENON_FUNCTION(resized, resize);
TENON_OPERATOR(only_plain, "_ops::only_plain(SymInt[] size) -> int");
TENON_OPERATOR(listed, "_ops::listed(Tensor[] list) -> int");
TENON_OPERATOR(late, "_ops::late(Tensor x) -> int");

std::string record_kernel(const Tensor&, const Tensor&, std::int64_t n, const Scalar& alpha, double f, bool b,
                          std::string_view s, IntArrayRef l, std::optional<ScalarType> t, Device d) {
  return concat(n, " ", alpha, " ", f == 1e-3, " ", b, " ", s, " ", l, " ", t ? to_string(*t) : "none", " ", d);
}

struct Operators {
  PlainFallbacks fallbacks;
  Library m = fragment("_ops");
  Operators() {
    m.def<record>()
        .def<sum_all>()
        .def<sum_dims>()
        .def<sum_number>()
        .def<write_>()
        .def<write_out>()
        .def<resize>()
        .def<only_plain>()
        .def<listed>();
    m.impl<record, &record_kernel>(K::CPU);
  }
};

}  // namespace

TEST_CASE("the C++ type of an operator follows from its schema", "[library][operator]") {
  STATIC_REQUIRE(std::is_same_v<signature_t<write_>, Tensor&(Tensor&)>);
  STATIC_REQUIRE(std::is_same_v<signature_t<resize>, SymInt(const Tensor&, SymIntArrayRef, SymInt)>);
  STATIC_REQUIRE(std::is_same_v<signature_t<sum_dims>, std::string(const Tensor&, IntArrayRef, bool)>);
  STATIC_REQUIRE(std::is_same_v<canonical_t<signature_t<record>>, signature_t<record>>);
  STATIC_REQUIRE(std::is_same_v<canonical_t<signature_t<resize>>, signature_t<resize>>);
}

TEST_CASE("defaults come from the schema, keywords in any order", "[library][operator]") {
  Operators ops;
  Tensor x = cpu();
  CHECK(record(x, x) == "3 1 True True abc [7, 7] none cpu");
  CHECK(record(x, x, 4, "b"_a = false, "alpha"_a = 2.5) == "4 2.5 True False abc [7, 7] none cpu");
  CHECK(record("other"_a = x, "self"_a = x, "l"_a = {1, 2}, "t"_a = kLong, "s"_a = "x") ==
        "3 1 True True x [1, 2] " + std::string(to_string(kLong)) + " cpu");
  // One number is a list of one, as in the C++ of the peer; match_arguments fills a list of fixed length.
  int small = 9;
  CHECK(record(x, x, small, "l"_a = small) == "9 1 True True abc [9] none cpu");
  CHECK(boxed(record.handle(), x, x, 3, 1, 1e-3, true, "abc", Value::list({Value(7), Value(7)}), Value(), kCPU)[0] ==
        Value("3 1 True True abc [7, 7] none cpu"));
}

TEST_CASE("an overload set calls what fits with the fewest conversions", "[library][function]") {
  Operators ops;
  ops.m.impl<sum_all>([](const Tensor&) { return std::string("all"); });
  ops.m.impl<sum_dims>([](const Tensor&, IntArrayRef dims, bool keep) { return concat("dims ", dims, " ", keep); });
  ops.m.impl<sum_number>([](const Tensor&, const Scalar& n) { return concat("number ", n); });
  Tensor x = cpu();
  CHECK(sum(x) == "all");
  CHECK(sum(x, {1, 2}) == "dims [1, 2] False");
  CHECK(sum(x, {1, 2}, "keepdim"_a = true) == "dims [1, 2] True");
  CHECK(sum(x, 5) == "number 5");
}

TEST_CASE("written arguments are returned as the caller's own", "[library][operator]") {
  Operators ops;
  ops.m.impl<write_>([](Tensor& self) -> Tensor& { return self; });
  ops.m.impl<write_out>([](const OperatorHandle&, Stack& s) { s.erase(s.begin()); });
  Tensor a = cpu(), b = cpu();
  CHECK(&write_(a) == &a);
  CHECK(&write_out(a, "out"_a = b) == &b);
}

TEST_CASE("case 135: a list of tensors brings the keys of its elements", "[library][operator]") {
  Operators ops;
  ops.m.impl<listed>(K::CPU, [](TensorList l) { return static_cast<std::int64_t>(l.size()); });
  Tensor x = cpu();
  CHECK(listed(std::vector<Tensor>{x, x, x}) == 3);
}

TEST_CASE("case 120: of two kernels the plain one takes plain integers, the symbolic one the rest",
          "[library][sym_int]") {
  Operators ops;
  static std::string ran;
  // One kernel in each form at one key cannot be; the backend's is plain, the default is symbolic.
  ops.m.impl<resize>(
      K::CPU, [](const Tensor&, IntArrayRef size, std::int64_t n) { return ran = "plain", SymInt(size[0] * n); });
  ops.m.impl<resize>(K::CompositeExplicitAutograd,
                     [](const Tensor&, SymIntArrayRef size, SymInt n) { return ran = "symbolic", size[0] * n; });
  CHECK(resized(cpu(), {4}) == 8);
  CHECK(ran == "plain");
  CHECK(resized(cuda(), {4}, 5) == 20);
  CHECK(ran == "symbolic");
  auto env = make_intrusive<SymEnv>();
  SymInt s = env->symbol(6);
  SymInt sizes[] = {s};
  CHECK(to_string(resize(cuda(), sizes, s + 1)) == "s0 + s0*s0");
  CHECK_ERROR(
      resize(cpu(), sizes), TypeError,
      "_ops::resize: argument 2 is symbolic, and the kernel takes plain integers; register a kernel that takes SymInt, or call guard_int() on the value");
  CHECK(resized(cpu(), {s.guard_int()}) == 12);
  CHECK(env->guards().size() == 1);
  // Boxed, symbols stay symbols.
  Stack stack{Value(cuda()), Value::list({Value(s)}), Value(2)};
  resize.handle().call_boxed(stack);
  CHECK(to_string(stack[0].to_sym_int()) == "2*s0");
  CHECK_ERROR_CONTAINS(boxed(resize.handle(), cpu(), Value::list({Value(s)}), 2), TypeError, "plain int");
}

TEST_CASE("a symbolic operator is reached by plain typed handles too", "[library][sym_int]") {
  Operators ops;
  ops.m.impl<only_plain>(K::CompositeExplicitAutograd, [](SymIntArrayRef s) { return s[0].expect_int(); });
  CHECK(only_plain.handle().typed<std::int64_t(SymIntArrayRef)>().call(
            SymIntArrayRef{}.size() == 0 ? as_sym_ints(IntArrayRef{5}) : SymIntArrayRef{}) == 5);
  CHECK(only_plain.handle().typed<std::int64_t(IntArrayRef)>().call(IntArrayRef{6}) == 6);
}

TEST_CASE("a declared operator is called as soon as somebody defines and implements it", "[library][operator]") {
  PlainFallbacks fallbacks;
  try {
    late(cpu());
    FAIL("called without a definition");
  } catch (const NotImplementedError& e) {
    CHECK(std::string_view(e.what()).find("Could not find schema for _ops::late; ") == 0);
  }
  {
    Library m = fragment("_ops");
    m.def("late(Tensor x) -> int", [](const Tensor&) { return std::int64_t{8}; });
    CHECK(late(cpu()) == 8);
  }
  CHECK_ERROR_CONTAINS(late(cpu()), NotImplementedError, "operator _ops::late was unregistered (defined at ");
  // Another definition of the name has another type, and that is noticed.
  Library m = fragment("_ops");
  m.def("late(Tensor x, int n) -> int", [](const Tensor&, std::int64_t n) { return n; });
  CHECK_ERROR_CONTAINS(late(cpu()), TypeError, "Tried to access or call an operator with a wrong signature.");
}

TEST_CASE("a kernel of another type cannot stand beside a declaration", "[library][operator]") {
  Operators ops;
  CHECK_ERROR_CONTAINS(ops.m.impl("sum", K::CPU, [](const Tensor&) { return std::int64_t{1}; }), RegistrationError,
                       "Mismatch in kernel C++ signatures");
  CHECK_NOTHROW(ops.m.impl("sum", K::CPU, [](Tensor) { return std::string("by value"); }));
  CHECK(sum(cpu()) == "by value");
}

TEST_CASE("facts stand beside the schema, and forms have them from their operator", "[library][operator]") {
  STATIC_REQUIRE(viewed_.facts() == OperatorFacts{{Tag::inplace_view}, Variants::Method, false, false});
  STATIC_REQUIRE(said_base.facts() == OperatorFacts{{Tag::core, Tag::pointwise}, Variants::Both});
  STATIC_REQUIRE(said_base_.facts() == OperatorFacts{{Tag::pointwise}, Variants::Method});
  STATIC_REQUIRE(said_base_out.facts() == OperatorFacts{{Tag::pointwise}, Variants::Function});
  STATIC_REQUIRE(said_Generated_.facts() == OperatorFacts{{}, Variants::Both, false});
  STATIC_REQUIRE(said_Generated_out.facts() == OperatorFacts{{Tag::generated}, Variants::Function, false});
  STATIC_REQUIRE(unsaid_base.facts() == OperatorFacts{});
  STATIC_REQUIRE(unsaid_base_out.facts() == OperatorFacts{});

  Library m = fragment("_ops");
  m.def<viewed_>().def<said_base>({"reduction"}).def<said_base_out>();
  CHECK(entry("_ops::viewed_").facts() ==
        OperatorFacts{{Tag::inplace_view, Tag::inplace}, Variants::Method, false, false});
  CHECK(entry("_ops::said").tags() == TagSet{Tag::core, Tag::pointwise, Tag::reduction});
  CHECK(entry("_ops::said.out").tags() == TagSet{Tag::pointwise, Tag::out});
  CHECK_ERROR_CONTAINS(m.def<said_base_>({"pointwize"}), RegistrationError,
                       "def(\"_ops::said_\"): there is no tag 'pointwize'; the tags are core, cudagraph_unsafe, ");
}
