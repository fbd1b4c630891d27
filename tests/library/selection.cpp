// Selective builds. This unit keeps what the two lists name, as a program does by options of its compiler. Case numbers
// are those of the dispatcher's test cases.
#define TENON_SELECTED_OPERATORS "_selected::kept;_selected::kept.overload"
#define TENON_SELECTED_KEYS "CPU;AutogradCPU"

#include <tenon/library/selection.hpp>

#include "support.hpp"

using namespace support;
using K = DispatchKey;

TENON_LIBRARY(_selected, m) {
  m.def(TENON_SELECTIVE("_selected::kept(Tensor x) -> ()"));
  m.def(TENON_SELECTIVE("_selected::kept.overload(Tensor x) -> ()"), &count_cuda);
  m.def(TENON_SELECTIVE("_selected::omitted(Tensor x) -> ()"), {"core"});
  m.def(TENON_SELECTIVE("_selected::kept.omitted(Tensor x) -> ()"), &count_cuda);
  m.def("_selected::always(Tensor x) -> ()");
  m.impl(TENON_SELECTIVE("_selected::omitted"), K::CPU, &count_cpu);
}
TENON_LIBRARY_IMPL(_selected, CPU, m) { m.impl(TENON_SELECTIVE("_selected::kept"), &count_cpu); }
TENON_LIBRARY_IMPL(_selected, CUDA, m) { m.impl(TENON_SELECTIVE("_selected::kept"), &count_cuda); }
TENON_LIBRARY_IMPL(_selected, AutogradCPU, m) { m.impl("always", fallthrough()); }

TEST_CASE("case 186: membership of a list is decided by the compiler", "[library][selection]") {
  STATIC_REQUIRE(selection_contains("a;bc;d", "a"));
  STATIC_REQUIRE(selection_contains("a;bc;d", "bc"));
  STATIC_REQUIRE(selection_contains("a;bc;d", "d"));
  STATIC_REQUIRE_FALSE(selection_contains("a;bc;d", "b"));
  STATIC_REQUIRE_FALSE(selection_contains("a;bc;d", "e"));
  STATIC_REQUIRE_FALSE(selection_contains("a;bc;d", ""));
  STATIC_REQUIRE(selection_contains("a;bc;d;", ""));
  STATIC_REQUIRE_FALSE(selection_contains("abc", "ab"));
  STATIC_REQUIRE(is_selected("my::f;my::g.out", "my::g.out(Tensor x, *, Tensor(a!) out) -> Tensor(a!)"));
  STATIC_REQUIRE_FALSE(is_selected("my::f;my::g.out", "my::g(Tensor x) -> Tensor"));
  STATIC_REQUIRE(is_selected(nullptr, "my::anything"));
  STATIC_REQUIRE(is_selected("CPU;CUDA", K::CUDA));
  STATIC_REQUIRE_FALSE(is_selected("CPU;CUDA", K::AutogradCUDA));
  CHECK_ERROR(is_selected(nullptr, "f(Tensor x) -> ()"), ValueError,
              "TENON_SELECTIVE(\"f\"): expected NAMESPACE::NAME");
}

TEST_CASE("case 197: of a selection only what it lists is registered", "[library][selection]") {
  CHECK_NOTHROW(check_registrations());
  CHECK(Registry::get().find_schema("_selected::kept"));
  CHECK(Registry::get().find_schema("_selected::kept.overload"));
  CHECK(Registry::get().find_schema("_selected::always"));
  for (auto name : {"_selected::omitted", "_selected::kept.omitted"}) {
    CHECK_FALSE(Registry::get().find_op(name));
    CHECK_ERROR_CONTAINS(op(name), NotImplementedError, concat("Could not find schema for ", name, "; "));
  }
}

TEST_CASE("W2: a block of a key that the selection leaves out registers nothing", "[library][selection]") {
  CHECK(entry("_selected::kept").kernel_at(K::CPU));
  CHECK_FALSE(entry("_selected::kept").kernel_at(K::CUDA));
  CHECK(entry("_selected::always").kernel_at(K::AutogradCPU));
}
