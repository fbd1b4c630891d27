// Functions behind layers.
#include <tenon/nn/functional/bodies/activation.hpp>
#include <tenon/nn/functional/bodies/embedding.hpp>
#include <tenon/nn/functional/bodies/linear.hpp>
#include <tenon/nn/functional/bodies/loss.hpp>
#include <tenon/nn/functional/bodies/attention.hpp>
#include <tenon/nn/functional/bodies/sampling.hpp>
#include <tenon/nn/functional/bodies/vectors.hpp>
#include <tenon/nn/functional/bodies/windows.hpp>
