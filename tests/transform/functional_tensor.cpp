// Functional tensors: W14, views of all kinds, writes that reach every alias, and what is refused.
#include <tenon/transform/functionalize.hpp>

#include "support.hpp"

using namespace test;
using namespace functionalization;

namespace {

Tensor scaled(const Tensor& x, const Scalar& by) { return x * by; }
Tensor& scale_(Tensor& x, const Scalar& by) { return x.mul_(by); }
Tensor& composed_(Tensor& x) { return x.add_(1); }
Tensor first_row(const Tensor& x) { return make_alias(x, {x.size(1)}, {x.stride(1)}, x.storage_offset()); }
Tensor evens(const Tensor& x) { return make_alias(x, {x.size(0) / 2}, {2 * x.stride(0)}, x.storage_offset()); }
std::tuple<Tensor, Tensor> halves(const Tensor& x) {
  std::int64_t n = x.size(0) / 2, step = x.stride(0), at = x.storage_offset();
  return {x.narrow(0, 0, n).clone(), make_alias(x, {n}, {step}, at + n * step)};
}
std::vector<Tensor> bump(TensorList list) {
  std::vector<Tensor> out;
  for (const Tensor& t : list) out.push_back(t + 1);
  return out;
}
std::tuple<Tensor, Tensor> swapped(const Tensor& x, const Tensor& y) { return {y.clone(), x.clone()}; }

TENON_LIBRARY(_functional, m) {
  m.def("scale(Tensor x, Scalar by) -> Tensor").def("scale_(Tensor(a!) x, Scalar by) -> Tensor(a!)");
  m.def("no_form_(Tensor(a!) x) -> Tensor(a!)").def("composed_(Tensor(a!) x) -> Tensor(a!)", &composed_);
  m.def("bump(Tensor[] list) -> Tensor[]").def("bump_(Tensor(a!)[] list) -> ()");
  m.def("swap(Tensor x, Tensor y) -> (Tensor, Tensor)").def("swap_(Tensor(a!) x, Tensor(b!) y) -> ()");
  m.def("count_functional(Tensor x, Tensor seen) -> (Tensor, Tensor)");
  m.def("count(Tensor x, Tensor(a!) seen) -> Tensor");
  m.def("pair(Tensor[] list) -> Tensor");
  m.def("halves(Tensor(a) x) -> (Tensor, Tensor(a))");
  m.def("first_row(Tensor(a) x) -> Tensor(a)").def("evens(Tensor(a) x) -> Tensor(a)");
}
TENON_LIBRARY_IMPL(_functional, CompositeExplicitAutograd, m) {
  m.impl("scale", &scaled).impl("scale_", &scale_).impl("no_form_", &composed_);
  m.impl("bump", &bump).impl("bump_", [](TensorList list) {
    for (const Tensor& t : list) t.add_(1);
  });
  m.impl("swap", &swapped).impl("swap_", [](Tensor& x, Tensor& y) {
    Tensor old = x.clone();
    x.copy_(y);
    y.copy_(old);
  });
  m.impl("count_functional", [](const Tensor& x, const Tensor& seen) { return std::make_tuple(x * 2, seen + 1); });
  m.impl("count", [](const Tensor& x, Tensor& seen) {
    seen.add_(1);
    return x * 2;
  });
  m.impl("pair", [](TensorList list) { return list[0] + list[1]; });
  m.impl("first_row", &first_row).impl("halves", &halves);
}
TENON_LIBRARY_IMPL(_functional, CPU, m) { m.impl("evens", &evens); }

template <class Sig>
auto op(const char* name) {
  return support::op(concat("_functional::", name)).typed<Sig>();
}
using View = Tensor(const Tensor&);

}  // namespace

TEST_CASE("W14: the steps of a functionalized as_strided", "[transform][walkthrough]") {
  Tensor a = to_functional_tensor(counted({6})), b;
  Lines lines;
  {
    support::Trace trace;
    b = a.as_strided({2, 2}, {2, 1}, 1);
    lines = calls(trace);
  }
  CHECK(lines == Lines{
                     "[call] aten::as_strided AutogradCPU",
                     "[redispatch] aten::as_strided ADInplaceOrView",
                     "[redispatch] aten::as_strided Functionalize",
                     // self_meta and its view
                     "[call] aten::empty_strided BackendSelect",
                     "[redispatch] aten::empty_strided Meta",
                     "[callBoxed] aten::as_strided AutogradMeta",
                     "[redispatch] aten::as_strided ADInplaceOrView",
                     "[redispatch] aten::as_strided Meta",
                     // the value's view, below Functionalize and ADInplaceOrView
                     "[redispatchBoxed] aten::as_strided CPU",
                 });
  CHECK((is_functional_tensor(b) && b.keys().has(DispatchKey::Functionalize)));
  CHECK((list(b.sizes()) == Ints{2, 2} && list(b.strides()) == Ints{2, 1} && b.storage_offset() == 1));
  const auto& views = functional_impl(b).views();
  REQUIRE(views.size() == 1);
  CHECK((views[0].op.name() == "aten::as_strided" && views[0].viewed == 0 && views[0].reference.offset == 1));
  CHECK(values(views[0].forward(counted({6}) + 10)) == Numbers{11, 12, 13, 14});
  CHECK(values(views[0].reverse(counted({6}), ops::zeros({2, 2}))) == Numbers{0, 0, 0, 0, 0, 5});
  CHECK(functional_impl(b).aliases() == functional_impl(a).aliases());
}

TEST_CASE("W14: a write to the view is an addition and, once the base is read, its inverse",
          "[transform][walkthrough]") {
  Tensor plain = counted({6}), a = to_functional_tensor(plain), b = a.as_strided({2, 2}, {2, 1}, 1), r;
  Lines lines;
  {
    support::Trace trace;
    b.add_(1);
    lines = calls(trace);
  }
  CHECK(lines == Lines{
                     "[call] aten::add_.Scalar AutogradCPU",
                     "[redispatch] aten::add_.Scalar ADInplaceOrView",
                     "[redispatch] aten::add_.Scalar Functionalize",
                     // on Meta the operator itself runs, so that what it refuses is refused
                     "[call] aten::empty_strided BackendSelect",
                     "[redispatch] aten::empty_strided Meta",
                     "[callBoxed] aten::add_.Scalar AutogradMeta",
                     "[redispatch] aten::add_.Scalar ADInplaceOrView",
                     "[redispatch] aten::add_.Scalar Meta",
                     "[callBoxed] aten::add.Scalar AutogradCPU",
                     "[redispatch] aten::add.Scalar CPU",
                 });
  {
    support::Trace trace;
    r = from_functional_tensor(a);
    lines = calls(trace);
  }
  lines.resize(2);
  CHECK(lines == Lines{"[call] aten::as_strided_scatter AutogradCPU", "[redispatch] aten::as_strided_scatter CPU"});
  CHECK(values(r) == Numbers{0, 2, 3, 4, 5, 5});
  CHECK(values(plain) == Numbers{0, 1, 2, 3, 4, 5});
}

TEST_CASE("W14: below Functionalize the program neither writes nor, if asked, views", "[transform][walkthrough]") {
  auto f = [](const Tensor& a) {
    Tensor b = a.as_strided({2, 2}, {2, 1}, 1);
    b.add_(1);
    return a;
  };
  Tensor eager = counted({6});
  f(eager);
  for (Remove remove : {Remove::Mutations, Remove::MutationsAndViews}) {
    Tensor x = counted({6}), y;
    Below seen;
    {
      CallObserverGuard guard(seen);
      support::Trace trace;
      y = functionalize(f, remove)(x);
      for (const std::string& line : trace.lines)
        if (line.starts_with("[redispatchBoxed]")) seen.ops.push_back(line.substr(18));
    }
    CHECK(y.is_same(x));
    CHECK(values(x) == values(eager));
    CHECK(seen.written == Lines{"aten::copy_"});  // to the argument, at the end
    CHECK(contains(seen.ops, "aten::as_strided CPU") == (remove == Remove::Mutations));
    CHECK(contains(seen.ops, "aten::as_strided_copy") == (remove == Remove::MutationsAndViews));
    CHECK(contains(seen.ops, "aten::add.Scalar"));
    CHECK(contains(seen.ops, "aten::as_strided_scatter"));
  }
}

TEST_CASE("W14: one kernel at Functionalize serves operators of every kind", "[transform][walkthrough]") {
  (void)to_functional_tensor(counted({1}));
  for (const char* name : {"aten::as_strided", "aten::detach_", "aten::add_.Tensor", "aten::sum.out",
                           "aten::split.Tensor", "aten::mm", "_functional::scale_", "_functional::evens"})
    CHECK(support::rule(name, DispatchKey::Functionalize) == "backend fallback");
  Tensor x = to_functional_tensor(counted({2}) + 0);
  CHECK(ops::detach_(x).is_same(x));
  x.add_(1);
  CHECK(values(from_functional_tensor(x)) == Numbers{1, 2});
}

TEST_CASE("a view as another dtype is one of the same bytes", "[transform]") {
  auto f = [](const Tensor& x) {
    Tensor bits = ops::view_dtype(x.select(0, 1), kInt), back;
    bits.narrow(0, 1, 2).fill_(0x3f800000);
    back = ops::view_dtype(bits, kFloat);
    back.select(0, 2).add_(1);
    x.select(0, 0).copy_(back);
    return bits;
  };
  Tensor x = counted({2, 3}), y = counted({2, 3}), bits = f(x), again = functionalize(f)(y);
  CHECK((values(again) == values(bits) && again.dtype() == kInt && again->storage() == y->storage()));
  CHECK(values(y) == values(x));
  CHECK(values(y) == Numbers{3, 1, 2, 3, 1, 2});
}

TEST_CASE("a functional tensor looks like the program's own", "[transform]") {
  Tensor plain = counted({4, 3}).t().select(0, 1), f = to_functional_tensor(plain);
  CHECK((list(f.sizes()) == list(plain.sizes()) && list(f.strides()) == list(plain.strides())));
  CHECK((f.storage_offset() == 1 && f.dtype() == kFloat && f.is_cpu()));
  CHECK(f.keys() == plain.keys().add(DispatchKey::Functionalize));
  CHECK(from_functional_tensor(f).is_same(plain));
  CHECK((is_functional_tensor(f) && !is_functional_tensor(plain) && !is_functional_tensor(Tensor())));
  CHECK(to_functional_tensor(f).is_same(f));
  CHECK(from_functional_tensor(plain).is_same(plain));
  CHECK(is_functional_tensor(f + 1));
  CHECK(to_string(f) == "tensor(..., size=(4,))");
  Tensor inner = to_functional_tensor(ops::empty({2, 3}, "device"_a = kMeta));
  CHECK((inner.is_meta() && list((inner + 1).sizes()) == Ints{2, 3}));
}

TEST_CASE("a write reaches every alias when it is next used", "[transform]") {
  Tensor a = to_functional_tensor(counted({2, 3})), row = a.select(0, 1), column = a.t().select(0, 1),
         all = a.view({6});
  row.mul_(10);
  CHECK(functional_impl(a).aliases()->generation() == 1);
  CHECK(values(from_functional_tensor(column)) == Numbers{1, 40});
  column.zero_();
  all.add_(1);
  CHECK(functional_impl(a).aliases()->generation() == 3);
  CHECK(values(from_functional_tensor(row)) == Numbers{31, 1, 51});
  CHECK(values(from_functional_tensor(a)) == Numbers{1, 1, 3, 31, 1, 51});
  sync(all);
  CHECK(values(from_functional_tensor(all)) == values(from_functional_tensor(a)));
}

TEST_CASE("writes to one view one after the other reach the base once", "[transform]") {
  Tensor a = to_functional_tensor(counted({4})), b = a.narrow(0, 1, 2);
  b.add_(1);
  b.mul_(2);
  b.neg_();
  support::Trace trace;
  CHECK(values(from_functional_tensor(a)) == Numbers{0, -4, -6, 3});
  CHECK(std::count(trace.lines.begin(), trace.lines.end(), "[call] aten::as_strided_scatter AutogradCPU") == 1);
}

TEST_CASE("the elements of a list of views are views", "[transform]") {
  Tensor plain = counted({4, 2}), a = to_functional_tensor(plain);
  auto halves = a.split(2);
  auto rows = halves[1].unbind(0);
  auto parts = a.chunk(2, 1);
  REQUIRE((halves.size() == 2 && rows.size() == 2 && parts.size() == 2));
  rows[0].fill_(-1);
  parts[1].add_(100);
  halves[0].zero_();
  auto expected = [&] {
    Tensor e = counted({4, 2});
    e.select(0, 2).fill_(-1);
    e.select(1, 1).add_(100);
    e.narrow(0, 0, 2).zero_();
    return e;
  }();
  CHECK(values(from_functional_tensor(a)) == values(expected));
  CHECK(values(from_functional_tensor(rows[0])) == values(expected.select(0, 2)));
  CHECK(values(from_functional_tensor(parts[1])) == values(expected.select(1, 1)));
  CHECK(functional_impl(rows[0]).views().size() == 2);
  CHECK(functional_impl(parts[1]).views().back().out_index == 1);
}

TEST_CASE("operators that change only the geometry make another view", "[transform]") {
  Tensor a = to_functional_tensor(counted({2, 3})), b = a.view({6});
  CHECK(ops::t_(a).is_same(a));
  CHECK((list(a.sizes()) == Ints{3, 2} && list(a.strides()) == Ints{1, 3}));
  ops::unsqueeze_(a, 0);
  ops::squeeze_(a, 0);
  ops::transpose_(a, 0, 1);
  ops::t_(a);
  CHECK(list(a.sizes()) == Ints{3, 2});
  a.select(0, 0).fill_(9);
  CHECK(values(from_functional_tensor(b)) == Numbers{9, 1, 2, 9, 4, 5});
  ops::as_strided_(a, {2}, {1}, 4);
  a.neg_();
  CHECK(values(from_functional_tensor(b)) == Numbers{9, 1, 2, 9, -4, -5});
}

TEST_CASE("a change of size, stride or offset alone is another view, none of them is the same", "[transform]") {
  struct Change {
    Ints sizes, strides;
    std::int64_t offset;
    Numbers after;  // of the base once the changed tensor is negated
  };
  const Change changes[] = {
      {{2}, {1}, 0, {0, -1, 2, 3, 4, 5}},
      {{2}, {1}, 2, {0, 1, -2, -3, 4, 5}},
      {{2}, {3}, 0, {0, 1, 2, -3, 4, 5}},
      {{3}, {1}, 0, {0, -1, -2, 3, 4, 5}},
  };
  for (const Change& c : changes) {
    Tensor base = to_functional_tensor(counted({6})), part = ops::as_strided(base, {2}, {1}, 0);
    ops::as_strided_(part, c.sizes, c.strides, c.offset);
    CHECK((list(part.sizes()) == c.sizes && list(part.strides()) == c.strides && part.storage_offset() == c.offset));
    part.neg_();
    CHECK(values(from_functional_tensor(base)) == c.after);
  }
  // Forgetting a history changes nothing that aliases see.
  Tensor base = to_functional_tensor(counted({4}));
  ops::detach_(base);
  Tensor view = base.view({2, 2});
  base.neg_();
  CHECK(values(from_functional_tensor(view)) == Numbers{0, -1, -2, -3});
}

TEST_CASE("a write keeps dtype, shape and strides of what is written", "[transform]") {
  Tensor ints = to_functional_tensor(counted({3}, kInt)), d = to_functional_tensor(counted({2, 2}).t());
  ints.add_(to_functional_tensor(counted({3}, kLong)));
  CHECK((ints.dtype() == kInt && from_functional_tensor(ints).dtype() == kInt));
  d.copy_(to_functional_tensor(counted({2}, kDouble)));
  Tensor r = from_functional_tensor(d);
  CHECK((values(r) == Numbers{0, 1, 0, 1} && r.dtype() == kFloat && list(r.strides()) == Ints{1, 2}));
  // Memory that the tensor does not show stays, and can be seen.
  Tensor memory = counted({4, 2}), gaps = to_functional_tensor(memory.select(1, 0));
  gaps.add_(10);
  CHECK(values(from_functional_tensor(gaps.as_strided({8}, {1}, 0))) == Numbers{10, 1, 12, 3, 14, 5, 16, 7});
  CHECK(values(memory) == values(counted({4, 2})));
}

TEST_CASE("out forms write functional tensors", "[transform]") {
  Tensor a = to_functional_tensor(counted({3})), out = to_functional_tensor(ops::zeros({3})), base;
  CHECK(ops::add(a, a, "out"_a = out).is_same(out));
  CHECK(values(from_functional_tensor(out)) == Numbers{0, 2, 4});
  base = to_functional_tensor(ops::zeros({2, 3}));
  Tensor row = base.select(0, 1);
  ops::add(a, a, "out"_a = row);
  CHECK(values(from_functional_tensor(base)) == Numbers{0, 0, 0, 0, 2, 4});
  Tensor value = to_functional_tensor(ops::empty({0})),
         index = to_functional_tensor(ops::empty({0}, "dtype"_a = kLong));
  ops::topk_base_out(a, 1, 0, true, true, value, index);
  CHECK((values(from_functional_tensor(value)) == Numbers{2} && values(from_functional_tensor(index)) == Numbers{2}));
  Tensor counts = to_functional_tensor(ops::empty({4}, "dtype"_a = kDouble));
  ops::arange(4, "out"_a = counts);
  CHECK((values(from_functional_tensor(counts)) == Numbers{0, 1, 2, 3} && counts.dtype() == kDouble));
}

TEST_CASE("random and overwriting operators have functional forms", "[transform]") {
  auto f = [](const Tensor& x) {
    x.select(0, 0).normal_(1, 2);
    x.select(0, 1).uniform_();
    x.select(0, 2).random_(3, 9);
    x.select(0, 3).zero_();
    x.select(0, 4).copy_(x.select(0, 0));
    x.select(0, 5).random_(7);
  };
  Tensor a = counted({6, 5}), b = counted({6, 5});
  manual_seed(3);
  f(a);
  manual_seed(3);
  functionalize(f)(b);
  CHECK(values(a) == values(b));
}

TEST_CASE("a user's operators need no rule", "[transform]") {
  Tensor a = to_functional_tensor(counted({4})), b = to_functional_tensor(counted({4}) + 10);
  op<Tensor&(Tensor&, const Scalar&)>("scale_").call(a, 2);
  CHECK(values(from_functional_tensor(a)) == Numbers{0, 2, 4, 6});
  op<void(Tensor&, Tensor&)>("swap_").call(a, b);
  CHECK((values(from_functional_tensor(a)) == Numbers{10, 11, 12, 13} &&
         values(from_functional_tensor(b)) == Numbers{0, 2, 4, 6}));
  std::vector<Tensor> both{a, b};
  op<void(TensorList)>("bump_").call(both);
  CHECK(values(from_functional_tensor(op<Tensor(TensorList)>("pair").call(both))) == Numbers{12, 15, 18, 21});
  Tensor seen = to_functional_tensor(ops::zeros({1}));
  CHECK(values(from_functional_tensor(op<Tensor(const Tensor&, Tensor&)>("count").call(b, seen))) ==
        Numbers{2, 6, 10, 14});
  CHECK(values(from_functional_tensor(seen)) == Numbers{1});
  // One that is composed of others needs not even a functional form.
  op<Tensor&(Tensor&)>("composed_").call(seen);
  CHECK(values(from_functional_tensor(seen)) == Numbers{2});
  // A view with a kernel for Meta, and one whose geometry the value tells.
  Tensor m = to_functional_tensor(counted({2, 3}));
  Tensor row = op<View>("first_row").call(m);
  row.add_(7);
  Tensor even = op<View>("evens").call(m.view({6}));
  CHECK(list(even.strides()) == Ints{2});
  even.neg_();
  CHECK(values(from_functional_tensor(m)) == Numbers{-7, 8, -9, 3, -4, 5});
  // A view that is not the first result.
  Tensor whole = to_functional_tensor(counted({6}));
  auto [low, high] = op<std::tuple<Tensor, Tensor>(const Tensor&)>("halves").call(whole);
  high.add_(10);
  low.mul_(2);
  CHECK(values(from_functional_tensor(whole)) == Numbers{0, 1, 2, 13, 14, 15});
  whole.add_(1);
  CHECK((values(from_functional_tensor(low)) == Numbers{0, 2, 4} &&
         values(from_functional_tensor(high)) == Numbers{14, 15, 16}));
}

TEST_CASE("a functional tensor can be resized", "[transform]") {
  Tensor a = to_functional_tensor(counted({3}));
  CHECK(a.resize_({2, 3}).is_same(a));
  CHECK(list(a.sizes()) == Ints{2, 3});
  CHECK(values(from_functional_tensor(a.select(0, 0))) == Numbers{0, 1, 2});  // what comes behind is new memory
  a.fill_(4).resize_({2});
  a.add_(1);
  CHECK(list(a.strides()) == Ints{1});
  CHECK(values(from_functional_tensor(a)) == Numbers{5, 5});
  // The elements as they lie in memory.
  Tensor columns = to_functional_tensor(counted({2, 3}).t());
  columns.resize_as_(to_functional_tensor(counted({6})));
  CHECK(values(from_functional_tensor(columns)) == Numbers{0, 1, 2, 3, 4, 5});
  Tensor part = a.narrow(0, 0, 1);
  CHECK_THROWS_AS(a.resize_({6}), NotImplementedError);
  CHECK_THROWS_AS(part.resize_({6}), NotImplementedError);
  CHECK(values(from_functional_tensor(a)) == Numbers{5, 5});
}

TEST_CASE("what cannot be functional is refused", "[transform]") {
  Tensor a = to_functional_tensor(counted({3})), plain = counted({3});
  CHECK_THROWS_TEXT(
      plain.copy_(a),
      "aten::copy_(Tensor(a!) self, Tensor src, bool non_blocking=False) -> Tensor(a!): argument 1 'self': expected a functional tensor, got a plain one of shape [3]: mutating a non-functional tensor with a functional tensor is not allowed; pass it to the functionalized function as an argument");
  CHECK_THROWS_AS(plain.copy_(a), ValueError);
  CHECK_THROWS_TEXT(
      op<Tensor&(Tensor&)>("no_form_").call(a),
      "_functional::no_form_(Tensor(a!) x) -> Tensor(a!): functionalization calls the operator _functional::no_form of the same arguments, which writes nothing and returns what this one writes, and there is none; declare it");
  CHECK_THROWS_AS(op<Tensor&(Tensor&)>("no_form_").call(a), NotImplementedError);
  CHECK_THROWS_TEXT(
      a.data_ptr(),
      "data_ptr(): expected a tensor with memory, got a functional one of shape [3]; read from_functional_tensor() of it");
  CHECK_THROWS_AS(a.data_ptr<float>(), TypeError);
  CHECK_THROWS_AS(a.sum().item(), TypeError);
  CHECK_THROWS_TEXT(sync(plain), "expected a functional tensor, got a plain one; wrap it with to_functional_tensor()");
  CHECK_THROWS_AS(functional_impl(Tensor()), TypeError);
  auto shapes = make_intrusive<SymEnv>();
  Tensor symbolic = ops::empty(SymIntArrayRef(shapes->symbol(4)), "device"_a = kMeta);
  CHECK_THROWS_AS(to_functional_tensor(symbolic), TypeError);
  // What the operators refuse of plain tensors they refuse of functional ones, in their own words.
  auto message = [](auto f) {
    try {
      f();
    } catch (const Error& e) { return std::string(e.summary()); }
    return std::string("none");
  };
  auto same = [&](auto f, const Tensor& t) {
    std::string expected = message([&] { f(t); });
    CHECK(expected != "none");
    CHECK(message([&] { f(to_functional_tensor(t)); }) == expected);
  };
  same([](const Tensor& t) { t.add_(1.5); }, counted({3}, kInt));
  same([](const Tensor& t) { t.add_(counted({2, 3})); }, counted({3}));
  same([](const Tensor& t) { t.expand({2, 3}).add_(1); }, counted({3}));
  same([](const Tensor& t) { t.view({4}); }, counted({3}));
  same([](const Tensor& t) { t.t().view({6}); }, counted({2, 3}));
  same([](const Tensor& t) { t.select(0, 3); }, counted({3}));
  OperatorHandle extremes = support::op("aten::max", "dim_max");
  auto same_extremes = [&](const Tensor& largest, const Tensor& places) {
    Tensor x = counted({2, 3});
    std::string expected = message([&] { support::boxed(extremes, x, 1, false, largest, places); });
    CHECK(expected.find("single memory location") != std::string::npos);
    auto functional = [](const Tensor& t) { return to_functional_tensor(t); };
    CHECK(message([&] {
            support::boxed(extremes, functional(x), 1, false, functional(largest), functional(places));
          }) == expected);
  };
  same_extremes(ops::zeros({1}).expand({2}), ops::zeros({2}, "dtype"_a = kLong));
  same_extremes(ops::zeros({2}), ops::zeros({1}, "dtype"_a = kLong).expand({2}));
  // Only operators make aliases.
  CHECK_THROWS_AS(make_alias(a).add_(1), InternalError);
  // A result that grows while a view of it lives, or that is a view.
  support::Warnings warnings;
  Tensor out = to_functional_tensor(ops::zeros({2})), view = out.view({2, 1});
  CHECK_THROWS_AS(ops::add(a, a, "out"_a = out), NotImplementedError);
}
