// What the headers of autograd declare, compiled once.
#include <tenon/autograd/graph/bodies/anomaly.hpp>
#include <tenon/autograd/graph/bodies/checkpoint.hpp>
#include <tenon/autograd/bodies/deepcopy.hpp>
#include <tenon/autograd/bodies/derivative.hpp>
#include <tenon/autograd/bodies/derivative_node.hpp>
#include <tenon/autograd/graph/bodies/dot.hpp>
#include <tenon/autograd/bodies/engine.hpp>
#include <tenon/autograd/bodies/gradcheck.hpp>
#include <tenon/autograd/graph/bodies/function.hpp>
#include <tenon/autograd/graph/bodies/hooks.hpp>
#include <tenon/autograd/bodies/meta.hpp>
#include <tenon/autograd/bodies/not_implemented.hpp>
#include <tenon/autograd/bodies/pointwise.hpp>
#include <tenon/autograd/bodies/saved.hpp>
#include <tenon/autograd/graph/bodies/saved_hooks.hpp>
#include <tenon/autograd/bodies/view.hpp>
