// Calls held against their schemas: what is told of an operator whose schema is not true.
#include <tenon/transform/schema_check.hpp>

#include "support.hpp"

using namespace test;

namespace {

/// Writes where the version counter does not look.
void overwrite(const Tensor& t) { reinterpret_cast<float*>(t->storage()->data())[0] += 1; }

TENON_LIBRARY(_checked, m) {
  m.def("good(Tensor x, Tensor(a!) out, Tensor(b) shown) -> (Tensor(a!), Tensor(b), Tensor)");
  m.def("writes(Tensor x, Tensor y) -> Tensor").def("list_writes(Tensor[] list) -> ()");
  m.def("reshapes(Tensor x) -> ()").def("uncounted(Tensor(a!) x) -> ()");
  m.def("returns_argument(Tensor x, Tensor y) -> Tensor").def("shows(Tensor(a) x, Tensor y) -> Tensor(a)");
  m.def("twins(Tensor x) -> (Tensor, Tensor)").def("any_alias(Tensor(*) x) -> Tensor(*)");
  m.def("meta_shape(Tensor x) -> Tensor").def("meta_dtype(Tensor x) -> Tensor").def("meta_strides(Tensor x) -> Tensor");
  m.def("meta_count(Tensor x) -> Tensor[]").def("meta_refuses(Tensor x) -> Tensor");
  m.def("composed(Tensor x) -> Tensor", [](const Tensor& x) {
    OperatorHandle inner = Registry::get().find_schema_or_throw("_checked::writes", "");
    Stack stack{x, x + 1};
    inner.call_boxed(stack);
    return stack[0].to_tensor();
  });
}
TENON_LIBRARY_IMPL(_checked, CPU, m) {
  m.impl("good", [](const Tensor& x, Tensor& out, const Tensor& shown) {
    out.copy_(x);
    return std::tuple<Tensor&, Tensor, Tensor>{out, make_alias(shown), x + 1};
  });
  m.impl("writes", [](const Tensor& x, const Tensor& y) {
    overwrite(y);
    return x + 1;
  });
  m.impl("list_writes", [](TensorList list) { overwrite(list[1]); });
  m.impl("reshapes", [](const Tensor& x) { x->set_contiguous(IntArrayRef{1, 4}); });
  m.impl("uncounted", [](Tensor& x) { overwrite(x); });
  m.impl("returns_argument", [](const Tensor&, const Tensor& y) { return y; });
  m.impl("shows", [](const Tensor&, const Tensor& y) { return make_alias(y); });
  m.impl("twins", [](const Tensor& x) {
    Tensor t = x + 1;
    return std::tuple<Tensor, Tensor>{t, make_alias(t)};
  });
  m.impl("any_alias", [](const Tensor& x) { return x; });
  for (const char* name : {"meta_shape", "meta_dtype", "meta_strides", "meta_refuses"})
    m.impl(name, [](const Tensor& x) { return x.clone(); });
  m.impl("meta_count", [](const Tensor& x) { return std::vector<Tensor>{x + 1, x + 2}; });
}
TENON_LIBRARY_IMPL(_checked, Meta, m) {
  m.impl("meta_shape", [](const Tensor& x) { return x.sum(0); });
  m.impl("meta_dtype", [](const Tensor& x) { return x.to(kDouble); });
  m.impl("meta_strides", [](const Tensor& x) { return x.t().contiguous().t(); });
  m.impl("meta_refuses", [](const Tensor& x) -> Tensor { fail<ValueError>("only three dimensions, got ", x.dim()); });
  m.impl("meta_count", [](const Tensor& x) { return std::vector<Tensor>{x + 1}; });
}
// Nobody counts what it writes.
TENON_LIBRARY_IMPL(_checked, AutogradCPU, m) { m.impl("uncounted", fallthrough()); }
TENON_LIBRARY_IMPL(_checked, ADInplaceOrView, m) { m.impl("uncounted", fallthrough()); }

Stack call(std::string_view name, Stack stack) {
  SchemaCheckGuard guard;
  Registry::get().find_schema_or_throw(concat("_checked::", name), "").call_boxed(stack);
  return stack;
}
Tensor two_by_two() { return tensor({{1.0, 2.0}, {3.0, 4.0}}); }

}  // namespace

TEST_CASE("an operator that does what its schema says passes", "[transform][schema_check]") {
  Tensor x = two_by_two(), out = ops::zeros({2, 2}), shown = two_by_two();
  Stack results = call("good", {x, out, shown});
  CHECK(results[0].to_tensor().is_same(out));
  CHECK(results[1].to_tensor()->storage() == shown->storage());
  CHECK_NOTHROW(call("any_alias", {x}));
  // One tensor for what is read and what is written.
  SchemaCheckGuard guard;
  x.add_(x);
  x.narrow(0, 0, 1).mul_(x.narrow(0, 1, 1));
  Tensor y = two_by_two().requires_grad_();
  (ops::linear(y, y) * y).sum().backward();
  CHECK(y.grad().defined());
  x.resize_({3, 3});
  CHECK_NOTHROW(ops::add(x, x, "out"_a = ops::empty({0})));
}

TEST_CASE("a write that the schema does not tell of is an error", "[transform][schema_check]") {
  CHECK_ERROR(call("writes", {two_by_two(), two_by_two()}), SchemaError,
              "_checked::writes(Tensor x, Tensor y) -> Tensor: argument 2 'y' was written, and its type has no '!'; "
              "declare it 'Tensor(a!)', or write to a copy");
  CHECK_ERROR_CONTAINS(call("list_writes", {Value::list({two_by_two(), two_by_two()})}), SchemaError,
                       "argument 1 'list' was written, and its type has no '!'");
  CHECK_ERROR_CONTAINS(call("reshapes", {two_by_two()}), SchemaError,
                       "argument 1 'x' was given another geometry, and its type has no '!'");
  CHECK_ERROR(call("uncounted", {two_by_two()}), SchemaError,
              "_checked::uncounted(Tensor(a!) x) -> (): argument 1 'x' was written and its version not counted: "
              "expected a version above 0; leave ADInplaceOrView to the library, or count the write");
}

TEST_CASE("shared memory that no alias set tells of is an error", "[transform][schema_check]") {
  CHECK_ERROR(call("returns_argument", {two_by_two(), two_by_two()}), SchemaError,
              "_checked::returns_argument(Tensor x, Tensor y) -> Tensor: result 0 shares memory with argument 2 'y', "
              "and no alias set says so; declare both 'Tensor(a)', or return a copy");
  CHECK_ERROR_CONTAINS(call("shows", {two_by_two(), two_by_two()}), SchemaError,
                       "result 0 shares memory with argument 2 'y'");
  CHECK_ERROR_CONTAINS(call("twins", {two_by_two()}), SchemaError,
                       "results 0 and 1 share memory, and no alias set says so; declare both 'Tensor(a)', or return "
                       "copies");
}

TEST_CASE("a Meta kernel computes what the others do", "[transform][schema_check]") {
  CHECK_ERROR(call("meta_shape", {two_by_two()}), SchemaError,
              "_checked::meta_shape(Tensor x) -> Tensor: result 0: the Meta kernel computes float32 of shape [2] and "
              "strides [1], got float32 of shape [2, 2] and strides [2, 1]");
  CHECK_ERROR_CONTAINS(call("meta_dtype", {two_by_two()}), SchemaError, "computes float64 of shape [2, 2]");
  CHECK_ERROR_CONTAINS(call("meta_strides", {two_by_two()}), SchemaError, "and strides [1, 2], got");
  CHECK_ERROR_CONTAINS(call("meta_count", {two_by_two()}), SchemaError,
                       "result 0: the Meta kernel returns 1 tensors, got 2");
  CHECK_ERROR_CONTAINS(call("meta_refuses", {two_by_two()}), SchemaError,
                       "the Meta kernel refuses a call that succeeds: only three dimensions, got 2");
}

TEST_CASE("a fallback of somebody else at the guard's key is refused", "[transform][schema_check]") {
  Kernel mine([](const OperatorHandle&, Stack&) {});
  Registration other = Registry::get().override_fallback(DispatchKey::TESTING_ONLY_GenericMode, mine, Place("a mode"));
  CHECK_ERROR(
      SchemaCheckGuard(), RegistrationError,
      "SchemaCheckGuard: the key TESTING_ONLY_GenericMode has another fallback (a mode); end that registration, "
      "or give your mode TESTING_ONLY_GenericWrapper");
  other.reset();
  SchemaCheckGuard guard;
  CHECK_ERROR_CONTAINS(
      Registry::get().add_fallback(DispatchKey::TESTING_ONLY_GenericMode, mine, Place("a mode")), RegistrationError,
      "Tried to register multiple backend fallbacks for the same dispatch key TESTING_ONLY_GenericMode");
}

TEST_CASE("operators inside of others are checked too, and only within the guard", "[transform][schema_check]") {
  CHECK_ERROR_CONTAINS(call("composed", {two_by_two()}), SchemaError, "_checked::writes(");
  Stack stack{two_by_two(), two_by_two()};
  CHECK_NOTHROW(Registry::get().find_schema_or_throw("_checked::writes", "").call_boxed(stack));
}
