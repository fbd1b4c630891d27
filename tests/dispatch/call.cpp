// Calls: who runs, in which order, and what is said when nobody can. Case numbers are those of the dispatcher's cases.
#include <tenon/base/sym_expr.hpp>
#include <tenon/boxing/replace_tensors.hpp>
#include <tenon/dispatch/call.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

namespace {
std::vector<std::string> ran;
template <int N>
Tensor note(const Tensor& x) {
  static const char* names[] = {"composite", "cpu", "autograd", "autograd_cpu", "default", "cuda", "fpga"};
  ran.push_back(names[N]);
  return x;
}
std::string run(const Tensor& x, std::string_view name = "_test::foo") {
  ran.clear();
  boxed(op(name), x);
  std::string out;
  for (const auto& r : ran) (out += out.empty() ? "" : " ") += r;
  auto boxed_order = ran;
  ran.clear();
  op(name).typed<Tensor(const Tensor&)>().call(x);
  CHECK(ran == boxed_order);  // both ways run the same kernels
  return out;
}
/// A tensor of a backend that carries the autograd key behind which that backend stands.
Tensor with_autograd(K backend) {
  bool own = backend != K::FPGA && functionality_of(backend) == K::Dense;
  return tensor_of(KeySet{backend, K::ADInplaceOrView, own ? autograd_key_of(backend_of(backend)) : K::AutogradOther});
}
struct Foo {
  PlainFallbacks fallbacks;
  Library m = fragment();
  Foo() { m.def("foo(Tensor x) -> Tensor"); }
};
}  // namespace

TEST_CASE("cases 78 and 79: a composite kernel runs for every tensor, also before Autograd's", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", TENON_FN(&note<0>));
  for (K k : {K::CPU, K::XLA, K::Lazy, K::SparseCPU}) {
    CHECK(run(tensor_of(k)) == "composite");
    CHECK(run(with_autograd(k)) == "composite");
  }
  f.m.impl("foo", K::Autograd, TENON_FN(&note<2>));
  CHECK(run(cpu()) == "composite");
  CHECK(run(tensor_of(K::CPU)) == "composite");
}
TEST_CASE("case 80: CompositeImplicitAutograd and no key are one place", "[dispatch][call]") {
  Warnings quiet;
  Foo f;
  f.m.impl("foo", K::CompositeImplicitAutograd, TENON_FN(&note<4>)).impl("foo", K::CatchAll, TENON_FN(&note<0>));
  CHECK(run(cpu()) == "composite");
}
TEST_CASE("cases 81 and 83: backend before default before composite", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", TENON_FN(&note<0>)).impl("foo", K::CPU, TENON_FN(&note<1>));
  for (const Tensor& x : {tensor_of(K::CPU), cpu()}) CHECK(run(x) == "cpu");
  for (const Tensor& x : {tensor_of(K::CUDA), cuda()}) CHECK(run(x) == "composite");
  f.m.impl("foo", K::CompositeExplicitAutograd, TENON_FN(&note<4>));
  for (const Tensor& x : {tensor_of(K::CUDA), cuda(), tensor_of(K::SparseCPU), with_autograd(K::SparseCPU)})
    CHECK(run(x) == "default");
  CHECK(run(cpu()) == "cpu");
}
TEST_CASE("case 82: a default kernel runs for every backend, below the fallbacks of autograd", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CompositeExplicitAutograd, TENON_FN(&note<4>));
  for (K k : {K::CPU, K::XLA, K::Lazy, K::SparseCPU}) {
    CHECK(run(tensor_of(k)) == "default");
    CHECK(run(with_autograd(k)) == "default");
  }
}
TEST_CASE("a boxed call without a tensor names the argument that is none", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  CHECK_ERROR(boxed(op("_test::foo"), Value(2.5)), TypeError,
              "_test::foo(Tensor x) -> Tensor: argument 1 'x': expected Tensor, got 2.5");
  CHECK_ERROR_CONTAINS(boxed(op("_test::foo"), Value()), ValueError, "expected a defined Tensor, got an undefined one");
}
TEST_CASE("case 84: AutogradCPU before Autograd before the backend", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  CHECK(run(cpu()) == "cpu");
  f.m.impl("foo", K::Autograd, TENON_FN(&note<2>));
  CHECK(run(cpu()) == "autograd");
  f.m.impl("foo", K::AutogradCPU, TENON_FN(&note<3>));
  CHECK(run(cpu()) == "autograd_cpu");
}
TEST_CASE("case 85: an ambiguous AutogradOther says so", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::FPGA, TENON_FN(&note<6>)).impl("foo", TENON_FN(&note<0>));
  CHECK(run(tensor_of(K::FPGA)) == "fpga");
  Tensor x = tensor_of(KeySet{K::FPGA, K::AutogradOther});
  CHECK_ERROR_CONTAINS(
      boxed(op("_test::foo"), x), InternalError,
      "_test::foo has kernels registered to both CompositeImplicitAutograd and a backend mapped to AutogradOther. This makes the backend kernel unreachable;");
  CHECK_ERROR_CONTAINS(op("_test::foo").typed<Tensor(const Tensor&)>().call(x), InternalError,
                       "has kernels registered to both");
}
TEST_CASE("case 86: the backend of higher priority wins, whatever the order of the arguments", "[dispatch][call]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("two(Tensor a, Tensor b) -> str");
  m.impl("two", K::CPU, [](const Tensor&, const Tensor&) {
     return std::string("cpu");
   }).impl("two", K::PrivateUse1, [](const Tensor&, const Tensor&) { return std::string("private"); });
  Tensor p = tensor_of(KeySet{K::PrivateUse1, K::AutogradPrivateUse1});
  CHECK(boxed(op("_test::two"), p, cpu())[0] == Value("private"));
  CHECK(boxed(op("_test::two"), cpu(), p)[0] == Value("private"));
}
TEST_CASE("cases 87 and 92: each key runs its own kernel", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", DeviceType::CPU, TENON_FN(&note<1>))
      .impl("foo", Device(DeviceType::CUDA), TENON_FN(&note<5>))
      .impl("foo", K::FPGA, TENON_FN(&note<6>))
      .impl("foo", K::AutogradXLA, TENON_FN(&note<2>))
      .impl("foo", K::XLA, TENON_FN(&note<4>));
  CHECK(run(cpu()) == "cpu");
  CHECK(run(cuda()) == "cuda");
  for (const Tensor& x : {tensor_of(K::FPGA), with_autograd(K::FPGA)}) CHECK(run(x) == "fpga");
  CHECK(run(tensor_of(K::XLA)) == "default");
  CHECK(run(with_autograd(K::XLA)) == "autograd");
  CHECK_ERROR_CONTAINS(run(tensor_of(K::Lazy)), NotImplementedError,
                       "Could not run '_test::foo' with arguments from the 'Lazy' backend");
}
TEST_CASE("cases 88 to 91: Autograd kernels, with and without a guard", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::Autograd, TENON_FN(&note<2>));
  CHECK(run(cpu()) == "autograd");
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  CHECK(run(cpu()) == "autograd");
  {
    AutoDispatchBelowAutograd guard;
    CHECK(run(cpu()) == "cpu");
  }
  // The composite kernel is before Autograd's where no backend has one.
  f.m.impl("foo", TENON_FN(&note<0>));
  for (const Tensor& x : {tensor_of(K::CUDA), cuda()}) CHECK(run(x) == "composite");
  CHECK(run(cpu()) == "autograd");
}
TEST_CASE("cases 93 to 97: a backend's fallback serves what has no kernel", "[dispatch][call]") {
  Foo f;
  static std::string seen;
  auto fallback = Registry::get().override_fallback(
      K::CPU, Kernel([](const OperatorHandle& o, Stack&) { seen = o.name(); }), "here");
  auto call = [](const Tensor& x) {
    seen.clear();
    boxed(op("_test::foo"), x);
    return seen;
  };
  CHECK(call(cpu()) == "_test::foo");
  CHECK_ERROR_CONTAINS(call(cuda()), NotImplementedError,
                       "Could not run '_test::foo' with arguments from the 'CUDA' backend");
  f.m.impl("foo", K::CUDA, TENON_FN(&note<5>));
  CHECK(call(cuda()).empty());
  CHECK(call(cpu()) == "_test::foo");
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  CHECK(call(cpu()).empty());
}
TEST_CASE("case 98: a fallback of the wildcard namespace serves operators of any", "[dispatch][call]") {
  PlainFallbacks fallbacks;
  static int count = 0;
  Library all = impl(K::Tracer, "_");
  all.fallback([](const OperatorHandle& o, KeySet keys, Stack& s) {
    ++count;
    o.redispatch_boxed(keys & KeySet::full_after(K::Tracer), s);
  });
  Library a = fragment("_one"), b = fragment("_two");
  a.def("f", TENON_FN(&note<0>));
  b.def("f", TENON_FN(&note<0>));
  IncludeDispatchKeyGuard trace(K::Tracer);
  boxed(op("_one::f"), cpu());
  boxed(op("_two::f"), cpu());
  CHECK(count == 2);
}
TEST_CASE("case 99: BackendSelect is in every call and hands on", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::BackendSelect, [](KeySet keys, const Tensor& x) {
    ran.push_back("select");
    return op("_test::foo").typed<Tensor(const Tensor&)>().redispatch(keys & KeySet::full_after(K::BackendSelect), x);
  });
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  CHECK(run(tensor_of(K::CPU)) == "select cpu");
}
TEST_CASE("cases 100 and 101: kernels that take the keys hand on below themselves, boxed and unboxed",
          "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::Tracer, [](const OperatorHandle& o, KeySet keys, Stack& s) {
    ran.push_back("tracer");
    o.redispatch_boxed(keys & KeySet::full_after(K::Tracer), s);
  });
  f.m.impl("foo", K::AutogradCPU, [](KeySet keys, const Tensor& x) {
    ran.push_back("autograd");
    return op("_test::foo").typed<Tensor(const Tensor&)>().redispatch(keys & key_sets::after_autograd, x);
  });
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  // ADInplaceOrView is below and falls through only by the mask of a call, so the kernel takes it out as generated ones
  // do.
  Tensor x = tensor_of(KeySet{K::CPU, K::AutogradCPU, K::Tracer});
  ExcludeDispatchKeyGuard no_views(KeySet{K::ADInplaceOrView, K::BackendSelect});
  CHECK(run(x) == "tracer autograd cpu");
}
TEST_CASE("case 102: a mode excludes itself and calls on", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  auto mode =
      Registry::get().override_fallback(K::TESTING_ONLY_GenericMode, Kernel([](const OperatorHandle& o, Stack& s) {
                                          ExcludeDispatchKeyGuard off(K::TESTING_ONLY_GenericMode);
                                          ran.push_back("mode");
                                          o.call_boxed(s);
                                        }),
                                        "mode");
  IncludeDispatchKeyGuard on(K::TESTING_ONLY_GenericMode);
  CHECK(run(cpu()) == "mode cpu");
}
TEST_CASE("cases 103 and 104: a wrapper's fallback unwraps and wraps; an operator may fall through it",
          "[dispatch][call]") {
  // A tensor that owns no memory and stands for another.
  struct Wrapper : TensorImpl {
    explicit Wrapper(Tensor t)
        : TensorImpl(t.storage().impl(), KeySet{K::TESTING_ONLY_GenericWrapper, K::CPU}, t.dtype(), t.device()),
          inner(std::move(t)) {
      set_contiguous(inner.sizes());
    }
    Tensor inner;
  };
  static auto inner_of = [](const Tensor& t) { return static_cast<const Wrapper*>(t.unsafe_impl())->inner; };
  Foo f;
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  f.m.def("joined(Tensor[] list, Tensor plain) -> (Tensor, Tensor[])");
  f.m.impl("joined", K::CPU, [](TensorList list, const Tensor& plain) {
    return std::tuple(list[1], std::vector<Tensor>{plain, list[0]});
  });
  auto fallback = Registry::get().override_fallback(
      K::TESTING_ONLY_GenericWrapper, Kernel([](const OperatorHandle& o, Stack& s) {
        ran.push_back("wrapper");
        for (Value& v : s)
          detail::replace_tensors(v, [](Tensor& t) {
            if (t.keys().has(K::TESTING_ONLY_GenericWrapper)) t = inner_of(t);
          });
        o.call_boxed(s);
        for (Value& v : s) detail::replace_tensors(v, [](Tensor& t) { t = Tensor(make_intrusive<Wrapper>(t)); });
      }),
      "wrapper");
  Tensor inner = tensor_of(K::CPU), wrapped(make_intrusive<Wrapper>(inner));
  CHECK(run(wrapped) == "wrapper cpu");
  Tensor out = boxed(op("_test::foo"), wrapped)[0].to_tensor();
  CHECK((!out.is_same(wrapped) && out.keys() == wrapped.keys() && inner_of(out).is_same(inner)));
  Tensor plain = tensor_of(K::CPU), other(make_intrusive<Wrapper>(tensor_of(K::CPU)));
  Stack both = boxed(op("_test::joined"), Value::list({Value(wrapped), Value(other)}), plain);
  REQUIRE((both.size() == 2 && both[1].to_list().size() == 2));
  CHECK(inner_of(both[0].to_tensor()).is_same(inner_of(other)));
  CHECK(inner_of(both[1].to_list()[0].to_tensor()).is_same(plain));
  CHECK(inner_of(both[1].to_list()[1].to_tensor()).is_same(inner));
  f.m.impl("foo", K::TESTING_ONLY_GenericWrapper, fallthrough());
  CHECK(run(wrapped) == "cpu");
  CHECK(boxed(op("_test::foo"), wrapped)[0].to_tensor().is_same(wrapped));
}
TEST_CASE("case 105: every kind of kernel is taken by impl and by fallback", "[dispatch][call]") {
  PlainFallbacks fallbacks;
  int state = 3;
  struct Functor {
    int n;
    Tensor operator()(const Tensor& x) const { return x; }
  };
  Library m = fragment();
  m.def("foo(Tensor x) -> Tensor");
  m.impl("foo", K::CPU, &note<1>)
      .impl("foo", K::CUDA, TENON_FN(&note<5>))
      .impl("foo", K::FPGA, [state](const Tensor& x) { return state ? x : Tensor(); });
  m.impl("foo", K::XLA, Functor{1})
      .impl("foo", K::Tracer, fallthrough())
      .impl("foo", K::Meta, [](const OperatorHandle&, Stack&) {})
      .impl("foo", K::VE, [](const OperatorHandle&, KeySet, Stack&) {});
  for (K k : {K::CPU, K::CUDA, K::FPGA, K::XLA, K::Meta, K::VE}) {
    Tensor x = tensor_of(k);
    CHECK(op("_test::foo").typed<Tensor(const Tensor&)>().call(x).is_same(x));
    CHECK(boxed(op("_test::foo"), x)[0].to_tensor().is_same(x));
  }
  static int fell = 0;
  for (Kernel k : {Kernel([](const OperatorHandle&, Stack&) { ++fell; }),
                   Kernel([](const OperatorHandle&, KeySet, Stack&) { ++fell; }),
                   Kernel([state](const OperatorHandle&, Stack&) { fell += state; }), Kernel(fallthrough())}) {
    auto fallback = Registry::get().override_fallback(K::SparseVE, std::move(k), "here");
    if (Registry::get().tables().fallback_at(K::SparseVE)->is_fallthrough)
      CHECK_ERROR_CONTAINS(boxed(op("_test::foo"), tensor_of(K::SparseVE)), NotImplementedError, "falls through");
    else
      CHECK_NOTHROW(boxed(op("_test::foo"), tensor_of(K::SparseVE)));
  }
  CHECK(fell == 1 + 1 + 3);
}

TEST_CASE("cases 108, 109 and 111: a typed handle must have the kernels' type", "[dispatch][call]") {
  Library m = fragment();
  m.def("foo(Tensor x, int n) -> ()").impl("foo", [](const Tensor&, std::int64_t) {});
  std::string text;
  try {
    op("_test::foo").typed<void(const Tensor&, double)>();
  } catch (const TypeError& e) { text = e.what(); }
  CHECK(
      text.find(
          "\nTried to access or call an operator with a wrong signature.\n  operator: _test::foo(Tensor x, int n) -> ()\n    registered at ") ==
      0);
  CHECK(text.find("\n  correct signature:  void (tenon::Tensor const&, long)\n    registered at ") != text.npos);
  CHECK(
      text.find(
          "\n  accessed/called as: void (tenon::Tensor const&, double)\nThis likely happened in a call to OperatorHandle::typed<Return (Args...)>().") !=
      text.npos);
}
// The peer tells `int64_t` from `const int64_t&` and `Tensor` from `const Tensor&` and refuses; to ours they are one
// type, since a schema cannot tell them apart either (cases 106 and 121).
TEST_CASE("cases 106, 121, 130 and 131: values and references are one type", "[dispatch][call]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("foo(Tensor x, int n) -> int").impl("foo", K::CPU, [](const Tensor&, std::int64_t n) { return n; });
  m.impl("foo", K::CUDA, [](Tensor, const std::int64_t& n) { return n + 1; });
  CHECK(op("_test::foo").typed<std::int64_t(Tensor, const std::int64_t&)>().call(cpu(), 3) == 3);
  CHECK(op("_test::foo").typed<std::int64_t(const Tensor&, std::int64_t)>().call(cuda(), 3) == 4);
  m.def("sym(SymInt n) -> SymInt").impl("sym", K::CompositeExplicitAutograd, [](const SymInt& n) { return n + 1; });
  CHECK(op("_test::sym").typed<SymInt(SymInt)>().call(4) == 5);
}
TEST_CASE("a typed handle with plain integers serves an operator that returns symbolic ones", "[dispatch][call]") {
  Library m = fragment();
  using Ints = std::vector<std::int64_t>;
  m.def("inc(SymInt n) -> SymInt").impl("inc", K::CompositeExplicitAutograd, [](SymInt n) { return n + 1; });
  auto inc = op("_test::inc").typed<std::int64_t(std::int64_t)>();
  CHECK(inc.call(4) == 5);
  CHECK(inc.redispatch(KeySet(), 4) == 5);
  CHECK(op("_test::inc").typed<SymInt(SymInt)>().call(4) == 5);
  CHECK(op("_test::inc").typed<std::int64_t(SymInt)>().call(SymInt(6)) == 7);
  auto env = make_intrusive<SymEnv>();
  SymInt symbol = env->symbol(8);
  CHECK_THROWS_WITH(op("_test::inc").typed<std::int64_t(SymInt)>().call(symbol),
                    Catch::Contains("_test::inc: expected a plain int, got the symbolic value"));
  CHECK_THROWS_AS(op("_test::inc").typed<double(std::int64_t)>(), TypeError);
  // Of a tag's type, of a plain kernel's, of both kinds, and of results in lists and tuples.
  m.def("plain(SymInt n) -> SymInt").impl("plain", K::CompositeExplicitAutograd, [](std::int64_t n) { return n + 2; });
  CHECK(op("_test::plain").typed<std::int64_t(std::int64_t)>().call(4) == 6);
  m.def("size(Tensor x, int dim) -> SymInt").impl("size", K::CPU, [](const Tensor&, std::int64_t d) {
    return SymInt(d);
  });
  CHECK(op("_test::size").typed<std::int64_t(const Tensor&, std::int64_t)>().call(cpu(), 3) == 3);
  m.def("all(SymInt n) -> (SymInt[], SymInt)").impl("all", K::CompositeExplicitAutograd, [](const SymInt& n) {
    return std::tuple(std::vector<SymInt>{n, n + 1}, n);
  });
  auto all = op("_test::all").typed<std::tuple<Ints, std::int64_t>(std::int64_t)>();
  CHECK(all.call(1) == std::tuple(Ints{1, 2}, std::int64_t{1}));
}
TEST_CASE("quantised dtypes are made by the quantised key of their device", "[dispatch][call]") {
  using detail::factory_key, detail::FactoryTarget;
  const Device cpu(DeviceType::CPU), cuda(DeviceType::CUDA);
  for (ScalarType q : {ScalarType::QInt8, ScalarType::QUInt8, ScalarType::QInt32}) {
    CHECK(factory_key(q, Layout::Strided, cpu) == K::QuantizedCPU);
    CHECK(factory_key(q, Layout::Strided, cuda) == K::QuantizedCUDA);
    CHECK(factory_key(q, Layout::Sparse, cpu) == K::SparseCPU);
    CHECK_FALSE(FactoryTarget(std::optional<ScalarType>(q)).is_dense_cpu());
  }
  CHECK(factory_key(kFloat, Layout::Strided, cpu) == K::CPU);
  CHECK(FactoryTarget(std::optional<ScalarType>(), std::optional<Device>()).is_dense_cpu());
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("make(ScalarType? dtype=None, Device? device=None) -> str");
  using Sig = std::string(std::optional<ScalarType>, std::optional<Device>);
  static detail::OperatorSlot slot("_test::make");
  Registry::get().tables().join(slot);
  m.impl("make", K::BackendSelect, Kernel::from_entry(&detail::backend_select<Sig>::call, &slot));
  auto says = [](const char* text) {
    return [text](std::optional<ScalarType>, std::optional<Device>) { return std::string(text); };
  };
  m.impl("make", K::CPU, says("dense")).impl("make", K::QuantizedCPU, says("quantised"));
  CHECK(op("_test::make").typed<Sig>().call({}, {}) == "dense");
  CHECK(op("_test::make").typed<Sig>().call(kInt, {}) == "dense");
  CHECK(op("_test::make").typed<Sig>().call(ScalarType::QInt8, {}) == "quantised");
}
TEST_CASE("case 107: a type that differs is refused also between kernels", "[dispatch][call]") {
  Library m = fragment();
  m.def("foo(Tensor x, int n) -> ()").impl("foo", [](const Tensor&, std::int64_t) {});
  CHECK_ERROR_CONTAINS(m.impl("foo", K::CPU, [](const Tensor&, double) {}), RegistrationError,
                       "Mismatch in kernel C++ signatures");
}
TEST_CASE("cases 116 to 119: what a mismatch with the schema says", "[dispatch][call]") {
  Library m = fragment();
  m.def("foo(Tensor x, int n) -> (Tensor, int)");
  auto reason = [&](Kernel kernel) {
    try {
      m.impl("foo", K::CPU, std::move(kernel));
    } catch (const RegistrationError& e) {
      std::string text = e.what();
      return text.substr(text.find("reason: ") + 8);
    }
    return std::string("none");
  };
  CHECK(reason([](const Tensor& x) { return std::tuple(x, std::int64_t{1}); }) ==
        "The number of arguments is different. 2 vs 1.");
  CHECK(reason([](const Tensor& x, double) { return std::tuple(x, std::int64_t{1}); }) ==
        "Type mismatch in argument 2: int vs float.");
  CHECK(reason([](const Tensor& x, std::int64_t) { return x; }) == "The number of returns is different. 2 vs 1");
  CHECK(reason([](const Tensor&, std::int64_t) {}) == "The number of returns is different. 2 vs 0");
  CHECK(reason([](const Tensor& x, std::int64_t) { return std::tuple(x, x); }) ==
        "Type mismatch in return 2: int vs Tensor.");
  CHECK(reason([](const Tensor& x, std::int64_t) { return std::tuple(x, std::int64_t{1}); }) == "none");
}

TEST_CASE("quirk 8: an operator that was unregistered says where it was", "[dispatch][call]") {
  PlainFallbacks fallbacks;
  OperatorHandle handle;
  std::optional<decltype(handle.typed<Tensor(const Tensor&)>())> typed;
  int line = 0;
  Library k = impl(K::CPU);
  k.impl("gone", TENON_FN(&note<1>));
  {
    Library m = fragment();
    line = __LINE__ + 1;
    m.def("gone(Tensor x) -> Tensor");
    handle = op("_test::gone");
    typed.emplace(handle.typed<Tensor(const Tensor&)>());
    typed->call(cpu());
  }
  std::string expected = concat("operator _test::gone was unregistered (defined at ", __FILE__, ":", line, ")");
  CHECK_FALSE(handle.is_current());
  CHECK_ERROR(boxed(handle, cpu()), NotImplementedError, expected);
  CHECK_ERROR(typed->call(tensor_of(K::CUDA)), NotImplementedError, expected);
  CHECK_ERROR((void)handle.typed<Tensor(const Tensor&)>(), NotImplementedError, expected);
  // Defined again with the same schema, the handle works; with another it does not.
  {
    Library again = fragment();
    again.def("gone(Tensor x) -> Tensor");
    CHECK_NOTHROW(boxed(handle, cpu()));
    CHECK_NOTHROW(typed->call(cpu()));
  }
  k.reset();
  Library other = fragment();
  other.def("gone(Tensor x, Tensor y) -> Tensor", [](const Tensor& x, const Tensor&) { return x; });
  CHECK_ERROR_CONTAINS(boxed(handle, cpu()), NotImplementedError,
                       "operator _test::gone was unregistered and defined again with another schema");
  CHECK_ERROR_CONTAINS(typed->call(cpu()), TypeError, "Tried to access or call an operator with a wrong signature.");
}

TEST_CASE("quirk 9: when every key falls through, the error says that", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CPU, fallthrough());
  CHECK_ERROR_CONTAINS(
      boxed(op("_test::foo"), cpu()), NotImplementedError,
      "every key of the call DispatchKeySet(CPU, BackendSelect, ADInplaceOrView, AutogradCPU) falls through");
  f.m.def("list(Tensor[] x) -> ()");
  CHECK_ERROR_CONTAINS(
      boxed(op("_test::list"), Value::list({})), NotImplementedError,
      "There were no tensor arguments to this function (e.g., you passed an empty list of Tensors), but no fallback function is registered for schema _test::list.");
}

TEST_CASE("quirk 14: keys come from lists, optionals, generators and nested values, in both ways of calling",
          "[dispatch][call]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("list(Tensor[] x) -> str").impl("list", K::CPU, [](TensorList) { return std::string("cpu"); });
  m.def("maybe(Tensor? x) -> str")
      .impl("maybe", K::CPU, [](const std::optional<Tensor>&) { return std::string("cpu"); })
      .impl("maybe", K::CompositeExplicitAutograd, [](const std::optional<Tensor>&) { return std::string("default"); });
  m.def("nested(Dict(str, Tensor[]) x) -> str").impl("nested", K::CPU, [](const OperatorHandle&, Stack& s) {
    s.back() = Value("cpu");
  });
  CHECK(boxed(op("_test::list"), Value::list({Value(cpu())}))[0] == Value("cpu"));
  Tensor t[] = {cpu()};
  CHECK(op("_test::list").typed<std::string(TensorList)>().call(t) == "cpu");
  CHECK(boxed(op("_test::maybe"), cpu())[0] == Value("cpu"));
  CHECK(boxed(op("_test::maybe"), Value())[0] == Value("default"));
  CHECK(boxed(op("_test::nested"), Value::dict({{Value("k"), Value::list({Value(cpu())})}}))[0] == Value("cpu"));
}

TEST_CASE("a boxed call with too few values is refused", "[dispatch][call]") {
  Foo f;
  Stack empty;
  CHECK_ERROR(op("_test::foo").call_boxed(empty), ValueError, "_test::foo: expected 1 arguments on the stack, got 0");
}
TEST_CASE("values below the arguments stay", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", TENON_FN(&note<0>));
  Stack s{Value(1), Value("below"), Value(cpu())};
  op("_test::foo").call_boxed(s);
  REQUIRE(s.size() == 3);
  CHECK((s[0] == Value(1) && s[1] == Value("below")));
}
TEST_CASE("calling a fallthrough directly is an error of the caller", "[dispatch][call]") {
  Foo f;
  f.m.impl("foo", K::CPU, fallthrough());
  Stack s{Value(cpu())};
  CHECK_ERROR_CONTAINS(op("_test::foo").redispatch_boxed(KeySet(K::CPU), s), InternalError,
                       "fallthrough_kernel was executed but it should have been short-circuited by the dispatcher.");
}

TEST_CASE("a trace shows every dispatch with its key and its depth", "[dispatch][trace]") {
  Foo f;
  f.m.impl("foo", K::BackendSelect, [](KeySet keys, const Tensor& x) {
    return op("_test::foo").typed<Tensor(const Tensor&)>().redispatch(keys & KeySet::full_after(K::BackendSelect), x);
  });
  f.m.impl("foo", K::CPU, TENON_FN(&note<1>));
  Trace trace;
  Tensor x = tensor_of(K::CPU);
  op("_test::foo").typed<Tensor(const Tensor&)>().call(x);
  boxed(op("_test::foo"), x);
  CHECK(trace.lines == std::vector<std::string>{"[call] _test::foo BackendSelect",
                                                "[kernel] _test::foo BackendSelect unboxed",
                                                "[redispatch] _test::foo CPU", "[kernel] _test::foo CPU unboxed",
                                                "[callBoxed] _test::foo BackendSelect", "[redispatch] _test::foo CPU",
                                                "[kernel] _test::foo CPU unboxed"});
}

TEST_CASE("a boxed symbolic value that meets a plain kernel is named with its operator and argument",
          "[dispatch][call]") {
  Library m = fragment();
  m.def("sym(Tensor x, SymInt[] s, SymInt k, Scalar c=1) -> Tensor");
  m.impl("sym", K::CPU, [](const Tensor& x, IntArrayRef, std::int64_t, const Scalar&) { return x; });
  m.def("outer(Tensor x, SymInt k) -> Tensor");
  m.impl("outer", K::CPU, [](const OperatorHandle&, Stack& stack) {
    Stack inner{stack[stack.size() - 2], Value::list({Value(1)}), stack.back(), Value(1)};
    op("_test::sym").call_boxed(inner);
  });
  auto env = make_intrusive<SymEnv>();
  Value n = env->symbol(4);
  auto message = [](std::string_view place, std::string_view got) {
    return concat("_test::sym(Tensor x, SymInt[] s, SymInt k, Scalar c=1) -> Tensor: argument ", place,
                  ": expected plain integers, got ", got,
                  "; register a kernel that takes SymInt, or call guard_int() on the value");
  };
  Value list = Value::list({Value(1)}), symbolic = Value::list({Value(1), n});
  CHECK_ERROR(boxed(op("_test::sym"), cpu(), symbolic, 3, 1), TypeError, message("2 's'", "[1, s0]"));
  CHECK_ERROR(boxed(op("_test::sym"), cpu(), list, n, 1), TypeError, message("3 'k'", "s0"));
  CHECK_ERROR(boxed(op("_test::sym"), cpu(), list, 3, n), TypeError, message("4 'c'", "s0"));
  CHECK_ERROR(boxed(op("_test::outer"), cpu(), n), TypeError, message("3 'k'", "s0"));
  Stack stack{Value(cpu()), list, n, Value(1)};
  CHECK_ERROR(op("_test::sym").redispatch_boxed(K::CPU, stack), TypeError, message("3 'k'", "s0"));
  CHECK_ERROR(op("_test::sym").call_boxed_for_key(K::CPU, stack), TypeError, message("3 'k'", "s0"));
  CHECK(boxed(op("_test::sym"), cpu(), list, 3, 1).size() == 1);
  // Read where no argument of an operator is.
  CHECK_ERROR_CONTAINS(n.to_int(), TypeError, "Value::to_int(): expected a plain int, got the symbolic value s0");
}
