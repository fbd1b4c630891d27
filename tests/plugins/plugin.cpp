// A shared object that registers operators and kernels while it is loaded; PLUGIN is its number.
#include <atomic>
#include <memory>

#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

#define JOIN_(A, B) A##B
#define JOIN(A, B) JOIN_(A, B)
#define TEXT_(A) #A
#define TEXT(A) TEXT_(A)

extern "C" std::atomic<long> stress_executed;

namespace {
using namespace tenon;

TENON_OPERATOR(own, "_plug::own" TEXT(PLUGIN) "(Tensor x, int n=5) -> int");
TENON_OPERATOR(shared, "_plug::shared(Tensor x) -> int");

std::int64_t shared_kernel(const Tensor&) {
  ++stress_executed;
  return 100 + PLUGIN;
}
std::int64_t own_kernel(const Tensor&, std::int64_t n) {
  ++stress_executed;
  return 10 * PLUGIN + n;
}
struct WithState {
  std::shared_ptr<int> state = std::make_shared<int>(PLUGIN);
  void operator()(const OperatorHandle&, Stack& s) const {
    ++stress_executed;
    s = {Value(200 + *state)};
  }
};

TENON_LIBRARY_FRAGMENT(_plug, m) {
  m.def<own>();
  m.impl<own, &own_kernel>();
  m.impl<shared, &shared_kernel>(PLUGIN % 2 ? DispatchKey::CPU : DispatchKey::CUDA);
  m.def("boxed" TEXT(PLUGIN) "(Tensor x) -> int");
  m.impl("boxed" TEXT(PLUGIN), DispatchKey::CompositeExplicitAutograd, WithState{});
}
}  // namespace

/// Calls through this object's own declarations.
extern "C" TENON_EXPORT std::int64_t JOIN(plugin_call, PLUGIN)(const Tensor* x) { return own(*x) + shared(*x); }
/// Whether this object sees the thread-local words of the program.
extern "C" TENON_EXPORT bool JOIN(plugin_excluded, PLUGIN)(int key) {
  return is_excluded(static_cast<DispatchKey>(key));
}
