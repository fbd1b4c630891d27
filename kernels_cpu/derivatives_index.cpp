// The derivatives of reductions into named places and of segments.
#include <tenon/autograd/derivatives/reduce_into.hpp>
