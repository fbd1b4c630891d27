// The stack of boxed calls: as a vector, in place and in memory of its own.
#include <tenon/boxing/stack.hpp>

#include <algorithm>
#include <iterator>
#include <vector>

#include "catch.hpp"

using namespace tenon;

namespace {
struct Counted : RefCounted {
  static inline int alive = 0;
  Counted() { ++alive; }
  ~Counted() override { --alive; }
};
Value counted() { return Value(make_intrusive<Counted>()); }
std::vector<std::int64_t> numbers(const Stack& s) {
  std::vector<std::int64_t> all;
  for (const Value& v : s) all.push_back(v.is_none() ? -1 : v.to_int());
  return all;
}
Stack up_to(int n) {
  Stack s;
  for (int i = 0; i < n; ++i) s.emplace_back(i);
  return s;
}
using list = std::vector<std::int64_t>;
}  // namespace

TEST_CASE("a stack is as a vector", "[boxing][stack]") {
  Stack s{Value(1), Value(2)};
  CHECK(numbers(s) == list{1, 2});
  CHECK(s.capacity() == Stack::kInline);
  s.push_back(Value(3));
  CHECK(s.back().to_int() == 3);
  CHECK(s.front().to_int() == 1);
  s.pop_back();
  s.resize(4);
  CHECK(numbers(s) == list{1, 2, -1, -1});
  s.resize(1);
  CHECK(numbers(s) == list{1});
  CHECK(Stack(3).size() == 3);
  CHECK(Stack(3)[2].is_none());
  s.assign(2, Value(7));
  CHECK(numbers(s) == list{7, 7});
  const Stack& fixed = s;
  CHECK(std::equal(fixed.rbegin(), fixed.rend(), s.rbegin(), [](const Value& a, const Value& b) { return a.is(b); }));
  s.clear();
  CHECK(s.empty());
  CHECK(s.begin() == s.end());
  CHECK_ERROR(Stack{Value(1)}.at(1), IndexError, "Stack::at: expected an index below 1, got 1");
}

TEST_CASE("a stack takes values in its middle and gives them up", "[boxing][stack]") {
  for (int n : {4, 8, 9, 40}) {  // in place, full, and in memory
    Stack s = up_to(n);
    CHECK(s.insert(s.begin() + 1, Value(100))->to_int() == 100);
    CHECK(s.size() == static_cast<std::size_t>(n) + 1);
    CHECK((s[0].to_int() == 0 && s[1].to_int() == 100 && s[2].to_int() == 1 && s.back().to_int() == n - 1));
    Value* next = s.erase(s.begin() + 1, s.begin() + 3);
    CHECK(next == s.begin() + 1);
    CHECK((s[0].to_int() == 0 && s[1].to_int() == 2 && s.size() == static_cast<std::size_t>(n) - 1));
    s.erase(s.begin());
    CHECK(s.front().to_int() == 2);
    std::vector<Value> more{Value(5), Value(6)};
    s.insert(s.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
    CHECK(s.back().to_int() == 6);
    CHECK(more[0].is_none());
    CHECK(s.erase(s.begin(), s.end()) == s.begin());
    CHECK(s.empty());
  }
}

TEST_CASE("a stack owns what it holds, wherever it lies", "[boxing][stack]") {
  for (int n : {3, 8, 20}) {
    Stack s;
    for (int i = 0; i < n; ++i) s.push_back(counted());
    CHECK(Counted::alive == n);
    Stack copy = s;
    CHECK(copy[0].is(s[0]));
    CHECK(s[0].use_count() == 2);
    Stack moved = std::move(copy);
    CHECK(copy.empty());
    CHECK(moved.size() == static_cast<std::size_t>(n));
    CHECK(s[0].use_count() == 2);
    copy.push_back(counted());  // what was moved from is a stack still
    CHECK(Counted::alive == n + 1);
    copy.swap(moved);
    CHECK((moved.size() == 1 && copy.size() == static_cast<std::size_t>(n)));
    moved = copy;
    Stack& same = moved;
    moved = same;
    moved = std::move(same);
    CHECK(moved.size() == static_cast<std::size_t>(n));
    CHECK(Counted::alive == n);
    CHECK(s[0].use_count() == 3);
    s.erase(s.begin() + 1);
    copy.clear();
    moved.resize(1);
    CHECK(Counted::alive == n - 1);
  }
  CHECK(Counted::alive == 0);
}

TEST_CASE("a full stack takes a copy of its own value", "[boxing][stack]") {
  Stack s = up_to(static_cast<int>(Stack::kInline));
  s.push_back(s[3]);
  CHECK(s.back().to_int() == 3);
  CHECK(s.capacity() >= s.size());
  const Value* before = s.data();
  s.reserve(s.capacity());
  CHECK(s.data() == before);
  Stack held{Value(std::string_view("text"))};
  while (held.size() < Stack::kInline) held.emplace_back();
  held.insert(held.begin(), held[0]);
  CHECK((held[0].to_string_view() == "text" && held[1].to_string_view() == "text"));
}
