// Registrations that are undone newest first.
#include <tenon/dispatch/registration_stack.hpp>

#include <string>
#include <vector>

#include "registry_support.hpp"

using namespace support;

namespace {

std::string name(int i) { return "_test::stacked" + std::to_string(i); }
Registration defined(int i) {
  auto schema = schema::FunctionSchema::parse(name(i) + "() -> ()");
  return Registry::get().define(schema, false, nullptr, {}, "here");
}
bool there(int i) { return static_cast<bool>(Registry::get().find_schema(name(i))); }

struct Log : RegistryListener {
  std::vector<std::string>& gone;
  explicit Log(std::vector<std::string>& names) : gone(names) {}
  void on_registered(const OperatorHandle&) override {}
  void on_unregistered(const OperatorHandle& op) override { gone.emplace_back(op.name()); }
};

}  // namespace

TEST_CASE("a stack undoes its registrations newest first, over many blocks", "[dispatch][registration_stack]") {
  constexpr int n = 700;
  std::vector<std::string> gone, expected;
  Registration listening = Registry::get().add_listener(std::make_unique<Log>(gone));
  {
    RegistrationStack stack;
    for (int i = 0; i < n; ++i) stack.push(defined(i));
    CHECK(stack.size() == n);
    stack.undo_to(3);
    CHECK(stack.size() == 3);
    CHECK((there(2) && !there(3)));
    stack.push(defined(3));
    for (int i = n; i-- > 3;) expected.push_back(name(i));
    CHECK(gone == expected);
  }
  for (int i = 4; i-- > 0;) expected.push_back(name(i));
  CHECK(gone == expected);
}
TEST_CASE("a stack that is moved to ends its own registrations first", "[dispatch][registration_stack]") {
  RegistrationStack a, b;
  a.push(defined(0));
  b.push(defined(1));
  a = std::move(b);
  CHECK((!there(0) && there(1)));
  CHECK((a.size() == 1 && b.size() == 0));
  RegistrationStack c = std::move(a);
  CHECK((there(1) && a.size() == 0));
  c.undo_to(0);
  CHECK_FALSE(there(1));
}
