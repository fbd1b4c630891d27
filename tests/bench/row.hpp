// What the parts of the benchmark share: a row is timed and printed as `name best_ns median_ns`.
#pragma once
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <string>
#include <utility>

#ifndef TENON_BENCH_PEER
#include <tenon/cpu/parallel.hpp>
#endif

namespace bench {

inline const char* only = nullptr;  // rows whose names hold this text; null for all

inline int rows = 0;  // printed so far

/// A function that prints rows; BENCH_PART makes one, main() runs them in the order of their names.
struct Part {
  const char* name;
  void (*run)();
  Part* next;
  inline static Part* first = nullptr;
  Part(const char* part, void (*body)()) : name(part), run(body), next(nullptr) {
    Part** at = &first;
    while (*at && std::strcmp((*at)->name, part) < 0) at = &(*at)->next;
    next = *at;
    *at = this;
  }
};

template <class T>
inline void keep(T&& v) {
  asm volatile("" : : "g"(&v) : "memory");
}

/// Seconds that n calls take. One place for them: a compiler copies a long f into one caller, not into several.
template <class F>
[[gnu::noinline]] double seconds_of(F& f, long n) {
  using clock = std::chrono::steady_clock;
  auto start = clock::now();
  for (long i = 0; i < n; ++i) f();
  return std::chrono::duration<double>(clock::now() - start).count();
}

/// Times f() in batches of about 20 ms, as the peer's program does; the best and the median of 15 batches.
template <class F>
void row(const std::string& name, F f) {
  if (only && !std::strstr(name.c_str(), only)) return;
  ++rows;
  seconds_of(f, 1);
  long n = 1;
  for (;;) {
    double seconds = seconds_of(f, n);
    if (seconds > 0.02 || n > (1L << 28)) break;
    n = seconds < 1e-4 ? n * 16 : static_cast<long>(static_cast<double>(n) * 0.024 / seconds) + 1;
  }
  double times[15];
  for (double& t : times) t = seconds_of(f, n) * 1e9 / static_cast<double>(n);
  std::sort(times, times + 15);
  std::printf("%-34s %14.1f %14.1f\n", name.c_str(), times[0], times[7]);
  std::fflush(stdout);
}

/// Calls f(suffix) with one thread, "/t1", and with two, "/t2".
template <class F>
void with_threads(F f) {
  int before = tenon::get_num_threads();
  for (int threads : {1, 2}) {
    tenon::set_num_threads(threads);
    f("/t" + std::to_string(threads));
  }
  tenon::set_num_threads(before);
}

}  // namespace bench

/// Followed by the body of a part: rows of one family.
#define BENCH_PART(NAME)                                      \
  static void bench_##NAME();                                 \
  static bench::Part bench_part_##NAME{#NAME, &bench_##NAME}; \
  static void bench_##NAME()
