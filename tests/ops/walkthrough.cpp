// The walkthroughs of the source documents that end in an operator's kernel: the dispatcher's steps and what they
// leave.
#include <cstdint>

#include "../registry_support.hpp"
#include "support.hpp"

using namespace test;
using support::steps;
using K = DispatchKey;

namespace {

using Steps = std::vector<std::string>;
Tensor& unsqueezed(Tensor& self, std::int64_t) { return self; }
Tensor multiplied(const Tensor& self, const Tensor&) { return self; }

}  // namespace

TEST_CASE("W4: an empty tensor, from the call down to its memory", "[ops][walkthrough]") {
  Tensor t;
  CHECK(steps([&] {
          t = ops::empty({2, 3});
        }) == Steps{"[call] aten::empty.memory_format BackendSelect", "[redispatch] aten::empty.memory_format CPU"});
  CHECK(reinterpret_cast<std::uintptr_t>(t.data_ptr()) % 64 == 0);
  CHECK(t->storage()->nbytes() == 24);
  for (K k : {K::CPU, K::AutogradCPU, K::ADInplaceOrView}) CHECK(t.keys().has(k));
  CHECK(t.narrow(0, 1, 1).data_ptr() == static_cast<char*>(t.data_ptr()) + 12);
  InferenceMode guard;
  KeySet keys = ops::empty({2, 3}).keys();
  CHECK(keys.has(K::CPU));
  for (K k : {K::AutogradCPU, K::ADInplaceOrView}) CHECK_FALSE(keys.has(k));
}

TEST_CASE("W5: a tensor that has the format already is returned without a call", "[ops][walkthrough]") {
  Tensor x = counted({1, 64, 5, 4}), y;
  CHECK(steps([&] { y = x.contiguous(MemoryFormat::ChannelsLast); }).front() == "[call] aten::contiguous AutogradCPU");
  CHECK(steps([&] { CHECK(y.contiguous(MemoryFormat::ChannelsLast).is_same(y)); }).empty());
  CHECK(steps([&] { CHECK(x.contiguous().is_same(x)); }).empty());
  // A composite: found from every backend and autograd key alike, and differentiated through its parts.
  auto& entry = support::entry("aten::contiguous");
  for (K k : {K::CPU, K::CUDA, K::AutogradCPU, K::AutogradCUDA})
    CHECK(Registry::get().tables().compute(entry, k).provenance == Provenance::Math);
  Tensor leaf = counted({2, 3});
  leaf.requires_grad_();
  leaf.t().contiguous().mul(counted({3, 2})).sum().backward();
  CHECK(values(leaf.grad()) == Numbers{0, 2, 4, 1, 3, 5});
}

TEST_CASE("W8: one structured kernel, three forms", "[ops][walkthrough]") {
  for (const char* form : {"aten::add.Tensor", "aten::add_.Tensor", "aten::add.out"})
    for (K k : {K::CPU, K::Meta})
      CHECK(Registry::get().tables().compute(support::entry(form), k).provenance == Provenance::Kernel);
  Tensor a = counted({2, 3}), b = counted({2, 3}), c = ops::add(a, b, "alpha"_a = 2);
  CHECK((values(c) == Numbers{0, 3, 6, 9, 12, 15} && c.data_ptr() != a.data_ptr()));
  std::uint32_t before = a.version();
  CHECK((a.add_(b).is_same(a) && a.version() == before + 1 && values(a) == Numbers{0, 2, 4, 6, 8, 10}));
  Tensor out = ops::empty({0}), turned = ops::empty({3, 2}).t();
  CHECK((ops::add(a, b, "out"_a = out).is_same(out) && list(out.sizes()) == Ints{2, 3}));
  ops::add(a, b, "out"_a = turned);
  CHECK((values(turned) == Numbers{0, 3, 6, 9, 12, 15} && list(turned.strides()) == Ints{1, 2}));
  Tensor row = counted({1, 3}), whole = tensor({1, 2, 3});
  CHECK_ERROR(row.add_(a), ValueError, "output with shape [1, 3] doesn't match the broadcast shape [2, 3]");
  CHECK_ERROR(whole.add_(row), TypeError, "result type float32 can't be cast to the desired output type int64");
  CHECK((values(row) == Numbers{0, 1, 2} && row.version() == 0));
  Tensor shape = ops::add(a.to("device"_a = kMeta), b.to("device"_a = kMeta));
  CHECK((shape.is_meta() && list(shape.sizes()) == Ints{2, 3}));
}

TEST_CASE("W11: z = x + y", "[ops][walkthrough]") {
  Tensor x = tensor({{1.0}, {2.0}, {3.0}}), y = tensor({{2.0}, {4.0}, {6.0}}), z;
  CHECK(steps([&] { z = x + y; }) == Steps{"[call] aten::add.Tensor AutogradCPU", "[redispatch] aten::add.Tensor CPU"});
  CHECK((values(z) == Numbers{3, 6, 9} && list(z.sizes()) == Ints{3, 1} && z.dtype() == kFloat));
  CHECK(values(1 + y) == Numbers{3, 5, 7});
  CHECK(steps([&] { z += x; }).front() == "[call] aten::add_.Tensor AutogradCPU");
  CHECK(values(z) == Numbers{4, 8, 12});
}

TEST_CASE("W10: the out form of abs, by its keys", "[ops][walkthrough]") {
  Tensor x = tensor({-1, 2, -3}), out = ops::empty({0}, "dtype"_a = kLong);
  CHECK(steps([&] { CHECK(ops::abs(x, "out"_a = out).is_same(out)); }) ==
        Steps{"[call] aten::abs.out AutogradCPU", "[redispatch] aten::abs.out ADInplaceOrView",
              "[redispatch] aten::abs.out CPU"});
  CHECK((values(out) == Numbers{1, 2, 3} && out.dtype() == kLong && out.version() == 1));
  Tensor z = tensor({Complex<double>(3, 4)}), real = ops::empty({0});
  ops::abs(z, "out"_a = real);
  CHECK((values(real) == Numbers{5} && ops::abs(z).dtype() == kFloat));
  CHECK(schema::to_string(support::op("aten::abs", "out").schema()) ==
        "aten::abs.out(Tensor self, *, Tensor(a!) out) -> Tensor(a!)");
  CHECK(support::op("aten::abs", "out").entry().facts() ==
        OperatorFacts{{Tag::pointwise, Tag::out, Tag::pt2_compliant_tag}, Variants::Function, false});
}

// The peer has the method alone; ops:: holds a function for every operator, as at::_ops does there.
TEST_CASE("W17: a view method that works in place", "[ops][walkthrough]") {
  Tensor x = counted({2, 3});
  std::uint32_t before = x.version();
  CHECK(steps([&] { CHECK(x.unsqueeze_(1).is_same(x)); }) == Steps{"[call] aten::unsqueeze_ AutogradCPU",
                                                                   "[redispatch] aten::unsqueeze_ ADInplaceOrView",
                                                                   "[redispatch] aten::unsqueeze_ CPU"});
  CHECK(list(x.sizes()) == Ints{2, 1, 3});
  CHECK(x.version() == before + 1);
  const OperatorEntry& entry = support::op("aten::unsqueeze_").entry();
  CHECK(schema::to_string(entry.schema()) == "aten::unsqueeze_(Tensor(a!) self, int dim) -> Tensor(a!)");
  CHECK(entry.facts() ==
        OperatorFacts{{Tag::inplace_view, Tag::inplace, Tag::pt2_compliant_tag}, Variants::Method, false, false});
  CHECK((entry.has_tag(Tag::inplace_view) && entry.has_tag("inplace_view") && !entry.has_tag(Tag::view_copy)));
  // A kernel of another back end would stand in the table as it is, without check and guard.
  STATIC_REQUIRE(std::is_same_v<decltype(detail::kernel_for<ops::unsqueeze_base__op, &unsqueezed, K::CUDA>()),
                                decltype(&unsqueezed)>);
  STATIC_REQUIRE(detail::kernel_for<ops::unsqueeze_base__op, &unsqueezed, K::CUDA>() == &unsqueezed);
  STATIC_REQUIRE(detail::kernel_for<ops::mm_base_op, &multiplied, K::CUDA>() != &multiplied);
}
