// Views written at once into the tensor that shows them are those of ViewGeometry, flags and counts included.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include <tenon/base/error.hpp>
#include <tenon/tensor/create.hpp>
#include <tenon/tensor/short_view.hpp>
#include <tenon/tensor/view_geometry.hpp>

#include <catch.hpp>

namespace {
using namespace tenon;
using Ints = std::vector<std::int64_t>;

Ints list(IntArrayRef l) { return {l.begin(), l.end()}; }

/// Random tensors: dense, permuted, with gaps, repeated and empty ones; only their geometry is looked at.
struct Cases {
  std::mt19937 random{7};
  std::int64_t within(std::int64_t from, std::int64_t to) {
    return std::uniform_int_distribution<std::int64_t>(from, to)(random);
  }
  Tensor tensor() {
    std::int64_t n = within(0, 5);
    Ints sizes, strides(static_cast<std::size_t>(n));
    for (std::int64_t d = 0; d < n; ++d) sizes.push_back(within(0, 9) == 0 ? 0 : within(1, 4));
    std::int64_t step = 1, kind = within(0, 4);
    for (std::size_t d = sizes.size(); d-- > 0;) {
      strides[d] = kind == 1 ? within(0, 3) : kind == 2 && sizes[d] == 1 ? within(0, 9) : step;
      step *= (sizes[d] > 1 ? sizes[d] : 1) + (kind == 3 ? within(0, 1) : 0);
    }
    if (kind == 4 && n > 1) {
      std::swap(sizes[0], sizes[1]);
      std::swap(strides[0], strides[1]);
    }
    Tensor base = make_tensor({1}, {}, kFloat);
    return make_alias(base, sizes, strides, within(0, 2));
  }
};

/// Whether a view was written, which must then be the one of `general`.
template <class Short, class General>
bool same(const Tensor& self, Short place, General general) {
  Tensor made(intrusive_ptr<TensorImpl>::adopt(TensorImpl::make_alias_of(self.impl())));
  bool done = place(self.impl(), made.impl());
  std::optional<Geometry> expected;
  try {
    expected = general(GeometryRef(self));
  } catch (const Error&) {}
  CAPTURE(list(self.sizes()), list(self.strides()), self.storage_offset());
  if (!expected) CHECK_FALSE(done);
  if (!done || !expected) return false;
  Tensor view = make_alias(self, expected->sizes, expected->strides, expected->offset);
  CHECK(list(made.sizes()) == list(view.sizes()));
  CHECK(list(made.strides()) == list(view.strides()));
  CHECK((made.storage_offset() == view.storage_offset() && made.numel() == view.numel() && made.dim() == view.dim()));
  for (MemoryFormat format : {MemoryFormat::Contiguous, MemoryFormat::ChannelsLast, MemoryFormat::ChannelsLast3d})
    CHECK(made.is_contiguous(format) == view.is_contiguous(format));
  return true;
}

constexpr int kCases = 4000;

}  // namespace

TEST_CASE("short views have the geometry of all views", "[tensor][short_view]") {
  Cases c;
  int transposed = 0, turned = 0, permuted = 0, selected = 0, sliced = 0, unsqueezed = 0;
  for (int i = 0; i < kCases; ++i) {
    Tensor x = c.tensor();
    std::int64_t n = x.dim(), a = c.within(-n - 1, n), b = c.within(-n - 1, n), index = c.within(-4, 4);
    CAPTURE(a, b, index);
    transposed += same(
        x, [&](auto& from, auto& to) { return ShortView::transpose(from, to, a, b); },
        [&](const GeometryRef& g) { return view_geometry::transpose(g, a, b); });
    turned += same(
        x, [&](auto& from, auto& to) { return ShortView::t(from, to); },
        [&](const GeometryRef& g) { return view_geometry::t(g); });
    Ints order;
    for (std::int64_t d = 0; d < n; ++d) order.push_back(d);
    std::shuffle(order.begin(), order.end(), c.random);
    if (n > 0 && c.within(0, 3) == 0) order[0] = c.within(-n - 1, n);
    if (c.within(0, 9) == 0) order.push_back(0);
    permuted += same(
        x, [&](auto& from, auto& to) { return ShortView::permute(from, to, order); },
        [&](const GeometryRef& g) { return view_geometry::permute(g, order); });
    selected += same(
        x, [&](auto& from, auto& to) { return ShortView::select(from, to, a, index); },
        [&](const GeometryRef& g) { return view_geometry::select(g, a, index); });
    std::optional<std::int64_t> start, end;
    if (c.within(0, 3)) start = c.within(-6, 6);
    if (c.within(0, 3)) end = c.within(-6, 6);
    std::int64_t step = c.within(0, 3);
    sliced += same(
        x, [&](auto& from, auto& to) { return ShortView::slice(from, to, a, start, end, step); },
        [&](const GeometryRef& g) { return view_geometry::slice(g, a, start, end, step); });
    unsqueezed += same(
        x, [&](auto& from, auto& to) { return ShortView::unsqueeze(from, to, a); },
        [&](const GeometryRef& g) { return view_geometry::unsqueeze(g, a); });
  }
  for (int count : {transposed, permuted, selected, sliced, unsqueezed}) CHECK(count > kCases / 4);
  CHECK(turned > kCases / 10);
}

TEST_CASE("short views of row-major tensors have any shape, one size inferred", "[tensor][short_view]") {
  Cases c;
  int viewed = 0, inferred = 0;
  for (int i = 0; i < kCases; ++i) {
    Tensor x = c.tensor();
    // A shape that fits, by cutting the count of elements into factors; now and then one that does not.
    Ints shape;
    std::int64_t left = x.numel();
    for (std::int64_t d = c.within(0, 5); d-- > 0;) {
      std::int64_t factor = c.within(1, 4);
      if (left % factor != 0) factor = 1;
      shape.push_back(d == 0 ? left : factor);
      left /= factor;
    }
    if (!shape.empty() && c.within(0, 2) == 0) shape[static_cast<std::size_t>(c.within(0, 4)) % shape.size()] = -1;
    if (!shape.empty() && c.within(0, 9) == 0)
      shape[static_cast<std::size_t>(c.within(0, 4)) % shape.size()] = c.within(-2, 3);
    if (c.within(0, 9) == 0) shape.insert(shape.begin(), 1);
    CAPTURE(shape);
    bool done = same(
        x, [&](auto& from, auto& to) { return ShortView::view(from, to, shape); },
        [&](const GeometryRef& g) { return view_geometry::view(g, shape); });
    viewed += done;
    inferred += done && std::count(shape.begin(), shape.end(), -1) == 1;
  }
  CHECK(viewed > kCases / 4);
  CHECK(inferred > kCases / 20);
}

TEST_CASE("sizes whose product is the count of elements modulo 2^64 are no short view", "[tensor][short_view]") {
  Tensor x = make_tensor({1}, {}, kFloat);
  Tensor made(intrusive_ptr<TensorImpl>::adopt(TensorImpl::make_alias_of(x.impl())));
  CHECK_FALSE(ShortView::view(x.impl(), made.impl(), Ints{7, 0x6DB6DB6DB6DB6DB7}));
  CHECK_FALSE(ShortView::view(x.impl(), made.impl(), Ints{std::int64_t{1} << 32, std::int64_t{1} << 32}));
}
