// The derivatives of indexing by tensors, masks and flat positions.
#include <tenon/autograd/derivatives/indexing.hpp>
