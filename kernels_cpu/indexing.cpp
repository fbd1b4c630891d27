// Registers indexing by tensors, masks and flat positions.
#include <tenon/composite/indexing.hpp>
#include <tenon/cpu/indexing.hpp>
#include <tenon/cpu/nonzero.hpp>
#include <tenon/cpu/take_put.hpp>
