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
void plain_meta(Outputs& out, const Tensor& a) { out.set_output_strided(0, a.sizes(), {}, a.dtype(), a.device()); }

}  // namespace
TENON_STRUCTURED(sym_outer, "symtest::outer(Tensor a, Tensor b) -> Tensor", &outer_meta);
TENON_STRUCTURED(sym_sum_shape, "symtest::sum_shape(Tensor a, Tensor b) -> Tensor", &sum_shape_meta);
TENON_STRUCTURED(sym_plain, "symtest::plain(Tensor a) -> Tensor", &plain_meta);

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
