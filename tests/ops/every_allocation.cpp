// Every operator whose memory runs out, at each allocation of its call: it throws, and leaves its arguments as they
// were.
#include "scarce.hpp"

using namespace test;

namespace {

/// Memory of the usual kind until `left` allocations have been made; then none.
class Scarce final : public Allocator {
 public:
  explicit Scarce(int left)
      : usual_(allocator(DeviceType::CPU)), before_(set_allocator(DeviceType::CPU, this)), left_(left) {}
  Scarce(const Scarce&) = delete;
  ~Scarce() override { end(); }
  void end() {
    if (!std::exchange(ended_, true)) set_allocator(DeviceType::CPU, before_);
  }
  int made() const { return made_; }
  DataPtr allocate(std::size_t bytes) override {
    ++made_;
    if (left_-- <= 0) fail<OutOfMemoryError>("the test's memory is at its end");
    return usual_.allocate(bytes);
  }

 private:
  Allocator &usual_, *before_;
  int left_, made_ = 0;
  bool ended_ = false;
};

}  // namespace

TEST_CASE("an operator without memory throws, and its arguments are as they were", "[ops][every]") {
  int calls = 0;
  CHECK(scarce::walk<Scarce>(calls, 200) == "");
  CHECK(calls > 3000);
}
