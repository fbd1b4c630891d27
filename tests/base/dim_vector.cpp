#include <vector>

#include <tenon/base/dim_vector.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
using Vector = SmallVector<std::int64_t, 3>;
Vector counting(std::size_t count) {
  Vector v;
  for (std::size_t i = 0; i < count; ++i) v.push_back(static_cast<std::int64_t>(i));
  return v;
}
bool counts(const Vector& v, std::size_t count) {
  if (v.size() != count) return false;
  for (std::size_t i = 0; i < count; ++i)
    if (v[i] != static_cast<std::int64_t>(i)) return false;
  return true;
}
}  // namespace

TEST_CASE("a small vector is made from counts, lists and ranges", "[base][dim_vector]") {
  CHECK(Vector().empty());
  CHECK(Vector(2, 7) == Vector({7, 7}));
  CHECK(Vector(std::size_t{2}) == Vector({0, 0}));
  std::vector<std::int64_t> list{1, 2, 3, 4};
  CHECK(Vector(list.begin(), list.end()) == Vector({1, 2, 3, 4}));
  CHECK(Vector(IntArrayRef(list)) == Vector({1, 2, 3, 4}));
}

TEST_CASE("a small vector keeps its elements across the inline limit", "[base][dim_vector]") {
  for (std::size_t n : {0u, 1u, 2u, 3u, 4u, 5u, 17u}) {
    Vector v = counting(n);
    CHECK(counts(v, n));
    Vector copy = v;
    CHECK(counts(copy, n));
    CHECK(counts(v, n));
    Vector moved = std::move(copy);
    CHECK(counts(moved, n));
    CHECK(copy.empty());
    Vector assigned{9, 9, 9, 9, 9};
    assigned = v;
    CHECK(counts(assigned, n));
    assigned = std::move(moved);
    CHECK(counts(assigned, n));
  }
}

TEST_CASE("a moved-from vector can be filled again", "[base][dim_vector]") {
  Vector a = counting(8), b = std::move(a);
  for (int i = 0; i < 6; ++i) a.push_back(i);
  CHECK(counts(a, 6));
  CHECK(counts(b, 8));
}

TEST_CASE("assigning a vector to itself changes nothing", "[base][dim_vector]") {
  for (std::size_t n : {2u, 6u}) {
    Vector v = counting(n);
    Vector& same = v;
    v = same;
    CHECK(counts(v, n));
    v = std::move(same);
    CHECK(counts(v, n));
  }
}

TEST_CASE("a vector may be assigned a part of itself", "[base][dim_vector]") {
  Vector v = counting(6);
  v = IntArrayRef(v).slice(2, 3);
  CHECK(v == Vector({2, 3, 4}));
}

TEST_CASE("a vector grows by an element of its own", "[base][dim_vector]") {
  Vector v = counting(3);
  v.push_back(v[1]);
  CHECK(v == Vector({0, 1, 2, 1}));
  v.insert(0, v.back());
  CHECK(v == Vector({1, 0, 1, 2, 1}));
}

TEST_CASE("elements are inserted, erased and removed", "[base][dim_vector]") {
  Vector v{1, 2, 3};
  v.insert(1, 9);
  CHECK(v == Vector({1, 9, 2, 3}));
  v.insert(4, 8);
  CHECK(v == Vector({1, 9, 2, 3, 8}));
  v.erase(0);
  CHECK(v == Vector({9, 2, 3, 8}));
  v.erase(3);
  CHECK(v == Vector({9, 2, 3}));
  v.pop_back();
  CHECK(v.back() == 2);
  CHECK(v.front() == 9);
  v.resize(4, 5);
  CHECK(v == Vector({9, 2, 5, 5}));
  v.resize(1);
  CHECK(v == Vector({9}));
  v.clear();
  CHECK(v.empty());
}

TEST_CASE("five dimensions need no allocation", "[base][dim_vector]") {
  DimVector v{1, 2, 3, 4, 5};
  auto* inside = reinterpret_cast<const char*>(v.data());
  auto* self = reinterpret_cast<const char*>(&v);
  CHECK(inside >= self);
  CHECK(inside < self + sizeof v);
}
