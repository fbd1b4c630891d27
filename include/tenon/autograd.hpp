// Differentiation: nodes, engine, derivatives, custom functions.
#pragma once

#include <tenon/autograd/deepcopy.hpp>
#include <tenon/autograd/derivative.hpp>
#include <tenon/autograd/derivative_names.hpp>
#include <tenon/autograd/derivative_node.hpp>
#include <tenon/autograd/engine.hpp>
#include <tenon/autograd/gradcheck.hpp>
#include <tenon/autograd/kernels.hpp>
#include <tenon/autograd/meta.hpp>
#include <tenon/autograd/mode.hpp>
#include <tenon/autograd/node.hpp>
#include <tenon/autograd/not_implemented.hpp>
#include <tenon/autograd/pointwise.hpp>
#include <tenon/autograd/saved.hpp>
#include <tenon/autograd/transformed.hpp>
#include <tenon/autograd/view.hpp>
