// Memory for the time of a library's call.
#pragma once
#include <cstddef>

#include <tenon/cuda/runtime.hpp>

namespace tenon::cuda {

/// Given back when the call is on its way: the stream's order keeps it from others.
struct Workspace {
  void* data;
  explicit Workspace(std::size_t bytes) : data(bytes ? runtime::allocate(bytes) : nullptr) {}
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;
  ~Workspace() {
    if (data) runtime::release(data);
  }
};

}  // namespace tenon::cuda
