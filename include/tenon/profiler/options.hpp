// What a profiler notes beside names and times.
#pragma once

namespace tenon::profiler {

/// All off: names and times alone cost least.
struct Options {
  /// Keeps the sizes of each call's tensors; boxes the arguments of every call.
  bool shapes = false;
  /// Notes what CPU tensors take and give back; small ones then come one by one from the allocator.
  bool memory = false;
  /// Counts the operations of products and convolutions; boxes arguments too.
  bool flops = false;

  bool boxes() const { return shapes || flops; }
};

}  // namespace tenon::profiler
