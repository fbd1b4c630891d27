// Calls of every operator whose memory of some kind runs out, and what must be as it was afterwards.
#pragma once
#include <new>

#include "every.hpp"

namespace test::scarce {

/// A tensor as it is: where it lies and what its memory holds.
struct Picture {
  explicit Picture(const Tensor& t) : tensor(t), place(seen(t)), memory(bytes()), version(t.version()) {}
  std::string bytes() const { return {static_cast<const char*>(tensor.storage().data()), tensor.storage().nbytes()}; }
  bool is_unchanged() const { return seen(tensor) == place && bytes() == memory && tensor.version() == version; }
  Tensor tensor;
  Seen place;
  std::string memory;
  std::uint32_t version;
};

inline Stack arguments(const OperatorHandle& op, const every::Shapes& shapes, bool defaults) {
  std::int64_t seed = 0;
  every::Source from{shapes,
                     [&](std::string_view, const SymDimVector& sizes, ScalarType dtype) {
                       if (dtype == kLong && shapes.dtype != kLong) return every::places(every::plain(sizes), 3);
                       return every::scattered(every::plain(sizes), dtype, dtype == kLong ? 1 : 0.2,
                                               dtype == kLong ? 9 : 0.9, seed++ % 4);
                     },
                     kCPU, defaults};
  return every::arguments_for(op, from);
}

/// What is wrong with a call that may make `count` allocations; "" where nothing is.
template <class Scarce>
std::string attempt(const OperatorHandle& op, const every::Shapes& shapes, bool defaults, int count, bool& finished) {
  Stack stack = arguments(op, shapes, defaults);
  every::Writes writes = every::writes_of(op.schema());
  std::vector<Picture> pictures;
  for (std::size_t i = 0; i < stack.size(); ++i)
    if (!op.schema().arg(i).write || writes == every::Writes::Self) {
      std::vector<Tensor> tensors;
      every::collect(stack[i], tensors);
      for (const Tensor& t : tensors)
        if (t.defined() && t.device() == kCPU) pictures.emplace_back(t);
    }
  std::string text;
  {
    Scarce memory(count);
    try {
      op.call_boxed(stack);
      finished = memory.made() <= count;
      if (!finished) return "succeeds without its memory";
    } catch (const OutOfMemoryError&) {
    } catch (const std::bad_alloc&) {
    } catch (const std::exception& e) {
      memory.end();
      text = concat("another error: ", e.what());
    }
    memory.end();
    stack.clear();
  }
  if (finished) return text;
  for (const Picture& p : pictures)
    if (!p.is_unchanged()) text += concat("an argument of shape ", p.place.sizes.size(), " changed");
  return text;
}

/// Calls every operator until it has all the memory that it wants; what was wrong, a line for each operator. `calls` is
/// the number of calls. `Scarce(n)` lets n allocations through until end(); made() counts those that were asked for.
template <class Scarce>
std::string walk(int& calls, int most) {
  WarningGuard quiet([](const std::string&, void*) {}, nullptr);
  std::string problems;
  for (const OperatorHandle& op : every::operators()) {
    bool done = false;
    for (const every::Shapes& shapes : every::all_shapes(3)) {
      for (bool defaults : {true, false}) {
        try {
          Stack stack = arguments(op, shapes, defaults);
          op.call_boxed(stack);
        } catch (const Error&) { continue; }  // not these arguments
        done = true;
        bool finished = false;
        for (int count = 0; !finished && count < most; ++count, ++calls)
          if (std::string why = attempt<Scarce>(op, shapes, defaults, count, finished); !why.empty()) {
            problems += concat(op.name(), ", allocation ", count, ": ", why, "\n");
            break;
          }
      }
      if (done) break;
    }
  }
  return problems;
}

}  // namespace test::scarce
