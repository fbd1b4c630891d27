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

TEST_CASE("assignment, reset and swap keep the counts right", "[base][intrusive_ptr]") {
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

TEST_CASE("a raw pointer is shared, released and adopted", "[base][intrusive_ptr]") {
  Log log;
  auto a = make_intrusive<Node>(log);
  auto b = intrusive_ptr<Node>::share(a.get());
  CHECK(a->use_count() == 2);
  Node* raw = b.release();
  CHECK(a->use_count() == 2);
  intrusive_ptr<Node>::adopt(raw).reset();
  CHECK(a->use_count() == 1);
  CHECK_FALSE(intrusive_ptr<Node>::share(nullptr));
}

TEST_CASE("a pointer to a derived object converts to its base", "[base][intrusive_ptr]") {
  Log log;
  intrusive_ptr<Node> base = make_intrusive<Leaf>(log, 3);
  CHECK(base->value == 3);
  base.reset();
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
