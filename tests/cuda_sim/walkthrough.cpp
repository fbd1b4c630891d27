// The walkthroughs that name CUDA, on the simulated device, by the keys that their source tells.
#include <algorithm>

#include <tenon/autograd/node.hpp>

#include "../ops/support.hpp"
#include "../registry_support.hpp"

using namespace test;
using support::steps;
using K = DispatchKey;
using Steps = std::vector<std::string>;

namespace {

Tensor on_cpu(const Tensor& t) { return t.detach().to(kCPU, t.dtype()); }

}  // namespace

TEST_CASE("W6 on CUDA: add of two sizes, its two rounds and its gradients", "[cuda_sim][walkthrough]") {
  Tensor x = ops::randn({3}, "device"_a = kCUDA), y = ops::randn({1}, "device"_a = kCUDA), z;
  LocalKeys before = local_keys();
  CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CUDA, K::AutogradCUDA, K::ADInplaceOrView, K::BackendSelect});
  CHECK(steps([&] { z = ops::add(x, y); }) ==
        Steps{"[call] aten::add.Tensor AutogradCUDA", "[redispatch] aten::add.Tensor CUDA"});
  CHECK((list(z.sizes()) == Ints{3} && z.grad_fn() == nullptr && z.device() == Device("cuda:0")));
  {
    AutoDispatchBelowAutograd below;
    for (K k : {K::AutogradCPU, K::AutogradCUDA, K::AutogradXLA}) CHECK_FALSE(with_local_keys(KeySet(k)).has(k));
    CHECK(with_local_keys(x.keys() | y.keys()) == KeySet{K::CUDA, K::ADInplaceOrView, K::BackendSelect});
    CHECK(steps([&] { z = ops::add(x, y); }) == Steps{"[call] aten::add.Tensor CUDA"});
  }
  CHECK_THROWS_AS(ops::add(x, ops::randn({2}, "device"_a = kCUDA)), ValueError);
  CHECK((local_keys().included == before.included && local_keys().excluded == before.excluded));
  x.requires_grad_();
  y.requires_grad_();
  z = ops::add(x, y, "alpha"_a = 2);
  REQUIRE(z.grad_fn() != nullptr);
  CHECK(z.grad_fn()->name() == "AddBackward0");
  z.backward(tensor({1.f, 2.f, 3.f}).to(Device("cuda:0"), kFloat));
  CHECK(values(on_cpu(x.grad())) == Numbers{1, 2, 3});
  CHECK(values(on_cpu(y.grad())) == Numbers{12});
}

TEST_CASE("W8 on CUDA: one structured kernel, three forms", "[cuda_sim][walkthrough]") {
  for (const char* form : {"aten::add.Tensor", "aten::add_.Tensor", "aten::add.out"})
    for (K k : {K::CPU, K::CUDA, K::Meta})
      CHECK(Registry::get().tables().compute(support::entry(form), k).provenance == Provenance::Kernel);
  auto there = [](const Tensor& t) { return t.to(Device("cuda:0"), t.dtype()); };
  Tensor a = there(counted({2, 3})), b = there(counted({2, 3})), c = ops::add(a, b, "alpha"_a = 2);
  CHECK((values(on_cpu(c)) == Numbers{0, 3, 6, 9, 12, 15} && c.data_ptr() != a.data_ptr()));
  std::uint32_t before = a.version();
  CHECK((a.add_(b).is_same(a) && a.version() == before + 1));
  CHECK(values(on_cpu(a)) == Numbers{0, 2, 4, 6, 8, 10});
  Tensor out = ops::empty({0}, "device"_a = kCUDA), turned = ops::empty({3, 2}, "device"_a = kCUDA).t();
  CHECK((ops::add(a, b, "out"_a = out).is_same(out) && list(out.sizes()) == Ints{2, 3}));
  ops::add(a, b, "out"_a = turned);
  CHECK((values(on_cpu(turned)) == Numbers{0, 3, 6, 9, 12, 15} && list(turned.strides()) == Ints{1, 2}));
  Tensor row = there(counted({1, 3})), whole = there(tensor({1, 2, 3}));
  CHECK_ERROR(row.add_(a), ValueError, "output with shape [1, 3] doesn't match the broadcast shape [2, 3]");
  CHECK_ERROR(whole.add_(row), TypeError, "result type float32 can't be cast to the desired output type int64");
  CHECK((values(on_cpu(row)) == Numbers{0, 1, 2} && row.version() == 0));
}

TEST_CASE("W9 on CUDA: randn chooses the backend, makes the tensor and fills it", "[cuda_sim][walkthrough]") {
  Tensor x;
  Steps seen = steps([&] { x = ops::randn({3, 3}, "device"_a = kCUDA); });
  Steps told{"[call] aten::randn BackendSelect",
             "[redispatch] aten::randn CUDA",
             "[call] aten::empty.memory_format BackendSelect",
             "[redispatch] aten::empty.memory_format CUDA",
             "[call] aten::normal_ AutogradCUDA",
             "[redispatch] aten::normal_ ADInplaceOrView",
             "[redispatch] aten::normal_ CUDA"};
  REQUIRE(seen.size() >= told.size());
  CHECK(Steps(seen.begin(), seen.begin() + 7) == told);
  // Behind these its kernel asks the Meta one what to refuse, and nothing else of the device.
  CHECK(std::none_of(seen.begin() + 7, seen.end(), [](const std::string& s) { return s.ends_with("CUDA"); }));
  CHECK((x.version() == 1 && x.is_leaf() && !x.requires_grad() && x.keys().has(K::AutogradCUDA)));
  {  // the peer's Python front calls it like this
    AutoDispatchBelowADInplaceOrView below;
    seen = steps([&] { x = ops::randn({3, 3}, "device"_a = kCUDA); });
    REQUIRE(seen.size() > 4);
    CHECK(seen[4] == "[call] aten::normal_ CUDA");
  }
  manual_seed(3);
  Tensor first = ops::randn({10000}, "device"_a = kCUDA);
  manual_seed(3);
  CHECK(ops::equal(ops::randn({10000}, "device"_a = kCUDA), first));
  CHECK(std::abs(on_cpu(first).mean().item<double>()) < 0.04);
  CHECK(std::abs(on_cpu(first).std().item<double>() - 1) < 0.03);
}
