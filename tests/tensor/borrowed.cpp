// Tensors that are referred to, and where they are.
#include <tenon/base/maybe_owned.hpp>
#include <tenon/dispatch/optional_device_guard.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/device_of.hpp>
#include <tenon/tensor/optional_tensor_ref.hpp>

#include <catch.hpp>

using namespace tenon;

TEST_CASE("a borrowed tensor counts no reference, an owned one does", "[tensor][borrowed]") {
  Tensor t = make_tensor({2}, {}, kFloat);
  auto borrowed = MaybeOwned<Tensor>::borrowed(t);
  CHECK((t.use_count() == 1 && borrowed->is_same(t)));
  auto owned = MaybeOwned<Tensor>::owned(t);
  CHECK((t.use_count() == 2 && owned->is_same(t)));
  OptionalTensorRef ref(t), none;
  CHECK((t.use_count() == 2 && ref && ref->is_same(t) && (*ref).dtype() == kFloat && ref.or_undefined().is_same(t)));
  CHECK((!none && !none.has_value() && !none.or_undefined().defined()));
  const Tensor empty;
  const std::optional<Tensor> some = t, nothing;
  CHECK((!OptionalTensorRef(empty) && OptionalTensorRef(some)->is_same(t) && !OptionalTensorRef(nothing)));
  STATIC_REQUIRE_FALSE(std::is_constructible_v<OptionalTensorRef, Tensor>);
}

TEST_CASE("device_of says where tensors are, for a guard", "[tensor][borrowed]") {
  Tensor t = make_tensor({2}, {}, kFloat), meta = make_tensor({2}, {}, kFloat, kMeta);
  CHECK((device_of(t) == Device(kCPU) && device_of(meta) == Device(kMeta) && !device_of(Tensor())));
  const std::optional<Tensor> some = meta, nothing;
  CHECK((device_of(some) == Device(kMeta) && !device_of(nothing)));
  const std::vector<Tensor> list{meta, t};
  CHECK((device_of(list) == Device(kMeta) && !device_of(std::vector<Tensor>())));
  OptionalDeviceGuard guard(device_of(Tensor()));
  CHECK_FALSE(guard.current_device());
}
