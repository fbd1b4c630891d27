// Transforms of functions.
#include <tenon/func/bodies/batching.hpp>
#include <tenon/func/bodies/batching_forms.hpp>
#include <tenon/func/bodies/batching_gradients.hpp>
#include <tenon/func/bodies/batching_layers.hpp>
#include <tenon/func/bodies/batching_products.hpp>
#include <tenon/func/bodies/batching_rules.hpp>
#include <tenon/func/bodies/batching_sequences.hpp>
#include <tenon/func/bodies/batching_steps.hpp>
#include <tenon/func/bodies/grad.hpp>
#include <tenon/func/bodies/gradcheck.hpp>
#include <tenon/func/bodies/interpret.hpp>
#include <tenon/func/bodies/jvp.hpp>
#include <tenon/func/bodies/level.hpp>
#include <tenon/func/bodies/reverse.hpp>
#include <tenon/func/bodies/tangents.hpp>
#include <tenon/func/bodies/tangents_products.hpp>
#include <tenon/func/bodies/vmap.hpp>
