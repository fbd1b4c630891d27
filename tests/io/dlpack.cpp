// DLPack both ways: dtypes, geometry, who owns the memory, and what is refused.
#include <tenon/io/dlpack.hpp>

#include <catch.hpp>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#include <tenon/tensor/create.hpp>

using namespace tenon;

namespace {

/// A producer of another library: a structure over memory of its own, which counts the calls of its deleter.
template <class M>
struct Producer {
  std::vector<float> memory = std::vector<float>(24);
  std::vector<std::int64_t> shape, strides;
  M managed{};
  int deleted = 0;
  Producer(std::vector<std::int64_t> sizes, std::vector<std::int64_t> steps = {}) : shape(sizes), strides(steps) {
    for (std::size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<float>(i);
    dlpack::View& v = managed.tensor;
    v = {memory.data(),
         dlpack::CPU,
         0,
         static_cast<std::int32_t>(shape.size()),
         {dlpack::Float, 32, 1},
         shape.data(),
         strides.empty() ? nullptr : strides.data(),
         0};
    managed.context = this;
    managed.deleter = [](M* m) { ++static_cast<Producer*>(m->context)->deleted; };
    if constexpr (requires { managed.version; }) managed.version = {1, 0};
  }
  auto* get() {
    if constexpr (requires { managed.version; })
      return reinterpret_cast<DLManagedTensorVersioned*>(&managed);
    else
      return reinterpret_cast<DLManagedTensor*>(&managed);
  }
};
using Old = Producer<dlpack::Managed>;
using New = Producer<dlpack::ManagedVersioned>;

template <class M>
void release(M* m) {
  dlpack::layout_of(m).deleter(&dlpack::layout_of(m));
}

}  // namespace

TEMPLATE_TEST_CASE("an imported tensor is a view that runs the deleter once, after the last handle", "[io][dlpack]",
                   dlpack::Managed, dlpack::ManagedVersioned) {
  Producer<TestType> p({2, 3}, {1, 2});
  {
    Tensor t = from_dlpack(p.get());
    CHECK(t.data_ptr() == p.memory.data());
    CHECK(t.sizes() == IntArrayRef({2, 3}));
    CHECK(t.strides() == IntArrayRef({1, 2}));
    CHECK(t.dtype() == kFloat);
    t.data_ptr<float>()[4] = 40;
    CHECK(p.memory[4] == 40);
    Tensor view = make_alias(t, {1}, {1}, 5);
    t = Tensor();
    CHECK(p.deleted == 0);
    CHECK(view.item<float>() == 5);
  }
  CHECK(p.deleted == 1);
}

TEST_CASE("without strides the memory is row-major, and the offset counts bytes", "[io][dlpack]") {
  New p({2, 3});
  p.managed.tensor.byte_offset = 8;
  Tensor t = from_dlpack(p.get());
  CHECK(t.strides() == IntArrayRef({3, 1}));
  CHECK(t.data_ptr<float>()[0] == 2);
  Old scalar({});
  CHECK(from_dlpack(scalar.get()).item<float>() == 0);
}

TEST_CASE("every dtype comes back through both structures, with its bytes", "[io][dlpack]") {
#define X(CPP, NAME, ...) k##NAME,
  for (ScalarType dtype : {TENON_FOR_EACH_SCALAR_TYPE(X)}) {
#undef X
    CAPTURE(to_string(dtype));
    Tensor t = make_tensor({2, 2}, {}, dtype);
    std::memset(t.data_ptr(), 1, t.nbytes());
    Tensor old = from_dlpack(to_dlpack(t)), versioned = from_dlpack(to_dlpack_versioned(t));
    for (const Tensor& back : {old, versioned}) {
      CHECK(back.dtype() == dtype);
      CHECK(back.data_ptr() == t.data_ptr());
      CHECK(back.sizes() == t.sizes());
    }
  }
}

TEST_CASE("an exported tensor keeps its memory until the deleter runs, on any thread", "[io][dlpack]") {
  Tensor t = make_tensor({3, 1, 4}, {}, kInt);
  std::memset(t.data_ptr(), 7, t.nbytes());
  Tensor transposed = make_alias(t, {4, 1, 3}, {1, 4, 4}, 0);
  std::uint32_t before = t.storage().use_count();
  DLManagedTensorVersioned* m = to_dlpack_versioned(transposed);
  const dlpack::ManagedVersioned& v = dlpack::layout_of(m);
  CHECK(v.version.major == 1);
  CHECK(v.flags == 0);
  CHECK(v.tensor.device == dlpack::CPU);
  CHECK(IntArrayRef(v.tensor.shape, 3) == IntArrayRef({4, 1, 3}));
  CHECK(IntArrayRef(v.tensor.strides, 3) == IntArrayRef({1, 1, 4}));
  transposed = Tensor();
  CHECK(t.storage().use_count() == before);
  void* data = t.data_ptr();
  t = Tensor();
  CHECK(static_cast<int*>(data)[11] == 0x07070707);
  std::thread([&] { release(m); }).join();
}

TEST_CASE("tensors without elements, of six dimensions and broadcast ones cross", "[io][dlpack]") {
  DLManagedTensor* empty = to_dlpack(make_tensor({0, 3}, {}, kHalf));
  CHECK(dlpack::layout_of(empty).tensor.data == nullptr);
  CHECK(from_dlpack(empty).sizes() == IntArrayRef({0, 3}));
  Tensor wide = make_tensor({1, 2, 1, 2, 1, 2}, {}, kByte);
  CHECK(from_dlpack(to_dlpack(wide)).sizes() == wide.sizes());
  Tensor expanded = make_alias(make_tensor({1}, {}, kByte), {5}, {0}, 0);
  CHECK(from_dlpack(to_dlpack(expanded)).strides() == IntArrayRef({0}));
}

TEST_CASE("read-only memory is copied, refused or shared, as the caller says", "[io][dlpack]") {
  New p({4});
  p.managed.flags = dlpack::ReadOnly;
  CHECK_ERROR(from_dlpack(p.get(), ReadOnlyMemory::Refuse), ValueError,
              "from_dlpack(): expected memory that may be written, got memory marked read-only; pass "
              "ReadOnlyMemory::Copy");
  CHECK(p.deleted == 0);
  Tensor copy = from_dlpack(p.get());
  CHECK(p.deleted == 1);
  CHECK(copy.data_ptr() != p.memory.data());
  CHECK(copy.data_ptr<float>()[3] == 3);
  CHECK(from_dlpack(p.get(), ReadOnlyMemory::Share).data_ptr() == p.memory.data());
  Tensor t = make_tensor({2}, {}, kFloat);
  DLManagedTensorVersioned* guarded = to_dlpack_versioned(t, {.read_only = true});
  CHECK(dlpack::layout_of(guarded).flags == dlpack::ReadOnly);
  release(guarded);
  DLManagedTensorVersioned* copied = to_dlpack_versioned(t, {.copy = true});
  CHECK(dlpack::layout_of(copied).flags == dlpack::IsCopied);
  CHECK(dlpack::layout_of(copied).tensor.data != t.data_ptr());
  release(copied);
}

TEST_CASE("memory that is not aligned for its elements is copied", "[io][dlpack]") {
  New p({2, 2}, {1, 2});
  p.managed.tensor.byte_offset = 2;
  Tensor t = from_dlpack(p.get());
  CHECK(p.deleted == 1);
  CHECK(t.strides() == IntArrayRef({2, 1}));
  for (int i = 0; i < 4; ++i) {
    const int place[] = {0, 2, 1, 3};
    CHECK(std::memcmp(t.data_ptr<float>() + i, reinterpret_cast<char*>(p.memory.data() + place[i]) + 2, 4) == 0);
  }
}

TEST_CASE("a structure that cannot be a tensor is refused and stays the caller's", "[io][dlpack]") {
  auto refused = [](auto change, std::vector<std::int64_t> shape = {2, 3}, std::vector<std::int64_t> strides = {}) {
    New p(shape, strides);
    change(p.managed);
    std::string message = "accepted";
    try {
      from_dlpack(p.get());
    } catch (const Error& e) { message = e.what(); }
    CHECK(p.deleted == (message == "accepted"));
    return message;
  };
  auto nothing = [](auto&) {};
  CHECK(refused(nothing) == "accepted");
  CHECK(refused([](auto& m) { m.version.major = 2; }) == "from_dlpack(): expected DLPack version 1.x, got 2.0");
  CHECK(refused([](auto& m) { m.tensor.dtype.lanes = 4; }) == "from_dlpack(): expected elements of 1 lane, got 4");
  CHECK(refused([](auto& m) { m.tensor.dtype.bits = 128; }) ==
        "from_dlpack(): expected a dtype that tenon has, got DLPack type code 2 of 128 bits");
  CHECK(refused([](auto& m) { m.tensor.device = 99; }) ==
        "from_dlpack(): expected a device that tenon has, got DLPack device type 99");
  CHECK(refused([](auto& m) { m.tensor.ndim = -1; }) ==
        "from_dlpack(): expected as many sizes as dimensions, got -1 dimensions");
  CHECK(refused([](auto& m) { m.tensor.data = nullptr; }) == "from_dlpack(): expected an address for sizes [2, 3]");
  CHECK_ERROR(from_dlpack(static_cast<DLManagedTensor*>(nullptr)), ValueError,
              "from_dlpack(): expected a structure, got null");
  CHECK_ERROR(from_dlpack(static_cast<DLManagedTensorVersioned*>(nullptr)), ValueError,
              "from_dlpack(): expected a structure, got null");
  CHECK(refused(nothing, {-2}) == "from_dlpack(): expected sizes from 0 up, got [-2]");
  CHECK(refused(nothing, {2}, {-1}) == "from_dlpack(): expected strides from 0 up, got [-1]; copy it first");
  constexpr std::int64_t huge = std::int64_t{1} << 62;
  CHECK(refused(nothing, {huge, huge}) ==
        "from_dlpack(): expected less than 2^63 bytes, got sizes [4611686018427387904, 4611686018427387904]");
  CHECK(refused(nothing, {3}, {huge}) ==
        "from_dlpack(): expected less than 2^63 bytes, got strides [4611686018427387904]");
  CHECK(refused(nothing, {0, huge / 8}, {huge, huge}) == "accepted");
}

TEST_CASE("what has no memory to hand out is refused in PyTorch's words", "[io][dlpack]") {
  Tensor leaf = make_tensor({2}, {}, kFloat);
  leaf.set_requires_grad(true);
  CHECK_ERROR(to_dlpack(leaf), ValueError, "Can't export tensors that require gradient, use tensor.detach()");
  CHECK_ERROR(to_dlpack_versioned(make_tensor({2}, {}, kFloat, kMeta)), ValueError, "Cannot pack tensors on meta");
  Tensor lazy = make_tensor({2}, {}, kComplexFloat);
  KeySet keys = lazy.keys();
  lazy->set_keys(keys | KeySet(DispatchKey::Conjugate));
  CHECK_ERROR(to_dlpack(lazy), ValueError, "Can't export tensors with the conjugate bit set");
  lazy->set_keys(keys | KeySet(DispatchKey::Negative));
  CHECK_ERROR(to_dlpack(lazy), ValueError, "Can't export tensors with the negative bit set");
}
