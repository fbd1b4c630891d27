// Opens a plugin, calls its operators by name, and looks whether it shares what a process has one of.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#ifdef HEADERS_ALONE
#include <tenon/autograd/mode.hpp>
#include <tenon/dispatch/call.hpp>
#include <tenon/library.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/generator.hpp>
#else
#include <tenon/tenon.hpp>
#endif
#ifdef WITH_BODIES
#include <tenon/bodies_core.hpp>
#endif

namespace {
using namespace tenon;

int failures = 0;
void expect(bool ok, const char* what) {
  if (ok) return;
  ++failures;
  std::printf("FAILED: %s\n", what);
}
OperatorHandle find(const char* name) { return Registry::get().find_schema_or_throw(name, ""); }
}  // namespace

int main(int, char** argv) {
  void* plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  if (!plugin) {
    std::puts(dlerror());
    return 1;
  }
  float numbers[6] = {1, 2, 3, 4, 5, 6};
  Tensor x = from_blob(numbers, {2, 3}, kFloat);
  expect(find("plug::one").typed<std::int64_t(const Tensor&)>().call(x) == 3, "an operator of the plugin");
  {
    NoGradGuard guard;
    expect(!find("plug::records").typed<bool()>().call(), "the plugin sees the program's guards");
  }
#ifndef HEADERS_ALONE
  Tensor y = find("plug::twice").typed<Tensor(const Tensor&)>().call(x);
  expect(ops::equal(y, x + x), "the plugin calls the program's kernels");
  manual_seed(7);
  Tensor drawn = ops::rand({3});
  default_generator().manual_seed(7);
  expect(ops::equal(drawn, ops::rand({3})), "one source of random numbers");
  expect(find("plug::seed").typed<std::int64_t()>().call() == 7, "the plugin sees the program's seed");
  set_default_dtype(kDouble);
  expect(get_default_dtype() == kDouble && ops::ones({1}).dtype() == kDouble, "one dtype of fresh tensors");
  set_num_threads(2);
  expect(get_num_threads() == 2, "one pool of threads");
#endif
#ifdef UNLOADS
  dlclose(plugin);
  expect(std::getenv("STAYS") || !Registry::get().find_op("plug::one"),
         "what a plugin that was unloaded had registered is gone");
#endif
  std::puts(failures ? "failed" : "passed");
  return failures != 0;
}
