// Streams that run when somebody waits for them.
#pragma once
#include <tenon/cuda/memory.hpp>

#include "driver.hpp"

namespace tenon::test {

/// For a scope, from a device as new.
struct Late {
  Late() {
    fake::reset();
    cuda::empty_cache();
    fake::driver().delayed = true;
  }
  ~Late() { fake::reset(); }
};

}  // namespace tenon::test
