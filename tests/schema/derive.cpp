#include <tenon/schema/derive.hpp>

#include <catch.hpp>

#include <tenon/schema/parse.hpp>
#include <tenon/schema/function_schema.hpp>

using namespace tenon;
using namespace tenon::schema;

namespace {

std::string inplace(std::string_view text, std::string_view overload = {}) {
  auto s = FunctionSchema::parse(text);
  Derived d = derive_inplace(s, nullptr, overload);
  if (d.why != derivation::ok) return {};
  std::string out(d.size, '\0');
  derive_inplace(s, out.data(), overload);
  FunctionSchema::parse(out);
  return out;
}
std::string out(std::string_view text, std::string_view overload = {}) {
  auto s = FunctionSchema::parse(text);
  Derived d = derive_out(s, nullptr, overload);
  if (d.why != derivation::ok) return {};
  std::string out(d.size, '\0');
  derive_out(s, out.data(), overload);
  FunctionSchema::parse(out);
  return out;
}
derivation why_inplace(std::string_view text) { return derive_inplace(FunctionSchema::parse(text)).why; }
derivation why_out(std::string_view text) { return derive_out(FunctionSchema::parse(text)).why; }

}  // namespace

// Expected texts are aten's own siblings.
TEST_CASE("the in-place form writes its first argument", "[schema][derive]") {
  CHECK(inplace("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor") ==
        "aten::add_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  CHECK(inplace("aten::abs(Tensor self) -> Tensor") == "aten::abs_(Tensor(a!) self) -> Tensor(a!)");
  CHECK(inplace("aten::__lshift__.Scalar(Tensor self, Scalar other) -> Tensor") ==
        "aten::__ilshift__.Scalar(Tensor(a!) self, Scalar other) -> Tensor(a!)");
  CHECK(inplace("aten::_foreach_abs(Tensor[] self) -> Tensor[]") == "aten::_foreach_abs_(Tensor(a!)[] self) -> ()");
  CHECK(inplace("aten::squeeze(Tensor(a) self) -> Tensor(a)") == "aten::squeeze_(Tensor(a!) self) -> Tensor(a!)");
  CHECK(inplace("f(Tensor(a # ) x\n) self) -> Tensor(a)") == "f_(Tensor(a!) self) -> Tensor(a!)");
  CHECK(inplace("f.x(Tensor self) -> Tensor", "y") == "f_.y(Tensor(a!) self) -> Tensor(a!)");
  CHECK(inplace("f.x(Tensor self) -> Tensor", "") == "f_(Tensor(a!) self) -> Tensor(a!)");
  CHECK(inplace("f(Tensor self, Tensor(a) x) -> Tensor") == "f_(Tensor(b!) self, Tensor(a) x) -> Tensor(b!)");
}

TEST_CASE("the in-place form needs a tensor in and one out", "[schema][derive]") {
  CHECK(why_inplace("f() -> Tensor") == derivation::first_argument_is_not_a_tensor);
  CHECK(why_inplace("f(Tensor? x) -> Tensor") == derivation::first_argument_is_not_a_tensor);
  CHECK(why_inplace("f(Tensor(a!) x) -> Tensor") == derivation::first_argument_is_already_written);
  CHECK(why_inplace("f(Tensor x) -> int") == derivation::result_is_not_a_tensor);
  CHECK(why_inplace("f(Tensor x) -> (Tensor, Tensor)") == derivation::more_than_one_result);
}

TEST_CASE("the out form takes the caller's memory for each result", "[schema][derive]") {
  CHECK(out("aten::add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor") ==
        "aten::add.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
  CHECK(out("aten::abs(Tensor self) -> Tensor") == "aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK(out("aten::bitwise_and.Scalar(Tensor self, Scalar other) -> Tensor") ==
        "aten::bitwise_and.Scalar_out(Tensor self, Scalar other, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK(out("aten::_foreach_abs(Tensor[] self) -> Tensor[]") ==
        "aten::_foreach_abs.out(Tensor[] self, *, Tensor(a!)[] out) -> ()");
  CHECK(
      out("aten::ones(SymInt[] size, *, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None) -> Tensor") ==
      "aten::ones.out(SymInt[] size, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK(
      out("aten::linalg_qr(Tensor A, str mode=\"reduced\") -> (Tensor Q, Tensor R)") ==
      "aten::linalg_qr.out(Tensor A, str mode=\"reduced\", *, Tensor(a!) Q, Tensor(b!) R) -> (Tensor(a!) Q, Tensor(b!) R)");
  CHECK(
      out("aten::var_mean.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> (Tensor, Tensor)") ==
      "aten::var_mean.correction_out(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False, "
      "Tensor(a!) out0, Tensor(b!) out1) -> (Tensor(a!), Tensor(b!))");
  CHECK(
      out("aten::max.dim(Tensor self) -> (Tensor values, Tensor indices)", "dim_max") ==
      "aten::max.dim_max(Tensor self, *, Tensor(a!) values, Tensor(b!) indices) -> (Tensor(a!) values, Tensor(b!) indices)");
  CHECK(out("f(Tensor x, Tensor(a!) stats) -> Tensor") ==
        "f.out(Tensor x, Tensor(a!) stats, *, Tensor(b!) out) -> Tensor(b!)");
  CHECK(out("f() -> Tensor") == "f.out(*, Tensor(a!) out) -> Tensor(a!)");
  CHECK(out("f(\n  Tensor x,  # first, (a)\n  *,\n  int y=1) -> Tensor") ==
        "f.out(Tensor x, *, int y=1, Tensor(a!) out) -> Tensor(a!)");
  CHECK(why_out("f(Tensor x) -> ()") == derivation::result_is_not_a_tensor);
  CHECK(why_out("f(Tensor x) -> (Tensor, int)") == derivation::result_is_not_a_tensor);
  CHECK(why_out("f(Tensor x) -> (Tensor x, Tensor)") == derivation::result_names_an_argument);
  CHECK(why_out("f(Tensor out1) -> (Tensor, Tensor)") == derivation::result_names_an_argument);
  CHECK(why_out("f(Tensor out) -> Tensor") == derivation::result_names_an_argument);
}

TEST_CASE("more results than letters get longer alias names", "[schema][derive]") {
  std::string text = "f() -> (Tensor";
  for (int i = 1; i < 30; ++i) text += ", Tensor";
  auto s = FunctionSchema::parse(out(text + ")"));
  CHECK(s->n_args() == 30);
  for (std::size_t i = 0; i < 30; ++i) CHECK(s->type(s->arg(i)).before == AliasSet{1} << i);
}

namespace {
constexpr std::string_view text = "aten::sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor";
constexpr Counts room = count(text);
constexpr auto functional = parse<room.args, room.returns, room.types>(text);
constexpr auto made_inplace = inplace_text<derive_inplace(functional.view(text)).size>(functional.view(text));
constexpr auto made_out = out_text<derive_out(functional.view(text)).size>(functional.view(text));
constexpr Counts room_inplace = count(made_inplace.view()), room_out = count(made_out.view());
constexpr auto parsed_inplace = parse<room_inplace.args, room_inplace.returns, room_inplace.types>(made_inplace.view());
constexpr auto parsed_out = parse<room_out.args, room_out.returns, room_out.types>(made_out.view());
static_assert(parsed_inplace.head.ok() && parsed_inplace.args[0].write);
static_assert(parsed_out.head.ok() && parsed_out.view(made_out.view()).is_out(3));
static_assert(parsed_out.view(made_out.view()).find_argument("out") == 3);
}  // namespace

TEST_CASE("derived texts are made and parsed at compile time", "[schema][derive]") {
  CHECK(made_inplace.view() == "aten::sub_.Tensor(Tensor(a!) self, Tensor other, *, Scalar alpha=1) -> Tensor(a!)");
  CHECK(made_out.view() == "aten::sub.out(Tensor self, Tensor other, *, Scalar alpha=1, Tensor(a!) out) -> Tensor(a!)");
}
