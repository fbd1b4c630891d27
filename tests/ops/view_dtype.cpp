// The same bytes as another dtype. Expected geometries and words are PyTorch 2.15's.
#include "symbolic.hpp"

using namespace test;

TEST_CASE("bytes are seen as another dtype", "[ops][view_dtype]") {
  Tensor x = counted({3, 4});
  auto as = [](const Tensor& t, ScalarType dtype) { return ops::view_dtype(t, dtype); };
  CHECK(seen(as(x, kShort)) == Seen{{3, 8}, {8, 1}, 0});
  CHECK(seen(as(x, kLong)) == Seen{{3, 2}, {2, 1}, 0});
  CHECK(seen(as(x.slice(1, 2, 4), kLong)) == Seen{{3, 1}, {2, 1}, 1});
  CHECK(as(x, kShort).dtype() == kShort);
  CHECK(as(x, kShort).storage() == x.storage());
  CHECK(values(as(ops::ones({1}), kInt)) == Numbers{0x3f800000});
  CHECK(seen(as(tensor(1.), kInt)) == Seen{{}, {}, 0});
  CHECK_ERROR(as(x.t(), kShort), ValueError,
              "self.stride(-1) must be 1, got 4 to view float32 as int16 (different element sizes)");
  CHECK_ERROR(as(x.slice(1, 1), kLong), ValueError,
              "self.size(-1) must be divisible by 2, got 3 to view float32 as int64 (different element sizes)");
  CHECK_ERROR_CONTAINS(as(x.slice(1, 1, 3), kLong), ValueError, "self.storage_offset() must be divisible by 2, got 1");
  CHECK_ERROR_CONTAINS(as(counted({3, 3}).slice(1, 0, 2), kLong), ValueError, "self.stride(0) must be divisible by 2");
  CHECK_ERROR_CONTAINS(as(tensor(1.), kLong), ValueError, "self.dim() cannot be 0 to view float32 as int64");
}

TEST_CASE("symbolic tensors are seen as another dtype", "[ops][view_dtype][symbolic]") {
  Trace t;
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::view_dtype(meta({n, m}), kShort); })) == "[s0, 2*s1]");
  CHECK(shape(traced(t, [](SymInt n, SymInt m) { return ops::view_dtype(meta({n, m}), kLong); })) == "[s0, (s1//2)]");
}
