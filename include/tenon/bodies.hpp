// The bodies of the library's ordinary functions, for one unit of a program that links no compiled part.
#pragma once

#include <tenon/io/bodies/module_state.hpp>
#include <tenon/io/bodies/print.hpp>
#include <tenon/io/bodies/safetensors.hpp>
#include <tenon/io/bodies/safetensors_write.hpp>
#include <tenon/nn/bodies/fields.hpp>
#include <tenon/nn/bodies/functional.hpp>
#include <tenon/nn/bodies/init.hpp>
#include <tenon/nn/bodies/layers.hpp>
#include <tenon/nn/bodies/module.hpp>
#include <tenon/ops/bodies/operators.hpp>
#include <tenon/ops/bodies/tensor_of.hpp>
#include <tenon/optim/bodies/adagrad.hpp>
#include <tenon/optim/bodies/adam.hpp>
#include <tenon/optim/bodies/optimizer.hpp>
#include <tenon/optim/bodies/rmsprop.hpp>
#include <tenon/optim/bodies/sgd.hpp>
