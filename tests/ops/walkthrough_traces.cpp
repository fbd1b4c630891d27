// The walkthroughs whose source gives a literal trace, key set or text, on the library's own operators: W5, W6, W7, W9,
// W11 and W13, as far as the CPU goes.
#include <cmath>

#include <tenon/autograd/node.hpp>
#include <tenon/dispatch/observer.hpp>

#include "../registry_support.hpp"
#include "support.hpp"

using namespace test;
using K = DispatchKey;
using Lines = std::vector<std::string>;

namespace {

/// Every step of the dispatcher while `f` runs, with its depth and the way that it took into the kernel.
template <class F>
Lines traced(F&& f) {
  Lines out;
  DispatchTraceGuard guard(
      [](const TraceEvent& e, void* to) {
        auto& lines = *static_cast<Lines*>(to);
        if (e.kind == TraceKind::Kernel)
          lines.back() += concat(" ", e.path);
        else
          lines.push_back(
              concat(std::string(static_cast<std::size_t>(e.depth - 1), ' '), e.kind, " ", e.op, " ", e.key));
      },
      &out);
  f();
  return out;
}
struct KeySets final : CallObserver {
  std::vector<std::pair<std::string, KeySet>> seen;
  void begin(const ObservedCall& call) override { seen.emplace_back(call.op.name(), call.keys); }
  void end(const ObservedCall&) noexcept override {}
};
/// A key set as the peer of the walkthroughs numbers it: 15 bits of backends, CPU the first; then the functionalities,
/// of which Dense is the first and that of autograd the 24th.
std::uint64_t number_of(KeySet keys) {
  std::uint64_t out = 0;
  keys.for_each([&](K k) {
    if (k == K::CPU)
      out |= std::uint64_t{1} << 0 | std::uint64_t{1} << 15;
    else if (k == K::AutogradCPU)
      out |= std::uint64_t{1} << 0 | std::uint64_t{1} << (15 + 23);
    else
      FAIL("the walkthrough has no number for " << to_string(k));
  });
  return out;
}

}  // namespace

TEST_CASE("W5: contiguous(channels_last), shape, strides, flag and inner trace", "[ops][walkthrough]") {
  Tensor x = ops::rand({1, 64, 5, 4}), before = x, given = x;
  CHECK(traced([&] { x = x.contiguous(MemoryFormat::ChannelsLast); }) ==
        Lines{"[call] aten::contiguous AutogradCPU unboxed", " [call] aten::clone AutogradCPU unboxed",
              "  [redispatch] aten::clone CPU unboxed", "   [call] aten::empty.memory_format BackendSelect sym",
              "    [redispatch] aten::empty.memory_format CPU sym", "   [call] aten::copy_ CPU unboxed"});
  CHECK(concat(x.sizes()) == "[1, 64, 5, 4]");
  CHECK(concat(x.strides()) == "[1280, 1, 256, 64]");
  CHECK_FALSE(x.is_contiguous());
  CHECK(x.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK(values(x) == values(before));
  CHECK(traced([&] { given = x.contiguous(MemoryFormat::ChannelsLast); }).empty());
  CHECK(given.is_same(x));
}

TEST_CASE("W6: add of two sizes, its rounds, its history and what it leaves as it was", "[ops][walkthrough]") {
  Tensor x = ops::randn({3}), y = ops::randn({1});
  LocalKeys before = local_keys();
  auto storage = [](const Tensor& t) { return t->storage().get(); };
  const void *sx = storage(x), *sy = storage(y), *ix = &x.impl(), *iy = &y.impl();
  CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CPU, K::AutogradCPU, K::ADInplaceOrView, K::BackendSelect});
  Tensor z;
  CHECK(traced([&] { z = ops::add(x, y); }) ==
        Lines{"[call] aten::add.Tensor AutogradCPU unboxed", " [redispatch] aten::add.Tensor CPU unboxed"});
  CHECK((list(z.sizes()) == Ints{3} && !z.requires_grad() && z.grad_fn() == nullptr));
  CHECK((storage(x) == sx && storage(y) == sy && &x.impl() == ix && &y.impl() == iy));
  {
    AutoDispatchBelowAutograd below;
    for (K k : {K::AutogradCPU, K::AutogradCUDA, K::AutogradXLA}) CHECK_FALSE(with_local_keys(KeySet(k)).has(k));
    CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CPU, K::ADInplaceOrView, K::BackendSelect});
    CHECK(traced([&] { z = ops::add(x, y); }) == Lines{"[call] aten::add.Tensor CPU unboxed"});
  }
  CHECK_THROWS_AS(ops::add(x, y, "alpha"_a = Scalar(true)), TypeError);
  CHECK_THROWS_AS(ops::add(x, ops::randn({2})), ValueError);
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
  // Where a gradient is asked for.
  x.requires_grad_();
  y.requires_grad_();
  z = ops::add(x, y, "alpha"_a = 2);
  REQUIRE(z.grad_fn() != nullptr);
  CHECK(z.grad_fn()->name() == "AddBackward0");
  REQUIRE(z.grad_fn()->n_edges() == 2);
  for (unsigned i = 0; i < 2; ++i) CHECK(z.grad_fn()->edges()[i].node->name() == "AccumulateGrad");
  z.backward(tensor({1., 2., 3.}));
  CHECK(values(x.grad()) == Numbers{1, 2, 3});
  CHECK(values(y.grad()) == Numbers{12});
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
}

TEST_CASE("W7: add of two integers, the key sets by name and by number", "[ops][walkthrough]") {
  Tensor a = tensor({1, 1}), b = tensor({1, 1}), c;
  KeySets observer;
  {
    CallObserverGuard guard(observer);
    c = ops::add(a, b);
    AutoDispatchBelowADInplaceOrView below;
    ops::add(a, b);
  }
  REQUIRE(observer.seen.size() == 2);
  CHECK(observer.seen[0].first == "aten::add.Tensor");
  // What falls through, ADInplaceOrView and BackendSelect, is in no kernel's set.
  CHECK(observer.seen[0].second == KeySet{K::CPU, K::AutogradCPU});
  CHECK(observer.seen[1].second == KeySet(K::CPU));
  CHECK(number_of(observer.seen[0].second) == 274877939713u);
  CHECK(number_of(observer.seen[0].second & key_sets::after_autograd) == 32769u);
  CHECK((values(c) == Numbers{2, 2} && c.dtype() == kLong));
}

// The frames of the source, outermost first, less those that it calls inlined. Kernels of one's own stand for the two
// that it names: that of Autograd is given the set and hands on what is below it, that of the CPU is given none.
TEST_CASE("W7: the chain of add from the call to the kernel of the CPU", "[ops][walkthrough]") {
  Tensor a = tensor({1, 1}), b = tensor({1, 1}), c;
  CHECK(traced([&] { c = ops::add(a, b); }) ==
        Lines{"[call] aten::add.Tensor AutogradCPU unboxed", " [redispatch] aten::add.Tensor CPU unboxed"});

  static Lines frames;
  frames.clear();
  Library autograd(Library::Kind::Impl, "aten", K::AutogradCPU), cpu(Library::Kind::Impl, "aten", K::CPU);
  autograd.impl("add.Tensor",
                Kernel([](KeySet ks, const Tensor& self, const Tensor& other, const Scalar& alpha) -> Tensor {
                  frames.push_back(concat("VariableType::add_Tensor ", number_of(ks)));
                  KeySet below = ks & key_sets::after_autograd;
                  frames.push_back(concat("at::redispatch::add ", number_of(below)));
                  return ops::add_Tensor.redispatch(below, self, other, alpha);
                }).override_existing());
  cpu.impl("add.Tensor", Kernel([](const Tensor& self, const Tensor&, const Scalar&) -> Tensor {
                           frames.push_back(concat("wrapper_CPU_add_Tensor ", enumerator_name(self.dtype())));
                           return self;
                         }).override_existing());
  c = ops::add(a, b);
  CHECK(frames ==
        Lines{"VariableType::add_Tensor 274877939713", "at::redispatch::add 32769", "wrapper_CPU_add_Tensor Long"});
  CHECK(c.is_same(a));
}

TEST_CASE("W9: randn chooses the backend, makes the tensor and fills it", "[ops][walkthrough]") {
  Tensor x;
  const Lines made{"[call] aten::randn BackendSelect sym", " [redispatch] aten::randn CPU sym",
                   "  [call] aten::empty.memory_format BackendSelect sym",
                   "   [redispatch] aten::empty.memory_format CPU sym"};
  auto with = [&](Lines more) {
    more.insert(more.begin(), made.begin(), made.end());
    return more;
  };
  CHECK(traced([&] {
          x = ops::randn({3, 3});
        }) ==
        with({"  [call] aten::normal_ AutogradCPU unboxed", "   [redispatch] aten::normal_ ADInplaceOrView unboxed",
              "    [redispatch] aten::normal_ CPU unboxed"}));
  CHECK((x.version() == 1 && x.is_leaf() && !x.requires_grad() && list(x.sizes()) == Ints{3, 3}));
  {  // the peer's Python front calls it like this
    AutoDispatchBelowADInplaceOrView below;
    CHECK(traced([&] { x = ops::randn({3, 3}); }) == with({"  [call] aten::normal_ CPU unboxed"}));
  }
  manual_seed(3);
  Tensor first = ops::randn({10000});
  manual_seed(3);
  CHECK(values(ops::randn({10000})) == values(first));
  Generator g(3), h(4);
  CHECK(values(ops::randn({10000}, "generator"_a = g)) == values(first));
  CHECK(values(ops::randn({10000}, "generator"_a = h)) != values(first));
  CHECK(std::abs(first.mean().item<double>()) < 0.04);
  CHECK(std::abs(first.std().item<double>() - 1) < 0.03);
  CHECK(schema::to_string(support::op("aten::normal_").schema()) ==
        "aten::normal_(Tensor(a!) self, float mean=0., float std=1., *, Generator? generator=None) -> Tensor(a!)");
}

TEST_CASE("W11: each arithmetic sign is the operator of its name", "[ops][walkthrough]") {
  Tensor x = tensor({{1.0}, {2.0}, {3.0}}), y = tensor({{2.0}, {4.0}, {6.0}}), z;
  auto call = [](auto f) { return traced(f).front(); };
  CHECK(call([&] { z = x + y; }) == "[call] aten::add.Tensor AutogradCPU unboxed");
  CHECK((concat(z.sizes()) == "[3, 1]" && values(z) == Numbers{3, 6, 9}));
  CHECK(call([&] { z = x * y; }) == "[call] aten::mul.Tensor AutogradCPU unboxed");
  CHECK(values(z) == Numbers{2, 8, 18});
  CHECK(call([&] { z += y; }) == "[call] aten::add_.Tensor AutogradCPU unboxed");
  CHECK(values(z) == Numbers{4, 12, 24});
  CHECK((values(2 * x) == values(x * 2) && values(2 + x) == values(x + 2)));
  CHECK(values(x.add(y, 3)) == Numbers{7, 14, 21});
}

TEST_CASE("W13: narrow is a slice, layer by layer", "[ops][walkthrough]") {
  Tensor x = ops::arange(12).view({3, 4}), v;
  CHECK(traced([&] { v = x.narrow(0, 1, 2); }) ==
        Lines{"[call] aten::narrow AutogradCPU sym", " [call] aten::slice.Tensor AutogradCPU sym",
              "  [redispatch] aten::slice.Tensor ADInplaceOrView sym", "   [redispatch] aten::slice.Tensor CPU sym"});
  CHECK(seen(v) == Seen{{2, 4}, {4, 1}, 4});
  CHECK(v->storage() == x->storage());
  Tensor same = x.as_strided({2, 4}, {4, 1}, 4), columns = x.narrow(1, 1, 2), none = x.narrow(0, 3, 0);
  CHECK(values(same) == values(v));
  CHECK((seen(columns) == Seen{{3, 2}, {4, 1}, 1} && !columns.is_contiguous()));
  CHECK(none.sizes() == IntArrayRef({0, 4}));
  auto version = x.version();
  v.zero_();
  CHECK((x.version() == version + 1 && columns.version() == version + 1 && v.version() == version + 1));
  CHECK(values(x) == Numbers{0, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK_ERROR(tensor(1).narrow(0, 0, 1), ValueError, "narrow() cannot be applied to a 0-dim tensor.");
  CHECK_ERROR(x.narrow(0, 2, 2), ValueError, "start (2) + length (2) exceeds dimension size (3).");
  std::vector<Tensor> parts = x.split(2);
  REQUIRE(parts.size() == 2);
  CHECK((seen(parts[0]) == seen(x.narrow(0, 0, 2)) && seen(parts[1]) == seen(x.narrow(0, 2, 1))));
}
