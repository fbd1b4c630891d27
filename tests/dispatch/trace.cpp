// The dispatch trace: what a callback is told, how nesting shows, and the environment's switch for a whole program.
#include <string>
#include <thread>

#include <tenon/dispatch/call.hpp>

#include "child.hpp"
#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace {

using Unary = Tensor(const Tensor&, std::int64_t);
Tensor count_down(const Tensor& x, std::int64_t n) {
  if (n == 0) return x;
  if (n < 0) fail<ValueError>("below zero");
  return op("_trace::count").typed<Unary>().call(x, n - 1);
}
Tensor below(KeySet keys, const Tensor& x, std::int64_t n) {
  return op("_trace::count").typed<Unary>().redispatch(keys & key_sets::after_autograd, x, n);
}
void boxed_fallback(const OperatorHandle& o, KeySet keys, Stack& stack) {
  o.redispatch_boxed(keys & key_sets::after_autograd, stack);
}
struct Operators {
  PlainFallbacks fallbacks;
  Library m = fragment("_trace");
  Tensor x = cpu();
  Operators() {
    m.def("count(Tensor x, int n) -> Tensor");
    m.impl("count", K::AutogradCPU, TENON_FN(&below)).impl("count", K::CPU, TENON_FN(&count_down));
    m.def("boxed(Tensor x, int n) -> Tensor").impl("boxed", K::AutogradCPU, &boxed_fallback);
    m.impl("boxed", K::CPU, TENON_FN(&count_down));
  }
  Tensor call(std::int64_t n) { return op("_trace::count").typed<Unary>().call(x, n); }
};
/// Lines with the depth in front.
class Depths {
 public:
  std::vector<std::string> lines;

 private:
  DispatchTraceGuard guard_{[](const TraceEvent& e, void* self) {
                              if (e.kind != TraceKind::Kernel)
                                static_cast<Depths*>(self)->lines.push_back(concat(e.depth, " ", e.kind, " ", e.key));
                            },
                            this};
};
using Lines = std::vector<std::string>;

/// What the hidden test below prints with the environment's switch.
std::string child(const char* value, const char* other = "") {
  return support::child(concat("TENON_SHOW_DISPATCH_TRACE=", value, " ", other), "trace_child");
}

}  // namespace

TEST_CASE("the calls that a traced program makes", "[.][trace_child]") {
  Operators f;
  f.call(1);
  std::thread([&] { boxed(op("_trace::boxed"), f.x, std::int64_t{0}); }).join();
}
TEST_CASE("an unboxed call of a boxed kernel in a traced program", "[.][boxed_trace_child]") {
  Operators f;
  op("_trace::boxed").typed<Unary>().call(f.x, 0);
}

TEST_CASE("the environment's switch prints every dispatch of every thread, indented by its depth",
          "[dispatch][trace]") {
  const std::string lines =
      " [call] op=[_trace::count], key=[AutogradCPU]\n"
      "  [redispatch] op=[_trace::count], key=[CPU]\n"
      "   [call] op=[_trace::count], key=[AutogradCPU]\n"
      "    [redispatch] op=[_trace::count], key=[CPU]\n"
      " [callBoxed] op=[_trace::boxed], key=[AutogradCPU]\n"
      "  [redispatchBoxed] op=[_trace::boxed], key=[CPU]\n";
  CHECK(child("1") == lines);
  CHECK(child("0") == "");
  CHECK(child("yes") == "ignoring invalid value for TENON_SHOW_DISPATCH_TRACE: yes valid values are 0 or 1.\n");
}

// A boxed call has its arguments as the kernel wants them, or unpacks them: only an unboxed call goes by a way.
TEST_CASE("a second switch of the environment says how each kernel is called", "[dispatch][trace]") {
  CHECK(child("1", "TENON_SHOW_KERNEL_PATHS=1") ==
        " [call] op=[_trace::count], key=[AutogradCPU]\n"
        " callUnboxedKernelFunction with unboxed\n"
        "  [redispatch] op=[_trace::count], key=[CPU]\n"
        "  callUnboxedKernelFunction with unboxed\n"
        "   [call] op=[_trace::count], key=[AutogradCPU]\n"
        "   callUnboxedKernelFunction with unboxed\n"
        "    [redispatch] op=[_trace::count], key=[CPU]\n"
        "    callUnboxedKernelFunction with unboxed\n"
        " [callBoxed] op=[_trace::boxed], key=[AutogradCPU]\n"
        "  [redispatchBoxed] op=[_trace::boxed], key=[CPU]\n");
  CHECK(support::child("TENON_SHOW_DISPATCH_TRACE=1 TENON_SHOW_KERNEL_PATHS=1", "boxed_trace_child") ==
        " [call] op=[_trace::boxed], key=[AutogradCPU]\n"
        " call impl::BoxedKernelWrapper\n"
        "  [redispatchBoxed] op=[_trace::boxed], key=[CPU]\n");
}

TEST_CASE("each dispatch within another is one deeper", "[dispatch][trace]") {
  Operators f;
  Depths depths;
  f.call(1);
  CHECK(depths.lines ==
        Lines{"1 [call] AutogradCPU", "2 [redispatch] CPU", "3 [call] AutogradCPU", "4 [redispatch] CPU"});
  depths.lines.clear();
  boxed(op("_trace::boxed"), f.x, std::int64_t{1});
  CHECK(depths.lines ==
        Lines{"1 [callBoxed] AutogradCPU", "2 [redispatchBoxed] CPU", "3 [call] AutogradCPU", "4 [redispatch] CPU"});
  // A call that throws leaves the depth as it was.
  depths.lines.clear();
  CHECK_THROWS_AS(f.call(-1), ValueError);
  f.call(0);
  CHECK(depths.lines ==
        Lines{"1 [call] AutogradCPU", "2 [redispatch] CPU", "1 [call] AutogradCPU", "2 [redispatch] CPU"});
}

TEST_CASE("trace guards nest: the innermost is told, and only on its thread", "[dispatch][trace]") {
  Operators f;
  Depths outer;
  f.call(0);
  CHECK(outer.lines.size() == 2);
  {
    Depths inner;
    f.call(0);
    CHECK(inner.lines.size() == 2);
    std::thread([&] {
      f.call(0);
      Depths other;
      f.call(0);
      CHECK(other.lines == Lines{"1 [call] AutogradCPU", "2 [redispatch] CPU"});
    }).join();
    CHECK(inner.lines.size() == 2);
  }
  CHECK(outer.lines.size() == 2);
  f.call(0);
  CHECK(outer.lines.size() == 4);
}

TEST_CASE("a guard within a call begins at its depth", "[dispatch][trace]") {
  static Lines seen;
  Operators f;
  f.m.def("watch(Tensor x) -> Tensor").impl("watch", K::CPU, [](const Tensor& x) {
    Depths depths;
    Tensor y = op("_trace::count").typed<Unary>().call(x, 0);
    seen = depths.lines;
    return y;
  });
  Depths outer;
  op("_trace::watch").typed<Tensor(const Tensor&)>().call(f.x);
  CHECK(outer.lines == Lines{"1 [call] CPU"});
  CHECK(seen == Lines{"2 [call] AutogradCPU", "3 [redispatch] CPU"});
}

TEST_CASE("the printed line is that of the peer", "[dispatch][trace]") {
  CHECK(to_string(TraceKind::Call) == "[call]");
  CHECK(to_string(TraceKind::Redispatch) == "[redispatch]");
  CHECK(to_string(TraceKind::CallBoxed) == "[callBoxed]");
  CHECK(to_string(TraceKind::RedispatchBoxed) == "[redispatchBoxed]");
  CHECK(to_string(TraceKind::Kernel) == "[kernel]");
}
