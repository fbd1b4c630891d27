// The derivatives of matrix products, joins and selections.
#include <tenon/autograd/derivatives/index.hpp>
#include <tenon/autograd/derivatives/index_copy.hpp>
#include <tenon/autograd/derivatives/linalg.hpp>
