// Modules.
#include <tenon/nn/bodies/clip_grad.hpp>
#include <tenon/nn/bodies/fields.hpp>
#include <tenon/nn/bodies/init.hpp>
#include <tenon/nn/bodies/module.hpp>
#include <tenon/nn/bodies/state.hpp>
