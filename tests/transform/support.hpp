// What the tests of transformations share.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include <tenon/dispatch/observer.hpp>
#include <tenon/schema/alias.hpp>

#include "../ops/support.hpp"
#include "../registry_support.hpp"

namespace test {

using Lines = std::vector<std::string>;

/// The calls of a trace without the kernels that served them.
inline Lines calls(const support::Trace& trace) {
  Lines out;
  for (const std::string& line : trace.lines)
    if (!line.starts_with("[kernel]")) out.push_back(line);
  return out;
}
inline bool contains(const Lines& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

/// The operators that are called on plain tensors, other than by kernels of plain tensors; those on Meta left out.
struct Below final : CallObserver {
  Lines ops, written;
  void begin(const ObservedCall& call) override {
    bool functional = call.keys.has(DispatchKey::Functionalize), meta = call.keys.has(DispatchKey::Meta);
    if (inner_ > 0 || (!functional && !meta)) {
      if (inner_++ == 0) {
        ops.push_back(std::string(call.op.name()));
        if (schema::is_mutable(call.op.schema())) written.push_back(ops.back());
      }
    } else if (meta) {
      ++inner_;
    }
  }
  void end(const ObservedCall&) noexcept override {
    if (inner_ > 0) --inner_;
  }

 private:
  int inner_ = 0;  // depth of calls within one that was noted
};

}  // namespace test
