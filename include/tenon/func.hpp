// Transforms of functions: derivatives of every kind and batches, freely nested.
#pragma once

#include <tenon/func/batched_grad.hpp>
#include <tenon/func/batching.hpp>
#include <tenon/func/batching_forms.hpp>
#include <tenon/func/batching_gradients.hpp>
#include <tenon/func/batching_layers.hpp>
#include <tenon/func/batching_products.hpp>
#include <tenon/func/batching_rules.hpp>
#include <tenon/func/batching_sequences.hpp>
#include <tenon/func/batching_steps.hpp>
#include <tenon/func/dual_level.hpp>
#include <tenon/func/ensemble.hpp>
#include <tenon/func/grad.hpp>
#include <tenon/func/gradcheck.hpp>
#include <tenon/func/has_aux.hpp>
#include <tenon/func/hessian_product.hpp>
#include <tenon/func/interpret.hpp>
#include <tenon/func/jvp.hpp>
#include <tenon/func/level.hpp>
#include <tenon/func/reverse.hpp>
#include <tenon/func/tangents.hpp>
#include <tenon/func/tangents_products.hpp>
#include <tenon/func/tree.hpp>
#include <tenon/func/vmap.hpp>
