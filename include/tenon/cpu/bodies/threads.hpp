// Bodies of the number of threads.
#pragma once
#include <tenon/base/body.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/threads.hpp>

namespace tenon {

TENON_COLD_BODY void set_num_threads(int count) {
  TENON_CHECK(count > 0, ValueError, "set_num_threads(): expected a positive number of threads, got ", count);
  detail::thread_pool().set_threads(count);
}
TENON_BODY int get_num_threads() {
  const Executor* e = detail::executor();
  return e->threads(e->self);
}

}  // namespace tenon
