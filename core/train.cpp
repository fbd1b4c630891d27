// Modules and optimisers.
#include <tenon/nn/bodies/fields.hpp>
#include <tenon/nn/bodies/functional.hpp>
#include <tenon/nn/bodies/init.hpp>
#include <tenon/nn/bodies/layers.hpp>
#include <tenon/nn/bodies/module.hpp>
#include <tenon/optim/bodies/adagrad.hpp>
#include <tenon/optim/bodies/adam.hpp>
#include <tenon/optim/bodies/optimizer.hpp>
#include <tenon/optim/bodies/rmsprop.hpp>
#include <tenon/optim/bodies/sgd.hpp>
