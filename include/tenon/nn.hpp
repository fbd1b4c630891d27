// Modules for neural networks.
#pragma once

#include <tenon/nn/clip_grad.hpp>
#include <tenon/nn/fields.hpp>
#include <tenon/nn/functional.hpp>
#include <tenon/nn/init.hpp>
#include <tenon/nn/activation.hpp>
#include <tenon/nn/container.hpp>
#include <tenon/nn/convolution.hpp>
#include <tenon/nn/linear.hpp>
#include <tenon/nn/module.hpp>
#include <tenon/nn/functional/sampling.hpp>
#include <tenon/nn/attention.hpp>
#include <tenon/nn/dropout.hpp>
#include <tenon/nn/functional/activation.hpp>
#include <tenon/nn/functional/linear.hpp>
#include <tenon/nn/functional/loss.hpp>
#include <tenon/nn/loss.hpp>
#include <tenon/nn/normalization.hpp>
#include <tenon/nn/padding.hpp>
#include <tenon/nn/parameter.hpp>
#include <tenon/nn/pooling.hpp>
#include <tenon/nn/recurrent.hpp>
#include <tenon/nn/shape.hpp>
#include <tenon/nn/transformer.hpp>
#include <tenon/nn/functional/attention.hpp>
#include <tenon/nn/functional/vectors.hpp>
