// A view's row gives all that is made of the view: for a user's views by TENON_VIEW.
#include <tenon/transform/functionalize.hpp>
#include <tenon/view/row.hpp>

#include "../ops/support.hpp"

using namespace test;

namespace mine {

struct evens_geometry {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, std::int64_t dim, const Int& step) const {
    BasicGeometry<Int> g = self.copy();
    dim = wrap_dim(dim, self.dim());
    g.sizes[dim] = (g.sizes[dim] + step - 1) / step;
    g.strides[dim] = g.strides[dim] * step;
    return g;
  }
};
TENON_VIEW(evens, "view_test::evens(Tensor(a) self, int dim=0, *, SymInt step=2) -> Tensor(a)", evens_geometry);

struct beyond_geometry {
  template <class Int>
  BasicGeometry<Int> operator()(const BasicGeometryRef<Int>& self, std::int64_t by) const {
    BasicGeometry<Int> g = self.copy();
    g.offset = g.offset + by;
    return g;
  }
};
TENON_VIEW(beyond, "view_test::beyond(Tensor(a) self, int by) -> Tensor(a)", beyond_geometry);

struct rows_geometry {
  template <class Int, class Each>
  void operator()(const BasicGeometryRef<Int>& self, Each each) const {
    std::int64_t n = SymInt(self.sizes[0]).guard_int(__FILE__, __LINE__);
    for (std::int64_t i = 0; i < n; ++i) each(ViewGeometry<Int>::select(self, 0, i));
  }
};
TENON_VIEW(rows, "view_test::rows(Tensor(a -> *) self) -> Tensor(a)[]", rows_geometry);

}  // namespace mine

TEST_CASE("a user's view shares memory and takes arguments by name", "[view]") {
  Tensor x = counted({5, 2}), v = mine::evens(x);
  REQUIRE((list(v.sizes()) == Ints{3, 2} && values(v) == Numbers{0, 1, 4, 5, 8, 9}));
  REQUIRE(v->storage() == x->storage());
  CHECK(values(mine::evens(x, 0, "step"_a = 3)) == Numbers{0, 1, 6, 7});
  CHECK(values(mine::evens(x, 1)) == Numbers{0, 2, 4, 6, 8});
  CHECK_ERROR_CONTAINS(mine::evens(x, 2), IndexError, "Dimension out of range");
  ops::fill_(v, 7);
  CHECK(values(x) == Numbers{7, 7, 2, 3, 7, 7, 6, 7, 7, 7});
}

TEST_CASE("a kernel of one's own at ADInplaceOrView stands before the library's, plain and recorded", "[view]") {
  static int calls;
  calls = 0;
  Tensor x = counted({5, 2}), w = counted({5, 2}).set_requires_grad(true);
  CHECK(autograd::is_view(mine::evens(x)));
  {
    Library own(Library::Kind::Impl, "view_test", DispatchKey::ADInplaceOrView);
    own.impl("evens", Kernel([](const Tensor& self, std::int64_t dim, SymInt step) -> Tensor {
                        ++calls;
                        AutoDispatchBelowADInplaceOrView guard;
                        return mine::evens(self, dim, "step"_a = step);
                      }).override_existing());
    CHECK_FALSE(autograd::is_view(mine::evens(x)));
    CHECK(calls == 1);
    CHECK(mine::evens(w).requires_grad());
    CHECK(calls == 2);
    InferenceMode inference;
    CHECK(values(mine::evens(counted({2, 1}))) == Numbers{0});
    CHECK(calls == 2);
  }
  CHECK(autograd::is_view(mine::evens(x)));
  CHECK(autograd::is_view(mine::evens(w)));
  CHECK(calls == 2);
}

TEST_CASE("the copy and the inverse of a user's view have out forms", "[view]") {
  Tensor x = counted({4}), out = ops::empty({0});
  Tensor copy = mine::evens_copy(x);
  CHECK((values(copy) == Numbers{0, 2} && copy->storage() != x->storage() && copy.is_contiguous()));
  CHECK(values(mine::evens_scatter(x, ops::zeros({2}))) == Numbers{0, 1, 0, 3});
  CHECK(values(x) == Numbers{0, 1, 2, 3});
  CHECK_ERROR_CONTAINS(mine::evens_scatter(x, ops::zeros({3})), ValueError, "expected src to have a size equal");
  auto find = [](const char* name, const char* overload) {
    return concat(Registry::get().find_schema_or_throw(name, overload).schema());
  };
  CHECK(find("view_test::evens_copy", "out") ==
        "view_test::evens_copy.out(Tensor self, int dim=0, *, SymInt step=2, Tensor(a!) out) -> Tensor(a!)");
  CHECK(find("view_test::evens_scatter", "") ==
        "view_test::evens_scatter(Tensor self, Tensor src, int dim=0, *, SymInt step=2) -> Tensor");
  CHECK(find("view_test::rows_copy", "") == "view_test::rows_copy(Tensor self) -> Tensor[]");
}

TEST_CASE("the in-place form of a user's view makes the tensor that view of its own memory", "[view]") {
  Tensor x = counted({5, 2}), alias = ops::alias(x);
  auto version = x.version();
  REQUIRE(mine::evens_(x).is_same(x));
  CHECK((list(x.sizes()) == Ints{3, 2} && values(x) == Numbers{0, 1, 4, 5, 8, 9} && x.version() == version + 1));
  CHECK(values(mine::evens_(x, 1, "step"_a = 2)) == Numbers{0, 4, 8});
  ops::fill_(x, 7);
  CHECK(values(alias) == Numbers{7, 1, 2, 3, 7, 5, 6, 7, 7, 9});
  Tensor part = counted({4});
  CHECK_THROWS_AS(mine::beyond_(part, 1), ValueError);
  OperatorHandle op = Registry::get().find_schema_or_throw("view_test::evens_", "");
  CHECK(concat(op.schema()) == "view_test::evens_(Tensor(a!) self, int dim=0, *, SymInt step=2) -> Tensor(a!)");
  CHECK(op.entry().has_tag(Tag::inplace_view));
  CHECK_FALSE(Registry::get().find_schema("view_test::rows_"));
}

TEST_CASE("the in-place form of a user's view has a gradient, of a view of another tensor too", "[view]") {
  Tensor x = counted({4}).requires_grad_(), y = ops::mul(x, 1);
  mine::evens_(y);
  CHECK(y.grad_fn()->name() == "EvensBackward0");
  ops::sum(ops::mul(y, tensor({2.0f, 3.0f}))).backward();
  CHECK(values(x.grad()) == Numbers{2, 0, 3, 0});
  CHECK_THROWS_AS(mine::evens_(x), AutogradError);

  // Its base is as it was, and later writes reach it.
  Tensor z = counted({4}).requires_grad_(), base = ops::mul(z, 1), v = ops::slice(base, 0, 1);
  mine::evens_(v);
  CHECK(autograd::is_view(v));
  ops::mul_(v, 5);
  CHECK(values(base) == Numbers{0, 5, 2, 15});
  ops::sum(base).backward();
  CHECK(values(z.grad()) == Numbers{1, 5, 1, 5});

  // What was saved before is no longer what the tensor shows.
  Tensor a = counted({4}).requires_grad_(), b = ops::mul(a, 1), square = ops::mul(b, b);
  mine::evens_(b);
  CHECK_THROWS_AS(ops::sum(square).backward(), AutogradError);
}

TEST_CASE("a view outside of the tensor's memory is refused", "[view]") {
  Tensor x = counted({4});
  CHECK_THROWS_AS(mine::beyond(x, 1), ValueError);
  CHECK(values(mine::beyond(ops::slice(x, 0, 0, 3), 1)) == Numbers{1, 2, 3});
}

TEST_CASE("a user's view, its copy and its inverse have gradients of any order", "[view]") {
  Tensor x = counted({4}).requires_grad_();
  Tensor y = ops::sum(ops::mul(mine::evens(x), mine::evens(x)));
  Tensor g = autograd::grad({y}, {x}, {}, true, true)[0];
  CHECK(values(g) == Numbers{0, 0, 4, 0});
  CHECK(values(autograd::grad({ops::sum(ops::mul(g, g))}, {x})[0]) == Numbers{0, 0, 16, 0});
  Tensor z = counted({4}).requires_grad_();
  Tensor copy = mine::evens_copy(z);
  CHECK(copy.grad_fn()->name() == "EvensBackward0_copy");
  ops::sum(ops::mul(copy, tensor({2.0f, 3.0f}))).backward();
  CHECK(values(z.grad()) == Numbers{2, 0, 3, 0});
  Tensor a = counted({4}).requires_grad_(), b = counted({2}).requires_grad_();
  ops::sum(ops::mul(mine::evens_scatter(a, b), tensor({1.0f, 2.0f, 3.0f, 4.0f}))).backward();
  CHECK((values(a.grad()) == Numbers{0, 2, 0, 4} && values(b.grad()) == Numbers{1, 3}));
}

TEST_CASE("a write to a user's view is a write to its base, for gradients too", "[view]") {
  Tensor x = counted({4}).requires_grad_(), y = ops::mul(x, 1), v = mine::evens(y);
  ops::mul_(v, 5);
  CHECK(values(y) == Numbers{0, 1, 10, 3});
  ops::sum(y).backward();
  CHECK(values(x.grad()) == Numbers{5, 1, 5, 1});
}

TEST_CASE("a user's list of views has a gradient where some results are not used", "[view]") {
  Tensor x = counted({3, 2}).requires_grad_();
  auto parts = mine::rows(x);
  REQUIRE((parts.size() == 3 && values(parts[1]) == Numbers{2, 3}));
  ops::sum(ops::add(parts[0], parts[2])).backward();
  CHECK(values(x.grad()) == Numbers{1, 1, 0, 0, 1, 1});
  CHECK(values(mine::rows_copy(x.detach())[2]) == Numbers{4, 5});
}

TEST_CASE("a user's view is functionalized by its inverse", "[view]") {
  auto f = [](const Tensor& t) {
    Tensor y = ops::mul(t, 1), v = mine::evens(y);
    ops::fill_(v, 9);
    return y;
  };
  for (auto remove : {functionalization::Remove::Mutations, functionalization::Remove::MutationsAndViews})
    CHECK(values(functionalization::functionalize(f, remove)(counted({5}))) == Numbers{9, 1, 9, 3, 9});
  auto in_place = [](const Tensor& t) {
    Tensor y = ops::mul(t, 1), v = ops::alias(y);
    mine::evens_(v);
    ops::fill_(v, 9);
    return ops::cat({y, v});
  };
  for (auto remove : {functionalization::Remove::Mutations, functionalization::Remove::MutationsAndViews})
    CHECK(values(functionalization::functionalize(in_place, remove)(counted({3}))) == Numbers{9, 1, 9, 9, 9});
}

TEST_CASE("a user's view takes symbolic sizes and arguments", "[view][symbolic]") {
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(6);
  Tensor x = ops::empty(SymIntList{n, 3}.ref, "device"_a = kMeta), plain = ops::empty({8}, "device"_a = kMeta);
  CHECK(mine::evens(x).sym_sizes()[0].guard_int(__FILE__, __LINE__) == 3);
  CHECK(mine::evens(plain, 0, "step"_a = n).sym_sizes()[0].guard_int(__FILE__, __LINE__) == 2);
  CHECK(mine::evens_copy(x).sym_sizes()[1] == 3);
  CHECK(mine::evens_(x).sym_sizes()[0].guard_int(__FILE__, __LINE__) == 3);
}
