// Optimisers.
#pragma once

#include <tenon/optim/adagrad.hpp>
#include <tenon/optim/adam.hpp>
#include <tenon/optim/optimizer.hpp>
#include <tenon/optim/rmsprop.hpp>
#include <tenon/optim/sgd.hpp>
