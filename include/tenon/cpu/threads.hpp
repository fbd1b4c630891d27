// How many threads the kernels use.
#pragma once

namespace tenon {

/// Threads of the library's pool, the caller included; at first the hardware's, or the environment's TENON_NUM_THREADS.
/// Errors: ValueError for less than 1. Cost: starts or parks threads. Not from inside a parallel loop.
void set_num_threads(int count);
/// How many threads a parallel loop may use: the pool's, or those of the executor that `set_executor` installed.
int get_num_threads();

}  // namespace tenon
