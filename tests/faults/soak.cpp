// Mixed calls on several threads for a time, while operators are defined and go again: the process must not grow.
// soak [SECONDS]; an hour by hand, less in the tests. Plugins that come and go are `./dev stress`.
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#include <tenon/tenon.hpp>

#include <tenon/data/npy.hpp>
#include <tenon/func.hpp>
#include <tenon/profiler.hpp>

using namespace tenon;

namespace {

constexpr double kMostGrowth = 24;  // MiB after the first quarter: threads' caches of blocks fill by and by

std::atomic<bool> stop{false};
std::atomic<long> rounds{0};
std::atomic<int> failures{0};

double resident() {
  long pages = 0, of_process = 0;
  if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
    if (std::fscanf(file, "%ld %ld", &pages, &of_process) != 2) of_process = 0;
    std::fclose(file);
  }
  return static_cast<double>(of_process * ::sysconf(_SC_PAGESIZE)) / (1 << 20);
}

Tensor twice(const Tensor& self) { return self + self; }

void step(long i) {
  Tensor x = ops::randn({8 + i % 17, 12}), w = ops::randn({5, 12}).requires_grad_();
  Tensor loss = ops::cross_entropy_loss(ops::linear(x, w), ops::randint(5, {x.size(0)}));
  loss.backward();
  if (w.grad().numel() != 60) ++failures;
  switch (i % 6) {
    case 0: func::vmap([](const Tensor& t) { return t.softmax(0).sum(); })(x); break;
    case 1: {
      Tensor back = data::decode_npy(data::encode_npy(x));
      if (back.sizes() != x.sizes()) ++failures;
      break;
    }
    case 2: {
      profiler::Profiler profiler({.shapes = true, .memory = true});
      ops::add(x, x).sum();
      if (profiler.profile().tracks.empty()) ++failures;
      break;
    }
    case 3: {
      try {
        ops::mm(x, ops::ones({13, 2}));
        ++failures;
      } catch (const Error&) {}
      break;
    }
    case 4: {
      Stack stack{x, x, 2};
      OperatorHandle(Registry::get().find("aten::add.Tensor")).call_boxed(stack);
      break;
    }
    default: {
      Tensor big = ops::ones({300, 300}), sorted = std::get<0>(big.sort(0, false));
      if ((sorted.matmul(big)).numel() != 90000) ++failures;
    }
  }
}

void define() {
  while (!stop) {
    Library library(Library::Kind::Fragment, "soak");
    library.def("twice(Tensor self) -> Tensor");
    library.impl("twice", DispatchKey::CPU, TENON_FN(twice));
    Stack stack{ops::ones({3})};
    OperatorHandle(Registry::get().find("soak::twice")).call_boxed(stack);
    if (stack[0].to_tensor().numel() != 3) ++failures;
  }
}

}  // namespace

int main(int argc, char** argv) {
  double seconds = argc > 1 ? std::atof(argv[1]) : 60;
  std::vector<std::thread> threads;
  for (int t = 0; t < 3; ++t)
    threads.emplace_back([t] {
      for (long i = t; !stop; ++i, ++rounds) step(i);
    });
  threads.emplace_back(define);
  auto wait = [](double s) { std::this_thread::sleep_for(std::chrono::duration<double>(s)); };
  wait(seconds / 4);
  double before = resident();
  wait(seconds * 3 / 4);
  double after = resident();
  stop = true;
  for (std::thread& t : threads) t.join();
  bool held = failures == 0 && after - before <= kMostGrowth && rounds > 100;
  std::printf("%ld rounds in %.0f s, %d failures, %.1f MiB after a quarter, %.1f at the end\n%d passed, %d failed\n",
              rounds.load(), seconds, failures.load(), before, after, held, !held);
  return !held;
}
