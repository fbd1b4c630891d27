// What a tensor says of itself: geometry, flags, and what ends with it.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <tenon/tensor/create.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;
using Ints = std::vector<std::int64_t>;

Ints list(IntArrayRef l) { return {l.begin(), l.end()}; }
TensorImpl make(ScalarType dtype = kFloat) {
  return TensorImpl(StorageImpl::create(4096, kCPU), dense_keys(DeviceType::CPU), dtype, kCPU);
}

/// Counts those that live.
struct Meta : AutogradMetaBase {
  explicit Meta(bool wants, int* alive) : wants(wants), alive(alive) { ++*alive; }
  ~Meta() override { --*alive; }
  bool requires_grad() const override { return wants; }
  bool wants;
  int* alive;
};

}  // namespace

TEST_CASE("a tensor begins as an empty row without flags", "[tensor][impl]") {
  TensorImpl t = make(kInt);
  CHECK((list(t.sizes()) == Ints{0} && list(t.strides()) == Ints{1} && t.numel() == 0 && t.dim() == 1));
  CHECK((t.dtype() == kInt && t.device() == kCPU && t.layout() == Layout::Strided && t.storage_offset() == 0));
  CHECK((t.is_contiguous() && !t.is_contiguous(MemoryFormat::ChannelsLast) &&
         !t.is_contiguous(MemoryFormat::ChannelsLast3d)));
  CHECK_FALSE((t.is_wrapped_number() || t.is_inference() || t.is_symbolic() || t.requires_grad() || t.autograd()));
  t.set_wrapped_number(true);
  CHECK((t.is_wrapped_number() && !t.is_inference()));
  t.set_inference(true);
  t.set_wrapped_number(false);
  CHECK((t.is_inference() && !t.is_wrapped_number()));
}

TEST_CASE("a geometry without strides is row-major, of any number of dimensions", "[tensor][impl]") {
  const std::vector<Ints> shapes{{},           {7},       {2, 3},          {3, 1, 4},          {2, 3, 4, 5},
                                 {1, 2, 1, 2}, {2, 0, 3}, {2, 3, 1, 2, 2}, {2, 1, 2, 1, 2, 3}, {1, 2, 3, 1, 2, 1, 2}};
  TensorImpl t = make();
  for (const Ints& shape : shapes)
    for (const Ints& before : shapes) {
      t.set_geometry(before, {}, 3);
      t.set_geometry(shape, {}, 0);
      Ints strides(shape.size());
      std::int64_t step = 1, count = 1;
      for (std::size_t d = shape.size(); d-- > 0;) {
        strides[d] = step;
        step *= shape[d] > 1 ? shape[d] : 1;
        count *= shape[d];
      }
      CAPTURE(shape.size(), before.size());
      CHECK((list(t.sizes()) == shape && list(t.strides()) == strides));
      CHECK((t.numel() == count && t.storage_offset() == 0 && t.dim() == static_cast<std::int64_t>(shape.size())));
      CHECK((t.is_contiguous() && t.is_contiguous(MemoryFormat::Preserve) && t.is_non_overlapping_and_dense()));
      if (shape.size() > TensorImpl::kInPlace) continue;
      TensorImpl fresh = make();
      fresh.set_row_major(IntArrayRef(shape));
      CHECK((list(fresh.sizes()) == shape && list(fresh.strides()) == strides && fresh.numel() == count));
      for (MemoryFormat f : {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
        CHECK(fresh.is_contiguous(f) == t.is_contiguous(f));
    }
  for (std::int64_t rows : {0, 1, 3})
    for (std::int64_t columns : {0, 1, 4}) {
      TensorImpl quick = make();
      quick.set_row_major(rows, columns);
      t.set_geometry({rows, columns}, {}, 0);
      CHECK((list(quick.sizes()) == list(t.sizes()) && list(quick.strides()) == list(t.strides())));
      CHECK(quick.numel() == rows * columns);
    }
  TensorImpl quick = make();
  quick.set_row_major(5);
  CHECK((list(quick.sizes()) == Ints{5} && list(quick.strides()) == Ints{1} && quick.numel() == 5));
}

TEST_CASE("strides decide what a tensor counts as, sizes of 1 and 0 do not", "[tensor][impl]") {
  TensorImpl t = make();
  auto is = [&](Ints sizes, Ints strides) {
    t.set_geometry(sizes, strides, 2);
    return t.is_contiguous();
  };
  CHECK(is({2, 3}, {3, 1}));
  CHECK_FALSE(is({2, 3}, {1, 2}));
  CHECK_FALSE(is({2, 3}, {4, 1}));
  CHECK(t.storage_offset() == 2);
  CHECK_FALSE(t.is_non_overlapping_and_dense());
  CHECK_FALSE(is({2, 3}, {3, 2}));
  CHECK_FALSE(is({3}, {0}));
  CHECK(is({1, 3}, {77, 1}));
  CHECK(is({3, 1}, {1, 0}));
  CHECK(is({0, 3}, {5, 5}));
  CHECK_FALSE(is({2, 3}, {1, 2}));
  CHECK(t.is_non_overlapping_and_dense());

  CHECK_FALSE(is({2, 3, 4, 5}, {60, 1, 15, 3}));
  CHECK((t.is_contiguous(MemoryFormat::ChannelsLast) && !t.is_contiguous(MemoryFormat::ChannelsLast3d)));
  CHECK(t.is_non_overlapping_and_dense());
  CHECK(is({2, 1, 4, 5}, {20, 20, 5, 1}));
  CHECK(t.is_contiguous(MemoryFormat::ChannelsLast));
  CHECK_FALSE(is({2, 3, 2, 4, 5}, {120, 1, 60, 15, 3}));
  CHECK((t.is_contiguous(MemoryFormat::ChannelsLast3d) && !t.is_contiguous(MemoryFormat::ChannelsLast)));
  t.set_geometry({2, 2}, {}, 0);
  CHECK_FALSE((t.is_contiguous(MemoryFormat::ChannelsLast3d) || t.is_contiguous(MemoryFormat::ChannelsLast)));
}

TEST_CASE("a geometry may be made from the tensor's own lists", "[tensor][impl]") {
  TensorImpl t = make();
  t.set_geometry({2, 3, 4, 5, 6, 7}, {}, 0);
  t.set_geometry(t.sizes().slice(0, 2), t.strides().slice(4, 2), 1);
  CHECK((list(t.sizes()) == Ints{2, 3} && list(t.strides()) == Ints{7, 1}));
  t.set_geometry({4, 5}, {5, 1}, 0);
  t.set_geometry(t.sizes(), {}, 0);
  t.set_geometry({1, 1}, t.strides(), 0);
  CHECK((list(t.sizes()) == Ints{1, 1} && list(t.strides()) == Ints{5, 1}));
  t.set_contiguous(t.sizes());
  CHECK((list(t.sizes()) == Ints{1, 1} && list(t.strides()) == Ints{1, 1}));
}

TEST_CASE("an offset counts elements of the tensor's dtype", "[tensor][impl]") {
  for (ScalarType dtype : {kByte, kHalf, kFloat, kComplexDouble}) {
    TensorImpl t = make(dtype);
    char* start = t.storage()->data();
    CHECK(t.data() == start);
    t.set_geometry({2}, {}, 3);
    CHECK(t.data() == start + 3 * item_size(dtype));
  }
  Tensor meta = make_tensor({4}, {}, kFloat, kMeta);
  meta.impl().set_geometry({2}, {}, 2);
  CHECK(meta.impl().data() == nullptr);
}

TEST_CASE("what autograd keeps ends with the tensor, whoever still refers to it weakly", "[tensor][impl]") {
  int alive = 0;
  // In one block with its memory, with storage of its own, and with extents of its own.
  for (Ints shape : {Ints{4}, Ints{100000}, Ints{1, 1, 1, 1, 1, 2}}) {
    for (bool weakly : {false, true}) {
      Tensor t = make_tensor(shape, {}, kFloat);
      weak_intrusive_ptr<TensorImpl> weak;
      if (weakly) weak = weak_intrusive_ptr<TensorImpl>(intrusive_ptr<TensorImpl>::share(&t.impl()));
      t.impl().set_autograd(OwnedPtr<AutogradMetaBase>(new Meta(true, &alive)));
      CHECK((alive == 1 && t.impl().requires_grad() && t.impl().autograd()));
      Storage memory = t.storage();
      t = Tensor();
      CHECK((alive == 0 && memory.use_count() == 1));
    }
  }
  // In the block of an alias, which has room for it, and in its place what lies elsewhere.
  Tensor base = make_tensor({4}, {}, kFloat);
  for (Ints shape : {Ints{4}, Ints{1, 1, 1, 1, 1, 4}}) {
    for (bool weakly : {false, true}) {
      Tensor view = make_alias(base, shape, contiguous_strides(shape), 0);
      weak_intrusive_ptr<TensorImpl> weak;
      if (weakly) weak = weak_intrusive_ptr<TensorImpl>(view.impl_ptr());
      Meta& first = view->make_autograd<Meta>(true, &alive);
      CHECK((alive == 1 && view->autograd() == &first && view->requires_grad()));
      auto behind = reinterpret_cast<char*>(&first) - reinterpret_cast<char*>(&view.impl());
      CHECK((behind >= static_cast<std::ptrdiff_t>(sizeof(TensorImpl)) && behind <= 192));
      view->set_autograd(OwnedPtr<AutogradMetaBase>(new Meta(false, &alive)));
      CHECK((alive == 1 && view->autograd() != &first && !view->requires_grad()));
      view->set_autograd({});
      view->make_autograd<Meta>(true, &alive);
      CHECK((alive == 1 && base.storage().use_count() == 3));
      view = Tensor();
      CHECK((alive == 0 && base.storage().use_count() == 2));
    }
  }
  TensorImpl t = make();
  t.set_autograd(OwnedPtr<AutogradMetaBase>(new Meta(false, &alive)));
  CHECK_FALSE(t.requires_grad());
  t.set_autograd({});
  CHECK((alive == 0 && !t.autograd()));
}

TEST_CASE("a format is asked of sizes and strides, whatever the tensor", "[tensor][impl]") {
  using enum MemoryFormat;
  auto is = [](Ints sizes, Ints strides, MemoryFormat f) { return is_contiguous_geometry(sizes, strides, f); };
  for (MemoryFormat f : {Contiguous, Preserve}) {
    CHECK((is({}, {}, f) && is({2, 3}, {3, 1}, f) && is({2, 1, 3}, {3, 9, 1}, f)));
    CHECK_FALSE((is({2, 3}, {1, 2}, f) || is({2, 3}, {6, 2}, f) || is({2, 3, 4}, {12, 3, 1}, f)));
  }
  CHECK((is({2, 3, 4, 5}, {60, 1, 15, 3}, ChannelsLast) && is({1, 3, 1, 5}, {9, 1, 9, 3}, ChannelsLast)));
  CHECK_FALSE((is({2, 3, 4, 5}, {60, 20, 5, 1}, ChannelsLast) || is({2, 3, 4, 5}, {61, 1, 15, 3}, ChannelsLast)));
  CHECK_FALSE((is({2, 3, 4, 5}, {60, 1, 16, 3}, ChannelsLast) || is({3, 4, 5}, {1, 15, 3}, ChannelsLast)));
  CHECK(is({2, 3, 2, 4, 5}, {120, 1, 60, 15, 3}, ChannelsLast3d));
  CHECK_FALSE(is({2, 3, 4, 5}, {60, 1, 15, 3}, ChannelsLast3d));
  // Without elements only the number of dimensions counts.
  CHECK((is({0, 2}, {7, 7}, Contiguous) && is({2, 0, 4, 5}, {1, 1, 1, 1}, ChannelsLast)));
  CHECK_FALSE((is({2, 0, 4, 5}, {1, 1, 1, 1}, ChannelsLast3d) || is({0, 2}, {7, 7}, ChannelsLast)));
}
