// One meta function and one kernel give the functional, in-place and out forms.
#include "../ops/support.hpp"

using namespace test;

namespace mine {

void twice_meta(Outputs& out, const Tensor& self, bool strict) {
  if (strict)
    out.set_output_strided(0, self.sizes(), {}, self.dtype(), self.device());
  else
    out.set_output_raw_strided(0, self.sizes(), {}, self.dtype(), self.device());
}
void twice_cpu(const Tensor& self, bool strict, const Tensor& out) {
  if (strict) REQUIRE(out.is_contiguous());
  Tensor source = self.contiguous();
  for (std::int64_t i = 0; i < out.numel(); ++i) {
    std::int64_t at = 0, rest = i;
    for (std::int64_t d = out.dim(); d-- > 0; rest /= out.size(d)) at += rest % out.size(d) * out.stride(d);
    static_cast<float*>(out.data_ptr())[at] = 2 * source.data_ptr<float>()[i];
  }
}
TENON_STRUCTURED(twice, ("structured_test::twice(Tensor self, bool strict=False) -> Tensor", Tag::pointwise),
                 twice_meta);
TENON_STRUCTURED_KERNEL(twice, CPU, twice_cpu);

void stats_meta(Outputs& out, const Tensor& a, const Tensor& b) {
  for (unsigned i = 0; i < 2; ++i) out.set_output_strided(i, a.sizes(), {}, result_type(a, b), a.device());
}
void stats_cpu(const Tensor& a, const Tensor& b, const Tensor& total, const Tensor& product) {
  ops::add(a, b, "out"_a = total);
  ops::mul(a, b, "out"_a = product);
}
TENON_STRUCTURED(stats, "structured_test::stats(Tensor a, Tensor b) -> (Tensor total, Tensor product)", stats_meta);
TENON_STRUCTURED_KERNEL(stats, CPU, stats_cpu);
TENON_DERIVATIVE(stats, TENON_WRT((a), (grad_total, grad_product, b), grad_total + grad_product * b));

void total_meta(Outputs& out, TensorList xs) {
  out.set_output_strided(0, xs[0].sizes(), {}, xs[0].dtype(), xs[0].device());
}
void total_cpu(TensorList xs, const Tensor& out) {
  ops::copy_(out, xs[0]);
  for (std::size_t i = 1; i < xs.size(); ++i) ops::add(out, xs[i], "out"_a = out);
}
TENON_STRUCTURED(total, "structured_test::total(Tensor[] xs) -> Tensor", total_meta);
TENON_STRUCTURED_KERNEL(total, CPU, total_cpu);

void times_meta(Outputs& out, std::int64_t, const Tensor& x) {
  out.set_output_strided(0, x.sizes(), {}, x.dtype(), x.device());
}
void times_cpu(std::int64_t n, const Tensor& x, const Tensor& out) { ops::mul(x, tensor(n), "out"_a = out); }
TENON_STRUCTURED(times, "structured_test::times(int n, Tensor x) -> Tensor", times_meta);
TENON_STRUCTURED_KERNEL(times, CPU, times_cpu);

void shifted_meta(Outputs& out, const std::optional<Tensor>&, const Tensor& x) {
  out.set_output_strided(0, x.sizes(), {}, x.dtype(), x.device());
}
void shifted_cpu(const std::optional<Tensor>& by, const Tensor& x, const Tensor& out) {
  ops::add(x, by ? *by : tensor(1.0f), "out"_a = out);
}
void unset_meta(Outputs& out, const Tensor& x) { out.set_output_raw_strided(0, x.sizes(), {}, x.dtype(), x.device()); }
void unset_cpu(const Tensor&, const Tensor&, const Tensor&) { FAIL("a kernel was called without a result"); }
TENON_STRUCTURED(unset, "structured_test::unset(Tensor x) -> (Tensor a, Tensor b)", unset_meta);
TENON_STRUCTURED_KERNEL(unset, CPU, unset_cpu);

TENON_STRUCTURED(shifted, "structured_test::shifted(Tensor? by, Tensor x) -> Tensor", shifted_meta);
TENON_STRUCTURED_KERNEL(shifted, CPU, shifted_cpu);

void sevens_meta(Outputs& out, std::int64_t n) { out.set_output_strided(0, {n}, {}, kFloat); }
void sevens_kernel(std::int64_t, const Tensor& out) { ops::fill_(out, 7); }
TENON_STRUCTURED(sevens, "structured_test::sevens(int n) -> Tensor", sevens_meta);
TENON_STRUCTURED_KERNEL(sevens, CompositeExplicitAutograd, sevens_kernel);

// An operator that is declared apart, with one meta function for plain and for symbolic sizes.
TENON_OPERATORS(half_of,
                "structured_test_of_a_namespace_with_a_name_of_more_than_sixty_four_characters_in_all"
                "::half_of(Tensor self, SymInt by) -> Tensor");
struct half_meta {
  template <class Int>
  void operator()(Outputs& out, const Tensor& self, Int by) const {
    dims_t<Int> sizes(sizes_of<Int>(self));
    sizes[0] = sizes[0] / by;
    out.set_output_strided(0, sizes, {}, self.dtype(), self.device());
  }
};
TENON_STRUCTURED_OF(half_of_base, half_meta);
void half_cpu(const Tensor& self, std::int64_t by, const Tensor& out) {
  ops::copy_(out, ops::slice(self, 0, 0, self.size(0) / by));
}
TENON_STRUCTURED_KERNEL(half_of_base, CPU, half_cpu);

template <class Op>
inline constexpr bool has_inplace_form = requires(Tensor x) {
  requires Op::has_inplace;
};
static_assert(has_inplace_form<twice_op> && !has_inplace_form<stats_op> && !has_inplace_form<total_op>);
static_assert(!has_inplace_form<times_op> && !has_inplace_form<shifted_op> && !has_inplace_form<sevens_op>);

}  // namespace mine

TEST_CASE("a structured operator gives several results, their out form and derivative", "[structured]") {
  Tensor a = tensor({1.0, 2.0}).requires_grad_(), b = tensor({3.0, 4.0});
  auto [total, product] = mine::stats(a, b);
  REQUIRE((values(total) == Numbers{4, 6} && values(product) == Numbers{3, 8}));
  (total.sum() + product.sum()).backward();
  REQUIRE(values(a.grad()) == Numbers{4, 5});
  Tensor t = ops::empty({0}), p = ops::empty({0});
  auto [t2, p2] = mine::stats_out(a.detach(), b, "total"_a = t, "product"_a = p);
  REQUIRE((&t2 == &t && values(t) == Numbers{4, 6} && values(p) == Numbers{3, 8}));
  mine::stats(b, b, "product"_a = p, "total"_a = t);
  REQUIRE((values(t) == Numbers{6, 8} && values(p) == Numbers{9, 16}));
  REQUIRE(std::get<1>(mine::stats(ops::empty({5}, "device"_a = kMeta), ops::empty({5}, "device"_a = kMeta))).numel() ==
          5);
}

TEST_CASE("one meta function serves plain and symbolic sizes of an operator that is declared apart", "[structured]") {
  Tensor x = counted({4, 1}), out = ops::empty({0});
  CHECK(values(mine::half_of(x, 2)) == Numbers{0, 1});
  CHECK(values(mine::half_of(x, 4, "out"_a = out)) == Numbers{0});
  CHECK_ERROR_CONTAINS(mine::half_of_(x, 2), ValueError, "output with shape [4, 1] doesn't match");
  auto env = make_intrusive<SymEnv>();
  SymInt n = env->symbol(6);
  Tensor meta = ops::empty(SymIntList{n, 3}.ref, "device"_a = kMeta);
  CHECK(concat(mine::half_of(meta, 2).sym_sizes()) == "[(s0//2), 3]");
  CHECK(concat(mine::half_of(ops::empty({8}, "device"_a = kMeta), n).sym_sizes()) == "[(8//s0)]");
}

TEST_CASE("a structured operator and its forms have the tags behind its schema", "[structured]") {
  auto has_tag = [](std::string_view name) {
    auto found = Registry::get().find_op("structured_test::" + std::string(name));
    REQUIRE(found);
    return found.entry().has_tag(Tag::pointwise);
  };
  CHECK(has_tag("twice"));
  CHECK(has_tag("twice_"));
  CHECK(has_tag("twice.out"));
  CHECK_FALSE(has_tag("stats"));
}

TEST_CASE("a structured operator may begin with a list, a number or an absent tensor", "[structured]") {
  Tensor x = tensor({1.0f, 2.0f}), out = ops::empty({0});
  REQUIRE(values(mine::total(std::vector<Tensor>{x, x, x})) == Numbers{3, 6});
  REQUIRE(values(mine::total_out(std::vector<Tensor>{x, x}, out)) == Numbers{2, 4});
  REQUIRE(values(mine::times(3, x)) == Numbers{3, 6});
  REQUIRE(values(mine::times_out(4, x, "out"_a = out)) == Numbers{4, 8});
  REQUIRE(values(mine::shifted(std::nullopt, x)) == Numbers{2, 3});
  REQUIRE(values(mine::shifted(x, x)) == Numbers{2, 4});
  REQUIRE(values(mine::shifted_out(x, x, "out"_a = out)) == Numbers{2, 4});
  REQUIRE(values(mine::sevens(2)) == Numbers{7, 7});
  for (const char* name : {"stats_", "total_", "times_", "shifted_", "sevens_"})
    REQUIRE(Registry::get().find(std::string("structured_test::") + name) == nullptr);
}

TEST_CASE("a structured operator has three forms and a kernel for Meta tensors", "[structured]") {
  Tensor a = counted({2, 3});
  REQUIRE(values(mine::twice(a)) == Numbers{0, 2, 4, 6, 8, 10});
  Tensor out = ops::empty({0});
  Tensor& same = mine::twice_out(a, "out"_a = out);
  REQUIRE((&same == &out && list(out.sizes()) == Ints{2, 3} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
  mine::twice_(a);
  REQUIRE(values(a) == Numbers{0, 2, 4, 6, 8, 10});
  Tensor meta = mine::twice(ops::empty({4, 1}, "device"_a = Device("meta")));
  REQUIRE((meta.is_meta() && list(meta.sizes()) == Ints{4, 1}));
}

TEST_CASE("a given result with other strides is filled through a proxy where the kernel needs its own",
          "[structured]") {
  Tensor a = counted({2, 3}), out = ops::empty({3, 2}).t();
  mine::twice_out(a, "strict"_a = true, "out"_a = out);
  REQUIRE((list(out.strides()) == Ints{1, 2} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
  mine::twice_out(a, "strict"_a = false, "out"_a = out);
  REQUIRE((list(out.strides()) == Ints{1, 2} && values(out) == Numbers{0, 2, 4, 6, 8, 10}));
}

TEST_CASE("a given result must fit", "[structured]") {
  Tensor a = counted({2, 3});
  Tensor other = ops::empty({2, 3}, "dtype"_a = kDouble);
  REQUIRE_THROWS_TEXT(mine::twice_out(a, "out"_a = other),
                      "Expected out tensor to have dtype float32, but got float64 instead");
  Tensor one = ops::empty({1}), wide = one.expand({2, 3});
  REQUIRE_THROWS_AS(mine::twice_out(a, "out"_a = wide), ValueError);
}

TEST_CASE("a result that is an optional or listed argument too is read before it is resized", "[structured]") {
  Tensor x = counted({3}), y = counted({3}), by = tensor({5.0f}), last = tensor({7.0f});
  mine::shifted_out(by, x, "out"_a = by);
  REQUIRE((list(by.sizes()) == Ints{3} && values(by) == Numbers{5, 6, 7}));
  std::vector<Tensor> both{y, last};
  mine::total_out(both, "out"_a = last);
  REQUIRE((list(last.sizes()) == Ints{3} && values(last) == Numbers{7, 8, 9}));
}

TEST_CASE("a result that the meta function does not set is named, in each form", "[structured]") {
  Tensor x = counted({2}), a = counted({2}), b = counted({2});
  CHECK_ERROR(mine::unset(x), SchemaError,
              "structured_test::unset(Tensor x) -> (Tensor a, Tensor b): the meta function did not set result 1; call "
              "set_output_strided or set_output_raw_strided for each result");
  CHECK_ERROR_CONTAINS(mine::unset_out(x, "a"_a = a, "b"_a = b), SchemaError, "the meta function did not set result 1");
}

TEST_CASE("the forms are found by their names", "[structured]") {
  for (const char* overload : {"", "out"})
    REQUIRE_NOTHROW(Registry::get().find_schema_or_throw("structured_test::twice", overload));
  Stack stack{counted({3}), true};
  Registry::get().find_schema_or_throw("structured_test::twice_", "").call_boxed(stack);
  REQUIRE(values(stack[0].to_tensor()) == Numbers{0, 2, 4});
}

TEST_CASE("an argument that a derivative leaves out is named when it requires grad", "[structured]") {
  Tensor a = tensor({1.0}).requires_grad_(), b = tensor({2.0}).requires_grad_();
  CHECK_ERROR(mine::stats(a, b), AutogradError,
              "structured_test::stats: the derivative for argument 2 'b' is not implemented; add a TENON_WRT for it to "
              "the operator's TENON_DERIVATIVE, or detach it");
  mine::stats(a, b.detach());
  NoGradGuard guard;
  mine::stats(a, b);
}

TEST_CASE("an argument that is the result too is resized after it was read", "[structured]") {
  Tensor x = counted({2, 3});
  CHECK(values(ops::sum(x, {1}, "out"_a = x)) == Numbers{3, 12});
  CHECK(list(x.sizes()) == Ints{2});
  Tensor a = counted({1, 3}), b = counted({3, 4});
  CHECK(values(ops::mm(a, b, "out"_a = a)) == Numbers{20, 23, 26, 29});
  Tensor losses = counted({2, 3}), total = ops::empty({});
  ops::nll_loss_forward_base_out(losses, tensor({0, 1}), std::nullopt, 1, -100, losses, total);
  CHECK(values(losses) == Numbers{-2});
}
