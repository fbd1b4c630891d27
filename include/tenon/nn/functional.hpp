// The functions behind the modules, with PyTorch's names and defaults.
#pragma once
#include <tenon/nn/functional/activation.hpp>
#include <tenon/nn/functional/attention.hpp>
#include <tenon/nn/functional/dropout.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/nn/functional/loss.hpp>
#include <tenon/nn/functional/normalization.hpp>
#include <tenon/nn/functional/operators.hpp>
#include <tenon/nn/functional/pooling.hpp>
#include <tenon/nn/functional/sampling.hpp>
#include <tenon/nn/functional/vectors.hpp>
#include <tenon/nn/functional/windows.hpp>
