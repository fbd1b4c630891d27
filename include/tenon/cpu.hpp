// The CPU kernels, for one unit of a program that uses the headers alone.
#pragma once

#include <tenon/cpu/arch.hpp>
#include <tenon/cpu/convert.hpp>
#include <tenon/cpu/copy.hpp>
#include <tenon/cpu/iterator.hpp>
#include <tenon/cpu/loops.hpp>
#include <tenon/cpu/math.hpp>
#include <tenon/cpu/parallel.hpp>
#include <tenon/cpu/simd.hpp>
#include <tenon/cpu/transpose.hpp>
