// Bodies of the marks of threads inside calls.
#pragma once
#include <chrono>
#include <thread>

#include <tenon/base/body.hpp>
#include <tenon/dispatch/readers.hpp>

namespace tenon {
namespace detail {

TENON_BODY bool Readers::passed(std::uint64_t epoch, bool but_mine) const {
  for (Reader* r = first_.load(); r; r = r->next) {
    std::uint64_t at = r->epoch.load();
    if (at != 0 && at <= epoch && !(but_mine && r == current_reader)) return false;
  }
  return true;
}

TENON_BODY bool Readers::wait(std::uint64_t epoch) const {
  for (int i = 0; i < 100'000; ++i) {
    if (passed(epoch, true)) return true;
    if (i < 64)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::microseconds(100));
  }
  return false;
}

TENON_BODY Reader& Readers::join(Readers& all) {
  Reader* mine = nullptr;
  for (Reader* r = all.first_.load(); r && !mine; r = r->next)
    if (bool free = false; r->used.compare_exchange_strong(free, true)) mine = r;
  if (!mine) {
    mine = new Reader;
    mine->next = all.first_.load();
    while (!all.first_.compare_exchange_weak(mine->next, mine)) {}
  }
  mine->depth = 0;
  current_reader = mine;
  static thread_local Leave leave{mine};
  leave.reader = mine;
  return *mine;
}

}  // namespace detail
}  // namespace tenon
