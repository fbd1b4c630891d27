// Modules for neural networks.
#pragma once

#include <tenon/nn/clip_grad.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/layers.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/sampling.hpp>
