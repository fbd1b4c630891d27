// Shared ownership. Case numbers are those of the dispatcher's test cases.
#include <thread>
#include <vector>

#include <tenon/base/intrusive_ptr.hpp>

#include <catch.hpp>

using namespace tenon;

namespace {
struct Log {
  int released = 0, destroyed = 0;
};
struct Node : RefCounted {
  explicit Node(Log& log, int value = 0) : log(&log), value(value) {}
  ~Node() override { ++log->destroyed; }
  void release_resources() noexcept override { ++log->released; }
  Log* log;
  int value;
};
struct Leaf : Node {
  using Node::Node;
};
struct Empty : RefCounted {};
}  // namespace

static_assert(sizeof(intrusive_ptr<Node>) == sizeof(void*), "a handle is one pointer");
static_assert(!std::is_convertible_v<intrusive_ptr<Node>, intrusive_ptr<Leaf>>,
              "no silent conversion to a derived type");

TEST_CASE("the last strong reference ends the object", "[base][intrusive_ptr]") {
  Log log;
  {
    auto a = make_intrusive<Node>(log, 5);
    CHECK(a->value == 5);
    CHECK(a->use_count() == 1);
    {
      auto b = a;
      CHECK(a->use_count() == 2);
      CHECK(a == b);
      auto c = std::move(b);
      CHECK_FALSE(b);
      CHECK(c->use_count() == 2);
    }
    CHECK(a->use_count() == 1);
    CHECK(log.destroyed == 0);
  }
  CHECK(log.destroyed == 1);
}

TEST_CASE("case 235: the factory passes its arguments on and gives the only reference", "[base][intrusive_ptr]") {
  Log log;
  CHECK(make_intrusive<Empty>()->use_count() == 1);
  auto one = make_intrusive<Node>(log);
  CHECK((one->value == 0 && one->use_count() == 1));
  auto two = make_intrusive<Node>(log, 5);
  CHECK((two->value == 5 && two->log == &log && two->use_count() == 1));
}

TEST_CASE("case 236: a pointer to a derived object converts to its base", "[base][intrusive_ptr]") {
  Log log;
  auto derived = make_intrusive<Leaf>(log, 3);
  STATIC_REQUIRE(std::is_same_v<decltype(derived), intrusive_ptr<Leaf>>);
  intrusive_ptr<Node> base = derived;
  CHECK((base.get() == derived.get() && base->value == 3 && base->use_count() == 2));
  base = make_intrusive<Leaf>(log, 4);
  CHECK((base->value == 4 && derived->use_count() == 1));
  base.reset();
  CHECK(log.destroyed == 1);
}

// The peer asserts in debug builds when a raw pointer to an object on the stack is taken over. Our objects count one
// reference from the start, on the stack too, so that borrowing handles may come and go; the object ends with its
// scope.
TEST_CASE("cases 237 and 245: an object on the stack ends with its scope, not with a handle", "[base][intrusive_ptr]") {
  Log log;
  {
    Node node(log, 6);
    CHECK(node.use_count() == 1);
    {
      auto borrowed = intrusive_ptr<Node>::share(&node);
      CHECK((borrowed->value == 6 && node.use_count() == 2));
    }
    CHECK((node.use_count() == 1 && log.destroyed == 0));
  }
  CHECK((log.destroyed == 1 && log.released == 0));
}

// The peer lets a pointer type choose its own null; ours have one null, nullptr, also across types.
TEST_CASE("cases 238 and 242: a null pointer is null in every type", "[base][intrusive_ptr]") {
  Log log;
  intrusive_ptr<Leaf> none;
  CHECK((none.get() == nullptr && !none && none == nullptr));
  intrusive_ptr<Node> base = make_intrusive<Node>(log);
  base = std::move(none);
  CHECK((base.get() == nullptr && log.destroyed == 1));
  CHECK_FALSE(weak_intrusive_ptr<Node>(base).lock());
}

TEST_CASE("cases 239, 240 and 241: assignment by move and by copy", "[base][intrusive_ptr]") {
  Log log;
  auto a = make_intrusive<Node>(log, 1), b = make_intrusive<Node>(log, 2);
  Node* first = a.get();
  b = std::move(a);
  CHECK((b.get() == first && !a && b->use_count() == 1 && log.destroyed == 1));
  auto& same = b;
  b = std::move(same);
  CHECK((b.get() == first && b->use_count() == 1));
  a = b;
  CHECK((a == b && a->use_count() == 2));
}

TEST_CASE("case 243: assignment, reset and swap keep the counts right", "[base][intrusive_ptr]") {
  Log log;
  auto a = make_intrusive<Node>(log, 1), b = make_intrusive<Node>(log, 2);
  a.swap(b);
  CHECK(a->value == 2);
  auto& same = a;
  a = same;
  CHECK(a->use_count() == 1);
  a = b;
  CHECK(log.destroyed == 1);
  CHECK(b->use_count() == 2);
  a.reset();
  a = nullptr;
  CHECK(b->use_count() == 1);
  b = {};
  CHECK(log.destroyed == 2);
}

TEST_CASE("case 244: a raw pointer is shared, released and adopted", "[base][intrusive_ptr]") {
  Log log;
  auto a = make_intrusive<Node>(log);
  auto b = intrusive_ptr<Node>::share(a.get());
  CHECK(a->use_count() == 2);
  Node* raw = b.release();
  CHECK(a->use_count() == 2);
  intrusive_ptr<Node>::adopt(raw).reset();
  CHECK(a->use_count() == 1);
  CHECK_FALSE(intrusive_ptr<Node>::share(nullptr));
  a.reset();
  CHECK(log.destroyed == 1);
}

TEST_CASE("a weak reference locks until the last strong one is gone", "[base][intrusive_ptr]") {
  Log log;
  auto strong = make_intrusive<Node>(log, 7);
  weak_intrusive_ptr<Node> weak(strong), copy = weak, moved = std::move(copy);
  CHECK_FALSE(weak.expired());
  CHECK(weak.lock()->value == 7);
  CHECK(strong->use_count() == 1);
  strong.reset();
  CHECK(weak.expired());
  CHECK_FALSE(weak.lock());
  CHECK(log.released == 1);
  CHECK(log.destroyed == 0);
  moved = {};
  CHECK(log.destroyed == 0);
  weak = {};
  CHECK(log.destroyed == 1);
  CHECK(weak_intrusive_ptr<Node>().expired());
}

TEST_CASE("case 246: weak references are swapped, one that holds nothing included", "[base][intrusive_ptr]") {
  Log log;
  auto strong = make_intrusive<Node>(log, 7);
  weak_intrusive_ptr<Node> full(strong), none;
  full.swap(none);
  CHECK((!full.lock() && none.lock() == strong));
  swap(full, none);
  CHECK((full.lock() == strong && !none.lock()));
  CHECK((strong->use_count() == 1 && strong->weak_use_count() == 2));
}

TEST_CASE("a copied object counts its own references", "[base][intrusive_ptr]") {
  Log log;
  auto a = make_intrusive<Node>(log, 1);
  auto b = a;
  auto copy = make_intrusive<Node>(*a);
  CHECK(copy->use_count() == 1);
  *copy = *a;
  CHECK(copy->use_count() == 1);
  CHECK(a->use_count() == 2);
}

TEST_CASE("threads may share and drop references at the same time", "[base][intrusive_ptr][threads]") {
  Log log;
  auto object = make_intrusive<Node>(log);
  weak_intrusive_ptr<Node> weak(object);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([object, weak] {
      for (int i = 0; i < 2000; ++i) {
        auto copy = object;
        auto locked = weak.lock();
        if (locked != copy) std::terminate();
      }
    });
  object.reset();
  for (auto& t : threads) t.join();
  threads.clear();
  CHECK(weak.expired());
  weak = {};
  CHECK(log.destroyed == 1);
}
