// What a source of elementwise rows includes, whether it is compiled once or, by `tenon-rows`, once per instruction
// set.
#pragma once
#include <tenon/library/operators.hpp>
#ifdef TENON_KERNELS_ARCH
#include <tenon/cpu/formula_loops.hpp>
#else
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/checks.hpp>
#endif
#include <tenon/pointwise/derived.hpp>
