// Registers the derivatives of the view operators, their copies and their inverses.
#include <tenon/autograd/derivatives/view.hpp>
#include <tenon/autograd/derivatives/view_copy.hpp>
#include <tenon/autograd/derivatives/view_scatter.hpp>
