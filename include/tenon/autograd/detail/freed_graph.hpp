// The refusal to run a graph that an earlier run freed.
#pragma once
#include <tenon/base/error.hpp>

namespace tenon::autograd::detail {

[[noreturn]] inline void report_freed_graph() {
  fail<AutogradError>(
      "Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a second time or if you need to access saved tensors after calling backward.");
}

}  // namespace tenon::autograd::detail
