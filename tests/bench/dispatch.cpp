// Calls without arithmetic, registration and the memory of an operator.
#include <malloc.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include <tenon/library/function.hpp>
#include <tenon/library/library.hpp>

#include "row.hpp"

using namespace tenon;
using bench::keep;
using bench::row;

namespace {

TENON_OPERATOR(noop2, "tenon_bench::noop2(Tensor a, Tensor b) -> int");
TENON_OPERATOR(noop2_bare, "tenon_bench::noop2_bare(Tensor a, Tensor b) -> int");
TENON_OPERATOR(first2, "tenon_bench::first2(Tensor a, Tensor b) -> Tensor");
TENON_OPERATOR(sized, "tenon_bench::sized(Tensor a, SymInt[] size) -> int");
TENON_OPERATOR(sized_plain, "tenon_bench::sized_plain(Tensor a, SymInt[] size) -> int");
TENON_OPERATOR(boxed_only, "tenon_bench::boxed_only(Tensor a, Tensor b) -> int");

[[gnu::noinline]] std::int64_t noop2_kernel(const Tensor&, const Tensor&) {
  asm volatile("");
  return 0;
}
[[gnu::noinline]] Tensor first2_kernel(const Tensor& a, const Tensor&) {
  asm volatile("");
  return a;
}
[[gnu::noinline]] std::int64_t sized_kernel(const Tensor&, SymIntArrayRef s) { return s[0].as_int_unchecked(); }
[[gnu::noinline]] std::int64_t sized_plain_kernel(const Tensor&, IntArrayRef s) { return s[0]; }

TENON_LIBRARY(tenon_bench, m) {
  m.def<noop2>().def<noop2_bare>().def<first2>().def<sized>().def<sized_plain>().def<boxed_only>();
}
TENON_LIBRARY_IMPL(tenon_bench, CPU, m) {
  m.impl<noop2, &noop2_kernel>()
      .impl<noop2_bare, &noop2_kernel>()
      .impl<first2, &first2_kernel>()
      .impl<sized, &sized_kernel>()
      .impl<sized_plain, &sized_plain_kernel>();
  m.impl<boxed_only>([](const OperatorHandle&, Stack& s) {
    s.resize(s.size() - 1);
    s.back() = Value(0);
  });
}
// Five keys that pass the call on; noop2_bare keeps what the library does where nothing is registered.
TENON_LIBRARY_IMPL(tenon_bench, Autograd, m) {
  m.impl<noop2>(fallthrough())
      .impl<first2>(fallthrough())
      .impl<sized>(fallthrough())
      .impl<sized_plain>(fallthrough())
      .impl<boxed_only>(fallthrough());
}
TENON_LIBRARY_IMPL(tenon_bench, Tracer, m) { m.impl<noop2>(fallthrough()); }
TENON_LIBRARY_IMPL(tenon_bench, Functionalize, m) { m.impl<noop2>(fallthrough()); }
TENON_LIBRARY_IMPL(tenon_bench, Conjugate, m) { m.impl<noop2>(fallthrough()); }

Tensor tensor_of(KeySet keys) {
  Tensor t(make_intrusive<TensorImpl>(StorageImpl::create(4, kCPU), keys, kFloat, kCPU));
  t.impl().set_contiguous(IntArrayRef{1});
  return t;
}

void registration() {
  constexpr int n = 10'000;
  if (bench::only && !std::strstr("dispatch/register", bench::only) && !std::strstr("dispatch/memory", bench::only))
    return;
  std::vector<double> define, implement;
  std::size_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    std::vector<std::string> schemas, names;
    for (int i = 0; i < n; ++i) {
      names.push_back("op_" + std::to_string(round) + "_" + std::to_string(i));
      schemas.push_back(names.back() + "(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
    }
    auto seconds = [](auto start) {
      return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / n;
    };
    Library m(Library::Kind::Fragment, "tenon_bench_many");
    auto before = mallinfo2();
    auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i) m.def(schemas[static_cast<std::size_t>(i)]);
    define.push_back(seconds(start));
    auto defined = mallinfo2();
    start = std::chrono::steady_clock::now();
    for (int i = 0; i < n; ++i)
      m.impl(names[static_cast<std::size_t>(i)], DispatchKey::CPU,
             [](const Tensor& a, const Tensor&, const Scalar&) { return a; });
    implement.push_back(seconds(start));
    bytes = (defined.uordblks - before.uordblks) / n;
    if (round == 2) {
      auto implemented = mallinfo2();
      std::printf("# dispatch/memory: %zu bytes an operator, %zu more with a kernel\n", bytes,
                  (implemented.uordblks - defined.uordblks) / n);
    }
  }
  for (auto [name, times] : {std::pair{"dispatch/register/def", &define}, {"dispatch/register/impl", &implement}}) {
    std::sort(times->begin(), times->end());
    std::printf("%-34s %14.1f %14.1f\n", name, (*times)[0], (*times)[1]);
  }
}

}  // namespace

BENCH_PART(dispatch) {
  check_registrations();
  KeySet dense{DispatchKey::CPU, DispatchKey::AutogradCPU, DispatchKey::ADInplaceOrView, DispatchKey::AutocastCPU};
  Tensor a = tensor_of(dense), b = tensor_of(dense);
  std::int64_t (*volatile direct)(const Tensor&, const Tensor&) = noop2_kernel;
  row("dispatch/direct", [&] { keep(direct(a, b)); });
  row("dispatch/noop2", [&] { keep(noop2(a, b)); });
  row("dispatch/noop2/unregistered_autograd", [&] { keep(noop2_bare(a, b)); });
  Tensor x = tensor_of(DispatchKey::CPU), y = tensor_of(DispatchKey::CPU);
  row("dispatch/noop2/inference", [&] { keep(noop2(x, y)); });
  row("dispatch/first2", [&] { keep(first2(a, b)); });
  OperatorHandle handle = noop2.handle();
  row("dispatch/noop2/boxed", [&] {
    Stack s;
    s.reserve(2);
    s.emplace_back(a);
    s.emplace_back(b);
    handle.call_boxed(s);
    keep(s);
  });
  row("dispatch/boxed_kernel", [&] { keep(boxed_only(a, b)); });
  auto typed = Registry::get()
                   .find_schema_or_throw("tenon_bench::noop2", "")
                   .typed<std::int64_t(const Tensor&, const Tensor&)>();
  row("dispatch/noop2/typed_handle", [&] { keep(typed.call(a, b)); });
  KeySet below(DispatchKey::CPU);
  row("dispatch/redispatch", [&] { keep(noop2.redispatch(below, a, b)); });
  Tensor five = tensor_of(dense | KeySet{DispatchKey::Tracer, DispatchKey::Functionalize, DispatchKey::Conjugate});
  row("dispatch/fallthrough5", [&] { keep(noop2(five, b)); });
  std::int64_t sizes[] = {2, 3};
  SymIntArrayRef symbolic = as_sym_ints(IntArrayRef(sizes, 2));
  row("dispatch/sym_list", [&] { keep(sized(a, symbolic)); });
  row("dispatch/sym_list/plain_kernel", [&] { keep(sized_plain(a, symbolic)); });
  registration();
}
