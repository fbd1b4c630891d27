// Registers operators that select, join, sort and scatter.
#include <tenon/composite/one_hot.hpp>
#include <tenon/cpu/arrange.hpp>
#include <tenon/cpu/gather.hpp>
#include <tenon/cpu/join.hpp>
#include <tenon/cpu/masked.hpp>
#include <tenon/cpu/reduce_into.hpp>
#include <tenon/cpu/scatter.hpp>
#include <tenon/cpu/sort.hpp>
