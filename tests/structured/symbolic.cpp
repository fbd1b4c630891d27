// Users' operators on symbolic Meta tensors.
#include <tenon/tenon.hpp>
#include <tenon/cpu/pointwise_operator.hpp>

#include <catch.hpp>

using namespace tenon;

TENON_POINTWISE(sym_swish, "symtest::swish(Tensor self, Tensor scale) -> Tensor",
                [](auto x, auto scale) { return x / (1 + exp(-scale * x)); });

namespace {

// Both kinds of tensors: the shape functions take lists of either.
void outer_meta(Outputs& out, const Tensor& a, const Tensor& b) {
  out.set_output_strided(0, SymDimVector{a.sym_size(0), b.sym_size(0) + 1}, {}, a.dtype(), a.device());
}
void sum_shape_meta(Outputs& out, const Tensor& a, const Tensor& b) {
  out.set_output_raw_strided(0, broadcast_shapes(a.sym_sizes(), b.sym_sizes()), {}, a.dtype(), a.device());
}
void shift_meta(Outputs& out, const Tensor& self, std::int64_t, IntArrayRef, std::optional<std::int64_t>) {
  out.set_output_strided(0, self.sizes(), {}, self.dtype(), self.device());
}
void grow_meta(Outputs& out, const Tensor& self, const SymInt& by) {
  out.set_output_strided(0, SymDimVector{self.sym_size(0) + by}, {}, self.dtype(), self.device());
}
void grow_cpu(const Tensor&, std::int64_t, const Tensor&) {}
void plain_meta(Outputs& out, const Tensor& a) { out.set_output_strided(0, a.sizes(), {}, a.dtype(), a.device()); }

}  // namespace
TENON_STRUCTURED(sym_outer, "symtest::outer(Tensor a, Tensor b) -> Tensor", &outer_meta);
TENON_STRUCTURED(sym_sum_shape, "symtest::sum_shape(Tensor a, Tensor b) -> Tensor", &sum_shape_meta);
TENON_STRUCTURED(sym_plain, "symtest::plain(Tensor a) -> Tensor", &plain_meta);
TENON_STRUCTURED(sym_shift, "symtest::shift(Tensor self, SymInt by, SymInt[] at, SymInt? to=None) -> Tensor",
                 &shift_meta);
TENON_STRUCTURED(sym_grow, "symtest::grow(Tensor self, SymInt by) -> Tensor", &grow_meta);
TENON_STRUCTURED_KERNEL(sym_grow, CPU, &grow_cpu);

namespace {
struct Trace {
  intrusive_ptr<SymEnv> env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(4);
  Tensor make(SymIntList sizes) { return ops::empty(sizes.ref, "device"_a = kMeta); }
};
std::string shape(const Tensor& t) { return concat(t.sym_sizes()); }
}  // namespace

TEST_CASE("a user's pointwise operator takes symbolic tensors", "[structured][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n, 8}), y = ops::empty({8}, "device"_a = kMeta);
  CHECK(shape(sym_swish(x, y)) == "[s0, 8]");
  sym_swish_(x, y);
  Tensor out = ops::empty({0}, "device"_a = kMeta);
  sym_swish_out(x, y, out);
  CHECK(shape(out) == "[s0, 8]");
  CHECK(t.env->guards().size() == 1);
}

TEST_CASE("a user's structured operator takes them if its meta function asks for SymInts", "[structured][symbolic]") {
  Trace t;
  Tensor x = t.make({t.n}), y = ops::empty({8}, "device"_a = kMeta);
  CHECK(shape(sym_outer(x, x)) == "[s0, s0 + 1]");
  CHECK(shape(sym_sum_shape(t.make({t.n, 1}), y)) == "[s0, 8]");
  Tensor plain = sym_outer(y, y);
  CHECK(plain.sizes() == IntArrayRef({8, 9}));
  Tensor given = t.make({t.n, t.n + 1});
  sym_outer_out(x, x, given);
  CHECK(shape(given) == "[s0, s0 + 1]");
}

TEST_CASE("one that asks for plain sizes is named with its argument", "[structured][symbolic]") {
  Trace t;
  CHECK_ERROR(
      sym_plain(t.make({t.n, 3})), TypeError,
      "symtest::plain(Tensor a) -> Tensor: argument 1 'a': expected plain sizes, got [s0, 3]; register a kernel "
      "for Meta that reads sym_sizes()");
}

TEST_CASE("a symbolic argument where the meta function takes integers is named with its form",
          "[structured][symbolic]") {
  Trace t;
  Tensor x = ops::empty({3}, "device"_a = kMeta), out = ops::empty({0}, "device"_a = kMeta);
  CHECK(shape(sym_shift(x, 1, IntArrayRef({2, 3}))) == "[3]");
  CHECK_ERROR(sym_shift(x, t.n, IntArrayRef({2, 3})), TypeError,
              "symtest::shift(Tensor self, SymInt by, SymInt[] at, SymInt? to=None) -> Tensor: argument 2 'by': "
              "expected plain integers, got s0; let the meta function take SymInt, or call guard_int() on the value");
  CHECK_ERROR(sym_shift_(x, 1, SymDimVector{2, t.n * 2}), TypeError,
              "symtest::shift_(Tensor(a!) self, SymInt by, SymInt[] at, SymInt? to=None) -> Tensor(a!): argument 3 "
              "'at': expected plain integers, got [2, 2*s0]; let the meta function take SymInt, or call guard_int() on "
              "the value");
  CHECK_ERROR(sym_shift_out(x, 1, IntArrayRef({2}), t.n - 1, out), TypeError,
              "symtest::shift.out(Tensor self, SymInt by, SymInt[] at, SymInt? to=None, *, Tensor(a!) out) -> "
              "Tensor(a!): argument 4 'to': expected plain integers, got s0 - 1; let the meta function take SymInt, or "
              "call guard_int() on the value");
}

TEST_CASE("a symbolic argument where the kernel takes integers is named too", "[structured][symbolic]") {
  Trace t;
  CHECK(shape(sym_grow(ops::empty({3}, "device"_a = kMeta), t.n)) == "[s0 + 3]");
  CHECK(shape(sym_grow(t.make({t.n}), t.n)) == "[2*s0]");
  CHECK(shape(sym_grow(ops::empty({3}), 2)) == "[5]");
  CHECK_ERROR_CONTAINS(sym_grow(ops::empty({3}), t.n), ValueError, "on device cpu");
}
