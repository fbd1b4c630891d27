// examples/hello.cpp with its kernels from headers alone: one unit, nothing to link, only what it calls.
#define TENON_ONE_UNIT
#define TENON_SELECTED_KEYS \
  "ADInplaceOrView;Autograd;BackendSelect;CPU;CompositeExplicitAutograd;CompositeImplicitAutograd"
#define TENON_SELECTED_DTYPES "float32"
#define TENON_SELECTED_OPERATORS                                                                                                             \
  "aten::_unsafe_view;aten::add.Tensor;aten::addmm;aten::clone;aten::copy_;aten::detach_;aten::empty.memory_format;aten::lift_fresh;"        \
  "aten::linear;aten::matmul;aten::mm;aten::mse_loss;aten::mse_loss_backward;aten::mul.Scalar;"                                              \
  "aten::reshape;aten::sigmoid;aten::sigmoid_backward;aten::squeeze.dim;aten::squeeze_.dim;aten::sub_.Tensor;aten::sum.dim_IntList;aten::t;" \
  "aten::to.device;aten::unsqueeze;aten::view"

#include <tenon/bodies_core.hpp>

#include <tenon/autograd/derivatives/fallbacks.hpp>
#include <tenon/autograd/derivatives/linalg.hpp>
#include <tenon/autograd/derivatives/loss.hpp>
#include <tenon/composite/convert.hpp>
#include <tenon/composite/factory.hpp>
#include <tenon/composite/view.hpp>
#include <tenon/cpu/copy_kernels.hpp>
#include <tenon/cpu/factory.hpp>
#include <tenon/composite/matmul.hpp>
#include <tenon/cpu/mse_loss.hpp>
#include <tenon/cpu/products.hpp>
#include <tenon/cpu/pointwise_engine.hpp>
#include <tenon/pointwise/activation.hpp>
#include <tenon/pointwise/arithmetic.hpp>
#include <tenon/cpu/reduction.hpp>
#include <tenon/reduction/sums.hpp>
#include <tenon/view/memory.hpp>
#include <tenon/view/shape.hpp>

#include "../../examples/hello.cpp"
