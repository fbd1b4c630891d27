// The walkthroughs of the source documents that follow a call, with empty kernels in place of arithmetic.
#include <tenon/dispatch/call.hpp>

#include "registry_support.hpp"

using namespace support;
using K = DispatchKey;

TEST_CASE("W6 and W7: add goes to Autograd, below it to the backend, and BackendSelect is never run",
          "[dispatch][walkthrough]") {
  PlainFallbacks fallbacks;
  static std::vector<KeySet> seen;
  seen.clear();
  Library m = fragment();
  m.def("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.impl("add.Tensor", K::Autograd, [](KeySet keys, const Tensor& a, const Tensor& b, const Scalar& alpha) {
    seen.push_back(keys);
    AutoDispatchBelowADInplaceOrView guard;
    if (alpha.equal(13)) fail<ValueError>("unlucky");
    return op("_test::add", "Tensor").typed<Tensor(const Tensor&, const Tensor&, const Scalar&)>().call(a, b, alpha);
  });
  m.impl("add.Tensor", K::CUDA, [](KeySet keys, const Tensor& a, const Tensor&, const Scalar&) {
    seen.push_back(keys);
    return a;
  });
  Tensor x = tensor_of(KeySet{K::CUDA, K::AutogradCUDA}), y = tensor_of(KeySet{K::CUDA, K::AutogradCUDA});
  auto add = op("_test::add", "Tensor").typed<Tensor(const Tensor&, const Tensor&, const Scalar&)>();
  LocalKeys before = local_keys();
  {
    Trace trace;
    add.call(x, y, 1);
    CHECK(trace.lines == std::vector<std::string>{
                             "[call] _test::add.Tensor AutogradCUDA", "[kernel] _test::add.Tensor AutogradCUDA unboxed",
                             "[call] _test::add.Tensor CUDA", "[kernel] _test::add.Tensor CUDA unboxed"});
  }
  REQUIRE(seen.size() == 2);
  // Round 1: the tensors' keys and BackendSelect, nothing excluded. Round 2: the autograd keys are excluded.
  CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CUDA, K::AutogradCUDA, K::BackendSelect, K::ADInplaceOrView});
  {
    AutoDispatchBelowADInplaceOrView below;
    for (K k : {K::AutogradCPU, K::AutogradCUDA, K::AutogradXLA}) CHECK_FALSE(with_local_keys(KeySet(k)).has(k));
    CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CUDA, K::BackendSelect});
  }
  // What falls through is no longer in the sets that kernels get.
  CHECK(seen[0] == KeySet{K::CUDA, K::AutogradCUDA});
  CHECK(seen[1] == KeySet(K::CUDA));
  CHECK((seen[0] & key_sets::after_autograd) == KeySet(K::CUDA));
  CHECK_THROWS_AS(add.call(x, y, 13), ValueError);
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
}

TEST_CASE("W9: a factory without tensors goes to BackendSelect, which picks the backend", "[dispatch][walkthrough]") {
  PlainFallbacks fallbacks;
  Library m = fragment();
  m.def("randn(SymInt[] size, *, Device? device=None) -> Tensor");
  m.impl("randn", K::BackendSelect, [](KeySet, SymIntArrayRef size, std::optional<Device> device) {
    KeySet chosen(dispatch_key_of(device.value_or(kCPU).type));
    return op("_test::randn").typed<Tensor(SymIntArrayRef, std::optional<Device>)>().redispatch(chosen, size, device);
  });
  m.impl("randn", K::CPU, [](IntArrayRef, std::optional<Device>) { return cpu(); });
  Trace trace;
  op("_test::randn")
      .typed<Tensor(SymIntArrayRef, std::optional<Device>)>()
      .call(as_sym_ints(IntArrayRef{3, 3}), std::nullopt);
  CHECK(trace.lines == std::vector<std::string>{"[call] _test::randn BackendSelect",
                                                "[kernel] _test::randn BackendSelect sym",
                                                "[redispatch] _test::randn CPU", "[kernel] _test::randn CPU sym"});
}

// The walkthrough's numbers, 274877939713 and 32769, are these sets where backends have 15 bits and
// AutogradFunctionality is the 24th functionality; our words are those of the present peer.
TEST_CASE("W7: the key sets of add on CPU are those of the stack trace", "[dispatch][walkthrough]") {
  PlainFallbacks fallbacks;
  static std::vector<KeySet> given;
  static std::string order;
  given.clear();
  order.clear();
  using Add = Tensor(const Tensor&, const Tensor&, const Scalar&);
  Library m = fragment();
  m.def("add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor");
  m.impl("add.Tensor", K::AutogradCPU, [](KeySet keys, const Tensor& a, const Tensor& b, const Scalar& alpha) {
    given.push_back(keys);
    order += "autograd ";
    KeySet below = keys & key_sets::after_autograd;
    given.push_back(below);
    return op("_test::add", "Tensor").typed<Add>().redispatch(below, a, b, alpha);
  });
  m.impl("add.Tensor", K::CPU, [](const Tensor& a, const Tensor&, const Scalar&) {
    order += "cpu ";
    return a;
  });
  Trace trace;
  op("_test::add", "Tensor").typed<Add>().call(cpu(), cpu(), 1);
  CHECK(order == "autograd cpu ");
  CHECK(given == std::vector<KeySet>{KeySet{K::CPU, K::AutogradCPU}, KeySet(K::CPU)});
  CHECK(trace.lines == std::vector<std::string>{
                           "[call] _test::add.Tensor AutogradCPU", "[kernel] _test::add.Tensor AutogradCPU unboxed",
                           "[redispatch] _test::add.Tensor CPU", "[kernel] _test::add.Tensor CPU unboxed"});
}

TEST_CASE("W16: one boxed kernel serves operators of every shape, called either way", "[dispatch][walkthrough]") {
  PlainFallbacks fallbacks;
  Warnings quiet;
  static int served = 0;
  served = 0;
  // Returns what a written argument is, else the first tensor, as often as the schema has results.
  auto fallback = Registry::get().override_fallback(
      K::CPU, Kernel([](const OperatorHandle& o, KeySet keys, Stack& s) {
        ++served;
        CHECK(keys.highest_priority() == K::CPU);
        const auto& schema = o.schema();
        std::vector<Value> args(s.end() - static_cast<std::ptrdiff_t>(schema.n_args()), s.end());
        s.resize(s.size() - args.size());
        std::vector<Value> written;
        for (std::size_t i = 0; i < args.size(); ++i)
          if (schema.arg(i).write) written.push_back(args[i]);
        for (std::size_t i = 0; i < schema.n_returns(); ++i) s.push_back(i < written.size() ? written[i] : args[0]);
      }),
      "everything");
  Library m = fragment();
  m.def("narrow(Tensor(a) self, int dim, int start, int length) -> Tensor(a)")
      .def("maybe(Tensor self, Tensor? w, int[] sizes, Scalar s, bool b, ScalarType? t=None) -> Tensor")
      .def("joined(Tensor[] tensors, int dim=0) -> Tensor[]")
      .def("norm(Tensor self, Tensor other) -> (Tensor, Tensor, Tensor)")
      .def("add_(Tensor(a!) self, Tensor other) -> Tensor(a!)")
      .def("sin.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)")
      .def("max.out(Tensor self, *, Tensor(a!) max, Tensor(b!) at) -> (Tensor(a!), Tensor(b!))");
  Tensor x = cpu(), y = cpu(), z = cpu();
  CHECK(op("_test::narrow")
            .typed<Tensor(const Tensor&, std::int64_t, std::int64_t, std::int64_t)>()
            .call(x, 0, 0, 1)
            .is_same(x));
  CHECK(boxed(op("_test::narrow"), x, 0, 0, 1)[0].to_tensor().is_same(x));
  using Maybe =
      Tensor(const Tensor&, const std::optional<Tensor>&, IntArrayRef, const Scalar&, bool, std::optional<ScalarType>);
  CHECK(op("_test::maybe").typed<Maybe>().call(x, std::nullopt, IntArrayRef{2, 3}, 1.5, true, kFloat).is_same(x));
  CHECK(boxed(op("_test::maybe"), x, Value(), Value::list({Value(2)}), 1.5, true, Value())[0].to_tensor().is_same(x));
  Tensor list[] = {x, y};
  auto joined = op("_test::joined").typed<std::vector<Tensor>(TensorList, std::int64_t)>().call(list, 0);
  REQUIRE(joined.size() == 2);
  CHECK((joined[0].is_same(x) && joined[1].is_same(y)));
  CHECK(boxed(op("_test::joined"), Value::list({Value(x), Value(y)}), 0)[0].to_list().size() == 2);
  auto three = op("_test::norm").typed<std::tuple<Tensor, Tensor, Tensor>(const Tensor&, const Tensor&)>().call(x, y);
  CHECK(std::get<2>(three).is_same(x));
  CHECK(boxed(op("_test::norm"), x, y).size() == 3);
  CHECK(&op("_test::add_").typed<Tensor&(Tensor&, const Tensor&)>().call(x, y) == &x);
  CHECK(boxed(op("_test::add_"), x, y)[0].to_tensor().is_same(x));
  CHECK(&op("_test::sin", "out").typed<Tensor&(const Tensor&, Tensor&)>().call(x, y) == &y);
  CHECK(boxed(op("_test::sin", "out"), x, y)[0].to_tensor().is_same(y));
  auto two =
      op("_test::max", "out").typed<std::tuple<Tensor&, Tensor&>(const Tensor&, Tensor&, Tensor&)>().call(x, y, z);
  CHECK((&std::get<0>(two) == &y && &std::get<1>(two) == &z));
  Stack both = boxed(op("_test::max", "out"), x, y, z);
  CHECK((both[0].to_tensor().is_same(y) && both[1].to_tensor().is_same(z)));
  CHECK(served == 14);
}
