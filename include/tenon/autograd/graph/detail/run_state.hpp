// What others may know of the engine's run that a thread is in.
#pragma once
#include <any>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <tenon/autograd/engine.hpp>

namespace tenon::autograd::detail {

class Run;

struct RunState {
  Node* running = nullptr;
  std::uint64_t number = 0;  ///< given when asked for
  std::vector<std::function<void()>> callbacks;
  std::map<std::shared_ptr<const void>, std::any> kept;  ///< of hooks, by whose they are
  Run* run = nullptr;                                    ///< whose state it is
};

}  // namespace tenon::autograd::detail
