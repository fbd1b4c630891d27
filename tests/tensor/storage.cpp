// Storage: blocks that a tensor shares with its memory, and who may end first.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

#include <tenon/tensor/create.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;

/// A float tensor in one block with its memory; under a sanitizer too, where make_tensor gives each a block of its own.
Tensor in_block(std::int64_t numel) {
  TensorImpl* impl = TensorImpl::make_in_block<detail::take_block_of>(static_cast<std::size_t>(numel) * 4,
                                                                      dense_keys(DeviceType::CPU), kFloat);
  impl->set_row_major(numel);
  return Tensor(intrusive_ptr<TensorImpl>::adopt(impl));
}

}  // namespace

TEST_CASE("a small tensor shares a block with its storage and memory", "[tensor][storage]") {
  for (std::int64_t numel : {0, 1, 64, 500, 1000, 1900}) {
    Tensor t = in_block(numel);
    auto start = reinterpret_cast<std::uintptr_t>(&t.impl()), data = reinterpret_cast<std::uintptr_t>(t.data_ptr());
    CHECK(data % 64 == 0);
    CHECK(data > start);
    CHECK(data - start < 512);
    std::memset(t.data_ptr(), 1, t.nbytes());
    CHECK(t.storage().nbytes() == static_cast<std::size_t>(numel) * 4);
    CHECK(t.storage().use_count() == 2);  // the tensor's and this one's
    CHECK(t.sizes()[0] == numel);
    CHECK(t.is_contiguous());
  }
}

TEST_CASE("memory outlives the tensor it was made with", "[tensor][storage]") {
  Tensor t = in_block(16);
  *static_cast<float*>(t.data_ptr()) = 7;
  Tensor view = make_alias(t);
  Storage storage = t.storage();
  t = Tensor();
  CHECK(storage.use_count() == 2);
  CHECK(*static_cast<float*>(view.data_ptr()) == 7);
  view = Tensor();
  CHECK(storage.use_count() == 1);
  CHECK(*static_cast<float*>(storage.data()) == 7);
}

TEST_CASE("a tensor outlives the storage it was made with", "[tensor][storage]") {
  Tensor t = in_block(16);
  weak_intrusive_ptr<StorageImpl> first(t.impl().storage());
  t.impl().set_storage(in_block(32).impl().storage());
  CHECK(first.expired());
  std::memset(t.data_ptr(), 1, 128);
  CHECK(t.storage().nbytes() == 128);
}

TEST_CASE("weak references keep a shared block and neither tensor nor storage", "[tensor][storage]") {
  Tensor t = in_block(16);
  weak_intrusive_ptr<TensorImpl> tensor(intrusive_ptr<TensorImpl>::share(&t.impl()));
  weak_intrusive_ptr<StorageImpl> storage(t.impl().storage());
  CHECK(tensor.lock());
  CHECK(storage.lock());
  SECTION("the tensor's ends first") {
    t = Tensor();
    CHECK(tensor.expired());
    CHECK(storage.expired());
    tensor = {};
  }
  SECTION("the storage's ends first") {
    storage = {};
    t = Tensor();
    CHECK(tensor.expired());
  }
}

TEST_CASE("storage that grows leaves its block", "[tensor][storage]") {
  Tensor t = in_block(4);
  std::memset(t.data_ptr(), 5, 16);
  t.impl().storage()->resize(1 << 20);
  CHECK(t.storage().nbytes() == 1 << 20);
  CHECK(static_cast<unsigned char*>(t.data_ptr())[15] == 5);
}

TEST_CASE("tensors and views of one block may end on several threads", "[tensor][storage][threads]") {
  for (int round = 0; round < 200; ++round) {
    Tensor t = in_block(8);
    std::vector<std::thread> threads;
    for (int k = 0; k < 3; ++k)
      threads.emplace_back([view = make_alias(t), keys = t.storage()]() mutable {
        view = Tensor();
        keys = Storage();
      });
    t = Tensor();
    for (auto& thread : threads) thread.join();
  }
}

TEST_CASE("the CPU has no number, whatever the size", "[tensor][storage]") {
  for (std::int64_t numel : {4, 100000}) CHECK(make_tensor({&numel, 1}, {}, kFloat, Device("cpu:0")).device() == kCPU);
}

TEST_CASE("what is too large for a block, or has many dimensions, has storage of its own", "[tensor][storage]") {
  for (const DimVector& sizes : {DimVector{100, 100}, DimVector{1, 1, 1, 1, 1, 2, 1}, DimVector{0, 1 << 20}}) {
    Tensor t = make_tensor(sizes, {}, kDouble);
    CHECK(t.sizes() == IntArrayRef(sizes));
    CHECK(t.storage().nbytes() == static_cast<std::size_t>(t.numel()) * 8);
    if (t.numel() > 0) std::memset(t.data_ptr(), 1, t.nbytes());
  }
  CHECK_THROWS_WITH(make_tensor({2, -1}, {}, kFloat), "Trying to create tensor with negative dimension -1: [2, -1]");
  CHECK_THROWS_AS(make_tensor({std::int64_t{1} << 40, std::int64_t{1} << 40}, {}, kFloat), OutOfMemoryError);
}

TEST_CASE("storages do not reach into each other, whatever their size", "[tensor][storage]") {
  for (std::size_t bytes : {1, 63, 64, 100, 500, 1000, 3000, 5000, 70000}) {
    std::vector<intrusive_ptr<StorageImpl>> many;
    for (int i = 0; i < 6; ++i) {
      many.push_back(StorageImpl::create(bytes, kCPU));
      CHECK((many[i]->nbytes() == bytes && many[i]->device() == kCPU && many[i]->resizable()));
      std::memset(many[i]->data(), i + 1, bytes);
    }
    // Some end, others take their blocks.
    many[1] = StorageImpl::create(bytes, kCPU);
    many[4] = many[2];
    std::memset(many[1]->data(), 2, bytes);
    for (int i : {0, 1, 2, 3, 5})
      CHECK(std::count(many[i]->data(), many[i]->data() + bytes, static_cast<char>(i + 1)) ==
            static_cast<std::ptrdiff_t>(bytes));
  }
}

TEST_CASE("writes are counted for all views, with the last one who wrote", "[tensor][storage]") {
  Tensor t = in_block(4), view = make_alias(t);
  StorageImpl& s = *t.impl().storage();
  CHECK((s.version() == 0 && s.writer() == nullptr));
  int writer = 0;
  s.bump_version(&writer);
  CHECK((view.impl().storage()->version() == 1 && view.impl().storage()->writer() == &writer));
  view.impl().storage()->bump_version();
  CHECK((s.version() == 2 && s.writer() == nullptr));
}

TEST_CASE("memory that is somebody else's is kept and not resized", "[tensor][storage]") {
  static int freed = 0;
  char memory[32] = "somebody's";
  {
    auto s = StorageImpl::adopt(DataPtr(
                                    memory, memory, [](void*) { ++freed; }, kCPU),
                                sizeof memory, nullptr);
    CHECK((s->data() == memory && s->nbytes() == 32 && !s->resizable() && s->device() == kCPU));
    CHECK_THROWS_AS(s->resize(64), ValueError);
    CHECK((s->nbytes() == 32 && freed == 0));
  }
  CHECK(freed == 1);
  auto grown = StorageImpl::create(8, kCPU);
  std::memcpy(grown->data(), "abcdefg", 8);
  grown->resize(20000);
  CHECK((grown->nbytes() == 20000 && std::strcmp(grown->data(), "abcdefg") == 0));
  grown->resize(4);
  CHECK((grown->nbytes() == 4 && std::memcmp(grown->data(), "abcd", 4) == 0));
}
