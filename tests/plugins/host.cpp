// Calls operators on several threads while others register kernels and load and unload plugins; counts must be exact.
// Usage: host SECONDS THREADS PLUGIN...
#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

extern "C" TENON_EXPORT std::atomic<long> stress_executed;
std::atomic<long> stress_executed{0};

namespace {
using namespace tenon;

TENON_OPERATOR(shared, "_plug::shared(Tensor x) -> int");
TENON_OPERATOR(changed, "_plug::changed(Tensor x) -> int");

std::int64_t fallback_kernel(const Tensor&) {
  ++stress_executed;
  return 1;
}
TENON_LIBRARY(_plug, m) {
  m.def<shared>().def<changed>();
  m.impl<shared, &fallback_kernel>(DispatchKey::CompositeExplicitAutograd);
  m.impl<changed, &fallback_kernel>(DispatchKey::CompositeExplicitAutograd);
}

Tensor tensor_of(DispatchKey key) {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(4, kCPU), KeySet(key), kFloat, kCPU));
  t.impl().set_contiguous(IntArrayRef{1});
  return t;
}

int failures = 0;
void expect(bool ok, const std::string& what) {
  if (ok) return;
  ++failures;
  std::printf("FAILED: %s\n", what.c_str());
}

struct Plugin {
  std::string path;
  int number;
  void* open() const {
    void* p = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!p) std::printf("FAILED: %s\n", dlerror()), std::exit(1);
    return p;
  }
  template <class F>
  F* symbol(void* p, const char* name) const {
    return reinterpret_cast<F*>(dlsym(p, (name + std::to_string(number)).c_str()));
  }
};

/// One load and unload, step by step.
void check_one(const Plugin& plugin) {
  Tensor x = tensor_of(plugin.number % 2 ? DispatchKey::CPU : DispatchKey::CUDA);
  std::string own = "_plug::own" + std::to_string(plugin.number);
  expect(!Registry::get().find_op(own), own + " is there before its plugin");
  void* p = plugin.open();
  OperatorHandle handle = Registry::get().find_schema_or_throw(own, "");
  auto typed = handle.typed<std::int64_t(const Tensor&, std::int64_t)>();
  expect(typed.call(x, 3) == 10 * plugin.number + 3, "a typed call of a plugin's operator");
  expect(shared(x) == 100 + plugin.number, "a plugin's kernel for the program's operator");
  expect(
      plugin.symbol<std::int64_t(const Tensor*)>(p, "plugin_call")(&x) == 10 * plugin.number + 5 + 100 + plugin.number,
      "calls out of a plugin");
  {
    ExcludeDispatchKeyGuard guard(DispatchKey::Python);
    expect(plugin.symbol<bool(int)>(p, "plugin_excluded")(static_cast<int>(DispatchKey::Python)),
           "one set of thread-local words");
  }
  dlclose(p);
  expect(dlopen(plugin.path.c_str(), RTLD_NOW | RTLD_NOLOAD) == nullptr, plugin.path + " stays loaded");
  std::string said;
  try {
    typed.call(x, 3);
  } catch (const NotImplementedError& e) { said = e.what(); }
  expect(said.find("operator " + own + " was unregistered (defined at ") == 0, "a call after unloading says: " + said);
  expect(shared(x) == 1, "the program's own kernel is back");
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = std::atof(argv[1]);
  int n_threads = std::atoi(argv[2]);
  std::vector<Plugin> plugins;
  for (int i = 3; i < argc; ++i) plugins.push_back({argv[i], i - 3});
  check_registrations();
  Registry::get().set_override_policy(OverridePolicy::Allow);
  for (const auto& plugin : plugins) check_one(plugin);

  std::atomic<bool> stop{false};
  std::atomic<long> succeeded{0}, refused{0}, loads{0}, changes{0};
  stress_executed = 0;
  auto alive = std::make_shared<int>(0);
  std::vector<std::thread> threads;
  for (int t = 0; t < n_threads; ++t)
    threads.emplace_back([&, t] {
      Tensor x = tensor_of(t % 2 ? DispatchKey::CPU : DispatchKey::CUDA);
      std::vector<std::string> names;
      for (const auto& p : plugins)
        for (const char* base : {"_plug::own", "_plug::boxed"}) names.push_back(base + std::to_string(p.number));
      auto typed = shared.handle().typed<std::int64_t(const Tensor&)>();
      for (long i = 0; !stop; ++i) {
        std::int64_t r = i % 2 ? shared(x) : typed.call(x);
        expect(r == 1 || (r >= 100 && r < 100 + static_cast<std::int64_t>(plugins.size())),
               "shared gave " + std::to_string(r));
        ++succeeded;
        r = changed(x);
        expect(r >= 1 && r <= 3, "changed gave " + std::to_string(r));
        ++succeeded;
        const std::string& name = names[static_cast<std::size_t>(i) % names.size()];
        try {
          OperatorHandle op = Registry::get().find_schema_or_throw(name, "");
          Stack s{Value(x)};
          if (name[7] == 'o') s.emplace_back(4);  // own takes a number too
          op.call_boxed(s);
          ++succeeded;
        } catch (const NotImplementedError&) { ++refused; }
      }
    });
  threads.emplace_back([&] {
    for (int i = 0; !stop; ++i) {
      Library m(Library::Kind::Fragment, "_plug");
      m.impl("changed", i % 2 ? DispatchKey::CPU : DispatchKey::CUDA,
             [alive, i](const Tensor&) { return ++stress_executed, std::int64_t{2 + i % 2}; });
      m.def("other" + std::to_string(i % 100) + "(Tensor x) -> int",
            [alive](const Tensor&) { return std::int64_t{0}; });
      Library fallbacks(Library::Kind::Impl, "_", DispatchKey::VE);
      fallbacks.fallback([alive](const OperatorHandle&, Stack&) {});
      ++changes;
      if (i % 4 == 0) std::this_thread::yield();
    }
  });
  for (std::size_t k = 0; k < 2 && k < plugins.size(); ++k)
    threads.emplace_back([&, k] {
      for (std::size_t i = k; !stop; i += 2) {
        const Plugin& plugin = plugins[i % plugins.size()];
        void* p = plugin.open();
        std::this_thread::sleep_for(std::chrono::microseconds(100 * (i % 7)));
        dlclose(p);
        ++loads;
      }
    });
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (auto& t : threads) t.join();
  expect(succeeded == stress_executed,
         "calls that succeeded " + std::to_string(succeeded) + ", kernels that ran " + std::to_string(stress_executed));
  expect(alive.use_count() < 100, "kernels that were removed stay: " + std::to_string(alive.use_count()));
  for (const auto& plugin : plugins) check_one(plugin);
  std::printf("# %ld calls, %ld refused, %ld loads, %ld changes\n", succeeded.load(), refused.load(), loads.load(),
              changes.load());
  std::printf("%d passed, %d failed\n", failures ? 0 : 1, failures);
  return failures != 0;
}
