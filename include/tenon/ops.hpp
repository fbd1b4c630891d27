// The operators: the functions and methods that users call.
#pragma once

#include <tenon/ops/closeness.hpp>
#include <tenon/ops/convolution.hpp>
#include <tenon/ops/copy.hpp>
#include <tenon/ops/factory.hpp>
#include <tenon/ops/functional.hpp>
#include <tenon/ops/index.hpp>
#include <tenon/ops/index_copy.hpp>
#include <tenon/ops/indexing.hpp>
#include <tenon/ops/linalg.hpp>
#include <tenon/ops/loss.hpp>
#include <tenon/ops/nonzero.hpp>
#include <tenon/ops/operators.hpp>
#include <tenon/ops/optim.hpp>
#include <tenon/ops/pointwise.hpp>
#include <tenon/ops/pointwise_more.hpp>
#include <tenon/ops/reduce.hpp>
#include <tenon/ops/statistics.hpp>
#include <tenon/ops/tensor_of.hpp>
#include <tenon/ops/view.hpp>
#include <tenon/ops/view_copy.hpp>
#include <tenon/ops/view_more.hpp>
#include <tenon/ops/view_scatter.hpp>
