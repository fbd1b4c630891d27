// The whole API, without kernels: link tenon_kernels_cpu, or include <tenon/cpu.hpp> in one unit of the program.
#pragma once

#if __cplusplus < 202002L
#error "tenon needs C++20: compile with -std=c++20"
#else
#include <tenon/base.hpp>
#include <tenon/schema.hpp>
#include <tenon/keys.hpp>
#include <tenon/tensor.hpp>
#include <tenon/boxing.hpp>
#include <tenon/dispatch.hpp>
#include <tenon/library.hpp>
#include <tenon/ops.hpp>
#include <tenon/structured.hpp>
#include <tenon/autograd.hpp>
#include <tenon/transform.hpp>
#include <tenon/nn.hpp>
#include <tenon/optim.hpp>
#include <tenon/io.hpp>
#include <tenon/cpu/threads.hpp>
#include <tenon/version.hpp>
#endif
